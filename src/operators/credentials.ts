import ipaddr from 'ipaddr.js'
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
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text)
    return `${address}/${bits}`
  }
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return `${address}/${address.kind() === 'ipv4' ? 32 : 128}`
}

/** Returns whether an address is in one of these networks. Without networks, every address is. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
