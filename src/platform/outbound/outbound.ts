import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { guardedLookup, isSpecialLiteral, RefusedAddress, type Resolve } from './addresses.ts'
import { Connections, NoConnectionLeft } from './connections.ts'
import { DeadlineOver } from './exchange.ts'

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
  | { kind: 'timeout'; why: string; reqTimeMs: number }
  | { kind: 'refused_address'; why: string; reqTimeMs: number }
  | { kind: 'unreachable'; why: string; reqTimeMs: number }

export interface OutgoingRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Over everything: resolving, connecting, sending, the whole of the answer. */
  timeoutMs: number
}

/** Rejects with NoConnectionLeft when this process can open no connection: that is no outcome. */
export type Send = (outgoing: OutgoingRequest) => Promise<Outcome>

const connectMs = 10_000

/**
 * Makes the one function through which Feria talks to addresses that others have chosen. It posts,
 * follows no redirect, and, unless private addresses are allowed, connects only to an address that
 * it has itself resolved and found to be public: what was checked is what is connected to, so a name
 * that resolves differently the next time gains nothing.
 */
export function makeSend({
  allowPrivateAddresses,
  connections = Number.POSITIVE_INFINITY,
  resolve,
  ca,
}: {
  allowPrivateAddresses: boolean
  /** At a time; never more than half of the files that this process may have open. */
  connections?: number
  /** Asked instead of the name servers. */
  resolve?: Resolve
  /** Certificates to trust instead of the usual ones. */
  ca?: string
}): {
  send: Send
  close(): Promise<void>
} {
  const open = new Connections(
    buildConnector({
      timeout: connectMs,
      ...(allowPrivateAddresses ? {} : { lookup: guardedLookup(resolve) }),
      ...(ca === undefined ? {} : { ca }),
    }),
    { most: Math.min(connections, Math.floor(mostFiles() / 2)) },
  )
  const send: Send = async ({ url, headers, body, timeoutMs }) => {
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    try {
      const { origin, path, hostname, isSpecial } = addressOf(url)
      if (!allowPrivateAddresses && isSpecial) {
        throw new RefusedAddress(`${hostname} is not a public address`)
      }
      const posted = {
        path,
        // Kept as it comes: nothing is ever inflated here.
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
      }
      const answer = await open.post(origin, posted, timeoutMs)
      return { kind: 'answered', ...answer, reqTimeMs: elapsed() }
    } catch (error) {
      if (error instanceof NoConnectionLeft) throw error
      if (error instanceof DeadlineOver) return { kind: 'timeout', reqTimeMs: elapsed() }
      const cause = rootOf(error)
      const kind = cause instanceof RefusedAddress ? 'refused_address' : 'unreachable'
      return { kind, why: cause.message || 'connection failed', reqTimeMs: elapsed() }
    }
  }
  return { send, close: () => open.close() }
}

/** How many files, connections among them, this process may have open. */
function mostFiles(): number {
  // Else every socket's name is looked up for the report.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: unknown } } }
  const limit = Number(report.userLimits?.open_files.soft)
  return Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY
}

interface Address {
  origin: string
  path: string
  hostname: string
  /** Whether the host is written as an address that is not public. */
  isSpecial: boolean
}

/** The same few callbacks are told again and again. */
const addresses = new LRUCache<string, Address>({ max: 1_000 })

function addressOf(url: string): Address {
  const known = addresses.get(url)
  if (known) return known
  const { protocol, origin, pathname, search, hostname } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is not http or https`)
  const isSpecial = isSpecialLiteral(hostname)
  const address = { origin, path: pathname + search, hostname, isSpecial }
  addresses.set(url, address)
  return address
}

function rootOf(error: unknown): Error {
  let found = error instanceof Error ? error : new Error(String(error))
  if (found instanceof AggregateError && found.errors[0] instanceof Error) found = found.errors[0]
  while (found.cause instanceof Error) found = found.cause
  return found
}
