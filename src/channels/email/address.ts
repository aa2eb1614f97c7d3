import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'

/** A name and an address that a mail is from, or that answers go to. */
export interface Mailbox {
  name: string
  address: string
}

/** One address and nothing else: no name, no list, no quotes, nothing that could end a header or a command. */
const ADDRESS = /^([\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64})@([\p{L}\p{M}\p{N}.-]{1,253})$/u
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const CONTROL = /\p{Cc}/u

/** The address, its domain as it goes over the wire; null where it is none. */
export function mailAddress(text: string): string | null {
  const [, local, domain] = ADDRESS.exec(text) ?? []
  if (local === undefined || domain === undefined) return null
  const host = domainToASCII(domain).toLowerCase()
  if (!HOST.test(host) || local.length + host.length > 253) return null
  return `${local}@${host}`
}

/**
 * A setting such as `Meno <meno@example.org>` or `meno@example.org`.
 * @throws Error where it is not one address
 */
export function mailbox(setting: string): Mailbox {
  const [first, ...others] = CONTROL.test(setting) ? [] : addressparser(setting, { flatten: true })
  const address = first && mailAddress(first.address)
  if (!address || others.length > 0) {
    throw new Error(`${JSON.stringify(setting)} is not an address such as Meno <meno@example.org>`)
  }
  return { name: first.name, address }
}
