import type { Db, Tx } from '../../platform/database/database.ts'
import { nameOf, sql, unnamed } from '../../platform/database/sql.ts'
import type { Message } from '../message.ts'
import {
  type Attachment,
  type AttachmentTarget,
  maxFileBytes,
  minCountedBytes,
} from './attachment.ts'
import type { FileInspectionResult } from './content.ts'

/** Key of an attachment: the uploader and the id. */
export interface AttachmentKey {
  userId: number
  id: string
}

/** An upload that has just begun. */
export interface NewUpload extends AttachmentKey {
  originalFilename: string
  type: string
  /** Upper bound of the size, in bytes. */
  size: number
  now: Date
  expiresAt: Date
}

/** Adds the row of an upload before its file is written, so that the sweep finds an interrupted upload. */
export async function insertUpload(db: Db, upload: NewUpload): Promise<void> {
  await db.rows(sql`
    insert into attachments (user_id, id, state, original_filename, type, size, date_created,
      expires_at)
    values (${upload.userId}, ${upload.id}, 'uploading', ${upload.originalFilename}, ${upload.type},
      ${upload.size}, ${upload.now}, ${upload.expiresAt})`)
}

/** Locks the count of unattached bytes until the transaction ends. */
export async function lockUnattachedQuota(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtext('room for uploads'))`)
}

/** Returns the bytes of unattached files, of all users and of one. */
export async function sumUnattached(
  db: Db,
  { userId, now }: { userId: number; now: Date },
): Promise<{ inAll: number; ofUser: number }> {
  const row = await db.row<{ inAll: number; ofUser: number }>(sql`
    select coalesce(sum(counted), 0)::float8 as "inAll",
      coalesce(sum(counted) filter (where user_id = ${userId}), 0)::float8 as "ofUser"
    from (select user_id, greatest(coalesce(size, ${maxFileBytes}::int), ${minCountedBytes}::int)
        as counted
      from attachments where expires_at > ${now}) unattached`)
  return row ?? { inAll: 0, ofUser: 0 }
}

/** Marks an upload as stored. Returns false when the sweep has removed it meanwhile. */
export async function markStored(
  db: Db,
  { userId, id }: AttachmentKey,
  file: Omit<FileInspectionResult, 'isActive'> & { isThreat: boolean; expiresAt: Date },
): Promise<boolean> {
  const rows = await db.rows(sql`
    update attachments set state = 'stored', charset = ${file.charset}, size = ${file.size},
      sha256 = ${file.sha256}, potential_security_threat = ${file.isThreat},
      expires_at = ${file.expiresAt}
    where user_id = ${userId} and id = ${id} and state = 'uploading' returning id`)
  return rows.length > 0
}

type AttachmentRow = Omit<Attachment, 'attachedTo'> & {
  [Field in keyof AttachmentTarget]: AttachmentTarget[Field] | null
}

const attachmentOf = ({
  sellerId,
  buyerId,
  packId,
  messageId,
  ...row
}: AttachmentRow): Attachment => ({
  ...row,
  attachedTo:
    messageId === null ? null : ({ sellerId, buyerId, packId, messageId } as AttachmentTarget),
})

/** Finds an attachment whose file is stored. Does not check who may read it. */
export async function findAttachment(
  db: Db,
  { userId, id }: AttachmentKey,
): Promise<Attachment | undefined> {
  const row = await db.row<AttachmentRow>(sql`
    select id, user_id as "userId", original_filename as "originalFilename", type, charset, size,
      sha256, potential_security_threat as "potentialSecurityThreat", date_created as "dateCreated",
      expires_at as "expiresAt", seller_id as "sellerId", buyer_id as "buyerId",
      pack_id as "packId", message_id as "messageId"
    from attachments
    where user_id = ${userId} and id = ${id} and state in ('stored', 'attached')`)
  return row && attachmentOf(row)
}

/** Reads the fields of a message that decide who may read its attachments. */
export async function findMessageVisibility(
  db: Db,
  { sellerId, packId, messageId }: AttachmentTarget,
): Promise<Pick<Message, 'status' | 'fromId'> | undefined> {
  return db.row(sql`
    select status, from_id as "fromId" from messages
    where seller_id = ${sellerId} and pack_id = ${packId} and id = ${messageId}`)
}

/** Locks the unattached files of a user by id. Sorted ids keep two transactions from a deadlock. */
export async function lockStored(
  tx: Tx,
  { userId, ids }: { userId: number; ids: readonly string[] },
): Promise<Attachment[]> {
  const rows = await tx.rows<AttachmentRow>(sql`
    select id, user_id as "userId", original_filename as "originalFilename", type, charset, size,
      sha256, potential_security_threat as "potentialSecurityThreat", date_created as "dateCreated",
      expires_at as "expiresAt", seller_id as "sellerId", buyer_id as "buyerId",
      pack_id as "packId", message_id as "messageId"
    from attachments
    where user_id = ${userId} and id = any(${ids}::text[]) and state = 'stored'
    order by id for update`)
  return rows.map(attachmentOf)
}

/** Attaches locked attachments of a user to a message. */
export async function markAttached(
  tx: Tx,
  { userId, ids }: { userId: number; ids: readonly string[] },
  { sellerId, buyerId, packId, messageId }: AttachmentTarget,
): Promise<void> {
  await tx.rows(sql`
    update attachments set state = 'attached', expires_at = null, seller_id = ${sellerId},
      buyer_id = ${buyerId}, pack_id = ${packId}, message_id = ${messageId}
    where user_id = ${userId} and id = any(${ids}::text[])`)
}

/** Lists expired attachments, earliest first. */
export async function listExpired(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<AttachmentKey[]> {
  return db.rows(sql`
    select user_id as "userId", id from attachments
    where expires_at < ${now} order by expires_at limit ${limit}`)
}

/** Marks an expired attachment as removing, so that nobody can attach it. Returns false when it is attached or gone. */
export async function markRemoving(
  db: Db,
  { userId, id }: AttachmentKey,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows(sql`
    update attachments set state = 'removing'
    where user_id = ${userId} and id = ${id} and expires_at < ${now} returning id`)
  return rows.length > 0
}

/** Deletes the row of an attachment whose file was removed. */
export async function deleteRemoved(db: Db, { userId, id }: AttachmentKey): Promise<void> {
  await db.rows(sql`
    delete from attachments
    where user_id = ${userId} and id = ${id} and state in ('uploading', 'removing')`)
}

/** Lists the attachments whose files are stored, by id. With `schema`, those of a snapshot in that schema. */
export async function listStored(
  db: Db,
  { schema }: { schema?: string } = {},
): Promise<Pick<Attachment, 'id' | 'size'>[]> {
  if (schema !== undefined) {
    const copy = await db.row<{ exists: boolean }>(sql`
      select to_regclass(${`${schema}.attachments`}) is not null as exists`)
    // Snapshots leave out empty tables.
    if (!copy?.exists) return []
  }
  const table = schema === undefined ? sql`attachments` : sql`${nameOf(schema)}.attachments`
  return db.rows(
    unnamed(sql`
      select id, size from ${table} where state in ('stored', 'attached') order by id`),
  )
}
