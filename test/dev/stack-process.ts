import { startLocalStack } from '../../src/dev/local-stack.ts'

// A process that owns a local stack, as `npm start` does, to be killed by a test.
const [menoHome = ''] = process.argv.slice(2)
const stack = await startLocalStack({
  menoHome,
  env: { PATH: process.env.PATH },
  log: () => {},
  ports: { postgres: 0, temporal: 0, temporalUi: 0 },
})
const { databaseUrl, temporal, notes } = stack
process.on('SIGTERM', () => stack.stop())
console.log(JSON.stringify({ databaseUrl, temporal, notes }))
