/**
 * Reads one string field of a JSON object while the object is still coming in: give it the pieces of JSON in order, and
 * it returns what each adds to the field's text, escapes resolved. Only a field of the object itself is read, not one
 * of an object inside it. It never throws; JSON that is broken is found out by whoever parses the whole.
 */
export function fieldReader(field: string): (json: string) => string {
  let depth = 0
  /** The last sign outside strings: tells keys from values. */
  let sign = ''
  let key = ''
  let string: 'key' | 'field' | 'other' | null = null
  let sequence: string | null = null
  let held = ''
  let done = false

  /** Takes one sign of a string; returns it resolved, or null while an escape is incomplete. */
  function resolve(char: string): string | null {
    if (sequence === null) {
      if (char !== '\\') return char
      sequence = ''
      return null
    }
    sequence += char
    if (sequence.startsWith('u') && sequence.length < 5) return null
    const resolved = unescaped(sequence)
    sequence = null
    return resolved
  }

  function openString(): void {
    const isKey = depth === 1 && (sign === '{' || sign === ',')
    if (isKey) key = ''
    string = isKey ? 'key' : depth === 1 && sign === ':' && key === field ? 'field' : 'other'
  }

  return (json) => {
    let text = ''
    for (const char of json.split('')) {
      if (done) break
      if (string === null) {
        if (char === '"') openString()
        else if (char === '{' || char === '[') depth += 1
        else if (char === '}' || char === ']') depth -= 1
        if (/[{}[\],:]/.test(char)) sign = char
      } else if (char === '"' && sequence === null) {
        done = string === 'field'
        string = null
      } else {
        const resolved = resolve(char)
        if (resolved === null) continue
        if (string === 'key') key += resolved
        if (string === 'field') text += resolved
      }
    }
    text = held + text
    held = !done && /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : ''
    return held === '' ? text : text.slice(0, -1)
  }
}

const NAMED: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescaped(sequence: string): string {
  if (!sequence.startsWith('u')) return NAMED[sequence] ?? sequence
  const code = Number.parseInt(sequence.slice(1), 16)
  return Number.isNaN(code) ? '' : String.fromCharCode(code)
}
