import { lookup as resolveName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'

/** What came of a request to somebody else's server. `reqTimeMs` is the whole of it. */
export type Outcome =
  | {
      kind: 'answered'
      status: number
      headers: Record<string, string>
      /** The first 4 KiB, as UTF-8. */
      body: string
      reqTimeMs: number
    }
  | { kind: 'timeout'; reqTimeMs: number }
  | { kind: 'refused_address'; why: string; reqTimeMs: number }
  | { kind: 'unreachable'; why: string; reqTimeMs: number }

export interface OutgoingRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Over everything: resolving, connecting, sending, the whole of the answer. */
  timeoutMs: number
}

export type Send = (outgoing: OutgoingRequest) => Promise<Outcome>

const keptBytes = 4096

class RefusedAddress extends Error {}

/**
 * Makes the one function through which Feria talks to addresses that others have chosen. It posts,
 * follows no redirect, and, unless private addresses are allowed, connects only to an address that
 * it has itself resolved and found to be public: what was checked is what is connected to, so a name
 * that resolves differently the next time gains nothing.
 */
export function makeSend(options: { allowPrivateAddresses: boolean }): {
  send: Send
  close(): Promise<void>
} {
  const agent = new Agent({
    connect: { lookup: guardedLookup(options.allowPrivateAddresses), timeout: 10_000 },
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16_384,
    pipelining: 1,
  })
  const send: Send = async (outgoing) => {
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    const deadline = AbortSignal.timeout(outgoing.timeoutMs)
    try {
      checkLiteral(outgoing.url, options.allowPrivateAddresses)
      const answer = await request(outgoing.url, {
        method: 'POST',
        dispatcher: agent,
        headers: { ...outgoing.headers, 'accept-encoding': 'identity' },
        body: outgoing.body,
        signal: deadline,
      })
      const body = await readStart(answer.body)
      return {
        kind: 'answered',
        status: answer.statusCode,
        headers: flatten(answer.headers),
        body,
        reqTimeMs: elapsed(),
      }
    } catch (error) {
      if (deadline.aborted) return { kind: 'timeout', reqTimeMs: elapsed() }
      const cause = rootOf(error)
      const kind = cause instanceof RefusedAddress ? 'refused_address' : 'unreachable'
      return { kind, why: cause.message || 'connection failed', reqTimeMs: elapsed() }
    }
  }
  return { send, close: () => agent.destroy() }
}

/** Whether an address is one that anybody on the internet may own: not private, loopback,
 * link-local, carrier-grade NAT, multicast, metadata, nor one of those in an IPv6 wrapping. Of IPv6
 * only 2000::/3 is given out: outside it lie wrappings that have no name any more (`::7f00:1`). */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(givenOut)
}

const givenOut = ipaddr.parseCIDR('2000::/3')

/** Reads at most what is kept, then lets go of the rest: an answer may be endless. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= keptBytes) break
  }
  return Buffer.concat(parts).subarray(0, keptBytes).toString('utf8')
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** A literal address is never looked up, so it is checked here. `URL` has already turned decimal,
 * octal and hexadecimal spellings into the plain one. */
function checkLiteral(url: string, allowPrivate: boolean): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw new RefusedAddress(`${host} is not a public address`)
  }
}

function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const good = allowPrivate ? addresses : addresses.filter((a) => isPublicAddress(a.address))
      const first = good[0]
      if (!first || good.length < addresses.length) {
        return done(
          new RefusedAddress(`${hostname} does not resolve to public addresses only`),
          '',
          0,
        )
      }
      return options.all ? done(null, good) : done(null, first.address, first.family)
    })
  }
}

function rootOf(error: unknown): Error {
  let found = error instanceof Error ? error : new Error(String(error))
  if (found instanceof AggregateError && found.errors[0] instanceof Error) found = found.errors[0]
  while (found.cause instanceof Error) found = found.cause
  return found
}
