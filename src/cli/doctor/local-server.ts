import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import tls, { checkServerIdentity, rootCertificates } from 'node:tls'
import type { Config } from '../../platform/config.ts'
import { ApiClient, localAddress } from '../client/client.ts'

/**
 * Returns an operator client of the port that these settings describe, for a server with TLS. It accepts the
 * certificate of TLS_CERT_FILE whatever its names, and others if they are valid for the public host.
 */
export async function openLocalTlsClient(
  config: Config,
  { certFile }: { certFile: string },
): Promise<ApiClient> {
  // Only this command needs the library, and only here.
  const { Agent, fetch: fetchBy } = await import('undici')
  const pem = readFileSync(certFile, 'utf8')
  const { fingerprint256 } = new X509Certificate(pem)
  const { host, publicUrl } = config.http
  const publicHost = publicUrl ? new URL(publicUrl).hostname : host
  // Node 22.12 has no `getCACertificates`, so it cannot be imported by name.
  const usualAuthorities = tls.getCACertificates?.('default') ?? rootCertificates
  const dispatcher = new Agent({
    connect: {
      ca: [...usualAuthorities, pem],
      // The file may hold a certificate without its authority.
      allowPartialTrustChain: true,
      checkServerIdentity: (_host, certificate) =>
        certificate.fingerprint256 === fingerprint256
          ? undefined
          : checkServerIdentity(publicHost, certificate),
    },
  })
  const send = (url: string, init: object) => fetchBy(url, { ...init, dispatcher })
  const address = localAddress(config.http)
  return new ApiClient(address, config.operatorToken, '/operator', send as typeof fetch)
}

/** A Feria that listens at an address of this machine. */
export interface LocalFeria {
  isSecure: boolean
  address: string
  version: string
}

const probeMs = 2_000

/** Returns the Feria on the port of these settings, whether or not it speaks TLS as they say. It sends no token, so the
 * certificate does not matter. Undefined if another program has the port. */
export async function findLocalFeria({ http }: Config): Promise<LocalFeria | undefined> {
  for (const isSecure of [true, false]) {
    const address = localAddress({ ...http, tls: isSecure ? {} : undefined })
    const index = await readIndex(address)
    if (index?.name === 'Feria') return { isSecure, address, version: String(index.version) }
  }
  return undefined
}

/** Returns the index of the service at this address, or undefined if there is none. */
async function readIndex(
  address: string,
): Promise<{ name?: string; version?: string } | undefined> {
  const options = {
    agent: false,
    headers: { accept: 'application/json' },
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(probeMs),
  } as const
  try {
    const body = await new Promise<string>((resolve, reject) => {
      const get = address.startsWith('https:') ? getHttps : getHttp
      get(`${address}/`, options, (answer) => text(answer).then(resolve, reject)).on(
        'error',
        reject,
      )
    })
    return JSON.parse(body) ?? undefined
  } catch {
    return undefined
  }
}
