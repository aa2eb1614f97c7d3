import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../src/config.ts'
import { makeOnce } from '../../src/dev/cache-folder.ts'
import { downloadTemporalProgram } from '../../src/dev/download.ts'
import { findOnPath, isExecutable, type Log, runCommand } from '../../src/dev/run-command.ts'

const VERSION = '1.38.0'
const PROGRAM = 'temporal-test-server'

/**
 * The path of Temporal's time-skipping test server, to be given to the SDK as `existing-path`:
 * from the user's cache, else downloaded, else put together from Maven's jars. Throws with the
 * command that would mend it.
 */
export async function findTestServer(
  options: { env?: NodeJS.ProcessEnv; log?: Log; sources?: ('download' | 'maven')[] } = {},
): Promise<string> {
  const { env = process.env, log = console.log, sources = ['download', 'maven'] } = options
  const entry = `${PROGRAM}-${VERSION}`
  const path = join(cacheFolder(env), entry, PROGRAM)
  const find = async () => (isExecutable(path) ? path : null)
  const existing = await find()
  if (existing) return existing
  return makeOnce(cacheFolder(env), entry, log, find, async (workFolder, finalFolder) => {
    const whole = join(workFolder, 'whole')
    mkdirSync(whole)
    if (!sources.includes('download') || !(await download(workFolder, whole, log))) {
      await assembleFromMaven(workFolder, whole, env, log)
    }
    renameSync(whole, finalFolder)
  })
}

async function download(workFolder: string, whole: string, log: Log): Promise<boolean> {
  try {
    const program = await downloadTemporalProgram(PROGRAM, `v${VERSION}`, workFolder, log)
    chmodSync(program, 0o755)
    renameSync(program, join(whole, PROGRAM))
    return true
  } catch {
    return false
  }
}

async function assembleFromMaven(
  workFolder: string,
  whole: string,
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<void> {
  const maven = findOnPath('mvn', env.PATH)
  if (!maven || !findOnPath('java', env.PATH)) {
    throw new Error(
      "Temporal's test server cannot be downloaded, and Java with Maven is missing. Run: " +
        'apt-get install -y --no-install-recommends openjdk-17-jre-headless maven',
    )
  }
  writeFileSync(join(workFolder, 'pom.xml'), POM)
  await runCommand(
    maven,
    ['-B', '-q', 'dependency:copy-dependencies', `-DoutputDirectory=${join(whole, 'lib')}`],
    { label: "Fetching Temporal's test server", log, env, cwd: workFolder },
  )
  writeFileSync(join(whole, PROGRAM), LAUNCHER)
  chmodSync(join(whole, PROGRAM), 0o755)
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>meno</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>${PROGRAM}</artifactId>
      <version>${VERSION}</version>
    </dependency>
    <!-- Without a logger it tells so at every start. -->
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`

// The SDK waits five seconds for the port: the small collector and the first compiler start soonest.
const LAUNCHER = `#!/bin/sh
lib="$(cd "$(dirname "$0")" && pwd)/lib"
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$lib/*" io.temporal.testserver.TestServer "$@"
`
