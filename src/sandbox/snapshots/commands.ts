import { hash } from 'node:crypto'
import { dayMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { listStored } from '../../messages/attachments/store.ts'
import { readHighestLeaseEpoch, releaseAllLeases } from '../../notifications/store-leases.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { raiseNextIds, readNextIds } from '../../platform/database/ids.ts'
import { readSchema } from '../../platform/database/migrate.ts'
import { databaseReplacedChannel } from '../../platform/database/signals.ts'
import {
  analyze,
  copyIn,
  copyOut,
  dropSchema,
  listTables,
  lockTables,
  removeStatementTimeout,
  tablesWithRows,
  useRepeatableRead,
} from '../../platform/database/table-copies.ts'
import { clockOffsetAt } from '../clock.ts'
import { copyFilesToSnapshot, removeFiles, restoreFiles } from './files.ts'
import {
  deleteSnapshot,
  findSnapshot,
  incrementLoadCount,
  insertSnapshot,
  lockSnapshots,
  type Snapshot,
  setClockOffset,
} from './store.ts'

/** Tables that snapshots leave out: those of the snapshots themselves, the audit log, which loses no entry, jobs, whose
 * files they do not have, and operators: loading one must not give back a right that was taken. */
export const snapshotTables = {
  except: [
    'sandbox_snapshots',
    'sandbox_world',
    'audit_log',
    'audit_personal_values',
    'audit_results',
    'jobs',
    'job_files',
    'operator_access',
    'operator_accounts',
    'operator_keys',
    'operator_recovery_codes',
    'operator_roles',
    'operator_sessions',
  ],
}

/** Kinds of ids that go on, because their rows stay. */
const operatorIds = ['operator_account', 'operator_key'] as const

/** Names the schema and the folder of a snapshot. */
const schemaOf = (name: string) => `snapshot_${hash('sha256', name).slice(0, 24)}`

/**
 * Saves the sandbox as it is at one moment: copies every table into a schema of its own in one transaction, and the files
 * of attachments. Other work goes on meanwhile. A snapshot of the same name is replaced on commit.
 */
export async function saveSnapshot(ctx: Context, name: string): Promise<Snapshot> {
  const { db, now } = ctx
  const began = performance.now()
  const schema = schemaOf(name)
  return withPermissionHint(() =>
    db.transaction(async (tx) => {
      await useRepeatableRead(tx)
      await lockSnapshots(tx)
      const { step } = await requireSupported(tx)
      const tables = await tablesWithRows(tx, await listTables(tx, snapshotTables))
      const [worldTime, files] = [now(), await listStored(tx)]
      const size = await copyOut(tx, { tables, schema })
      const fileCount = await copyFilesToSnapshot(ctx, { schema, files })
      const ms = Math.round(performance.now() - began)
      const snapshot = {
        name,
        place: schema,
        step,
        worldTime,
        tables: tables.map((table) => table.name),
        ...size,
        files: fileCount,
        ms,
        dateCreated: worldTime,
      }
      const before = await findSnapshot(tx, name)
      ctx.audit.change({
        before: before ? auditedSnapshot(before) : null,
        after: auditedSnapshot(snapshot),
      })
      await insertSnapshot(tx, snapshot)
      return snapshot
    }),
  )
}

/**
 * Replaces the data of the sandbox with a snapshot, in one transaction that locks all tables. Requests wait meanwhile,
 * and then see the loaded data. Every process drops its caches, and the clock returns to the time of the snapshot.
 * Throws `not_found`, or `snapshot_refused` for a snapshot of another schema.
 */
export async function loadSnapshot(
  ctx: Context,
  name: string,
): Promise<{ snapshot: Snapshot; ms: number }> {
  const { db } = ctx
  const began = performance.now()
  const stored = await snapshotOrFail(db, name)
  const files = await listStored(db, { schema: stored.place })
  await restoreFiles(ctx, { schema: stored.place, files })
  const { snapshot, savedTables, before } = await withPermissionHint(() =>
    db.transaction(async (tx) => {
      await removeStatementTimeout(tx)
      await lockSnapshots(tx)
      const snapshot = await snapshotOrFail(tx, name)
      const { place: schema, step, worldTime } = snapshot
      const { step: current } = await requireSupported(tx)
      if (step !== current) {
        throw new Failure(
          'snapshot_refused',
          `Snapshot ${name} was taken at step ${step} of the schema, which is at ${current}: it can only be loaded there.`,
        )
      }
      const tables = await listTables(tx, snapshotTables)
      await lockTables(tx, tables)
      const [leaseEpoch, before] = [await readHighestLeaseEpoch(tx), await listStored(tx)]
      const nextIds = await readNextIds(tx, operatorIds)
      const days = [worldTime, new Date(worldTime.getTime() + dayMs)]
      const savedTables = tables.filter((table) => snapshot.tables.includes(table.name))
      await copyIn(tx, { tables, savedTables, schema, days })
      await raiseNextIds(tx, nextIds)
      await releaseAllLeases(tx, leaseEpoch)
      const aheadMs = clockOffsetAt(worldTime)
      await setClockOffset(tx, aheadMs)
      await incrementLoadCount(tx)
      ctx.audit.change({ before: null, after: auditedSnapshot(snapshot) })
      tx.publish(databaseReplacedChannel, String(aheadMs))
      return { snapshot, savedTables, before }
    }),
  )
  const remainingIds = new Set((await listStored(db)).map(({ id }) => id))
  await removeFiles(ctx, { files: before.filter(({ id }) => !remainingIds.has(id)) })
  await analyze(db, savedTables)
  // Load the catalog and the predictor of the snapshot before the answer.
  await ctx.catalogFollower.tryReload()
  while (await ctx.trainedModels.trainNextBatches()) {}
  return { snapshot, ms: Math.round(performance.now() - began) }
}

/** Deletes a snapshot with its schema and files. Throws `not_found`. */
export async function removeSnapshot(ctx: Context, name: string): Promise<void> {
  const { db } = ctx
  const { schema, files } = await db.transaction(async (tx) => {
    await removeStatementTimeout(tx)
    await lockSnapshots(tx)
    const snapshot = await snapshotOrFail(tx, name)
    const schema = snapshot.place
    ctx.audit.change({ before: auditedSnapshot(snapshot), after: null })
    const files = await listStored(tx, { schema })
    await dropSchema(tx, schema)
    await deleteSnapshot(tx, name)
    return { schema, files }
  })
  await removeFiles(ctx, { schema, files })
}

/** Returns the fields of a snapshot that the audit log compares. */
function auditedSnapshot({ worldTime, rows, bytes, files }: Snapshot): object {
  return { world_time: timestamp(worldTime), rows, bytes, files }
}

async function snapshotOrFail(db: Db, name: string): Promise<Snapshot> {
  const snapshot = await findSnapshot(db, name)
  if (!snapshot) throw new Failure('not_found', `Snapshot not found: ${name}`)
  return snapshot
}

/** Returns the step of the schema. Throws `snapshot_refused` on a cluster. */
async function requireSupported(db: Db): Promise<{ step: number }> {
  const { step, isSpread } = await readSchema(db)
  if (!isSpread) return { step }
  throw new Failure(
    'snapshot_refused',
    'Snapshots work on a single database server, not on a cluster.',
  )
}

/** SQLSTATE of a role that may not create schemas. */
const notAllowed = '42501'

async function withPermissionHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) !== notAllowed) throw error
    const message =
      'The role of DATABASE_URL may not create schemas. Grant it create on the database.'
    throw new Failure('snapshot_refused', message)
  }
}
