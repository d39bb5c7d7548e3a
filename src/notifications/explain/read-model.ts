import { hourMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import { lastSeqOf } from '../store-queue-position.ts'
import type { AttemptSummary, NotificationSettings } from './explain.ts'

/** Why an application was notified of a change or not: from the change over authorizations and settings to attempts. */

export interface ExplainInput {
  applicationId: number
  resource: string
  /** Null for all topics. */
  topic: string | null
  /** Null for all users. */
  userId: number | null
}

export async function findNotificationSettings(
  db: Db,
  applicationId: number,
): Promise<NotificationSettings | undefined> {
  return db.row(sql`
    select topics, callback_url as "callbackUrl", is_listened as "isListened",
      last_updated as "lastUpdated"
    from applications where id = ${applicationId}`)
}

export interface StoredChange {
  topic: string
  resource: string
  userIds: readonly number[]
  at: Date
  isTaken: boolean
}

/** Loads the newest kept changes of a resource. They are sharded by seller, so a cluster asks all shards. */
export async function listChangesOf(
  db: Db,
  { resource, topic, userId }: ExplainInput,
  limit: number,
): Promise<StoredChange[]> {
  const rows = await db.rows<Omit<StoredChange, 'userIds'> & { userIds: string[] }>(sql`
    select topic, resource, user_ids as "userIds", recorded_at as at,
      exists (select from taken_changes t where t.seller_id = c.seller_id and t.slot = c.slot
        and t.recorded_at = c.recorded_at and t.id = c.id) as "isTaken"
    from changes c
    where resource = ${resource} and (${topic}::text is null or topic = ${topic})
      and (${userId}::bigint is null or ${userId} = any(user_ids))
    order by recorded_at desc limit ${limit}`)
  return rows.map((row) => ({ ...row, userIds: row.userIds.map(Number) }))
}

/** Loads the application's notifications of changes that were recorded at these times. */
export async function listNotificationsOf(
  db: Db,
  { applicationId, resource, topic, userId }: ExplainInput,
  moments: readonly Date[],
): Promise<Notification[]> {
  if (moments.length === 0) return []
  const earliest = Math.min(...moments.map((moment) => moment.getTime()))
  return db.rows(
    unnamed(sql`
      select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received
      from notifications
      where application_id = ${applicationId} and received = any(${moments}::timestamptz[])
        and fanned_at >= ${new Date(earliest - hourMs)} and resource = ${resource}
        and (${topic}::text is null or topic = ${topic})
        and (${userId}::bigint is null or user_id = ${userId})`),
  )
}

/** Loads notifications of a resource among the newest `depth` of the application. */
export async function listAmongNewest(
  db: Db,
  { applicationId, resource, topic, userId }: ExplainInput,
  { depth, limit }: { depth: number; limit: number },
): Promise<Notification[]> {
  const queue = await db.row<{ lastSeq: number }>(sql`
    select ${lastSeqOf(applicationId)} as "lastSeq" from lanes l where application_id = ${applicationId}`)
  return db.rows(
    unnamed(sql`
      select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received
      from notifications
      where application_id = ${applicationId} and seq > ${(queue?.lastSeq ?? 0) - depth}
        and resource = ${resource} and (${topic}::text is null or topic = ${topic})
        and (${userId}::bigint is null or user_id = ${userId})
      order by seq desc limit ${limit}`),
  )
}

interface NotificationSelection {
  applicationId: number
  seqs: readonly number[]
}

/** Loads the attempts at notifications, in the order of `seq` and then the earliest first. */
export async function listAttempts(
  db: Db,
  { applicationId, seqs }: NotificationSelection,
): Promise<(AttemptSummary & { seq: number })[]> {
  return db.rows(sql`
    select seq, attempt, sent, outcome, http_code as "httpCode" from attempts
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])
    order by seq, attempt, sent`)
}

export async function listRetryDueTimes(
  db: Db,
  { applicationId, seqs }: NotificationSelection,
): Promise<{ seq: number; due: Date | null }[]> {
  return db.rows(sql`
    select seq, due from unaccepted
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])`)
}

/** Loads which notifications were skipped (coalesced). `intoSeq` is the one that was sent instead, null for none. */
export async function listSkipped(
  db: Db,
  { applicationId, seqs }: NotificationSelection,
): Promise<{ seq: number; intoSeq: number | null }[]> {
  return db.rows(sql`
    select seq, into_seq as "intoSeq" from passed_over
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])`)
}

export async function listNotificationIds(
  db: Db,
  { applicationId, seqs }: NotificationSelection,
): Promise<{ seq: number; id: string }[]> {
  return db.rows(sql`
    select seq, id from notifications
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[])`)
}

/** Loads which of these users have authorized the application, and since when. */
export async function listAuthorizationsOfChange(
  db: Db,
  { applicationId, userIds }: { applicationId: number; userIds: readonly number[] },
): Promise<{ userId: number; since: Date }[]> {
  return db.rows(sql`
    select user_id as "userId", date_created as since from authorizations
    where application_id = ${applicationId} and user_id = any(${userIds}::bigint[])`)
}
