import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { guardedLookup, isSpecialLiteral, RefusedAddress, type Resolve } from './addresses.ts'
import { ConnectionPool, NoConnectionLeft } from './connections.ts'
import { DeadlineExceeded } from './exchange.ts'

/** The outcome of a request to a foreign server. `reqTimeMs` is the total time. */
export type SendOutcome =
  | {
      kind: 'answered'
      status: number
      headers: Record<string, string>
      /** The first 4 KiB, as UTF-8. */
      body: string
      reqTimeMs: number
    }
  | {
      kind: 'timeout'
      /** Only of a simulated timeout: the faults that made it. */
      why?: string
      reqTimeMs: number
    }
  | { kind: 'refused_address'; why: string; reqTimeMs: number }
  | { kind: 'unreachable'; why: string; reqTimeMs: number }

export interface OutgoingRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Time limit for everything: resolving, connecting, sending and the whole answer. */
  timeoutMs: number
}

/** Sends a request. Rejects with `NoConnectionLeft` if this process cannot open a connection, which is not an outcome. */
export type Send = (outgoing: OutgoingRequest) => Promise<SendOutcome>

const connectMs = 10_000

/**
 * Returns the only function that sends requests to addresses chosen by others. It follows no redirects. Unless private
 * addresses are allowed, it resolves the name itself, checks that every address is public, and connects to a checked
 * one. So a name that resolves differently the next time (DNS rebinding) gains nothing.
 */
export function makeSend({
  allowPrivateAddresses,
  connections = Number.POSITIVE_INFINITY,
  resolve,
  ca,
}: {
  allowPrivateAddresses: boolean
  /** Limit of open connections. It is at most half of the files that this process may open. */
  connections?: number
  /** Replaces the name servers. */
  resolve?: Resolve
  /** Trusted certificates instead of the default ones. */
  ca?: string
}): {
  send: Send
  close(): Promise<void>
} {
  const open = new ConnectionPool(
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
        // Ask for an uncompressed answer, because answers are stored without decompression.
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
      }
      const answer = await open.post(origin, posted, timeoutMs)
      return { kind: 'answered', ...answer, reqTimeMs: elapsed() }
    } catch (error) {
      if (error instanceof NoConnectionLeft) throw error
      if (error instanceof DeadlineExceeded) return { kind: 'timeout', reqTimeMs: elapsed() }
      const cause = rootOf(error)
      const kind = cause instanceof RefusedAddress ? 'refused_address' : 'unreachable'
      return { kind, why: cause.message || 'connection failed', reqTimeMs: elapsed() }
    }
  }
  return { send, close: () => open.close() }
}

/** Returns how many files, including connections, this process may open. */
function mostFiles(): number {
  // Without this, the report looks up the name of every socket.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: unknown } } }
  const limit = Number(report.userLimits?.open_files.soft)
  return Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY
}

interface ParsedAddress {
  origin: string
  path: string
  hostname: string
  /** Whether the host is a literal address that is not public. */
  isSpecial: boolean
}

/** Parsed callback URLs. The same few are used again and again. */
const addresses = new LRUCache<string, ParsedAddress>({ max: 1_000 })

/** Returns the parts of an address, from the cache if they are there. Throws for another protocol than http or
 * https. */
function addressOf(url: string): ParsedAddress {
  const cached = addresses.get(url)
  if (cached) return cached
  const { protocol, origin, pathname, search, hostname } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is not http or https`)
  const isSpecial = isSpecialLiteral(hostname)
  const address = { origin, path: pathname + search, hostname, isSpecial }
  addresses.set(url, address)
  return address
}

/** Returns the innermost cause of a thrown value, which names what went wrong. `net` wraps the refusal of the guarded
 * lookup. For a name with several addresses it throws an `AggregateError` without a message, of which the first error
 * counts. */
function rootOf(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  if (root instanceof AggregateError && root.errors[0] instanceof Error) root = root.errors[0]
  while (root.cause instanceof Error) root = root.cause
  return root
}
