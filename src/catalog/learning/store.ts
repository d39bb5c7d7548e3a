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
  snapshot: ModelCheckpoint
  /** Number of training examples after the snapshots. */
  trainingExamplesSince: number
}

export interface ModelCheckpoint {
  /** The position of the last included batch. */
  position: number
  format: number
  /** The position of the snapshot of each site. */
  versions: Partial<Record<SiteId, number>>
}

export interface TrainingLogBatch {
  position: number
  /** The entries as text: see `decodeEntries`. */
  written: string
}

type HeadRow = Omit<TrainingLogHead, 'snapshot'> & {
  snapshotPosition: number
  snapshotFormat: number
  snapshotVersions: string
}

const columns = sql`position, era, era_began as "eraBegan", snapshot_position as "snapshotPosition",
  snapshot_format as "snapshotFormat", snapshot_versions as "snapshotVersions",
  lessons_since as "trainingExamplesSince"`

function headOf({
  snapshotPosition,
  snapshotFormat,
  snapshotVersions,
  ...row
}: HeadRow): TrainingLogHead {
  const versions = JSON.parse(snapshotVersions)
  return { ...row, snapshot: { position: snapshotPosition, format: snapshotFormat, versions } }
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

/** Returns a part of a site's snapshot. Undefined if it was replaced. */
export async function readCheckpointPart(
  db: Db,
  { siteId, version, part }: { siteId: SiteId; version: number; part: number },
): Promise<Buffer | undefined> {
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from lesson_snapshots
    where site_id = ${siteId} and version = ${version} and part = ${part}`)
  return row?.bytes
}

/** Counts the parts of snapshots in an earlier format. With such parts, the models are trained again from the titles. */
export async function countOutdatedCheckpoints(db: Db, format: number): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from lesson_snapshots, lesson_head
    where lesson_head.id = 1 and lesson_head.snapshot_format < ${format}`)
  return row?.n ?? 0
}

/** Replaces the snapshot of a site. The transaction must hold the log. */
export async function writeCheckpointParts(
  tx: Tx,
  { siteId, version, parts }: { siteId: SiteId; version: number; parts: readonly Uint8Array[] },
): Promise<void> {
  await tx.rows(sql`delete from lesson_snapshots where site_id = ${siteId}`)
  const rows = parts.map((bytes, part) => sql`(${siteId}, ${version}, ${part}, ${bytes})`)
  await tx.rows(sql`
    insert into lesson_snapshots (site_id, version, part, bytes) values ${joined(rows, ', ')}`)
}

/** Records the snapshots, and deletes the log up to `dropped`. */
export function saveCheckpoint(
  tx: Tx,
  { snapshot, dropped }: { snapshot: ModelCheckpoint; dropped: number },
): void {
  const { position, format, versions } = snapshot
  tx.write(sql`
    update lesson_head set snapshot_position = ${position}, snapshot_format = ${format},
      snapshot_versions = ${JSON.stringify(versions)}, lessons_since = 0
    where id = 1`)
  tx.write(sql`delete from lessons where position <= ${dropped}`)
}
