import { badField } from '../../kernel/failure.ts'

const longest = 2_048
/** Matched on the text, because `URL` also turns `2130706433` into 127.0.0.1. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(?=[/?]|$)/
/** The consent page writes the host into its content security policy, where `;`, `,` and `*` have a meaning. */
const host = /^https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(:\d*)?(?=[/?]|$)/i

/** Checks a redirect address: https, or http on the machine of the browser (RFC 8252, 7.3). Throws `bad_request`. */
export function checkRedirect(field: string, uri: string): void {
  const expected = (what: string) => badField(field, what)
  if (uri.length > longest) throw expected(`at most ${longest} characters`)
  // `URL` corrects malformed text. Redirect addresses are compared as text, so they must be well-formed.
  if (!/^https?:\/\/[^/\\?#]/.test(uri) || /[\s\\\p{Cc}]/u.test(uri) || !URL.canParse(uri)) {
    throw expected('an address that starts with https:// and names a host')
  }
  // The address is sent unchanged in the `Location` header.
  if (!/^[\x21-\x7e]*$/.test(uri)) throw expected('an address in ASCII, percent-encoded')
  const { protocol, username, password } = new URL(uri)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/.test(uri)) {
    throw expected('an address without a user or a password in it')
  }
  if (uri.includes('#')) throw expected('an address without a fragment')
  if (!host.test(uri)) throw expected('a host of letters, digits, hyphens and dots')
  if (protocol !== 'https:' && !loopback.test(uri)) {
    throw expected('https, or http on 127.0.0.1, [::1] or localhost')
  }
}

/**
 * Returns the `form-action` source that lets a form redirect to this address: its origin. An IPv6 address gives its
 * scheme, because a policy cannot name it. An invalid host, which older versions accepted, gives undefined.
 */
export function policySourceOf(uri: string): string | undefined {
  if (!host.test(uri)) return undefined
  const { origin, protocol, hostname } = new URL(uri)
  return hostname.startsWith('[') ? protocol : origin
}
