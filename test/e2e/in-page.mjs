// What is run inside the page: each function stands alone, as Playwright sends its text to the browser.

/**
 * Every control that can be seen: what it is called, how large a pointer finds it, and what stands in the way. With an
 * open menu or dialog only its own controls count.
 * @param {number} size the least width and height in CSS pixels; smaller ones need that much room to themselves
 */
export function listControls(size) {
  const CONTROLS = `a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true],
    [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem], [role=option]`
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const layers = [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')]
  const scope = layers.filter(isSeen).at(-1) ?? document.body
  /** A box that is drawn by its label has no size of its own. */
  const drawnBy = (element) => {
    const { width, height } = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    const isDrawn = width > 2 && height > 2 && style.opacity !== '0' && style.clipPath === 'none'
    return isDrawn ? element : (element.labels?.[0] ?? null)
  }
  const boxOf = (element) => {
    const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect())
    const [left, top] = [
      Math.min(...boxes.map((b) => b.left)),
      Math.min(...boxes.map((b) => b.top)),
    ]
    return {
      width: Math.max(...boxes.map((b) => b.right)) - left,
      height: Math.max(...boxes.map((b) => b.bottom)) - top,
    }
  }
  const nameOf = (element) =>
    (
      element.getAttribute('aria-label') ||
      element.labels?.[0]?.textContent ||
      element.textContent ||
      element.getAttribute('placeholder') ||
      ''
    )
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 60)

  const isAbove = (element) => {
    for (let up = element; up && up !== scope; up = up.parentElement) {
      if (['absolute', 'fixed', 'sticky'].includes(getComputedStyle(up).position)) return true
    }
    return false
  }

  const found = []
  const all = [...scope.querySelectorAll(CONTROLS)].filter((element) => {
    const drawn = drawnBy(element)
    // The link past the header comes into view with the keyboard.
    return drawn && isSeen(drawn) && element.getAttribute('href') !== '#main'
  })
  const owner = (element) =>
    all.find(
      (one) => one.contains(element) || [...(one.labels ?? [])].some((l) => l.contains(element)),
    )
  for (const element of all) {
    const drawn = drawnBy(element)
    const pane = element.closest('.react-flow')?.getBoundingClientRect()
    if (!pane) drawn.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const [line] = drawn.getClientRects()
    if (!line) continue
    const [x, y] = [line.left + line.width / 2, line.top + line.height / 2]
    // The map is moved by hand.
    if (pane && (x < pane.left || x > pane.right || y < pane.top || y > pane.bottom)) continue
    const hit = document.elementFromPoint(x, y)
    const problems = []
    const isHit =
      hit && (drawn.contains(hit) || [...(element.labels ?? [])].some((l) => l.contains(hit)))
    const isOff = element.disabled || element.getAttribute('aria-disabled') === 'true'
    if (!isHit) {
      const what = hit
        ? `${hit.tagName.toLowerCase()}.${hit.className?.baseVal ?? hit.className}`
        : 'nothing'
      problems.push(`the pointer meets ${what}`)
    }
    const { width, height } = boxOf(drawn === element ? element : drawn)
    const isInText = getComputedStyle(drawn).display === 'inline'
    if ((width < size || height < size) && !isInText && !isOff && isHit) {
      const around = Array.from({ length: 16 }, (_, step) => (step * Math.PI) / 8)
      const others = around
        .map((angle) =>
          document.elementFromPoint(
            x + Math.cos(angle) * (size / 2),
            y + Math.sin(angle) * (size / 2),
          ),
        )
        .map((there) => there && owner(there))
        .filter(
          (other) =>
            other && other !== element && !other.contains(element) && !element.contains(other),
        )
        // What lies above the page gives way when it is scrolled.
        .filter((other) => isAbove(other) === isAbove(element))
      if (others.length > 0) {
        problems.push(
          `${Math.round(width)}×${Math.round(height)}, and ${nameOf(others[0])} is less than ${size / 2} away`,
        )
      }
    }
    const id = String(found.length)
    element.dataset.control = id
    const row = element.closest(
      'li, tr, article, .react-flow__node, [role=radiogroup], [role=listbox]',
    )
    found.push({
      id,
      name: nameOf(element),
      role: element.getAttribute('role') ?? element.type ?? element.tagName.toLowerCase(),
      /** Controls that do the same for one entry of a list each. */
      kind: row ? `${row.tagName} ${element.tagName} ${element.className}` : '',
      isAway: /^https?:/.test(element.getAttribute('href') ?? '') && element.host !== location.host,
      isOff,
      isChosen:
        element.checked === true ||
        element.getAttribute('aria-current') !== null ||
        element.getAttribute('aria-selected') === 'true',
      problems,
    })
  }
  return found
}

/** What reaches beyond the edge of the page, and words that are cut off with nothing that says the whole. */
export function listOverflow() {
  const lines = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) {
    lines.push(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`)
  }
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className}: ${element.textContent.trim().slice(0, 60)}`
  for (const element of document.querySelectorAll('body *')) {
    const hasWords = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '',
    )
    if (
      !hasWords ||
      element.closest('.katex-mathml, .react-flow, svg, textarea, select, script, style')
    )
      continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    const { width, height, left, right } = element.getBoundingClientRect()
    // Said to screen readers only.
    if (width <= 2 || height <= 2 || style.clipPath !== 'none' || style.clip !== 'auto') continue
    let scrolls = false
    let hides = null
    for (let up = element; up && up !== root; up = up.parentElement) {
      const { overflowX } = getComputedStyle(up)
      if (overflowX === 'auto' || overflowX === 'scroll') scrolls = true
      if (overflowX === 'hidden' || overflowX === 'clip') hides ??= up
      if (scrolls) break
    }
    if (element.closest('a[href="#main"]')) continue
    if (!scrolls && (right > root.clientWidth + 1 || left < -1))
      lines.push(`beyond the edge: ${nameOf(element)}`)
    const saysWhole = element.closest('[title]')
    if (saysWhole) continue
    const isCut =
      (style.overflowX !== 'visible' &&
        style.overflowX !== 'auto' &&
        element.scrollWidth > element.clientWidth + 1) ||
      (style.overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 3)
    const box = hides && hides !== element && !scrolls ? hides.getBoundingClientRect() : null
    if (isCut || (box && box.width > 2 && right > box.right + 1))
      lines.push(`cut: ${nameOf(element)}`)
  }
  return lines
}

/** Waits until no colour changes any more: each element follows its parent, however short it takes. */
export async function settleColours() {
  for (let still = 0; still < 3; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const isStill = document.getAnimations().every(({ playState }) => playState !== 'running')
    still = isStill ? still + 1 : 0
  }
}

/** All that a click may change, in one text. */
export function stateOfPage() {
  const controls = [
    ...document.querySelectorAll('input, textarea, select, [aria-expanded], [aria-checked]'),
  ]
  return JSON.stringify([
    location.href,
    document.body.innerText,
    document.documentElement.dataset.mantineColorScheme,
    controls.map((one) => [
      one.value,
      one.checked,
      one.getAttribute('aria-expanded'),
      one.getAttribute('aria-checked'),
    ]),
    [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox], [role=alert]')]
      .length,
    [...document.querySelectorAll('.react-flow__viewport')].map((one) => one.style.transform),
    [...document.querySelectorAll('[role=log], main')].map((one) => Math.round(one.scrollTop)),
    [...document.querySelectorAll('button')].map((one) => one.getAttribute('aria-label')),
    ['TEXTAREA', 'INPUT'].includes(document.activeElement?.tagName)
      ? document.activeElement.name || document.activeElement.id
      : '',
  ])
}
