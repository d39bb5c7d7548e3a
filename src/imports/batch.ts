import { setImmediate } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { servedCatalogOf } from '../catalog/open.ts'
import { copyClaims } from '../claims/store.ts'
import { copyUsers } from '../identity/store.ts'
import { Failure } from '../kernel/failure.ts'
import { addListings } from '../listings/commands.ts'
import { copyMessages } from '../messages/past/store.ts'
import { copyOrders, packOwners, paymentOwners, saveOrder } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import type { BulkTx } from '../platform/database/database.ts'
import { isUnavailable, sqlState } from '../platform/database/errors.ts'
import { copyShipments } from '../shipments/store.ts'
import type { ImportLine } from './bodies.ts'
import { Draft, type Outcome } from './draft.ts'
import { lookAhead, lookAround, type Memory } from './seen.ts'

type Tools = Pick<Context, 'db' | 'now' | 'log'>

/** How often a batch is tried again that lost its ids to somebody who committed meanwhile. */
const tries = 3
const uniqueViolation = '23505'

/** What lines come to, worked out before it is their turn to be saved. */
export interface Prepared {
  draft: Draft
  outcomes: (Outcome | Failure)[]
}

/** Drafts these lines on top of those that are being saved; undefined when they need locks. */
export async function prepareBatch(
  { db }: Tools,
  lines: readonly ImportLine[],
  { memory, before }: { memory: Memory; before: Draft | undefined },
): Promise<Prepared | undefined> {
  const seen = await lookAhead(db, lines, memory)
  return seen && drafted(new Draft(seen, before), lines)
}

/** Saves what was prepared. Returns false when it no longer fits what is there. */
export async function savePrepared(ctx: Tools, { draft }: Prepared): Promise<boolean> {
  const { db, now } = ctx
  const { catalog } = servedCatalogOf(ctx)
  try {
    await db.bulk((tx) => save(tx, draft, { at: now(), catalog }))
    return true
  } catch (error) {
    if (isUnavailable(error)) throw error
    return false
  }
}

/**
 * Imports these lines, each of them or its failure, in the order of the lines. They share one
 * transaction; when that cannot be committed, halves of them do, so that a line that the database
 * refuses takes no other with it. Throws only when the database is not to be had.
 */
export async function importBatch(
  tools: Tools,
  lines: readonly ImportLine[],
  memory: Memory,
): Promise<(Outcome | Failure)[]> {
  for (let run = 1; ; run++) {
    try {
      return await importAtOnce(tools, lines, memory)
    } catch (error) {
      if (isUnavailable(error)) throw error
      // What was in the way is seen by the next look around.
      if (sqlState(error) === uniqueViolation && run < tries) continue
      if (lines.length === 1) return [failureOf(tools, error)]
      const half = Math.ceil(lines.length / 2)
      const first = await importBatch(tools, lines.slice(0, half), memory)
      return [...first, ...(await importBatch(tools, lines.slice(half), memory))]
    }
  }
}

function failureOf({ log }: Tools, error: unknown): Failure {
  if (sqlState(error) === uniqueViolation) {
    return new Failure('id_taken', 'id: expected an id that is free, also of its parts')
  }
  log.error({ err: error }, 'a line that could not be imported')
  return new Failure('internal_server_error')
}

async function importAtOnce(
  ctx: Tools,
  lines: readonly ImportLine[],
  memory: Memory,
): Promise<(Outcome | Failure)[]> {
  const { db, now } = ctx
  const { catalog } = servedCatalogOf(ctx)
  return db.bulk(async (tx) => {
    const { draft, outcomes } = await drafted(new Draft(await lookAround(tx, lines, memory)), lines)
    await save(tx, draft, { at: now(), catalog })
    return outcomes
  })
}

async function drafted(draft: Draft, lines: readonly ImportLine[]): Promise<Prepared> {
  const outcomes: (Outcome | Failure)[] = []
  for (const line of lines) {
    outcomes.push(taken(draft, line))
    // Other requests, and what is being saved, have their turn in between.
    if (outcomes.length % 50 === 0) await setImmediate()
  }
  draft.close()
  return { draft, outcomes }
}

function taken(draft: Draft, line: ImportLine): Outcome | Failure {
  try {
    return draft.take(line)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function save(
  tx: BulkTx,
  draft: Draft,
  { at, catalog }: { at: Date; catalog: Catalog },
): Promise<void> {
  await copyUsers(tx, [...draft.users.values()], at)
  await addListings(tx, [...draft.listings.values()], { at, catalog })
  await copyShipments(tx, [...draft.shipments.values()])
  await copyOrders(tx, [...draft.orders.values()])
  await packOwners.copyMany(
    tx,
    [...draft.packs].map(([id, buyerId]) => ({ id, buyerId })),
  )
  for (const { before, after } of draft.changed.values()) {
    const known = new Set(before.payments.map(({ id }) => id))
    const added = after.payments.filter(({ id }) => !known.has(id))
    const { sellerId, id: orderId } = after
    await paymentOwners.copyMany(
      tx,
      added.map(({ id }) => ({ id, sellerId, orderId })),
    )
    saveOrder(tx, before, after)
  }
  await copyClaims(tx, [...draft.claims.values()])
  await copyMessages(tx, [...draft.messages.values()])
}
