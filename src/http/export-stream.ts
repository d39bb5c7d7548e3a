import { Readable } from 'node:stream'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { RouteResponse } from './route.ts'

/** What a client must read before it is disconnected: a page may have megabytes. */
const pieceBytes = 64 * 1024
/** A client that reads nothing for so long is disconnected: it holds a slot. */
const longestStallMs = 60_000

/** The trailer with the number of entries, which only a complete answer has. */
export const entriesTrailer = 'x-feria-entries'

export interface ExportStream<Entry> {
  name: string
  /** Returns the entries, a page at a time: an export holds one page in memory. */
  open(): Promise<AsyncIterator<readonly Entry[]>>
  /** The text before the first entry. */
  header: string
  format(entries: readonly Entry[]): string
  headers: NonNullable<RouteResponse['headers']>
  operator: OperatorActor
}

/**
 * Answers with all entries, as they are read. It holds a slot of the process. The first page is read before the answer
 * begins, so that a failure has its own status. Later failures break the connection. Throws `too_many_exports`.
 */
export async function streamExport<Entry>(
  ctx: Context,
  { name, open, header, format, headers, operator }: ExportStream<Entry>,
): Promise<RouteResponse> {
  const release = ctx.exportSlots.take(operator)
  try {
    const pages = await open()
    const first = await pages.next()
    let count = 0
    const disconnectLater = () => ctx.timers.after(longestStallMs, () => content.destroy(stalled))
    async function* chunks(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(header)
        for (let page = first; !page.done; page = await pages.next()) {
          count += page.value.length
          for (const piece of piecesOf(Buffer.from(format(page.value)))) {
            const stall = disconnectLater()
            try {
              yield piece
            } finally {
              stall.cancel()
            }
          }
        }
        // All is read, but the client may not take the last pieces.
        const stall = disconnectLater()
        content.once('close', () => stall.cancel())
      } catch (error) {
        const details = { export: name, entries: count }
        if (!ctx.outageLog.record(error, details)) {
          ctx.log.error({ err: error, ...details }, 'an export broke off')
        }
        throw error
      }
    }
    const content = Readable.from(chunks(), { objectMode: false })
    content.once('close', release)
    return {
      status: 200,
      content,
      headers,
      trailers: { [entriesTrailer]: () => String(count) },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Yields the bytes in pieces, so that a client that reads slowly is told from one that does not read. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
  }
}

const stalled = new Error('the client has read nothing for a minute')
