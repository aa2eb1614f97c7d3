import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 80
const MARGIN_PX = 20

/**
 * Keeps what is new in view, but never scrolls past the learner's last words: a long lesson is read from its beginning.
 * A reader who has scrolled away is left where they are.
 */
export function useFollowScroll(changes: readonly unknown[]) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAtEnd, setIsAtEnd] = useState(true)

  const follow = useCallback(() => {
    const element = box.current
    if (!element) return
    if (follows.current) element.scrollTop = goalOf(element)
    setIsAtEnd(!isFarFromEnd(element))
  }, [])

  useLayoutEffect(follow, [follow, ...changes])

  useEffect(() => {
    const element = box.current
    const inner = content.current
    if (!element || !inner) return
    const onScroll = () => {
      follows.current =
        Math.abs(element.scrollTop - goalOf(element)) < NEAR_PX || isNearEnd(element)
      setIsAtEnd(!isFarFromEnd(element))
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [follow])

  const toEnd = useCallback(() => {
    const element = box.current
    element?.scrollTo({ top: element.scrollHeight, behavior: 'smooth' })
  }, [])
  return { box, content, isAtEnd, toEnd }
}

const endOf = (element: HTMLElement) => element.scrollHeight - element.clientHeight
const isNearEnd = (element: HTMLElement) => endOf(element) - element.scrollTop < NEAR_PX
/** Less than this below is not worth a button. */
const WORTH_PX = 160
function isFarFromEnd(element: HTMLElement): boolean {
  const goal = element.querySelector('[data-goal]')?.getBoundingClientRect()
  if (goal && goal.top < element.getBoundingClientRect().bottom - WORTH_PX) return false
  return endOf(element) - element.scrollTop > WORTH_PX
}

/** The end, or the learner's last words at the top, whichever comes first; for the end they may just leave the view. */
function goalOf(element: HTMLElement): number {
  const said = element.querySelectorAll<HTMLElement>('[data-from="learner"]')
  const last = said[said.length - 1]
  if (!last) return 0
  const { top, height } = last.getBoundingClientRect()
  const begin = element.scrollTop + top - element.getBoundingClientRect().top - MARGIN_PX
  const end = endOf(element)
  return end <= begin + height + MARGIN_PX ? end : begin
}
