import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseAddress } from '../http/network.ts'
import { digestOf } from '../identity/token.ts'
import type { Random } from '../platform/random.ts'

/** The prefixes of credentials, by which people and scanners recognize leaked ones. */
const prefixes = {
  key: 'feria_key_',
  session: 'feria_session_',
  invitation: 'feria_invitation_',
} as const
type CredentialKind = keyof typeof prefixes

/** A new credential. Only the digest is stored. */
export interface NewCredential {
  text: string
  digest: string
  /** First characters, to tell credentials apart. */
  beginsWith: string
}

/** Returns a new credential with 256 random bits. */
export function makeCredential(random: Random, kind: CredentialKind): NewCredential {
  const text = `${prefixes[kind]}${random.hex(32)}`
  return { text, digest: digestOf(text), beginsWith: text.slice(0, prefixes[kind].length + 6) }
}

/** Returns the kind of a credential by its form, or undefined. */
export function credentialKindOf(text: string): 'key' | 'session' | undefined {
  if (text.startsWith(prefixes.key)) return 'key'
  return text.startsWith(prefixes.session) ? 'session' : undefined
}

/** Returns an address or a network (CIDR) in its usual form, or undefined for anything else. */
export function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...others] = text.split('/')
  if (isIP(address) === 0 || address.includes('%') || others.length > 0) return undefined
  if (bits === undefined) {
    const single = ipaddr.process(address)
    return `${single}/${single.kind() === 'ipv4' ? 32 : 128}`
  }
  // Of an IPv4 network in its IPv6 form, no address would be found in it: they are compared in their IPv4 form.
  if (!ipaddr.isValidCIDR(text) || ipaddr.process(address).kind() !== ipaddr.parse(address).kind())
    return undefined
  const [base, length] = ipaddr.parseCIDR(text)
  return `${base}/${length}`
}

/** Returns whether an address is in one of these networks. Without networks, every address is. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const parsed = parseAddress(address)
  if (!parsed) return false
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
