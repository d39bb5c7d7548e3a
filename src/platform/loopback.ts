import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns whether a name, in lower case, always means this machine. Browsers resolve `localhost` and names below it
 * without DNS. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Returns whether a host, a name or an address, is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(name) === 0) return isLoopbackName(name)
  return ipaddr.process(name).range() === 'loopback'
}
