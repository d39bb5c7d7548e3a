import { badField, type Failure } from '../kernel/failure.ts'
import { isSpecialLiteral, isSpecialName } from '../platform/outbound/addresses.ts'

const longest = 2_048

/**
 * Checks a callback URL. Throws `bad_request` for a malformed URL, and for a private address unless `mayBePrivate`.
 * A host name is resolved and checked later, when a delivery connects to it.
 */
export function checkCallback(url: string, { mayBePrivate }: { mayBePrivate: boolean }): void {
  if (url.length > longest) throw bad(`at most ${longest} characters`)
  // `URL` also accepts spaces, `\\` for `/`, and one slash or three. The callback is sent as it was written.
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

/** Returns whether a host is an IP address or a valid DNS name. `URL` also accepts `a..b`, `-` and `a!b`. Private
 * networks use names with `_`. */
function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((label) => labelPattern.test(label))
}

const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

function bad(expected: string): Failure {
  return badField('callback_url', expected)
}
