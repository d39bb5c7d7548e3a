import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Resolves a name to its addresses. Rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The address of a callback is not public. */
export class RefusedAddress extends Error {}

/** Returns whether an address is public: not private, loopback, link-local, carrier-grade NAT, multicast or metadata,
 * nor one of these mapped to IPv6. Public IPv6 is 2000::/3; deprecated mappings such as `::7f00:1` lie outside. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return parsed.toString() !== azureHost
  return parsed.match(globalUnicast)
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** The host of virtual machines on Azure. Its address is in a public range, unlike that of other clouds. */
const azureHost = '168.63.129.16'

/** Returns whether a host of a parsed `URL` is a literal address that is not public. `URL` has normalized decimal, octal
 * and hexadecimal spellings. */
export function isSpecialLiteral(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** Returns whether a name belongs to a private network, whatever it resolves to. */
export function isSpecialName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return false
  return (
    !name.includes('.') ||
    /\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(name)
  )
}

/** Returns a lookup for sockets that refuses a name unless all its addresses are public. The socket connects to the
 * checked address without another look-up (DNS rebinding). */
export function guardedLookup(resolve: Resolve = askNameServers): LookupFunction {
  return (hostname, { all }, done) => {
    const refuse = (error: Error) => done(error, '', 0)
    if (isSpecialName(hostname)) {
      return refuse(new RefusedAddress(`${hostname} is not a public name`))
    }
    resolve(hostname).then((resolved) => {
      const addresses = resolved.map((address) => ({ address, family: isIP(address) }))
      const first = addresses[0]
      if (!first || !resolved.every(isPublicAddress)) {
        const why = `${hostname} does not resolve to public addresses only`
        return refuse(new RefusedAddress(why))
      }
      return all ? done(null, addresses) : done(null, first.address, first.family)
    }, refuse)
  }
}

const nameServers = new Resolver({ timeout: 2_000, tries: 2 })

/** Asks the name servers directly. The look-up of the system holds one of few threads while a foreign name server
 * answers, and all other names would wait for it. */
async function askNameServers(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([
    nameServers.resolve4(hostname),
    nameServers.resolve6(hostname),
  ])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return addresses
}
