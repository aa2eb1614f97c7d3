import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * An id made of what it is the id of: the same parts give the same id, so that a decision that is made twice names the
 * same things. A UUID of version 8 (RFC 9562) from SHA-256.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const hex = bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))))
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
