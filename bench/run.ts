/** Runs the benchmarks of this folder, or those named: `npm run bench -- arc-turn`. */
import { readdirSync } from 'node:fs'
import path from 'node:path'

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts'))
const names = files.map((file) => path.basename(file, '.ts')).filter((name) => name !== 'run')
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(1)
}
for (const name of wanted.length > 0 ? wanted : names) {
  const { run } = (await import(`./${name}.ts`)) as { run?: () => Promise<void> }
  if (run) await run()
}
process.exit(0)
