import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import { publicStatuses, type Question, type QuestionStatus } from './question.ts'
import type { QuestionSort, SortField } from './search.ts'
import { findQuestions, type QuestionRow, questionColumns, questionFromRow } from './store.ts'

export interface QuestionPage {
  total: number
  questions: Question[]
}

interface QuestionFilters {
  itemId: string | null
  statuses: readonly QuestionStatus[] | null
  sorts: readonly QuestionSort[]
  limit: number
  offset: number
}

const columns: Record<SortField, Template> = {
  item_id: sql`item_id`,
  from_id: sql`from_id`,
  seller_id: sql`seller_id`,
  date_created: sql`date_created`,
}

/** Searches the questions on one seller's listings. The seller gets all of them. Others get public questions and those
 * that they asked, never ordered by the user who asked. */
export async function searchSellerQuestions(
  db: Db,
  input: QuestionFilters & { sellerId: number; fromId: number | null; reader: number },
): Promise<QuestionPage> {
  const { sellerId, fromId, reader } = input
  const conditions = [
    sql`seller_id = ${sellerId}`,
    ...filterConditions(input),
    ...(fromId === null ? [] : [sql`from_id = ${fromId}`]),
    ...(reader === sellerId
      ? []
      : [sql`(status = any(${publicStatuses}::text[]) or from_id = ${reader})`]),
  ]
  const where = joined(conditions, ' and ')
  // The order would tell others which questions come from the same asker.
  const sorts =
    reader === sellerId ? input.sorts : input.sorts.filter(({ field }) => field !== 'from_id')
  const [count, rows] = await Promise.all([
    db.row<{ total: number }>(unnamed(sql`select count(*) as total from questions where ${where}`)),
    db.rows<QuestionRow>(
      unnamed(sql`
        select ${questionColumns} from questions where ${where}
        order by ${orderBy(sorts, sql`id`)} limit ${input.limit} offset ${input.offset}`),
    ),
  ])
  return { total: count?.total ?? 0, questions: rows.map(questionFromRow) }
}

/** Searches the questions that one user asked, on listings of all sellers. */
export async function searchAskedQuestions(
  db: Db,
  input: QuestionFilters & { fromId: number },
): Promise<QuestionPage> {
  const where = joined([sql`from_id = ${input.fromId}`, ...filterConditions(input)], ' and ')
  const [count, rows] = await Promise.all([
    db.row<{ total: number }>(
      unnamed(sql`select count(*) as total from asked_questions where ${where}`),
    ),
    db.rows<{ id: number; sellerId: number }>(
      unnamed(sql`
        select question_id as id, seller_id as "sellerId" from asked_questions where ${where}
        order by ${orderBy(input.sorts, sql`question_id`)}
        limit ${input.limit} offset ${input.offset}`),
    ),
  ])
  const bySeller = Map.groupBy(rows, ({ sellerId }) => sellerId)
  const questions = await Promise.all(
    [...bySeller].map(([sellerId, questionKeys]) =>
      findQuestions(db, { sellerId, ids: questionKeys.map(({ id }) => id) }),
    ),
  )
  const byId = new Map(questions.flat().map((question) => [question.id, question]))
  return { total: count?.total ?? 0, questions: rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

function filterConditions({ itemId, statuses }: QuestionFilters): Template[] {
  return [
    ...(itemId === null ? [] : [sql`item_id = ${itemId}`]),
    ...(statuses === null ? [] : [sql`status = any(${statuses}::text[])`]),
  ]
}

/** Sorts by id last, so that the order of equal questions is stable. */
function orderBy(sorts: readonly QuestionSort[], id: Template): Template {
  const isIdDescending = sorts.at(-1)?.isDescending ?? true
  const terms = sorts.map(({ field, isDescending }) =>
    isDescending ? sql`${columns[field]} desc` : sql`${columns[field]}`,
  )
  return joined([...terms, isIdDescending ? sql`${id} desc` : id], ', ')
}
