import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Environment } from '../http/environment.ts'
import type { OpenApiDocument, Operation } from '../http/openapi.ts'

const part = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8')

/** `/docs`: the API as a page to read and to try, made from the OpenAPI document; it loads nothing from elsewhere. */
export function docsRoutes(document: () => OpenApiDocument): Hono<Environment> {
  const [script, style] = [part('try-request.js'), part('docs.css')]
  return new Hono<Environment>()
    .get('/', (c) => c.html(docsPage(document())))
    .get('/try-request.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript' }))
    .get('/docs.css', (c) => c.body(style, 200, { 'content-type': 'text/css' }))
}

interface Named {
  path: string
  method: string
  operation: Operation
}

function docsPage({ info, paths = {}, tags = [] }: OpenApiDocument) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Named => ({ path, method, operation })),
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${info.title}: the API</title>
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href="/docs/docs.css" />
        <script type="module" src="/docs/try-request.js"></script>
      </head>
      <body>
        <h1>${info.title}: the API</h1>
        <p>${info.description ?? ''} The same as a document: <a href="/openapi.json">openapi.json</a>.
          “Send” carries a request out, here and now.</p>
        <nav aria-label="Groups"><ul>
          ${tags.map(({ name }) => html`<li><a href="#${slug(name)}">${name}</a></li>`)}
        </ul></nav>
        ${tags.map(
          ({ name, description }) => html`<section aria-labelledby="${slug(name)}">
            <h2 id="${slug(name)}">${name}</h2>
            <p>${description}</p>
            ${operations.filter(({ operation }) => operation.tags?.includes(name)).map(entry)}
          </section>`,
        )}
      </body>
    </html>`
}

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')

const entry = ({ path, method, operation }: Named) => html`<details id="${operation.operationId}">
    <summary>
      <span class="method">${method}</span> <code>${path}</code> ${inWords(operation.summary)}
    </summary>
    ${operation.description ? html`<p>${inWords(operation.description)}</p>` : ''}
    <form data-method="${method}" data-path="${path}">
      ${fields(operation)} ${body(operation)}
      <button type="submit">Send</button>
      <output aria-live="polite" tabindex="0"></output>
    </form>
    ${answers(operation)}
  </details>`

/** A sentence with what stands between backticks as code. */
const inWords = (sentence = '') =>
  sentence.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))

const fields = ({ operationId, parameters = [] }: Operation) =>
  parameters.map((parameter) => {
    const id = `${operationId}-${parameter.name}`
    const remark = [parameter.in, parameter.required ? 'needed' : '', parameter.description ?? '']
    return html`<div class="field">
      <label for="${id}"><code>${parameter.name}</code> <small>${remark.filter(Boolean).join(' · ')}</small></label>
      <input id="${id}" name="${parameter.name}" data-in="${parameter.in}" ${parameter.required ? 'required' : ''} />
    </div>`
  })

const body = ({ operationId, requestBody }: Operation) => {
  const [first] = Object.values(requestBody?.content ?? {})
  if (!first) return ''
  return html`<div class="field">
      <label for="${operationId}-body">Body <small>JSON</small></label>
      <textarea id="${operationId}-body" rows="6" spellcheck="false">${JSON.stringify(first.example, null, 2)}</textarea>
    </div>
    <details><summary>Schema of the body</summary>${schema(first.schema)}</details>`
}

const answers = ({ responses = {} }: Operation) =>
  Object.entries(responses).map(([status, { description, content = {} }]) => {
    const [first] = Object.values(content)
    const name = `${status}: ${description ?? ''}`
    return first?.schema === undefined || Number(status) >= 400
      ? html`<p class="answer">${name}</p>`
      : html`<details class="answer"><summary>${name}</summary>${schema(first.schema)}</details>`
  })

const schema = (value: unknown) => html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
