import { isDeepStrictEqual } from 'node:util'
import { type Change, recordChanges } from '../changes/record.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { itemNotFound } from '../listings/routes.ts'
import { findListing, findListings } from '../listings/store.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import {
  applyQuestionUpdate,
  createQuestion,
  type Question,
  type QuestionUpdate,
  questionVisibility,
  withAnswer,
} from './question.ts'
import { insertQuestion, lockQuestion, questionOwners, saveQuestion } from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** Adds a question on an item and notifies the seller. Throws `not_found` for an unknown item, and the errors of
 * `createQuestion`. */
export async function submitQuestion(
  { db, ids, now }: Tools & Pick<Context, 'ids'>,
  { itemId, fromId, text }: { itemId: string; fromId: number; text: string },
): Promise<Question> {
  const listing = await findListing(db, itemId)
  if (!listing) throw itemNotFound(itemId)
  const id = await ids.next('question')
  return db.transaction((tx) => {
    const question = createQuestion(listing, { id, fromId, text, now: now() })
    insertQuestion(tx, question)
    recordChanges(tx, [changeOf(question, question.sellerId)])
    return question
  })
}

/** Answers a question as its seller and notifies the user who asked. Throws `not_found`, `not_owned_question`, a
 * `bad_request`, and `not_unanswered_question`, also for the second of two concurrent answers. */
export async function submitAnswer(
  { db, now }: Tools,
  { id, userId, text }: { id: number; userId: number; text: string },
): Promise<Question> {
  return db.transaction(async (tx) => {
    const question = await lockOrFail(tx, id)
    const sight = questionVisibility(question, userId)
    if (sight === 'none') throw questionNotFound(id)
    if (userId !== question.sellerId) throw new Failure('not_owned_question')
    const { sellerId, itemId } = question
    const listing = (await findListings(tx, { sellerId, ids: [itemId] })).get(itemId)
    if (!listing) throw badField('question_id', 'a question on an item that is still listed')
    const answeredQuestion = withAnswer(question, { text, listing, now: now() })
    saveQuestion(tx, answeredQuestion)
    recordChanges(tx, [changeOf(answeredQuestion, answeredQuestion.fromId)])
    return answeredQuestion
  })
}

/** Changes a question as the operator and notifies the seller if anything changed. Throws `not_found` and
 * `status_not_reachable`. */
export async function updateQuestion(
  { audit, db, now }: Tools & Pick<Context, 'audit'>,
  id: number,
  ruling: QuestionUpdate,
): Promise<Question> {
  return db.transaction(async (tx) => {
    const question = await lockOrFail(tx, id)
    const decided = applyQuestionUpdate(question, ruling)
    audit.relate('listing', question.itemId)
    audit.relate('user', question.fromId)
    if (isDeepStrictEqual(decided, question)) return question
    audit.change({ before: auditedQuestion(question), after: auditedQuestion(decided) })
    const changedQuestion = { ...decided, lastUpdated: now() }
    saveQuestion(tx, changedQuestion)
    recordChanges(tx, [changeOf(changedQuestion, changedQuestion.sellerId)])
    return changedQuestion
  })
}

/** Returns the fields of a question that the audit log compares. The operator does not change its texts. */
function auditedQuestion({ status, hold, deletedFromListing }: Question): object {
  return { status, hold, deleted_from_listing: deletedFromListing }
}

/** Loads a question and locks it until the transaction ends. Throws `not_found`. */
export async function lockOrFail(tx: Tx, id: number): Promise<Question> {
  const question = await questionOwners.findRow(tx, id, (owner) =>
    lockQuestion(tx, { ...owner, id }),
  )
  if (!question) throw questionNotFound(id)
  return question
}

function changeOf({ id, sellerId, lastUpdated: at }: Question, userId: number): Change {
  return { topic: 'questions', resource: `/questions/${id}`, userIds: [userId], sellerId, at }
}

export function questionNotFound(id: number): Failure {
  return new Failure('not_found', `Question not found: ${id}`)
}
