import { bodyOf } from './failure.ts'
import type { Feria, QueryOf } from './operations.ts'

/** Servers refuse pages that end beyond this offset. */
const lastOffset = 10_000

/**
 * Yields the results of a search by `offset` and `limit`, up to the ten-thousandth. Results that are added or removed
 * meanwhile shift the pages, so prefer a cursor where there is one.
 */
export async function* byOffset<T>(
  ask: (page: { offset: number; limit: number }) => Promise<{ found: readonly T[]; total: number }>,
  { limit = 50, offset: first = 0 }: { limit?: number; offset?: number } = {},
): AsyncGenerator<T, void, undefined> {
  for (let offset = first; offset < lastOffset; offset += limit) {
    const { found, total } = await ask({ offset, limit: Math.min(limit, lastOffset - offset) })
    yield* found
    if (found.length === 0 || offset + limit >= total) return
  }
}

/** Yields all results of a search by cursor. New results do not shift the pages. */
export async function* byCursor<T>(
  ask: (cursor: string | undefined) => Promise<{ found: readonly T[]; next: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined
  do {
    const { found, next } = await ask(cursor)
    yield* found
    cursor = next ?? undefined
  } while (cursor !== undefined)
}

type OrderQuery = Omit<QueryOf<'/orders/search'>, 'offset' | 'scroll_id' | 'search_type'>

/** Yields all orders that match the filters (`search_type=scan`). Throws `FeriaFailure`. */
export function eachOrder(feria: Feria, filters: OrderQuery) {
  return byCursor(async (cursor) => {
    const scroll = cursor === undefined ? {} : { scroll_id: cursor }
    const query = { limit: 100, ...filters, search_type: 'scan' as const, ...scroll }
    const page = await bodyOf(feria.GET('/orders/search', { params: { query } }))
    return { found: page.results, next: page.scroll_id ?? null }
  })
}

type FeedQuery = Omit<QueryOf<'/myfeeds'>, 'offset' | 'cursor'>

/** Yields the notifications of an application, newest first. With `missed`, only those that were not accepted. */
export function eachNotification(
  feria: Feria,
  { missed, ...filters }: FeedQuery & { missed?: boolean },
) {
  const path = missed ? '/missed_feeds' : '/myfeeds'
  return byCursor(async (cursor) => {
    const query = { limit: 100, ...filters, ...(cursor === undefined ? {} : { cursor }) }
    const page = await bodyOf(feria.GET(path, { params: { query } }))
    return { found: page.messages, next: page.next_cursor }
  })
}

/** Yields the messages of a conversation, newest first. Marks them as read unless `mark` is false. */
export function eachMessage(
  feria: Feria,
  { packId, sellerId, mark = true }: { packId: number; sellerId: number; mark?: boolean },
) {
  const path = { pack_id: String(packId), seller_id: String(sellerId) }
  return byOffset(async ({ offset, limit }) => {
    const page = { offset: String(offset), limit: String(limit) }
    const query = { ...page, tag: 'post_sale', ...(mark ? {} : { mark_as_read: false }) }
    const request = feria.GET('/messages/packs/{pack_id}/sellers/{seller_id}', {
      params: { path, query },
    })
    const { messages, paging } = await bodyOf(request)
    return { found: messages, total: paging.total }
  })
}
