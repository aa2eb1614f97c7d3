/** One event of a stream of server-sent events. */
export interface ServerEvent {
  type: string
  id: string | null
  data: unknown
}

/** The events of a response's body, in order, to its end. What is no JSON is passed over. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent> {
  let buffer = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    buffer = (buffer + piece).replace(/\r\n/g, '\n')
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const event = readServerEvent(buffer.slice(0, end))
      buffer = buffer.slice(end + 2)
      if (event) yield event
    }
  }
}

function readServerEvent(text: string): ServerEvent | null {
  const fields = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+):? ?(.*)$/.exec(line) ?? []
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const data = fields.get('data')
  if (!data) return null
  try {
    const id = fields.get('id')?.at(-1) ?? null
    return {
      type: fields.get('event')?.at(-1) ?? 'message',
      id,
      data: JSON.parse(data.join('\n')),
    }
  } catch {
    return null
  }
}
