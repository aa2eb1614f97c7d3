import { html, raw } from 'hono/html'

interface Operation {
  summary?: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
  responses?: Record<
    string,
    { description?: string; content?: Record<string, { schema?: unknown }> }
  >
}

interface OpenApiDocument {
  info: { title: string; description?: string }
  paths?: Record<string, Record<string, Operation>>
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  details { border: 1px solid #8885; border-radius: .5rem; margin: .5rem 0; padding: .5rem .8rem; }
  summary { cursor: pointer; } code, pre { font: .85rem ui-monospace, monospace; }
  pre { overflow: auto; background: #8881; padding: .6rem; border-radius: .4rem; }
  .method { display: inline-block; min-width: 3.6rem; font-weight: 700; text-transform: uppercase; }
`

/** The API as a page to read, made from the OpenAPI document and nothing else; it loads nothing from elsewhere. */
export function docsPage(document: OpenApiDocument) {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${document.info.title}: the API</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <h1>${document.info.title}: the API</h1>
        <p>${document.info.description ?? ''} The same as a document: <a href="/openapi.json">openapi.json</a>.</p>
        ${operations.map(
          ({ path, method, operation }) => html`<details>
            <summary>
              <span class="method">${method}</span> <code>${path}</code> ${operation.summary ?? ''}
            </summary>
            ${parameters(operation)} ${body(operation)} ${answers(operation)}
          </details>`,
        )}
      </body>
    </html>`
}

const schemaOf = (content: Record<string, { schema?: unknown }> | undefined) => {
  const [first] = Object.values(content ?? {})
  return first?.schema === undefined
    ? ''
    : html`<pre>${JSON.stringify(first.schema, null, 2)}</pre>`
}

const parameters = ({ parameters = [] }: Operation) =>
  parameters.length === 0
    ? ''
    : html`<h3>Parameters</h3>
        <ul>
          ${parameters.map((p) => html`<li><code>${p.name}</code> in ${p.in}${p.required ? '' : ', optional'}</li>`)}
        </ul>`

const body = ({ requestBody }: Operation) =>
  requestBody ? html`<h3>Body</h3>${schemaOf(requestBody.content)}` : ''

const answers = ({ responses = {} }: Operation) =>
  Object.entries(responses).map(
    ([status, { description, content }]) =>
      html`<h3>${status}: ${description ?? ''}</h3>${schemaOf(content)}`,
  )
