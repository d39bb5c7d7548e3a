import { eraseAccount } from '../identity/erase.ts'
import { listShownErasures, showErasure } from '../jobs/erasure.ts'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { RowKey } from '../platform/walks/store.ts'
import {
  advancedErasure,
  type BatchResult,
  type ErasureStepName,
  jobOf,
  startedErasure,
  withoutErasure,
} from './erasure.ts'
import { fileStepOf, isFileStep, transactionSteps } from './steps.ts'
import {
  type Erasure,
  findErasure,
  insertErasure,
  listRunningErasures,
  lockErasure,
  saveErasure,
} from './store.ts'

/** Database channel that announces a new erasure. */
export const erasuresStarted = 'erasures'

/**
 * Starts the erasure of a user, or goes on with it. Ends every way into the account in the same transaction. Throws
 * `not_found` for an unknown user.
 */
export async function startErasure(
  ctx: Pick<Context, 'audit' | 'db' | 'now' | 'config'>,
  { userId, actor }: { userId: number; actor: OperatorActor },
): Promise<Erasure> {
  const { audit, db, now } = ctx
  return db.transaction(async (tx) => {
    const at = now()
    // Of several that start at once, one inserts the row, and the others wait for it. Otherwise the last would replace
    // the counts of the first.
    await insertErasure(tx, startedErasure(undefined, { userId, now: at }))
    const before = await lockErasure(tx, userId)
    const account = await eraseAccount(tx, { userId, now: at })
    if (account === undefined) throw new Failure('not_found', `User not found: ${userId}`)
    const started = startedErasure(before, { userId, now: at })
    const counts = { erased: { account }, next: 'wait' } as const
    const erasure = advancedErasure(started, counts, at)
    audit.change({
      before: { erasure: before?.state ?? null },
      after: { erasure: erasure.state },
    })
    saveErasure(tx, erasure)
    showErasure(ctx, tx, { ...jobOf(erasure), actor })
    tx.hint(erasuresStarted)
    return erasure
  })
}

/** Erasures that one turn works on. */
const erasuresAtOnce = 20

/** Erases one batch of each running erasure. Returns whether any of them may go on at once. */
export async function eraseNextBatches(ctx: Context): Promise<boolean> {
  await endShownErasures(ctx)
  let mayGoOn = false
  for (const userId of await listRunningErasures(ctx.db, erasuresAtOnce)) {
    if (await eraseNextBatch(ctx, userId)) mayGoOn = true
  }
  return mayGoOn
}

/** Ends jobs whose erasure is no longer running: a process of an earlier release has finished it, or a snapshot of a
 * sandbox that was loaded does not have it. */
async function endShownErasures(ctx: Context): Promise<void> {
  const { db, now } = ctx
  for (const userId of await listShownErasures(db)) {
    if ((await findErasure(db, userId))?.state === 'running') continue
    await db.transaction(async (tx) => {
      const erasure = await lockErasure(tx, userId)
      const shown = erasure ? jobOf(erasure) : withoutErasure(userId, now())
      showErasure(ctx, tx, shown)
    })
  }
}

/**
 * Erases one batch and saves the progress in the same transaction, so that a crash repeats or loses nothing. Files are
 * removed before: that may be repeated. Returns whether the erasure may go on at once.
 */
export async function eraseNextBatch(ctx: Context, userId: number): Promise<boolean> {
  const fileResult = await removeFiles(ctx, userId)
  return ctx.db.transaction(async (tx) => {
    const erasure = await lockErasure(tx, userId)
    if (erasure?.state !== 'running') return false
    const now = ctx.now()
    const step = erasure.step as ErasureStepName
    let result: BatchResult
    if (isFileStep(step)) {
      // Another process may have come to this step meanwhile.
      if (fileResult?.step !== step || !isSameKey(fileResult.key, erasure.passedKey)) return true
      result = fileResult.result
    } else {
      const input = { ctx, tx, userId, key: erasure.passedKey, erasure, now }
      result = await transactionSteps[step](input)
    }
    const after = advancedErasure(erasure, result, now)
    saveErasure(tx, after)
    showErasure(ctx, tx, jobOf(after))
    return after.state === 'running' && result.next !== 'wait'
  })
}

/** Runs the batch of a step that removes files. Returns undefined for other steps. */
async function removeFiles(
  ctx: Context,
  userId: number,
): Promise<{ step: string; key: RowKey | null; result: BatchResult } | undefined> {
  const erasure = await findErasure(ctx.db, userId)
  if (erasure?.state !== 'running') return undefined
  const { step, passedKey: key } = erasure
  const result = await fileStepOf(step as ErasureStepName)?.(ctx, erasure)
  return result && { step, key, result }
}

function isSameKey(one: RowKey | null, other: RowKey | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
