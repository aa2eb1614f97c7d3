import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { MarkdownRenderer } from '../../web/markdown/markdown-renderer.tsx'

const html = (text: string, isInline = false) =>
  renderToStaticMarkup(createElement(MarkdownRenderer, { text, isInline }))

describe('what a tutor writes', () => {
  it.each([
    ['# A\n\n## B\n\n### C', '<h3>A</h3><h4>B</h4><h3>C</h3>'],
    [
      'one\n\n*two* **three** ~~four~~',
      '<p>one</p><p><em>two</em> <strong>three</strong> <del>four</del></p>',
    ],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a\n\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['- a\n  1. b', '<ul><li>a<ol><li>b</li></ol></li></ul>'],
    ['> said', '<blockquote><p>said</p></blockquote>'],
    ['a\n\n---', '<p>a</p><hr/>'],
    ['`a < b` and 2*3*4', '<p><code>a &lt; b</code> and 2<em>3</em>4</p>'],
    ['`*a*` \\*b\\* __init__', '<p><code>*a*</code> *b* <strong>init</strong></p>'],
    [
      '```js\na < b\n```',
      '<pre data-scroll="true"><code class="language-js">a &lt; b</code></pre>',
    ],
    ['&lt; &amp; &#65; &#x42; &times; &none;', '<p>&lt; &amp; A B × &amp;none;</p>'],
  ])('%j is drawn', (text, drawn) => {
    expect(html(text)).toBe(drawn)
  })

  it('has tables, aligned as they say', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toBe(
      '<div data-scroll="true"><table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td style="text-align:right">2</td></tr></tbody></table></div>',
    )
  })

  it('has no paragraphs in a label', () => {
    expect(html('a **b**', true)).toBe('a <strong>b</strong>')
  })
})

describe('what could do harm', () => {
  it('shows HTML as text, also in blocks of their own', () => {
    expect(html('<b>x</b>')).toBe('<p>&lt;b&gt;x&lt;/b&gt;</p>')
    expect(html('<script>\nalert(1)\n</script>')).not.toContain('<script')
    expect(html('a <img src=x onerror=alert(1)> b')).not.toContain('<img')
  })

  it('leads to addresses of the web only, and opens them apart', () => {
    expect(html('[a](https://a.b/?c=1&d=2)')).toBe(
      '<p><a href="https://a.b/?c=1&amp;d=2" target="_blank" rel="noreferrer">a</a></p>',
    )
    expect(html('[a](/b:c)')).toContain('href="/b:c"')
    for (const address of [
      'javascript:alert(1)',
      'JavaScript&colon;x:1',
      'data:text/html,x',
      'vbscript:x',
    ]) {
      expect(html(`[a](${address})`), address).toContain('href=""')
    }
  })

  it('fetches no picture, but tells what it shows', () => {
    expect(html('![a *cat*](https://a.b/c.png)')).toBe('<p><em>a *cat*</em></p>')
  })

  it('stands as it was written where it is nested too deep', () => {
    expect(html('> '.repeat(6_000))).toContain('&gt;')
  })
})
