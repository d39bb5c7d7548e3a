import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import { publicStatuses, type Question, type QuestionStatus } from './question.ts'
import type { Sort, SortField } from './search.ts'
import { findQuestions, type QuestionRow, questionColumns, questionOf } from './store.ts'

export interface Page {
  total: number
  questions: Question[]
}

interface Narrowing {
  itemId: string | null
  statuses: readonly QuestionStatus[] | null
  sorts: readonly Sort[]
  limit: number
  offset: number
}

const columns: Record<SortField, Template> = {
  item_id: sql`item_id`,
  from_id: sql`from_id`,
  seller_id: sql`seller_id`,
  date_created: sql`date_created`,
}

/** Questions on one seller's listings: to the seller all, to others what is public and what they asked
 * themselves, never ordered by who asked. */
export async function searchOfSeller(
  db: Db,
  asked: Narrowing & { sellerId: number; fromId: number | null; reader: number },
): Promise<Page> {
  const { sellerId, fromId, reader } = asked
  const conditions = [
    sql`seller_id = ${sellerId}`,
    ...narrowing(asked),
    ...(fromId === null ? [] : [sql`from_id = ${fromId}`]),
    ...(reader === sellerId
      ? []
      : [sql`(status = any(${publicStatuses}::text[]) or from_id = ${reader})`]),
  ]
  const where = joined(conditions, ' and ')
  // The order would tell others which questions come from the same asker.
  const sorts =
    reader === sellerId ? asked.sorts : asked.sorts.filter(({ field }) => field !== 'from_id')
  const [count, rows] = await Promise.all([
    db.row<{ total: number }>(unnamed(sql`select count(*) as total from questions where ${where}`)),
    db.rows<QuestionRow>(
      unnamed(sql`
        select ${questionColumns} from questions where ${where}
        order by ${orderBy(sorts, sql`id`)} limit ${asked.limit} offset ${asked.offset}`),
    ),
  ])
  return { total: count?.total ?? 0, questions: rows.map(questionOf) }
}

/** What one user asked, whoever sells what it is about. */
export async function searchOfAsker(db: Db, asked: Narrowing & { fromId: number }): Promise<Page> {
  const where = joined([sql`from_id = ${asked.fromId}`, ...narrowing(asked)], ' and ')
  const [count, rows] = await Promise.all([
    db.row<{ total: number }>(
      unnamed(sql`select count(*) as total from asked_questions where ${where}`),
    ),
    db.rows<{ id: number; sellerId: number }>(
      unnamed(sql`
        select question_id as id, seller_id as "sellerId" from asked_questions where ${where}
        order by ${orderBy(asked.sorts, sql`question_id`)}
        limit ${asked.limit} offset ${asked.offset}`),
    ),
  ])
  const bySeller = Map.groupBy(rows, ({ sellerId }) => sellerId)
  const found = await Promise.all(
    [...bySeller].map(([sellerId, own]) =>
      findQuestions(db, { sellerId, ids: own.map(({ id }) => id) }),
    ),
  )
  const byId = new Map(found.flat().map((question) => [question.id, question]))
  return { total: count?.total ?? 0, questions: rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

function narrowing({ itemId, statuses }: Narrowing): Template[] {
  return [
    ...(itemId === null ? [] : [sql`item_id = ${itemId}`]),
    ...(statuses === null ? [] : [sql`status = any(${statuses}::text[])`]),
  ]
}

/** The id last, so that no two stand in an order of chance. */
function orderBy(sorts: readonly Sort[], id: Template): Template {
  const last = sorts.at(-1)?.isDescending ?? true
  const terms = sorts.map(({ field, isDescending }) =>
    isDescending ? sql`${columns[field]} desc` : sql`${columns[field]}`,
  )
  return joined([...terms, last ? sql`${id} desc` : id], ', ')
}
