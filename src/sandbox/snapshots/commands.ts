import { hash } from 'node:crypto'
import { knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { caughtUpAnew } from '../../catalog/versions/follow.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { listStored } from '../../messages/attachments/store.ts'
import { readHighestLeaseEpoch, releaseAll } from '../../notifications/store-held.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { readSchema } from '../../platform/database/migrate.ts'
import { worldReplaced } from '../../platform/database/signals.ts'
import {
  analyze,
  copyIn,
  copyOut,
  dropSchema,
  filled,
  freezeView,
  listTables,
  lockTables,
  unhurried,
} from '../../platform/database/table-copies.ts'
import { aheadAt } from '../clock.ts'
import { keepFiles, removeFiles, restoreFiles } from './files.ts'
import {
  deleteSnapshot,
  findSnapshot,
  insertSnapshot,
  lockSnapshots,
  raiseWorld,
  type Snapshot,
  setClock,
} from './store.ts'

/** What is not of the world: the snapshots themselves. */
const others = { except: ['sandbox_snapshots', 'sandbox_world'] }

/** A schema and a folder that are named after it. */
const schemaOf = (name: string) => `snapshot_${hash('sha256', name).slice(0, 24)}`

/**
 * Keeps the whole world as it is at one moment: every table, copied into a schema of its own by one
 * transaction, and the files of attachments. Work goes on meanwhile. In the place of a snapshot of the
 * same name, which stays as it was until this one is whole.
 */
export async function saveSnapshot(ctx: Context, name: string): Promise<Snapshot> {
  const { db, now } = ctx
  const began = performance.now()
  const place = schemaOf(name)
  return refusing(() =>
    db.transaction(async (tx) => {
      await freezeView(tx)
      await lockSnapshots(tx)
      const { step } = await sound(tx)
      const tables = await filled(tx, await listTables(tx, others))
      const [worldTime, files] = [now(), await listStored(tx)]
      const size = await copyOut(tx, { tables, schema: place })
      const kept = await keepFiles(ctx, { place, files })
      const ms = Math.round(performance.now() - began)
      const snapshot = {
        name,
        place,
        step,
        worldTime,
        tables: tables.map((each) => each.name),
        ...size,
        files: kept,
        ms,
        dateCreated: worldTime,
      }
      await insertSnapshot(tx, snapshot)
      return snapshot
    }),
  )
}

/**
 * Puts a world into the place of what there is, by one transaction that has all tables to itself:
 * whoever asks meanwhile waits, and then meets the other world. Every process forgets what it remembers.
 * The clock shows again what it showed then. Throws a `not_found`, or a `snapshot_refused` for one that
 * was taken of another schema.
 */
export async function loadSnapshot(
  ctx: Context,
  name: string,
): Promise<{ snapshot: Snapshot; ms: number }> {
  const { db } = ctx
  const began = performance.now()
  const known = await snapshotOrFail(db, name)
  const files = await listStored(db, { schema: known.place })
  await restoreFiles(ctx, { place: known.place, files })
  const { snapshot, held, before } = await refusing(() =>
    db.transaction(async (tx) => {
      await unhurried(tx)
      await lockSnapshots(tx)
      const snapshot = await snapshotOrFail(tx, name)
      const { place: schema, step, worldTime } = snapshot
      const { step: current } = await sound(tx)
      if (step !== current) {
        throw new Failure(
          'snapshot_refused',
          `Snapshot ${name} was taken at step ${step} of the schema, which is at ${current}: it can only be loaded there.`,
        )
      }
      const tables = await listTables(tx, others)
      await lockTables(tx, tables)
      const [leaseEpoch, before] = [await readHighestLeaseEpoch(tx), await listStored(tx)]
      const days = [worldTime, new Date(worldTime.getTime() + dayMs)]
      const held = tables.filter((each) => snapshot.tables.includes(each.name))
      await copyIn(tx, { tables, held, schema, days })
      await releaseAll(tx, leaseEpoch)
      const aheadMs = aheadAt(worldTime)
      await setClock(tx, aheadMs)
      await raiseWorld(tx)
      tx.publish(worldReplaced, String(aheadMs))
      return { snapshot, held, before }
    }),
  )
  const stay = new Set((await listStored(db)).map(({ id }) => id))
  await removeFiles(ctx, { files: before.filter(({ id }) => !stay.has(id)) })
  await analyze(db, held)
  // Whoever is answered meets the catalogue of that world, and what its listings taught.
  await caughtUpAnew(ctx)
  while (await knowledgeOf(ctx).follow()) {}
  return { snapshot, ms: Math.round(performance.now() - began) }
}

/** Removes one. Throws a `not_found`. */
export async function removeSnapshot(ctx: Context, name: string): Promise<void> {
  const { db } = ctx
  const { place, files } = await db.transaction(async (tx) => {
    await unhurried(tx)
    await lockSnapshots(tx)
    const { place } = await snapshotOrFail(tx, name)
    const files = await listStored(tx, { schema: place })
    await dropSchema(tx, place)
    await deleteSnapshot(tx, name)
    return { place, files }
  })
  await removeFiles(ctx, { place, files })
}

async function snapshotOrFail(db: Db, name: string): Promise<Snapshot> {
  const snapshot = await findSnapshot(db, name)
  if (!snapshot) throw new Failure('not_found', `Snapshot not found: ${name}`)
  return snapshot
}

/** The schema, if worlds of it can be kept. */
async function sound(db: Db): Promise<{ step: number }> {
  const { step, isSpread } = await readSchema(db)
  if (!isSpread) return { step }
  throw new Failure(
    'snapshot_refused',
    'Snapshots are for databases on one server, not on a cluster.',
  )
}

/** Of a role that may not make schemas. */
const notAllowed = '42501'

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) !== notAllowed) throw error
    const says = 'The role of DATABASE_URL may not make schemas: grant it create on the database.'
    throw new Failure('snapshot_refused', says)
  }
}
