import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether a name stands for this machine whatever a name server says: browsers resolve `localhost` and
 * all names below it by themselves. Expects lower case. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Whether a host, a name or an address, reaches no further than this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(name) === 0) return isLoopbackName(name)
  return ipaddr.process(name).range() === 'loopback'
}
