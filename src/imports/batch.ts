import { setImmediate } from 'node:timers/promises'
import { copyClaims } from '../claims/store.ts'
import { copyUsers } from '../identity/store.ts'
import { Failure } from '../kernel/failure.ts'
import { addListings } from '../listings/commands/commands.ts'
import type { IndexSettings } from '../listings/search/index/write.ts'
import { copyMessages } from '../messages/store-copy.ts'
import { copyOrders, packOwners, paymentOwners, saveOrder } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import type { BulkTx } from '../platform/database/database.ts'
import { isUnavailable, sqlState } from '../platform/database/errors.ts'
import { copyShipments } from '../shipments/store.ts'
import type { ImportLine } from './bodies.ts'
import { ImportDraft, type LineOutcome } from './draft.ts'
import { type ImportCache, loadAndLockRows, loadUnlockedRows } from './stored-rows.ts'

type Tools = Pick<Context, 'catalog' | 'config' | 'db' | 'now' | 'log'>

/** Attempts to import a batch whose ids another transaction took meanwhile. */
const maximumRuns = 3
const uniqueViolation = '23505'

/** The draft of a batch and the outcomes of its lines, made before the batch is saved. */
export interface PreparedBatch {
  draft: ImportDraft
  outcomes: (LineOutcome | Failure)[]
}

/** Drafts lines on top of the batch that is being saved. Returns undefined if the lines need locks. */
export async function prepareBatch(
  { db }: Tools,
  lines: readonly ImportLine[],
  { memory, before }: { memory: ImportCache; before: ImportDraft | undefined },
): Promise<PreparedBatch | undefined> {
  const rows = await loadUnlockedRows(db, lines, memory)
  return rows && draftLines(new ImportDraft(rows, before), lines)
}

/** Saves a prepared batch. Returns false if it conflicts with what is stored by now. */
export async function savePreparedBatch(ctx: Tools, { draft }: PreparedBatch): Promise<boolean> {
  const { db, now } = ctx
  const { catalog } = ctx.catalog.served
  const { factors } = ctx.config.search
  try {
    await db.bulk((tx) => save(tx, draft, { at: now(), catalog, factors }))
    return true
  } catch (error) {
    if (isUnavailable(error)) throw error
    return false
  }
}

/**
 * Imports lines. Returns the outcome or failure of each, in their order. They share one transaction. If it fails,
 * halves of them share one, so that a line that the database refuses fails alone. Throws only if the database is
 * unavailable.
 */
export async function importBatch(
  tools: Tools,
  lines: readonly ImportLine[],
  memory: ImportCache,
): Promise<(LineOutcome | Failure)[]> {
  for (let run = 1; ; run++) {
    try {
      return await importTogether(tools, lines, memory)
    } catch (error) {
      if (isUnavailable(error)) throw error
      // The next run sees the rows that were in the way.
      if (sqlState(error) === uniqueViolation && run < maximumRuns) continue
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
  log.error({ err: error }, 'a line could not be imported')
  return new Failure('internal_server_error')
}

/** Imports lines in one transaction. Returns the outcome of each line, or the failure for which it was refused. */
async function importTogether(
  ctx: Tools,
  lines: readonly ImportLine[],
  memory: ImportCache,
): Promise<(LineOutcome | Failure)[]> {
  const { db, now } = ctx
  const { catalog } = ctx.catalog.served
  const { factors } = ctx.config.search
  return db.bulk(async (tx) => {
    const { draft, outcomes } = await draftLines(
      new ImportDraft(await loadAndLockRows(tx, lines, memory)),
      lines,
    )
    await save(tx, draft, { at: now(), catalog, factors })
    return outcomes
  })
}

async function draftLines(
  draft: ImportDraft,
  lines: readonly ImportLine[],
): Promise<PreparedBatch> {
  const outcomes: (LineOutcome | Failure)[] = []
  for (const line of lines) {
    outcomes.push(takeLine(draft, line))
    // Yield to other requests and to the batch that is being saved.
    if (outcomes.length % 50 === 0) await setImmediate()
  }
  draft.close()
  return { draft, outcomes }
}

function takeLine(draft: ImportDraft, line: ImportLine): LineOutcome | Failure {
  try {
    return draft.addLine(line)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Saves all that a draft holds, in the order in which rows refer to each other. */
async function save(
  tx: BulkTx,
  draft: ImportDraft,
  { at, ...settings }: IndexSettings & { at: Date },
): Promise<void> {
  await copyUsers(tx, [...draft.users.values()], at)
  await addListings(tx, [...draft.listings.values()], { at, ...settings })
  await copyShipments(tx, [...draft.shipments.values()])
  await copyOrders(tx, [...draft.orders.values()])
  await packOwners.copyMany(
    tx,
    [...draft.packs].map(([id, buyerId]) => ({ id, buyerId })),
  )
  for (const { before, after } of draft.changed.values()) {
    const paymentIds = new Set(before.payments.map(({ id }) => id))
    const added = after.payments.filter(({ id }) => !paymentIds.has(id))
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
