import type { SiteId } from '../../../kernel/sites.ts'
import type { ModerationReason } from '../../../moderation/reason.ts'
import type { Db } from '../../../platform/database/database.ts'
import { sql, unnamed } from '../../../platform/database/sql.ts'

/** A period in which messages were sent, on one site or on all of them. */
export interface DecisionPeriod {
  siteId: SiteId | null
  from: Date
  /** Exclusive. */
  to: Date
}

/** How often a rule held a message back on a site. */
export interface DecisionCount {
  /** Null for messages that another system held back before they were imported. */
  rule: string | null
  reason: ModerationReason
  siteId: SiteId
  held: number
  /** How many of the held ones the operator released. */
  overruled: number
}

/** Counts the messages that were held back, those released since included, by rule and site. */
export async function countDecisions(
  db: Db,
  { siteId, from, to }: DecisionPeriod,
): Promise<DecisionCount[]> {
  return db.rows(
    unnamed(sql`
    select details #>> '{moderation,finding,rule}' as rule,
      coalesce(details #>> '{moderation,finding,reason}', details #>> '{moderation,reason}') as reason,
      details ->> 'siteId' as "siteId", count(*)::int as held,
      count(details #>> '{moderation,overruledAt}')::int as overruled
    from messages
    where (status = 'moderated' or json_typeof(details #> '{moderation,overruledAt}') = 'string')
      and date_created >= ${from} and date_created < ${to}
      and (${siteId}::text is null or details ->> 'siteId' = ${siteId})
    group by 1, 2, 3 order by 1, 3, 2`),
  )
}

/** Counts the newest decisions of rules, up to `limit`: a bounded read, whatever was held back. */
export async function countNewestDecisions(
  db: Db,
  limit: number,
): Promise<{ rule: string; held: number; overruled: number }[]> {
  return db.rows(
    unnamed(sql`
      select rule, count(*)::int as held, count(overruled_at)::int as overruled
      from (
        select details #>> '{moderation,finding,rule}' as rule,
          details #>> '{moderation,overruledAt}' as overruled_at
        from messages
        where status = 'moderated' or json_typeof(details #> '{moderation,overruledAt}') = 'string'
        order by date_created desc, id desc limit ${limit}) newest
      where rule is not null group by rule order by rule`),
  )
}

/** A message that was held back, and whether the operator released it. */
export interface Decision {
  messageId: string
  siteId: SiteId
  sellerId: number
  packId: number
  fromId: number
  text: string
  reason: ModerationReason
  rule: string | null
  /** The match, in UTF-16 units of the text. Null without a rule. */
  from: number | null
  to: number | null
  /** When it was sent, and so held back. */
  dateCreated: Date
  /** ISO 8601. */
  overruledAt: string | null
}

/** Lists messages that were held back after a date and id, the oldest first. */
export async function listDecisions(
  db: Db,
  {
    siteId,
    from,
    to,
    rule,
    id,
    limit,
  }: DecisionPeriod & { rule: string | null; id: string; limit: number },
): Promise<Decision[]> {
  return db.rows(
    unnamed(sql`
    select id as "messageId", details ->> 'siteId' as "siteId", seller_id as "sellerId",
      pack_id as "packId", from_id as "fromId", text,
      coalesce(details #>> '{moderation,finding,reason}', details #>> '{moderation,reason}') as reason,
      details #>> '{moderation,finding,rule}' as rule,
      (details #>> '{moderation,finding,from}')::int as "from",
      (details #>> '{moderation,finding,to}')::int as "to",
      date_created as "dateCreated",
      details #>> '{moderation,overruledAt}' as "overruledAt"
    from messages
    where (status = 'moderated' or json_typeof(details #> '{moderation,overruledAt}') = 'string')
      and (date_created, id) > (${from}, ${id}) and date_created < ${to}
      and (${siteId}::text is null or details ->> 'siteId' = ${siteId})
      and (${rule}::text is null or details #>> '{moderation,finding,rule}' = ${rule})
    order by date_created, id limit ${limit}`),
  )
}
