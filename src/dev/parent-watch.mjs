import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

// Loaded before the program by bootstrap.mjs, which holds the other end of a pipe. When bootstrap is
// killed with -9 the pipe closes, and the program is asked to end in good order instead of running
// on, unseen. Processes the program starts itself do not inherit the watch.
const descriptor = process.env.MENO_PARENT_FD
if (isMainThread && descriptor) {
  delete process.env.MENO_PARENT_FD
  const pipe = new Socket({ fd: Number(descriptor) })
  pipe.on('error', () => {})
  pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}
