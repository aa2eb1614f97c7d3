import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SealedDrill } from '../../../domain/course/drills/drill-grade.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
const PURPOSE = 'meno course drill'

/** Seals what a drill's token holds; only the server can read it. */
export interface DrillSealer {
  seal(drill: SealedDrill): string
  /** Null for anything that was not sealed with one of the keys. */
  open(token: string): SealedDrill | null
}

/**
 * Seals drills with AES-256-GCM. `secrets` are texts of any form, the first seals and all of them open, so that keys
 * can be changed without breaking the drills that are out.
 */
export function createDrillSealer(secrets: readonly [string, ...string[]]): DrillSealer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32)))
  return {
    seal(drill) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0] as Buffer, iv)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(drill), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    open(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return null
      for (const key of keys) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
          decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
          const text = Buffer.concat([
            decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
            decipher.final(),
          ]).toString('utf8')
          return JSON.parse(text) as SealedDrill
        } catch {
          // sealed with another key, or not by us
        }
      }
      return null
    },
  }
}
