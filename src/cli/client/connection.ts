import { CommandFailure } from '../frame/failure.ts'

/** The TLS handshake with a server failed. A retry would not help. */
export class TlsFailure extends CommandFailure {
  override name = 'TlsFailure'
}

const selfSigned = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT'])

const unknownAuthority = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])

/** Codes of OpenSSL for an answer that is not TLS. */
const notTls = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'])

/** Codes for a server that closes the connection without an answer. */
const hungUp = new Set(['UND_ERR_SOCKET', 'ECONNRESET'])

/** The fields of Node's errors that explain why a request got no answer. */
interface ConnectionError {
  code?: string
  message: string
  /** Only with ERR_TLS_CERT_ALTNAME_INVALID. */
  cert?: { subjectaltname?: string }
}

/** Returns the cause of an error that `fetch` throws, or the error itself. */
function causeOf(error: unknown): ConnectionError {
  const { cause = error } = error as Error
  return cause as ConnectionError
}

/** Returns why the TLS handshake with `address` failed and what to do, or undefined if something else failed. */
export function describeTlsProblem(address: string, error: unknown): string | undefined {
  const { code = '', cert } = causeOf(error)
  if (selfSigned.has(code)) {
    return `The certificate of ${address} is self-signed, and this machine does not trust it (${code}).
If it is the certificate that you expect, name its file and run the command again: ${commandTrusting('certificate.pem')}`
  }
  if (unknownAuthority.has(code)) {
    return `The certificate of ${address} is signed by an authority that this machine does not know (${code}).
Name the file with the authority's certificate and run the command again: ${commandTrusting('authority.pem')}
If the authority is a public one, let the server send its intermediate certificates as well.`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = cert?.subjectaltname ? ` It names ${cert.subjectaltname}.` : ''
    return `The certificate of ${address} does not name this host (${code}).${names}
Use --server with a host that it names, or give the server a certificate that names this one. NODE_EXTRA_CA_CERTS does not help here.`
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return `The certificate of ${address} has expired (${code}).
Renew it on the server, and check the date of this machine. NODE_EXTRA_CA_CERTS does not help here.`
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return `The certificate of ${address} is not valid yet (${code}).
Check the date of this machine and of the server. NODE_EXTRA_CA_CERTS does not help here.`
  }
  if (notTls.has(code) && address.startsWith('https:')) {
    return `The server at ${address} does not speak HTTPS (${code}).
Use its http:// address: ${address.replace('https:', 'http:')}`
  }
  // OpenSSL refuses certificates with further codes of these prefixes.
  if (/^(CERT_|CRL_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test(code)) {
    return `There is no secure connection to ${address}: ${causeOf(error).message} (${code}).`
  }
  return undefined
}

const commandTrusting = (file: string) => `NODE_EXTRA_CA_CERTS=/path/to/${file} feria …`

/** Returns why nothing answers at `address`, and what to check. */
export function describeUnreachable(address: string, error: unknown): string {
  const { code, message } = causeOf(error)
  const why = `There is no Feria at ${address} (${code ?? message}).`
  if (code !== undefined && hungUp.has(code) && address.startsWith('http:')) {
    return `${why} If it serves HTTPS, use ${address.replace('http:', 'https:')}.`
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${why} No such host: check --server.`
  return `${why} Is it running?`
}
