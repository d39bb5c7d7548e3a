import type { Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { sql } from '../platform/database/sql.ts'
import type { Question, SellerAnswer } from './question.ts'

export type QuestionRow = Omit<Question, 'answer'> & { answer: string | null }

export const questionColumns = sql`id, seller_id as "sellerId", item_id as "itemId",
  from_id as "fromId", status, text, answer, hold, deleted_from_listing as "deletedFromListing",
  date_created as "dateCreated", last_updated as "lastUpdated"`

export function questionFromRow({ answer, ...row }: QuestionRow): Question {
  return { ...row, answer: answer === null ? null : (JSON.parse(answer) as SellerAnswer) }
}

/** Owner table: the seller of each question. */
export const questionOwners = new OwnerTable<number, Pick<Question, 'sellerId'>>({
  table: 'question_owner',
  id: 'question_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id' },
})

/** Loads questions on listings of this seller by id. Unknown ids are left out. */
export async function findQuestions(
  db: Db,
  { sellerId, ids }: { sellerId: number; ids: readonly number[] },
): Promise<Question[]> {
  const rows = await db.rows<QuestionRow>(sql`
    select ${questionColumns} from questions
    where seller_id = ${sellerId} and id = any(${ids}::bigint[])`)
  return rows.map(questionFromRow)
}

/** Loads one question and locks it until the transaction ends. */
export async function lockQuestion(
  tx: Tx,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<Question | undefined> {
  const row = await tx.row<QuestionRow>(sql`
    select ${questionColumns} from questions
    where seller_id = ${sellerId} and id = ${id} for update`)
  return row && questionFromRow(row)
}

/** Adds a question with a new id to the questions of its seller and to those of the user who asked. */
export function insertQuestion(tx: Tx, question: Question): void {
  const { id, sellerId, itemId, fromId, status, text, answer, hold, dateCreated } = question
  questionOwners.insert(tx, question)
  tx.write(sql`
    insert into questions (seller_id, id, item_id, from_id, status, text, answer, hold,
      deleted_from_listing, date_created, last_updated)
    values (${sellerId}, ${id}, ${itemId}, ${fromId}, ${status}, ${text},
      ${answer && JSON.stringify(answer)}, ${hold}, ${question.deletedFromListing}, ${dateCreated},
      ${question.lastUpdated})`)
  tx.write(sql`
    insert into asked_questions (from_id, question_id, seller_id, item_id, status, date_created)
    values (${fromId}, ${id}, ${sellerId}, ${itemId}, ${status}, ${dateCreated})`)
}

/** Saves the changes of a locked question. */
export function saveQuestion(tx: Tx, question: Question): void {
  const { id, sellerId, fromId, status, answer, hold, deletedFromListing, lastUpdated } = question
  tx.write(sql`
    update questions set status = ${status}, answer = ${answer && JSON.stringify(answer)},
      hold = ${hold}, deleted_from_listing = ${deletedFromListing}, last_updated = ${lastUpdated}
    where seller_id = ${sellerId} and id = ${id}`)
  tx.write(sql`
    update asked_questions set status = ${status}
    where from_id = ${fromId} and question_id = ${id}`)
}
