import type { Expression } from './expression.ts'

/** How tightly a node holds together: what holds less than its place asks for stands in brackets. */
const SUM = 1
const PRODUCT = 2
const SIGN = 3
const POWER = 4
const ATOM = 5

/** An expression in LaTeX, as a book would print it: `\frac{x + 1}{2}`, `3(x + 2)`, `x^{2}`. */
export function latexOf(expression: Expression): string {
  return printed(expression).latex
}

interface Printed {
  latex: string
  holds: number
}

function printed(node: Expression): Printed {
  switch (node.kind) {
    case 'number':
      return node.d === 1n
        ? { latex: `${node.n}`, holds: ATOM }
        : { latex: `\\frac{${node.n}}{${node.d}}`, holds: PRODUCT }
    case 'symbol':
      return { latex: node.name === 'pi' ? '\\pi' : node.name, holds: ATOM }
    case 'negate':
      return { latex: `-${bracketed(node.of, SIGN)}`, holds: SIGN }
    case 'call':
      return { latex: called(node.name, latexOf(node.of)), holds: ATOM }
    case 'add':
      return { latex: `${latexOf(node.left)} + ${bracketed(node.right, PRODUCT)}`, holds: SUM }
    case 'subtract':
      return { latex: `${latexOf(node.left)} - ${bracketed(node.right, PRODUCT)}`, holds: SUM }
    case 'multiply':
      return { latex: multiplied(node.left, node.right), holds: PRODUCT }
    case 'divide':
      return { latex: `\\frac{${latexOf(node.left)}}{${latexOf(node.right)}}`, holds: PRODUCT }
    case 'power':
      return { latex: `${bracketed(node.left, ATOM)}^{${latexOf(node.right)}}`, holds: POWER }
  }
}

function bracketed(node: Expression, least: number): string {
  const { latex, holds } = printed(node)
  return holds < least ? `(${latex})` : latex
}

function multiplied(left: Expression, right: Expression): string {
  const [first, second] = [bracketed(left, PRODUCT), bracketed(right, SIGN + 1)]
  return /^[\d-]|^\\frac/.test(second) ? `${first} \\cdot ${second}` : `${first} ${second}`
}

function called(name: string, of: string): string {
  if (name === 'sqrt') return `\\sqrt{${of}}`
  return name === 'abs' ? `|${of}|` : `\\${name}(${of})`
}
