import { erasedText } from '../kernel/erased-text.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** A range of questions by id: at most `limit` after an id. */
interface QuestionRange {
  userId: number
  after: number
  limit: number
}

/** Lists the questions that a user asked, by ascending id. */
export async function listAskedQuestions(
  db: Db,
  { userId, after, limit }: QuestionRange,
): Promise<{ id: number; sellerId: number }[]> {
  return db.rows(sql`
    select question_id as id, seller_id as "sellerId" from asked_questions
    where from_id = ${userId} and question_id > ${after} order by question_id limit ${limit}`)
}

/** Replaces the text of a question. Returns whether it changed. */
export async function eraseQuestion(
  tx: Tx,
  { id, sellerId }: { id: number; sellerId: number },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    update questions set text = ${erasedText}
    where seller_id = ${sellerId} and id = ${id} and text <> ${erasedText} returning id`)
  return rows.length > 0
}

/** Lists the questions that a seller answered, by ascending id. */
export async function listAnsweredQuestions(
  db: Db,
  { userId, after, limit }: QuestionRange,
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from questions where seller_id = ${userId} and id > ${after} and answer is not null
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Replaces the texts of answers of a seller. Returns how many changed. */
export async function eraseAnswers(
  tx: Tx,
  { userId, ids }: { userId: number; ids: readonly number[] },
): Promise<number> {
  const rows = await tx.rows(sql`
    update questions set
      answer = jsonb_set(answer::jsonb, '{text}', to_jsonb(${erasedText}::text))::json
    where seller_id = ${userId} and id = any(${ids}::bigint[])
      and answer ->> 'text' <> ${erasedText} returning id`)
  return rows.length
}
