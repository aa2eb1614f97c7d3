import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface PushService {
  readonly url: string
  readonly pushes: ReceivedPush[]
  /** How it answers from now on; `cut` ends the connection instead. */
  answer(status: number | 'cut', headers?: Record<string, string>): void
  stop(): Promise<void>
}

/** A push service that keeps what it is given. */
export async function startPushService(): Promise<PushService> {
  const pushes: ReceivedPush[] = []
  let status: number | 'cut' = 201
  let headers: Record<string, string> = {}
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    pushes.push({ path: request.url ?? '', headers: request.headers, body })
    if (status === 'cut') request.socket.destroy()
    else response.writeHead(status, headers).end('said by the service')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pushes,
    answer(next, more = {}) {
      status = next
      headers = more
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Browser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What a message says, read by RFC 8188 and RFC 8291. Throws where it was not encrypted for this browser. */
  read(body: Buffer): unknown
}

/** A browser that subscribed at an endpoint. */
export function createBrowser(endpoint: string): Browser {
  const own = createECDH('prime256v1')
  const publicKey = own.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: {
      endpoint,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    read: (body) => JSON.parse(decrypted(body, own, publicKey, auth).toString('utf8')),
  }
}

function decrypted(body: Buffer, own: ECDH, publicKey: Buffer, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('more than one record')
  const derived = (secret: Buffer, salted: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salted, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const material = derived(own.computeSecret(sender), auth, info, 32)
  const key = derived(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((octet) => octet !== 0)) throw new Error('no end')
  return padded.subarray(0, end)
}

/** What the header says of who sends (RFC 8292), and whether the key it names has signed that. */
export function readVapid(authorization: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33, 65).toString('base64url'),
  }
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { key, signed, header: read(header), claims: read(claims) }
}
