import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'

/** A dialog whose code is loaded when it is opened for the first time. */
export function lateDialog<Props extends { opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({
    default: openedAfterMount(await load().catch(() => Nothing)),
  }))
  return function LateDialog(props: Props) {
    const isWanted = useRef(false)
    isWanted.current ||= props.opened
    if (!isWanted.current) return null
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

const Nothing = () => null

/** A dialog gives the focus back to where it was only if it was there, closed, before it was opened. */
function openedAfterMount<Props extends { opened: boolean }>(Dialog: ComponentType<Props>) {
  return function Opening(props: Props) {
    const [isMounted, setIsMounted] = useState(false)
    useEffect(() => setIsMounted(true), [])
    return <Dialog {...props} opened={isMounted && props.opened} />
  }
}
