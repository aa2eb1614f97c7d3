/** Something may have changed: told from anywhere, waited for in one place. */
export interface Change {
  tell: () => void
  /** Resolves at the next telling, at once if one came since the last wait, or after `ms`. */
  wait: (ms: number) => Promise<void>
}

export function createChange(): Change {
  let isTold = false
  let wake = () => {}
  return {
    tell: () => {
      isTold = true
      wake()
    },
    wait: async (ms) => {
      if (!isTold) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isTold = false
    },
  }
}
