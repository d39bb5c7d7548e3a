import { badField, type Failure } from '../kernel/failure.ts'
import { isSpecialLiteral, isSpecialName } from '../platform/outbound/addresses.ts'

const longest = 2_048

/**
 * Refuses what can be no address of an application's callback, or leads inside somebody's own network
 * where that is not allowed (wire 4). What a name resolves to is looked at when it is connected to.
 */
export function checkCallback(url: string, { mayBePrivate }: { mayBePrivate: boolean }): void {
  if (url.length > longest) throw bad(`at most ${longest} characters`)
  // `URL` takes what it is given for more than it says: spaces, `\\` for `/`, one slash or three.
  if (!/^https?:\/\/[^/\\?#]/i.test(url) || /[\s\\\p{Cc}]/u.test(url) || !URL.canParse(url)) {
    throw bad('an address that starts with http:// or https:// and names a host')
  }
  const { hostname, username, password, port } = new URL(url)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(url)) {
    throw bad('an address without a user or a password in it')
  }
  if (url.includes('#')) throw bad('an address without a fragment')
  if (port === '0') throw bad('an address with a port that can be connected to')
  if (!isHost(hostname)) throw bad('an address whose host is a name or an IP address')
  if (!mayBePrivate && (isSpecialLiteral(hostname) || isSpecialName(hostname))) {
    throw bad('an address that anybody on the internet can reach, not one of a network’s own')
  }
}

/** Whether it is an address, or a name that DNS can have: `URL` takes `a..b`, `-` and `a!b` as well. Names inside a
 * network may hold `_`. */
function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((label) => labelPattern.test(label))
}

const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

function bad(expected: string): Failure {
  return badField('callback_url', expected)
}
