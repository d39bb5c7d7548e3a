import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Finds the addresses of a name; rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export class RefusedAddress extends Error {}

/** Whether an address is one that anybody on the internet may own: not private, loopback,
 * link-local, carrier-grade NAT, multicast, metadata, nor one of those in an IPv6 wrapping. Of IPv6
 * only 2000::/3 is given out: outside it lie wrappings that have no name any more (`::7f00:1`). */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return parsed.toString() !== azureHost
  return parsed.match(givenOut)
}

const givenOut = ipaddr.parseCIDR('2000::/3')
/** Answers machines of that cloud as their host, though it is an address like any other. All other clouds
 * took special ones. */
const azureHost = '168.63.129.16'

/** Whether a host as `URL` writes it is a literal address that is not public. `URL` has already
 * turned decimal, octal and hexadecimal spellings into the plain one. */
export function isSpecialLiteral(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** Whether a name stands for a place inside somebody's own network, whatever it resolves to. */
export function isSpecialName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return false
  return (
    !name.includes('.') ||
    /\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(name)
  )
}

/** Resolves a name for the one connection that asks, and refuses it unless all that it resolves to is
 * public: the socket connects to what was looked at here, and nothing is resolved again. */
export function guardedLookup(resolve: Resolve = askNameServers): LookupFunction {
  return (hostname, { all }, done) => {
    const refuse = (error: Error) => done(error, '', 0)
    if (isSpecialName(hostname)) return refuse(new RefusedAddress(`${hostname} is no public name`))
    resolve(hostname).then((found) => {
      const addresses = found.map((address) => ({ address, family: isIP(address) }))
      const first = addresses[0]
      if (!first || !found.every(isPublicAddress)) {
        const why = `${hostname} does not resolve to public addresses only`
        return refuse(new RefusedAddress(why))
      }
      return all ? done(null, addresses) : done(null, first.address, first.family)
    }, refuse)
  }
}

const nameServers = new Resolver({ timeout: 2_000, tries: 2 })

/** Asks the name servers without the system's look-up: that one takes a thread of few for as long as
 * a name server of somebody else's likes, and all other names would wait for it. */
async function askNameServers(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([
    nameServers.resolve4(hostname),
    nameServers.resolve6(hostname),
  ])
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (found.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return found
}
