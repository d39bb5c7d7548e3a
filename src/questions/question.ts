import { badField, Failure } from '../kernel/failure.ts'
import type { Listing } from '../listings/listing.ts'

/** All statuses of questions. */
export const questionStatuses = [
  'ANSWERED',
  'BANNED',
  'CLOSED_UNANSWERED',
  'DELETED',
  'DISABLED',
  'UNANSWERED',
  'UNDER_REVIEW',
] as const
export type QuestionStatus = (typeof questionStatuses)[number]

/** Statuses of the questions that everybody sees. Other questions are visible to their parties only. */
export const publicStatuses: readonly QuestionStatus[] = [
  'ANSWERED',
  'CLOSED_UNANSWERED',
  'UNANSWERED',
]

/** Maximum length of a question or an answer, in characters. */
export const maxTextLength = 2_000

export interface SellerAnswer {
  text: string
  status: 'ACTIVE'
  date_created: string
}

export interface Question {
  id: number
  sellerId: number
  itemId: string
  /** The user who asked. */
  fromId: number
  status: QuestionStatus
  text: string
  answer: SellerAnswer | null
  hold: boolean
  deletedFromListing: boolean
  dateCreated: Date
  lastUpdated: Date
}

/** How much of a question a user sees: all of it, its public part without the user who asked, or nothing. */
export type QuestionVisibility = 'all' | 'public' | 'none'

export function questionVisibility(
  { sellerId, fromId, status }: Pick<Question, 'sellerId' | 'fromId' | 'status'>,
  reader: number,
): QuestionVisibility {
  if (reader === sellerId || reader === fromId) return 'all'
  return publicStatuses.includes(status) ? 'public' : 'none'
}

/** Returns the text of a question or an answer if it is valid. Throws a `bad_request` that names the field. */
function validateText(text: string): string {
  if (text.trim() === '') throw badField('text', 'a text that is not blank')
  // A text never has more characters than UTF-16 units.
  if (text.length > maxTextLength && [...text].length > maxTextLength) {
    throw badField('text', `at most ${maxTextLength} characters`)
  }
  return text
}

/** Returns a new question on a listing. Throws a `bad_request` that names the field. */
export function createQuestion(
  listing: Pick<Listing, 'id' | 'sellerId' | 'status'>,
  { id, fromId, text, now }: { id: number; fromId: number; text: string; now: Date },
): Question {
  if (fromId === listing.sellerId) throw badField('item_id', 'an item of another seller')
  if (listing.status !== 'active') {
    throw badField('item_id', `an active item, ${listing.id} is ${listing.status}`)
  }
  return {
    id,
    fromId,
    sellerId: listing.sellerId,
    itemId: listing.id,
    text: validateText(text),
    status: 'UNANSWERED',
    answer: null,
    hold: false,
    deletedFromListing: false,
    dateCreated: now,
    lastUpdated: now,
  }
}

/** Returns the question with its answer. Throws `not_unanswered_question`, or a `bad_request` that names the field. */
export function withAnswer(
  question: Question,
  { text, listing, now }: { text: string; listing: Pick<Listing, 'status'>; now: Date },
): Question {
  const answerText = validateText(text)
  if (question.status !== 'UNANSWERED') {
    throw new Failure('not_unanswered_question', question.status)
  }
  if (listing.status === 'closed') {
    throw badField(
      'question_id',
      `a question on an item that is not closed, as ${question.itemId} is`,
    )
  }
  const answer: SellerAnswer = {
    text: answerText,
    status: 'ACTIVE',
    date_created: now.toISOString(),
  }
  return { ...question, status: 'ANSWERED', answer, lastUpdated: now }
}

export interface QuestionUpdate {
  status?: QuestionStatus
  hold?: boolean
  deletedFromListing?: boolean
}

/** Returns the question with the operator's changes. Throws `status_not_reachable` for a status that contradicts
 * whether there is an answer. */
export function applyQuestionUpdate(question: Question, ruling: QuestionUpdate): Question {
  const isAnswered = question.answer !== null
  const requiresAnswer = { ANSWERED: true, UNANSWERED: false, CLOSED_UNANSWERED: false }[
    ruling.status as string
  ]
  if (requiresAnswer !== undefined && requiresAnswer !== isAnswered) {
    const state = isAnswered ? 'has an answer' : 'has no answer'
    throw new Failure(
      'status_not_reachable',
      `status: a question that ${state} can not become ${ruling.status}`,
    )
  }
  return { ...question, ...ruling }
}
