import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Log, reportProgress, runCommand } from './run-command.ts'

const ANSWER_WITHIN_MS = 5000
const WHOLE_DOWNLOAD_MS = 300_000

/**
 * Downloads one of Temporal's programs, from where the SDK gets it, and unpacks it into `folder`.
 * Returns the program's path. Throws at once where there is no internet, and after five seconds
 * where the server does not answer.
 */
export async function downloadTemporalProgram(
  program: 'cli' | 'temporal-test-server',
  version: string,
  folder: string,
  log: Log,
): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const query = new URLSearchParams({ platform, arch })
  const info = await fetch(`https://temporal.download/${program}/${version}?${query}`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  if (!info.ok) throw new Error(`temporal.download answered ${info.status}`)
  const { archiveUrl, fileToExtract } = (await info.json()) as {
    archiveUrl: string
    fileToExtract: string
  }
  const stopReporting = reportProgress(`Downloading ${program} ${version}`, log)
  const archive = join(folder, archiveUrl.endsWith('.zip') ? 'archive.zip' : 'archive.tar.gz')
  try {
    const response = await fetch(archiveUrl, { signal: AbortSignal.timeout(WHOLE_DOWNLOAD_MS) })
    if (!response.ok || !response.body) throw new Error(`${archiveUrl} answered ${response.status}`)
    await pipeline(Readable.fromWeb(response.body), createWriteStream(archive))
  } finally {
    stopReporting()
  }
  await runCommand('tar', ['-xf', archive, '-C', folder], { label: 'Unpacking', log })
  rmSync(archive)
  return join(folder, fileToExtract)
}
