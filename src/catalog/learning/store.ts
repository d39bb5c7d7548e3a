import type { SiteId } from '../../kernel/sites.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { joined, sql } from '../../platform/database/sql.ts'
import {
  encodeEntries,
  type TrainingLogEntry,
  trainingExamplesWritten,
} from './training-examples.ts'

/** The state of the log of training examples. */
export interface TrainingLogHead {
  /** The position of the last batch. 0 before the first. */
  position: number
  /** How often all counts have been halved. */
  era: number
  /** When they were last halved. */
  eraBegan: Date
  checkpoint: ModelCheckpoint
  /** Number of training examples after the checkpoint. */
  trainingExamplesSince: number
}

export interface ModelCheckpoint {
  /** The position of the last included batch. */
  position: number
  format: number
  /** The position at which the model of each site was saved. */
  versions: Partial<Record<SiteId, number>>
}

export interface TrainingLogBatch {
  position: number
  /** The entries as text: see `decodeEntries`. */
  written: string
}

type HeadRow = Omit<TrainingLogHead, 'checkpoint'> & {
  checkpointPosition: number
  checkpointFormat: number
  checkpointVersions: string
}

const columns = sql`position, era, era_began as "eraBegan", snapshot_position as "checkpointPosition",
  snapshot_format as "checkpointFormat", snapshot_versions as "checkpointVersions",
  lessons_since as "trainingExamplesSince"`

function headOf({
  checkpointPosition,
  checkpointFormat,
  checkpointVersions,
  ...row
}: HeadRow): TrainingLogHead {
  const versions = JSON.parse(checkpointVersions)
  return {
    ...row,
    checkpoint: { position: checkpointPosition, format: checkpointFormat, versions },
  }
}

/** Returns the state of the log. Undefined before the first training example. */
export async function readLogHead(db: Db): Promise<TrainingLogHead | undefined> {
  const row = await db.row<HeadRow>(sql`select ${columns} from lesson_head where id = 1`)
  return row && headOf(row)
}

/** Locks the log until the transaction ends. Undefined while another process holds it. */
export async function lockLogHead(tx: Tx): Promise<TrainingLogHead | undefined> {
  const row = await tx.row<HeadRow>(sql`
    select ${columns} from lesson_head where id = 1 for update skip locked`)
  return row && headOf(row)
}

/** Creates the log, unless it exists. */
export async function createTrainingLog(db: Db, now: Date): Promise<void> {
  await db.rows(sql`
    insert into lesson_head (id, position, era, era_began, snapshot_position, snapshot_format,
      snapshot_versions, lessons_since)
    values (1, 0, 0, ${now}, 0, 0, '{}', 0)
    on conflict (id) do nothing`)
}

/** Appends the next batch. The transaction must hold the log. */
export function appendTrainingExamples(
  tx: Tx,
  {
    head,
    entries,
    now,
  }: { head: TrainingLogHead; entries: readonly TrainingLogEntry[]; now: Date },
): void {
  const position = head.position + 1
  tx.write(sql`
    insert into lessons (position, entries, made_at)
    values (${position}, ${encodeEntries(entries)}, ${now})`)
  tx.write(sql`
    update lesson_head set position = ${position}, era = ${head.era}, era_began = ${head.eraBegan},
      lessons_since = ${head.trainingExamplesSince + entries.length} where id = 1`)
  tx.hint(trainingExamplesWritten)
}

/** Returns batches from a position on. */
export async function readTrainingBatches(
  db: Db,
  { from, limit }: { from: number; limit: number },
): Promise<TrainingLogBatch[]> {
  return db.rows(sql`
    select position, entries as written from lessons where position >= ${from}
    order by position limit ${limit}`)
}

/** Returns a part of a site's saved model. Undefined if it was replaced. */
export async function readCheckpointPart(
  db: Db,
  { siteId, version, part }: { siteId: SiteId; version: number; part: number },
): Promise<Buffer | undefined> {
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from lesson_snapshots
    where site_id = ${siteId} and version = ${version} and part = ${part}`)
  return row?.bytes
}

/** Counts the parts of saved models in an earlier format. With such parts, the models are trained again from the titles. */
export async function countOutdatedCheckpoints(db: Db, format: number): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from lesson_snapshots, lesson_head
    where lesson_head.id = 1 and lesson_head.snapshot_format < ${format}`)
  return row?.n ?? 0
}

/** Replaces the saved model of a site. The transaction must hold the log. */
export async function writeCheckpointParts(
  tx: Tx,
  { siteId, version, parts }: { siteId: SiteId; version: number; parts: readonly Uint8Array[] },
): Promise<void> {
  await tx.rows(sql`delete from lesson_snapshots where site_id = ${siteId}`)
  const rows = parts.map((bytes, part) => sql`(${siteId}, ${version}, ${part}, ${bytes})`)
  await tx.rows(sql`
    insert into lesson_snapshots (site_id, version, part, bytes) values ${joined(rows, ', ')}`)
}

/** Records a checkpoint, and deletes the log up to `dropped`. */
export function saveCheckpoint(
  tx: Tx,
  { checkpoint, dropped }: { checkpoint: ModelCheckpoint; dropped: number },
): void {
  const { position, format, versions } = checkpoint
  tx.write(sql`
    update lesson_head set snapshot_position = ${position}, snapshot_format = ${format},
      snapshot_versions = ${JSON.stringify(versions)}, lessons_since = 0
    where id = 1`)
  tx.write(sql`delete from lessons where position <= ${dropped}`)
}

/** More training examples than ever come between two checkpoints. */
const dueAtOnce = 1_000_000_000_000

/** Makes the next checkpoint due at once. */
export function requestCheckpoint(tx: Tx): void {
  tx.write(sql`update lesson_head set lessons_since = ${dueAtOnce} where id = 1`)
}

/** Whether the log still has training examples up to a position. */
export async function hasExamplesUpTo(db: Db, position: number): Promise<boolean> {
  const row = await db.row(sql`
    select position from lessons
    where position <= ${position} and entries::text <> ${encodeEntries([])} limit 1`)
  return row !== undefined
}

/**
 * Deletes the batches up to a position, for which a checkpoint stands. The batch of the checkpoint itself is emptied:
 * processes read on from there. A process that has not read the others finds them missing and loads the checkpoint.
 */
export function deleteExamplesUpTo(
  tx: Tx,
  { position, checkpoint }: { position: number; checkpoint: ModelCheckpoint },
): void {
  tx.write(sql`
    delete from lessons where position <= ${position} and position <> ${checkpoint.position}`)
  tx.write(sql`
    update lessons set entries = ${encodeEntries([])} where position <= ${position}`)
}
