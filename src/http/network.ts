import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network by which every limit counts an address: a single IPv4 address, or an IPv6 /64. One subscriber has
 * at least a /64.
 *
 * Accepts an address with a port or a zone id, as sockets and proxies report it. Anything else counts as the network
 * `unknown`, so that invented names gain nothing.
 */
export function networkOf(address: string | undefined): string {
  const parsed = parseAddress(address ?? '')
  if (!parsed) return 'unknown'
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${prefix}/64`
}

/** Returns an address as sockets and proxies report it: an IPv4 address also for its IPv6 form. Undefined for anything
 * else, such as numbers in octal or hex, which programs read differently. */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = withoutPort(address.trim()).replace(/%.*$/, '')
  return isIP(text) === 0 ? undefined : ipaddr.process(text)
}

/** Removes the port, which some proxies append: `203.0.113.7:51234`, `[2001:db8::1]:51234`. */
function withoutPort(text: string): string {
  const match = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}
