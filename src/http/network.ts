import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network that limits count an address under: an IPv4 address alone, IPv6 by its /64, because
 * one subscriber has at least that many addresses. Every limit by address counts by this.
 *
 * Takes what a socket or a trusted proxy reports, with a port or a zone id. Everything that is no
 * address counts as one, so that inventing names gains nothing.
 */
export function networkOf(address: string | undefined): string {
  const text = withoutPort(address?.trim() ?? '').replace(/%.*$/, '')
  if (isIP(text) === 0) return 'unknown'
  const parsed = ipaddr.process(text)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${prefix}/64`
}

/** Some proxies report `203.0.113.7:51234` and `[2001:db8::1]:51234`. */
function withoutPort(text: string): string {
  const found = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text)
  return found?.[1] ?? found?.[2] ?? text
}
