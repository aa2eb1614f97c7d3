/** What LaTeX commands without arguments become; relations and arrows have their spaces with them. */
export const SYMBOLS: Record<string, string> = {
  ...{ cdot: ' · ', times: ' × ', div: ' ÷ ', ast: '*', circ: '°', degree: '°', bullet: '•' },
  ...{ pm: '±', mp: '∓', prime: '′', infty: '∞', partial: '∂', nabla: '∇', angle: '∠' },
  ...{ le: ' ≤ ', leq: ' ≤ ', leqslant: ' ≤ ', ge: ' ≥ ', geq: ' ≥ ', geqslant: ' ≥ ' },
  ...{ lt: ' < ', gt: ' > ', ne: ' ≠ ', neq: ' ≠ ', approx: ' ≈ ', equiv: ' ≡ ', sim: ' ~ ' },
  ...{ cong: ' ≅ ', propto: ' ∝ ', ll: ' ≪ ', gg: ' ≫ ', mid: ' | ', parallel: ' ∥ ', perp: ' ⊥ ' },
  ...{ to: ' → ', rightarrow: ' → ', longrightarrow: ' → ', leftarrow: ' ← ', mapsto: ' ↦ ' },
  ...{ leftrightarrow: ' ↔ ', Rightarrow: ' ⇒ ', implies: ' ⇒ ', Longrightarrow: ' ⇒ ' },
  ...{ Leftarrow: ' ⇐ ', Leftrightarrow: ' ⇔ ', iff: ' ⇔ ', in: ' ∈ ', notin: ' ∉ ', ni: ' ∋ ' },
  ...{ subset: ' ⊂ ', subseteq: ' ⊆ ', supset: ' ⊃ ', supseteq: ' ⊇ ', cup: ' ∪ ', cap: ' ∩ ' },
  ...{ setminus: ' \\ ', emptyset: '∅', varnothing: '∅', forall: '∀', exists: '∃', neg: '¬' },
  ...{ land: ' ∧ ', wedge: ' ∧ ', lor: ' ∨ ', vee: ' ∨ ', therefore: ' ∴ ', because: ' ∵ ' },
  ...{ sum: '∑', prod: '∏', int: '∫', oint: '∮', ldots: '…', dots: '…', cdots: '⋯', vdots: '⋮' },
  ...{ langle: '⟨', rangle: '⟩', lfloor: '⌊', rfloor: '⌋', lceil: '⌈', rceil: '⌉' },
  ...{ lvert: '|', rvert: '|', vert: '|', lbrace: '{', rbrace: '}', lbrack: '[', rbrack: ']' },
  ...{ backslash: '\\', ell: 'ℓ', hbar: 'ℏ', Re: 'Re', Im: 'Im', star: '⋆', square: '□' },
  ...{ alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', varepsilon: 'ε', zeta: 'ζ' },
  ...{ eta: 'η', theta: 'θ', vartheta: 'ϑ', iota: 'ι', kappa: 'κ', lambda: 'λ', mu: 'μ', nu: 'ν' },
  ...{ xi: 'ξ', pi: 'π', rho: 'ρ', sigma: 'σ', tau: 'τ', upsilon: 'υ', phi: 'φ', varphi: 'φ' },
  ...{ chi: 'χ', psi: 'ψ', omega: 'ω', Gamma: 'Γ', Delta: 'Δ', Theta: 'Θ', Lambda: 'Λ', Xi: 'Ξ' },
  ...{ Pi: 'Π', Sigma: 'Σ', Phi: 'Φ', Psi: 'Ψ', Omega: 'Ω' },
}

/** Functions by name, set apart from a letter that follows. */
export const FUNCTIONS = new Set([
  ...['sin', 'cos', 'tan', 'cot', 'sec', 'csc', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh'],
  ...['tanh', 'ln', 'log', 'lg', 'exp', 'lim', 'max', 'min', 'sup', 'inf', 'gcd', 'lcm', 'deg'],
  ...['det', 'dim', 'ker', 'bmod', 'mod', 'arg', 'Pr'],
])

/** Commands that say how their argument looks: the argument alone is kept. */
export const WRAPPERS = new Set([
  ...['text', 'textbf', 'textit', 'textrm', 'texttt', 'mathrm', 'mathbf', 'mathit', 'mathsf'],
  ...['mathtt', 'mathcal', 'operatorname', 'boxed', 'underline', 'overbrace', 'underbrace'],
  ...['mbox', 'phantom', 'color', 'cancel', 'bar', 'hat', 'vec', 'tilde', 'overline', 'boldsymbol'],
])

/** Commands that say how the formula looks and write nothing. */
export const SILENT = new Set([
  ...['left', 'right', 'big', 'Big', 'bigg', 'Bigg', 'bigl', 'bigr', 'Bigl', 'Bigr', 'middle'],
  ...['displaystyle', 'textstyle', 'scriptstyle', 'limits', 'nolimits', 'hline', 'nonumber'],
  ...['tiny', 'small', 'large', 'rm', 'bf', 'it'],
])

const BLACKBOARD: Record<string, string> = { N: 'ℕ', Z: 'ℤ', Q: 'ℚ', R: 'ℝ', C: 'ℂ' }

/** The letter of a number set: `R` is ℝ. */
export const blackboard = (letter: string): string => BLACKBOARD[letter] ?? letter

const HIGH = new Map([...'0123456789+-−=()n'].map((sign, i) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ'][i]]))
const LOW = new Map([...'0123456789+-−=()n'].map((sign, i) => [sign, [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ'][i]]))

/** The text raised, or set after `^` where Unicode has no raised signs for it. */
export const raised = (text: string): string => shifted(text, HIGH, '^')

/** The text lowered, or set after `_`. */
export const lowered = (text: string): string => shifted(text, LOW, '_')

function shifted(text: string, signs: Map<string, string | undefined>, mark: string): string {
  const plain = text.trim()
  if (plain === '' || plain === '°' || /^′+$/.test(plain)) return plain
  const shiftedSigns = [...plain.replace(/ /g, '')].map((sign) => signs.get(sign))
  if (shiftedSigns.every((sign) => sign !== undefined)) return shiftedSigns.join('')
  return [...plain].length === 1 ? mark + plain : `${mark}(${plain})`
}
