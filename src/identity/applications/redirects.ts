import { badField } from '../../kernel/failure.ts'

const longest = 2_048
/** As written: `URL` makes 127.0.0.1 of `2130706433` too. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(?=[/?]|$)/
/** The consent page names the host in its policy, where `;`, `,` and `*` mean something. */
const host = /^https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(:\d*)?(?=[/?]|$)/i

/** Refuses what can be no address that a browser is led back to: https, or http on the machine that
 * the browser runs on (RFC 8252, 7.3). */
export function checkRedirect(field: string, uri: string): void {
  const expected = (what: string) => badField(field, what)
  if (uri.length > longest) throw expected(`at most ${longest} characters`)
  // `URL` mends what it is given; what is compared as text must not need it.
  if (!/^https?:\/\/[^/\\?#]/.test(uri) || /[\s\\\p{Cc}]/u.test(uri) || !URL.canParse(uri)) {
    throw expected('an address that starts with https:// and names a host')
  }
  // It is sent in a header, letter for letter.
  if (!/^[\x21-\x7e]*$/.test(uri)) throw expected('an address in ASCII, encoded where need be')
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

/** Returns what a page's policy names to let a form lead to an address: its origin; its scheme for an IPv6
 * address, which no policy can name; nothing for a host that is not one, as older versions took them. */
export function policySourceOf(uri: string): string | undefined {
  if (!host.test(uri)) return undefined
  const { origin, protocol, hostname } = new URL(uri)
  return hostname.startsWith('[') ? protocol : origin
}
