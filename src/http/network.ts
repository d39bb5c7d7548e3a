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
  const text = withoutPort(address?.trim() ?? '').replace(/%.*$/, '')
  if (isIP(text) === 0) return 'unknown'
  const parsed = ipaddr.process(text)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${prefix}/64`
}

/** Removes the port, which some proxies append: `203.0.113.7:51234`, `[2001:db8::1]:51234`. */
function withoutPort(text: string): string {
  const match = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}
