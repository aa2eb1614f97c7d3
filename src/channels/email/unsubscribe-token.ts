import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { mailAddress } from './address.ts'

/** Whose mail a token stops. */
export interface Unsubscribing {
  learnerId: string
  /** Of the address, so that an old mail does not stop a new address. */
  addressHash: string
}

const HASH_BYTES = 12
const MAC_BYTES = 16
const ID_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{59}$/

/** What a token knows of an address, however that is written. */
export const addressHash = (address: string): string =>
  createHash('sha256')
    .update((mailAddress(address) ?? address).toLowerCase())
    .digest()
    .subarray(0, HASH_BYTES)
    .toString('hex')

/** The part of a link that stops mail to an address: learner, address and signature. It does not age. */
export function unsubscribeToken(secret: string, learnerId: string, address: string): string {
  const content = Buffer.concat([
    Buffer.from(learnerId.replaceAll('-', ''), 'hex'),
    Buffer.from(addressHash(address), 'hex'),
  ])
  return Buffer.concat([content, macOf(secret, content)]).toString('base64url')
}

/** What a token says, or null where it was not signed with this secret. */
export function readUnsubscribeToken(secret: string, token: string): Unsubscribing | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const content = bytes.subarray(0, ID_BYTES + HASH_BYTES)
  const mac = bytes.subarray(ID_BYTES + HASH_BYTES)
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(secret, content))) return null
  const id = content.subarray(0, ID_BYTES).toString('hex')
  return {
    learnerId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    addressHash: content.subarray(ID_BYTES).toString('hex'),
  }
}

const macOf = (secret: string, content: Buffer): Buffer =>
  createHmac('sha256', secret).update('unsubscribe').update(content).digest().subarray(0, MAC_BYTES)
