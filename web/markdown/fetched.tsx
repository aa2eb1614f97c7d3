import { type ComponentType, lazy, useState } from 'react'

/** A component whose code is fetched when it is first drawn, or when `begin` is called. */
export type Fetched<P> = ComponentType<P> & { begin: () => Promise<unknown> }

/**
 * Makes one. Once its code is there it is drawn at once: React's `lazy` would first show what stands in its place, and
 * keep that for a third of a second.
 */
export function fetched<P extends object>(load: () => Promise<ComponentType<P>>): Fetched<P> {
  let there: ComponentType<P> | null = null
  let loading: Promise<{ default: ComponentType<P> }> | null = null
  const begin = () => {
    loading ??= load().then((part) => {
      there = part
      return { default: part }
    })
    return loading
  }
  const Later = lazy(begin)
  function Part(props: P) {
    // What was drawn once stays the same component.
    const [Shown] = useState<ComponentType<P>>(() => there ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Part, { begin })
}
