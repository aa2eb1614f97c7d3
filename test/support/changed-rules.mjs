/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): its source is changed as the file in `MENO_TEST_CHANGES` says,
 * where there is one when the program starts. So a worker that starts again may have other rules than the one before.
 */
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.MENO_TEST_CHANGES
/** @type {{ file: string, from: string, to: string }[]} */
const changes = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

if (changes.length > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const wanted = changes.filter((change) => url.endsWith(`/${change.file}`))
      if (wanted.length === 0) return loaded
      let source = String(loaded.source)
      for (const { from, to } of wanted) {
        if (!source.includes(from)) throw new Error(`${url} does not say any more: ${from}`)
        source = source.replace(from, to)
      }
      return { ...loaded, source }
    },
  })
}
