import type { AuditTarget, AuditTargetKind } from '../kernel/audit.ts'
import { dayMs } from '../kernel/clock.ts'
import type { Database, Db, Tx } from '../platform/database/database.ts'
import { dropPartitionsBefore, ensureDayPartitions } from '../platform/database/partitions.ts'
import { joined, type Sql, sql, type Template } from '../platform/database/sql.ts'
import { type AuditEntry, type PersonalValues, targetText } from './entry.ts'

/** Creates the partitions for entries of the day of `now`, if they are missing. */
export async function prepareAuditLog(db: Database, now: Date): Promise<void> {
  await ensureDayPartitions(db, 'audit_log', now)
  await ensureDayPartitions(db, 'audit_personal_values', now)
  await ensureDayPartitions(db, 'audit_results', now)
}

/** Adds an entry with its personal values. Adding the same entry again does nothing: if several transactions of a
 * request add it, the first to commit does. */
export function addEntry(tx: Tx, entry: AuditEntry, personal: readonly PersonalValues[]): void {
  const { id, recordedAt, actor, actorName, operation, targetKind, targetId } = entry
  const { related, reason, before, after } = entry
  const users = personal.map(({ userId }) => userId)
  tx.write(sql`
    insert into audit_log (id, recorded_at, actor, actor_name, operation, target_kind, target_id,
      related, reason, before, after, personal_users)
    values (${id}, ${recordedAt}, ${actor}, ${actorName}, ${operation}, ${targetKind}, ${targetId},
      ${related}, ${reason}, ${before}, ${after}, ${users})
    on conflict (recorded_at, id) do nothing`)
  for (const { userId, before, after } of personal) {
    tx.write(sql`
      insert into audit_personal_values (recorded_at, entry_id, user_id, before, after)
      values (${recordedAt}, ${id}, ${userId}, ${before}, ${after})
      on conflict (recorded_at, entry_id, user_id) do nothing`)
  }
}

/** Adds the result of an entry. */
export function addResult(
  tx: Tx,
  { id, recordedAt, result }: Pick<AuditEntry, 'id' | 'recordedAt'> & { result: string },
): void {
  tx.write(sql`
    insert into audit_results (recorded_at, entry_id, result) values (${recordedAt}, ${id}, ${result})
    on conflict (recorded_at, entry_id) do nothing`)
}

/** Deletes the personal values of a user from the audit log and returns how many entries had some. The entries stay and
 * show that values were erased. */
export async function erasePersonalValues(tx: Tx, userId: number): Promise<number> {
  const rows = await tx.rows(sql`
    delete from audit_personal_values where user_id = ${userId} returning entry_id`)
  return rows.length
}

/** A change of the personal values of a user, as JSON text. */
export interface PersonalChange {
  recordedAt: Date
  entryId: string
  operation: string
  targetKind: AuditTargetKind
  targetId: string
  before: string | null
  after: string | null
}

/** Lists the changes of the personal values of a user, the oldest first. */
export async function listPersonalChanges(
  db: Db,
  {
    userId,
    after,
    limit,
  }: {
    userId: number
    after: Pick<PersonalChange, 'recordedAt' | 'entryId'> | undefined
    limit: number
  },
): Promise<PersonalChange[]> {
  return db.rows(sql`
    select v.recorded_at as "recordedAt", v.entry_id as "entryId", l.operation,
      l.target_kind as "targetKind", l.target_id as "targetId", v.before, v.after
    from audit_personal_values v
    join audit_log l on l.id = v.entry_id and l.recorded_at = v.recorded_at
    where v.user_id = ${userId}
      and (v.recorded_at, v.entry_id) > (${after?.recordedAt ?? new Date(0)}, ${after?.entryId ?? ''})
    order by v.recorded_at, v.entry_id limit ${limit}`)
}

/** Drops whole days of entries before `now` minus `days`. */
export async function dropOldEntries(
  db: Database,
  { now, days }: { now: Date; days: number },
): Promise<void> {
  const before = new Date(now.getTime() - days * dayMs)
  await dropPartitionsBefore(db, 'audit_personal_values', before)
  await dropPartitionsBefore(db, 'audit_results', before)
  await dropPartitionsBefore(db, 'audit_log', before)
}

/** The position of an entry. */
export type AuditPosition = Pick<AuditEntry, 'id' | 'recordedAt'>

export interface AuditFilter {
  actor?: string | undefined
  /** Only entries about this target, or related to it. */
  target?: AuditTarget | undefined
  /** Leaves out entries that are only related to the target. */
  withoutRelated?: boolean
  operation?: string | undefined
  /** Entries at or after this time. */
  from?: Date | undefined
  /** Entries before this time. */
  to?: Date | undefined
}

export interface AuditEntryRow extends AuditEntry {
  readonly related: string[]
  readonly personalUsers: string[]
}

const columns = sql`id, recorded_at as "recordedAt", actor, actor_name as "actorName", operation,
  target_kind as "targetKind", target_id as "targetId", related, reason, before, after,
  personal_users as "personalUsers"`

/** Plans a statement once for each connection. To plan one for the partitions of a year takes ten times as long as to
 * run it, and the plan leaves out the days that its parameters exclude anyway. */
const planOnce: Sql = {
  text: 'set local plan_cache_mode = force_generic_plan',
  name: undefined,
  values: [],
}

/** Lists entries, the newest first, from the one after `after` on. */
export async function listEntries(
  db: Pick<Database, 'transaction'>,
  filter: AuditFilter,
  page: AuditPageInput,
): Promise<AuditEntryRow[]> {
  const { target, withoutRelated } = filter
  const readPlanned = (read: (tx: Tx) => Promise<AuditEntryRow[]>) =>
    db.transaction((tx) => {
      tx.write(planOnce)
      return read(tx)
    })
  const entries = readPlanned((tx) => readEntries(tx, filter, page))
  if (!target || withoutRelated) return entries
  // At the same time, because each looks into the partition of every day.
  const related = readPlanned((tx) => readRelated(tx, target, filter, page))
  return newestOf(await Promise.all([entries, related]), page)
}

interface AuditPageInput {
  /** The entry before the page. */
  readonly after?: AuditPosition | undefined
  readonly limit: number
}

async function readEntries(
  tx: Tx,
  filter: AuditFilter,
  { after, limit }: AuditPageInput,
): Promise<AuditEntryRow[]> {
  const { target } = filter
  const conditions = conditionsOf(filter, after)
  if (target) conditions.push(about(target))
  return tx.rows(sql`
    select ${columns} from audit_log where ${joined(conditions, ' and ')}
    order by recorded_at desc, id desc limit ${limit}`)
}

/** Reads entries that are related to a target. It finds them before it sorts them: the planner cannot know that a target
 * has few, and would read all entries in their order instead. */
async function readRelated(
  tx: Tx,
  target: AuditTarget,
  filter: AuditFilter,
  { after, limit }: AuditPageInput,
): Promise<AuditEntryRow[]> {
  const conditions = [relatedTo(target), ...conditionsOf(filter, after)]
  return tx.rows(sql`
    with entries as materialized (
      select ${columns} from audit_log where ${joined(conditions, ' and ')}
    )
    select * from entries order by "recordedAt" desc, id desc limit ${limit}`)
}

/** Counts entries. */
export async function countEntries(
  db: Pick<Database, 'transaction'>,
  filter: AuditFilter,
): Promise<number> {
  const { target } = filter
  const conditions = conditionsOf(filter, undefined)
  if (target) conditions.push(sql`(${about(target)} or ${relatedTo(target)})`)
  return db.transaction(async (tx) => {
    tx.write(planOnce)
    const row = await tx.row<{ count: number }>(sql`
      select count(*) as count from audit_log where ${joined(conditions, ' and ')}`)
    return row?.count ?? 0
  })
}

const about = ({ kind, id }: AuditTarget) => sql`target_kind = ${kind} and target_id = ${id}`
const relatedTo = (target: AuditTarget) =>
  sql`related <> '{}' and related @> array[${targetText(target)}]::text[]`

/** Returns the conditions of a filter but for its target. */
function conditionsOf(filter: AuditFilter, after: AuditPosition | undefined): Template[] {
  const { actor, operation, from, to } = filter
  const conditions: Template[] = [sql`true`]
  if (actor !== undefined) conditions.push(sql`actor = ${actor}`)
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`)
  if (from) conditions.push(sql`recorded_at >= ${from}`)
  if (to) conditions.push(sql`recorded_at < ${to}`)
  if (after) conditions.push(sql`(recorded_at, id) < (${after.recordedAt}, ${after.id})`)
  return conditions
}

/** Lists entries about any of these targets, or related to one, the newest first. */
export async function listEntriesOf(
  db: Pick<Database, 'transaction'>,
  targets: readonly AuditTarget[],
  { from, ...page }: AuditPageInput & { from: Date },
): Promise<AuditEntryRow[]> {
  const lists = await Promise.all(targets.map((target) => listEntries(db, { target, from }, page)))
  return newestOf(lists, page)
}

/** Returns the newest entries of several lists. One that is in more than one list is returned once. */
export function newestOf(
  lists: readonly (readonly AuditEntryRow[])[],
  { limit }: Pick<AuditPageInput, 'limit'>,
): AuditEntryRow[] {
  const byId = new Map(lists.flat().map((entry) => [entry.id, entry]))
  return [...byId.values()].toSorted(newestFirst).slice(0, limit)
}

function newestFirst(one: AuditPosition, other: AuditPosition): number {
  return other.recordedAt.getTime() - one.recordedAt.getTime() || (other.id > one.id ? 1 : -1)
}

export interface PersonalValuesRow extends PersonalValues {
  readonly entryId: string
}

/** Lists the personal values of entries that are not erased. */
export async function listPersonalValues(
  db: Db,
  entries: readonly AuditPosition[],
): Promise<PersonalValuesRow[]> {
  return db.rows(sql`
    select entry_id as "entryId", user_id as "userId", before, after from audit_personal_values
    where recorded_at = any(${entries.map((entry) => entry.recordedAt)}::timestamptz[])
      and entry_id = any(${entries.map((entry) => entry.id)}::text[])
    order by user_id`)
}

/** Lists the results of entries. */
export async function listResults(
  db: Db,
  entries: readonly AuditPosition[],
): Promise<{ entryId: string; result: string }[]> {
  return db.rows(sql`
    select entry_id as "entryId", result from audit_results
    where recorded_at = any(${entries.map((entry) => entry.recordedAt)}::timestamptz[])
      and entry_id = any(${entries.map((entry) => entry.id)}::text[])`)
}
