import type { SiteId } from '../../kernel/sites.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { joined, sql } from '../../platform/database/sql.ts'
import { type Entry, trainingExamplesWritten, writeEntries } from './training-examples.ts'

/** Where the log of lessons stands. */
export interface Head {
  /** Of the last batch; 0 before the first. */
  position: number
  /** How often all counts have been halved, and since when they have not. */
  era: number
  eraBegan: Date
  snapshot: Snapshot
  /** Lessons behind the snapshots. */
  trainingExamplesSince: number
}

export interface Snapshot {
  /** The last batch that they stand for. */
  position: number
  format: number
  /** By site: the batch with which its snapshot was made. */
  versions: Partial<Record<SiteId, number>>
}

export interface Batch {
  position: number
  /** As it was written: see `readEntries`. */
  written: string
}

type HeadRow = Omit<Head, 'snapshot'> & {
  snapshotPosition: number
  snapshotFormat: number
  snapshotVersions: string
}

const columns = sql`position, era, era_began as "eraBegan", snapshot_position as "snapshotPosition",
  snapshot_format as "snapshotFormat", snapshot_versions as "snapshotVersions",
  lessons_since as "trainingExamplesSince"`

function headOf({ snapshotPosition, snapshotFormat, snapshotVersions, ...row }: HeadRow): Head {
  const versions = JSON.parse(snapshotVersions)
  return { ...row, snapshot: { position: snapshotPosition, format: snapshotFormat, versions } }
}

/** Undefined before anything was ever taught. */
export async function readHead(db: Db): Promise<Head | undefined> {
  const row = await db.row<HeadRow>(sql`select ${columns} from lesson_head where id = 1`)
  return row && headOf(row)
}

/** Takes hold of the log until the transaction ends; undefined while somebody else does. */
export async function holdHead(tx: Tx): Promise<Head | undefined> {
  const row = await tx.row<HeadRow>(sql`
    select ${columns} from lesson_head where id = 1 for update skip locked`)
  return row && headOf(row)
}

/** Begins the log, unless it is there. */
export async function beginLog(db: Db, now: Date): Promise<void> {
  await db.rows(sql`
    insert into lesson_head (id, position, era, era_began, snapshot_position, snapshot_format,
      snapshot_versions, lessons_since)
    values (1, 0, 0, ${now}, 0, 0, '{}', 0)
    on conflict (id) do nothing`)
}

/** Writes the next batch. The log is held by this transaction. */
export function appendTrainingExamples(
  tx: Tx,
  { head, entries, now }: { head: Head; entries: readonly Entry[]; now: Date },
): void {
  const position = head.position + 1
  tx.write(sql`
    insert into lessons (position, entries, made_at)
    values (${position}, ${writeEntries(entries)}, ${now})`)
  tx.write(sql`
    update lesson_head set position = ${position}, era = ${head.era}, era_began = ${head.eraBegan},
      lessons_since = ${head.trainingExamplesSince + entries.length} where id = 1`)
  tx.hint(trainingExamplesWritten)
}

/** Batches from this one on. */
export async function readTrainingExamples(
  db: Db,
  { from, limit }: { from: number; limit: number },
): Promise<Batch[]> {
  return db.rows(sql`
    select position, entries as written from lessons where position >= ${from}
    order by position limit ${limit}`)
}

/** A part of a site's snapshot as it was written; undefined where it is there no longer. */
export async function readPart(
  db: Db,
  { siteId, version, part }: { siteId: SiteId; version: number; part: number },
): Promise<Buffer | undefined> {
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from lesson_snapshots
    where site_id = ${siteId} and version = ${version} and part = ${part}`)
  return row?.bytes
}

/** Counts parts of snapshots that were written in an earlier format: everything is learned anew then. */
export async function countOutdatedSnapshots(db: Db, format: number): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from lesson_snapshots, lesson_head
    where lesson_head.id = 1 and lesson_head.snapshot_format < ${format}`)
  return row?.n ?? 0
}

/** Writes a site's snapshot in the place of the one before. The log is held by this transaction. */
export async function writeParts(
  tx: Tx,
  { siteId, version, parts }: { siteId: SiteId; version: number; parts: readonly Uint8Array[] },
): Promise<void> {
  await tx.rows(sql`delete from lesson_snapshots where site_id = ${siteId}`)
  const rows = parts.map((bytes, part) => sql`(${siteId}, ${version}, ${part}, ${bytes})`)
  await tx.rows(sql`
    insert into lesson_snapshots (site_id, version, part, bytes) values ${joined(rows, ', ')}`)
}

/** Has snapshots stand for the log up to their position, and drops it up to `dropped`. */
export function saveSnapshot(
  tx: Tx,
  { snapshot, dropped }: { snapshot: Snapshot; dropped: number },
): void {
  const { position, format, versions } = snapshot
  tx.write(sql`
    update lesson_head set snapshot_position = ${position}, snapshot_format = ${format},
      snapshot_versions = ${JSON.stringify(versions)}, lessons_since = 0
    where id = 1`)
  tx.write(sql`delete from lessons where position <= ${dropped}`)
}
