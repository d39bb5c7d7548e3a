import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'

/** A client that receives an application's notifications without a callback URL. */
export interface Listener {
  applicationId: number
  name: string
  /** `seq` of the last acknowledged notification. */
  cursorSeq: number
  /** `fanned_at` of that notification, or an earlier time. With a later one, notifications would be lost:
   * `listNotificationsAfter` reads only partitions from this time on. */
  cursorAt: Date
  dateCreated: Date
  lastSeen: Date
}

export async function listListeners(db: Db, applicationId: number): Promise<Listener[]> {
  return db.rows(sql`
    select application_id as "applicationId", name, cursor_seq as "cursorSeq",
      cursor_at as "cursorAt", date_created as "dateCreated", last_seen as "lastSeen"
    from listeners where application_id = ${applicationId} order by name`)
}

export async function findListener(
  db: Db,
  { applicationId, name }: Pick<Listener, 'applicationId' | 'name'>,
): Promise<Listener | undefined> {
  return db.row(sql`
    select application_id as "applicationId", name, cursor_seq as "cursorSeq",
      cursor_at as "cursorAt", date_created as "dateCreated", last_seen as "lastSeen"
    from listeners where application_id = ${applicationId} and name = ${name}`)
}

/** Loads a listener and locks it until the transaction ends. */
export async function lockListener(
  tx: Tx,
  { applicationId, name }: Pick<Listener, 'applicationId' | 'name'>,
): Promise<Listener | undefined> {
  return tx.row(sql`
    select application_id as "applicationId", name, cursor_seq as "cursorSeq",
      cursor_at as "cursorAt", date_created as "dateCreated", last_seen as "lastSeen"
    from listeners where application_id = ${applicationId} and name = ${name} for update`)
}

export function insertListener(tx: Tx, listener: Listener): void {
  tx.write(sql`
    insert into listeners (application_id, name, cursor_seq, cursor_at, date_created, last_seen)
    values (${listener.applicationId}, ${listener.name}, ${listener.cursorSeq},
      ${listener.cursorAt}, ${listener.dateCreated}, ${listener.lastSeen})`)
}

/** Deletes a listener. Returns whether there was one. */
export async function deleteListener(
  tx: Tx,
  { applicationId, name }: Pick<Listener, 'applicationId' | 'name'>,
): Promise<boolean> {
  const deleted = await tx.rows(sql`
    delete from listeners where application_id = ${applicationId} and name = ${name}
    returning name`)
  return deleted.length > 0
}

/** Lists the listeners of all applications that were not used since `before`. */
export async function listUnusedListeners(
  db: Db,
  before: Date,
): Promise<Pick<Listener, 'applicationId' | 'name'>[]> {
  return db.rows(sql`
    select application_id as "applicationId", name from listeners
    where last_seen < ${before} order by application_id, name`)
}

/** Loads a listener and saves that it was used now. */
export async function touchListener(
  db: Db,
  { applicationId, name, now }: Pick<Listener, 'applicationId' | 'name'> & { now: Date },
): Promise<Listener | undefined> {
  return db.row(sql`
    update listeners set last_seen = ${now}
    where application_id = ${applicationId} and name = ${name}
    returning application_id as "applicationId", name, cursor_seq as "cursorSeq",
      cursor_at as "cursorAt", date_created as "dateCreated", last_seen as "lastSeen"`)
}

/** Moves the cursor forward, never back: of two concurrent acknowledgements the later notification counts. */
export async function advanceCursor(
  db: Db,
  { applicationId, name, cursorSeq, cursorAt, lastSeen }: Omit<Listener, 'dateCreated'>,
): Promise<void> {
  await db.rows(sql`
    update listeners set cursor_seq = ${cursorSeq}, cursor_at = ${cursorAt}, last_seen = ${lastSeen}
    where application_id = ${applicationId} and name = ${name} and cursor_seq < ${cursorSeq}`)
}

/** Sets the cursor, forward or back. Does nothing if the listener does not exist. */
export async function setCursor(
  db: Db,
  { applicationId, name, cursorSeq, cursorAt, lastSeen }: Omit<Listener, 'dateCreated'>,
): Promise<void> {
  await db.rows(sql`
    update listeners set cursor_seq = ${cursorSeq}, cursor_at = ${cursorAt}, last_seen = ${lastSeen}
    where application_id = ${applicationId} and name = ${name}`)
}

export type FannedOutNotification = Notification & { fannedAt: Date }

/** Loads the notifications after the cursor, in order. `cursorAt` lets PostgreSQL skip the partitions of earlier
 * days. */
export async function listNotificationsAfter(
  db: Db,
  {
    applicationId,
    cursorSeq,
    cursorAt,
  }: Pick<Listener, 'applicationId' | 'cursorSeq' | 'cursorAt'>,
  limit: number,
): Promise<FannedOutNotification[]> {
  return db.rows(sql`
    select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received,
      fanned_at as "fannedAt"
    from notifications
    where application_id = ${applicationId} and seq > ${cursorSeq} and fanned_at >= ${cursorAt}
    order by seq limit ${limit}`)
}

/** Returns the `seq` of the last notification fanned out before `since`; 0 when none is kept. */
export async function findLastSeqBefore(
  db: Db,
  { applicationId, since }: { applicationId: number; since: Date },
): Promise<number> {
  const row = await db.row<{ seq: number }>(sql`
    select seq from notifications where application_id = ${applicationId} and fanned_at < ${since}
    order by seq desc limit 1`)
  return row?.seq ?? 0
}

/** Returns `fanned_at` of a notification, which is not before `since`; undefined when it is no longer kept. */
export async function findFannedAt(
  db: Db,
  { applicationId, seq, since }: { applicationId: number; seq: number; since: Date },
): Promise<Date | undefined> {
  const row = await db.row<{ at: Date }>(sql`
    select fanned_at as at from notifications
    where application_id = ${applicationId} and seq = ${seq} and fanned_at >= ${since}`)
  return row?.at
}
