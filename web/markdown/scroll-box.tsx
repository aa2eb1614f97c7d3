import { type ComponentProps, useEffect, useRef, useState } from 'react'

/** A box that can be reached and scrolled by keyboard, but only while there is something to scroll. */
export function ScrollBox({
  as: Tag,
  ...props
}: { as: 'div' | 'pre' | 'span' } & ComponentProps<'div'>) {
  const box = useRef<HTMLElement>(null)
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setIsWide(element.scrollWidth > element.clientWidth + 1)
    // What is in the box may grow wider than the box without changing its size: colours and fonts come later.
    const size = new ResizeObserver(measure)
    const content = new MutationObserver(measure)
    size.observe(element)
    content.observe(element, { childList: true, characterData: true, subtree: true })
    document.fonts.addEventListener('loadingdone', measure)
    return () => {
      size.disconnect()
      content.disconnect()
      document.fonts.removeEventListener('loadingdone', measure)
    }
  }, [])
  const focus = isWide ? { tabIndex: 0 } : {}
  return <Tag ref={box as never} {...(props as object)} {...focus} data-scroll />
}
