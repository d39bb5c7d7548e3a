import { Type } from 'typebox'
import { created, ok, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { Bounded, Id, Text } from '../kernel/schema.ts'
import { itemOwners } from '../listings/store.ts'
import type { Db } from '../platform/database/database.ts'
import { questionNotFound, submitAnswer, submitQuestion } from './commands.ts'
import { maxTextLength, type Question, questionVisibility } from './question.ts'
import { parseQuestionSearch, type QuestionSearchInput, QuestionSearchQuery } from './search.ts'
import { findQuestions, questionOwners } from './store.ts'
import { type QuestionPage, searchAskedQuestions, searchSellerQuestions } from './store-search.ts'
import { QuestionAnswer, QuestionSearchAnswer, questionSearchView, questionView } from './view.ts'

const tag = 'Questions'
const visibility =
  'The seller and the user who asked see a question in full. Others see it only while it is `ANSWERED`, `UNANSWERED` or `CLOSED_UNANSWERED`, and without `from`.'

const getQuestion = route({
  method: 'GET',
  url: '/questions/:question_id',
  scope: 'read',
  tag,
  summary: 'Get a question',
  description: `Returns a question and its answer. Use it to read what a notification of the topic \`questions\` names. ${visibility} 404 \`not_found\`: there is no such question, or you may not see it.`,
  refuses: { not_found: 'Question not found: 3957150025' },
  params: Type.Object({ question_id: Type.String() }),
  answers: { 200: QuestionAnswer },
  async handle({ reads }, { params, caller }) {
    const id = pathId('question_id', params.question_id)
    const question = await loadQuestion(reads, id)
    if (questionVisibility(question, caller.userId) === 'none') throw questionNotFound(id)
    return ok(questionView(question, caller.userId))
  },
})

/** Returns the question of this id, whoever may see it. Throws `not_found`. */
export async function loadQuestion(db: Db, id: number): Promise<Question> {
  const question = await questionOwners.findRow(
    db,
    id,
    async (owner) => (await findQuestions(db, { ...owner, ids: [id] }))[0],
  )
  if (!question) throw questionNotFound(id)
  return question
}

const getSearch = route({
  method: 'GET',
  url: '/questions/search',
  scope: 'read',
  tag,
  summary: 'Search questions',
  description: `Returns the questions on an item (\`item\`) or on the items of a seller (\`seller_id\`), newest first. Without both you get the questions on your items, or with your own id as \`from\` those that you asked. ${visibility} 403 \`caller.id.invalid\`: \`from\` is another user, and you are not the seller.`,
  refuses: { caller_id_invalid: '' },
  query: QuestionSearchQuery,
  answers: { 200: QuestionSearchAnswer },
  async handle({ db }, { query, caller: { userId: reader } }) {
    const search = parseQuestionSearch(query)
    return ok(
      questionSearchView(await findQuestionPage(db, { search, reader }), { search, reader }),
    )
  },
})

/** Finds a page of questions. Without a seller or an item, the caller's own: those received, or with `from` those
 * asked. Throws `caller_id_invalid` when others search by who asked. */
async function findQuestionPage(
  db: Db,
  { search, reader }: { search: QuestionSearchInput; reader: number },
): Promise<QuestionPage> {
  const { itemId, fromId } = search
  if (itemId === null && search.sellerId === null && fromId === reader) {
    return searchAskedQuestions(db, { ...search, fromId })
  }
  const statedSellerId = search.sellerId ?? (itemId === null ? reader : undefined)
  const sellerId = statedSellerId ?? (await itemOwners.find(db, itemId ?? ''))?.sellerId
  // Only the parties see who asked, so others cannot search by it.
  if (fromId !== null && fromId !== reader && sellerId !== reader) {
    throw new Failure('caller_id_invalid')
  }
  if (sellerId === undefined) return { total: 0, questions: [] }
  return searchSellerQuestions(db, { ...search, sellerId, reader })
}

const textLimit = `At most ${maxTextLength} characters.`

const postQuestion = route({
  method: 'POST',
  url: '/questions',
  scope: 'write',
  tag,
  summary: 'Ask a question about an item',
  description:
    'Asks the seller of an active item, who is notified on the topic `questions`. You cannot ask about your own items. 400 `bad_request`: the item is your own or not active, or the text is blank or too long. 404 `not_found`: there is no such item.',
  refuses: {
    bad_request: 'item_id: expected an item of another seller',
    not_found: 'Item not found: MLA600000001',
  },
  body: Type.Object({
    item_id: Text(40),
    text: Bounded(20_000, textLimit),
  }),
  answers: { 201: QuestionAnswer },
  async handle(ctx, { body, caller: { userId: fromId } }) {
    const question = await submitQuestion(ctx, { itemId: body.item_id, fromId, text: body.text })
    return created(questionView(question, fromId))
  },
})

const postAnswer = route({
  method: 'POST',
  url: '/answers',
  scope: 'write',
  tag,
  summary: 'Answer a question',
  description:
    'Answers a question about one of your items, once and while the item is not closed. The user who asked is notified on the topic `questions`. 400 `not_unanswered_question`: the question is answered already, or no longer open. 403 `not_owned_question`: the item is not yours. 404 `not_found`: there is no such question, or you may not see it.',
  refuses: {
    not_unanswered_question: 'ANSWERED',
    not_owned_question: '',
    not_found: 'Question not found: 3957150025',
  },
  body: Type.Object({
    question_id: Id,
    text: Bounded(20_000, textLimit),
  }),
  answers: { 201: QuestionAnswer },
  async handle(ctx, { body, caller: { userId } }) {
    const question = await submitAnswer(ctx, { id: body.question_id, userId, text: body.text })
    return created(questionView(question, userId))
  },
})

export const questionRoutes: Route[] = [getSearch, getQuestion, postQuestion, postAnswer]
