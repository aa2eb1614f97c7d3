import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 80
const MARGIN_PX = 20
/** Less than this below is not worth a button. */
const WORTH_PX = 160

/**
 * Moves the view when something is added, and never else: to the learner's last words at the top or to the end,
 * whichever comes first, so that a long lesson is read from its beginning; never back, and never away from a reader who
 * has scrolled elsewhere or has begun to write. Where the box gets lower because the answer field grows, what stood above
 * the field still does. `newest` names what stands last; every entry has its name in `data-entry`, the same for the same
 * words.
 */
export function useFollowScroll(newest: string) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const view = useRef<FollowedView | null>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands last is what is followed
  useLayoutEffect(() => {
    if (!box.current || !content.current) return
    view.current ??= new FollowedView(box.current)
    view.current.added(content.current)
    setIsAtEnd(!view.current.isFarFromEnd())
  }, [newest])

  useEffect(() => {
    const element = box.current
    const inner = content.current
    if (!element || !inner) return
    view.current ??= new FollowedView(element)
    const followed = view.current
    const show = () => setIsAtEnd(!followed.isFarFromEnd())
    const onScroll = () => {
      followed.scrolled()
      show()
    }
    const onHand = () => followed.touched()
    const observer = new ResizeObserver(() => {
      followed.resized()
      show()
    })
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const hand of HANDS) window.addEventListener(hand, onHand, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
      for (const hand of HANDS) window.removeEventListener(hand, onHand)
    }
  }, [])

  const toEnd = useCallback(() => {
    const element = box.current
    element?.scrollTo({ top: element.scrollHeight, behavior: 'smooth' })
  }, [])
  /** Keeps what is in view where it is while something is put before it. */
  const holdStill = useCallback(() => view.current?.holdStill(), [])
  return { box, content, isAtEnd, toEnd, holdStill }
}

const HANDS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

class FollowedView {
  private readonly box: HTMLElement
  private follows = true
  /** Whether a hand was laid on the page since something was added: then sizes that change are its own doing. */
  private isTouched = false
  private seen = new Set<string>()
  /** What is kept at the top where it fits. */
  private goal: HTMLElement | null = null
  private height: number
  private held: { element: HTMLElement; top: number } | null = null

  constructor(box: HTMLElement) {
    this.box = box
    this.height = box.clientHeight
  }

  added(content: HTMLElement): void {
    this.putBack()
    const entries = [...content.querySelectorAll<HTMLElement>('[data-entry]')]
    const first = this.firstNew(entries)
    this.seen = new Set(entries.map(({ dataset }) => dataset.entry ?? ''))
    const said = entries.findLast((entry) => entry.querySelector('[data-from="learner"]'))
    if (said && this.topOf(said) >= this.box.scrollTop) this.goal = said
    else if (first || !this.goal?.isConnected) this.goal = first ?? said ?? null
    this.isTouched = false
    this.move()
  }

  resized(): void {
    const shrunk = this.height - this.box.clientHeight
    this.height = this.box.clientHeight
    if (!this.isTouched) this.move()
    else if (shrunk > 0) this.box.scrollTop += shrunk
  }

  scrolled(): void {
    const wanted = this.wanted()
    const isThere = Math.abs(this.box.scrollTop - wanted) < NEAR_PX
    if (isThere || this.end() - this.box.scrollTop < NEAR_PX) this.follows = true
    // Its own scrolling is told late: what has grown meanwhile is no reader who went elsewhere.
    else if (this.isTouched) this.follows = false
  }

  touched(): void {
    this.isTouched = true
  }

  holdStill(): void {
    const top = this.box.getBoundingClientRect().top
    const entries = this.box.querySelectorAll<HTMLElement>('[data-entry]')
    const element = [...entries].find((entry) => entry.getBoundingClientRect().bottom > top)
    this.held = element ? { element, top: element.getBoundingClientRect().top } : null
  }

  isFarFromEnd(): boolean {
    const goal = this.box.querySelector('[data-goal]')?.getBoundingClientRect()
    if (goal && goal.top < this.box.getBoundingClientRect().bottom - WORTH_PX) return false
    return this.end() - this.box.scrollTop > WORTH_PX
  }

  private move(): void {
    if (!this.follows || isWriting()) return
    const wanted = this.wanted()
    if (wanted > this.box.scrollTop) this.box.scrollTop = wanted
  }

  private putBack(): void {
    if (this.held?.element.isConnected) {
      this.box.scrollTop += this.held.element.getBoundingClientRect().top - this.held.top
    }
    this.held = null
  }

  /** The first entry behind the last one that was there before; none at the very first. */
  private firstNew(entries: readonly HTMLElement[]): HTMLElement | undefined {
    if (this.seen.size === 0) return undefined
    const last = entries.findLastIndex(({ dataset }) => this.seen.has(dataset.entry ?? ''))
    return entries[last + 1]
  }

  private wanted(): number {
    const { goal } = this
    const end = this.end()
    if (!goal?.isConnected) return Math.min(end, this.seen.size === 0 ? 0 : this.box.scrollTop)
    const begin = this.topOf(goal)
    const isSaid = goal.querySelector('[data-from="learner"]') !== null
    // For the end, the learner's own words may just leave the view.
    const slack = isSaid ? goal.offsetHeight + MARGIN_PX : 0
    return end <= begin + slack ? end : begin
  }

  private topOf(element: HTMLElement): number {
    const offset = element.getBoundingClientRect().top - this.box.getBoundingClientRect().top
    return this.box.scrollTop + offset - MARGIN_PX
  }

  private end(): number {
    return this.box.scrollHeight - this.box.clientHeight
  }
}

/** Whether the learner has begun to write: then nothing may move under their eyes. */
function isWriting(): boolean {
  const { activeElement } = document
  const isField =
    activeElement instanceof HTMLTextAreaElement ||
    (activeElement instanceof HTMLInputElement && activeElement.type === 'text')
  return isField && activeElement.value.trim() !== ''
}
