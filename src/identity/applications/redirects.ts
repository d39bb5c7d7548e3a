import { badField } from '../../kernel/failure.ts'

const longest = 2_048
const loopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/

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
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/.test(uri)) {
    throw expected('an address without a user or a password in it')
  }
  if (uri.includes('#')) throw expected('an address without a fragment')
  if (protocol !== 'https:' && !loopback.test(hostname)) {
    throw expected('https, or http on 127.0.0.1, [::1] or localhost')
  }
}
