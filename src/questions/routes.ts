import { Type } from 'typebox'
import { created, ok, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { Bounded, Id, Text } from '../kernel/schema.ts'
import { itemOwners } from '../listings/store.ts'
import type { Db } from '../platform/database/database.ts'
import { answer, ask, noQuestion } from './commands.ts'
import { mostCharacters, type Question, sightOf } from './question.ts'
import { type Search, SearchQuery, searchOf } from './search.ts'
import { findQuestions, questionOwners } from './store.ts'
import { type Page, searchOfAsker, searchOfSeller } from './store-search.ts'
import { QuestionAnswer, questionView, SearchAnswer, searchView } from './view.ts'

const tag = 'Questions'
const sees =
  'Seller and asker see all of it. Others see questions that are ANSWERED, UNANSWERED or CLOSED_UNANSWERED, without who asked.'

const getQuestion = route({
  method: 'GET',
  url: '/questions/:question_id',
  scope: 'read',
  tag,
  summary: 'One question, with its answer',
  description: `Contract 6.2: what notifications on the topic questions name. ${sees}`,
  params: Type.Object({ question_id: Type.String() }),
  answers: { 200: QuestionAnswer },
  async handle({ reads }, { params, caller }) {
    const id = pathId('question_id', params.question_id)
    const question = await questionOf(reads, id)
    if (sightOf(question, caller.userId) === 'none') throw noQuestion(id)
    return ok(questionView(question, caller.userId))
  },
})

/** The question of this id. Throws `not_found`. */
export async function questionOf(db: Db, id: number): Promise<Question> {
  const question = await questionOwners.findRow(
    db,
    id,
    async (owner) => (await findQuestions(db, { ...owner, ids: [id] }))[0],
  )
  if (!question) throw noQuestion(id)
  return question
}

const getSearch = route({
  method: 'GET',
  url: '/questions/search',
  scope: 'read',
  tag,
  summary: 'Questions on an item, on the items of a seller, or asked by a user',
  description: `Wire 6. Without \`item\` and \`seller_id\` it finds what the caller asked where \`from\` is the caller, else what the caller was asked. Newest first unless \`sort\` says otherwise. ${sees}`,
  query: SearchQuery,
  answers: { 200: SearchAnswer },
  async handle({ db }, { query, caller: { userId: reader } }) {
    const search = searchOf(query)
    return ok(searchView(await pageOf(db, { search, reader }), { search, reader }))
  },
})

async function pageOf(
  db: Db,
  { search, reader }: { search: Search; reader: number },
): Promise<Page> {
  const { itemId, fromId } = search
  if (itemId === null && search.sellerId === null && fromId === reader) {
    return searchOfAsker(db, { ...search, fromId })
  }
  const named = search.sellerId ?? (itemId === null ? reader : undefined)
  const sellerId = named ?? (await itemOwners.find(db, itemId ?? ''))?.sellerId
  // Who asked is told to nobody but the parties, so it cannot be searched by either.
  if (fromId !== null && fromId !== reader && sellerId !== reader) {
    throw new Failure('caller_id_invalid')
  }
  if (sellerId === undefined) return { total: 0, questions: [] }
  return searchOfSeller(db, { ...search, sellerId, reader })
}

const textSays = `at most ${mostCharacters} characters`

const postQuestion = route({
  method: 'POST',
  url: '/questions',
  scope: 'write',
  tag,
  summary: 'Ask the seller of an item',
  description:
    'Wire 6. About an active item of somebody else’s. Its seller is told on the topic questions.',
  body: Type.Object({
    item_id: Text(40),
    text: Bounded(20_000, textSays),
  }),
  answers: { 201: QuestionAnswer },
  async handle(ctx, { body, caller: { userId: fromId } }) {
    const question = await ask(ctx, { itemId: body.item_id, fromId, text: body.text })
    return created(questionView(question, fromId))
  },
})

const postAnswer = route({
  method: 'POST',
  url: '/answers',
  scope: 'write',
  tag,
  summary: 'Answer a question about one’s own item',
  description:
    'Wire 6. Once, and only while the item is not closed. Who asked is told on the topic questions.',
  body: Type.Object({
    question_id: Id,
    text: Bounded(20_000, textSays),
  }),
  answers: { 201: QuestionAnswer },
  async handle(ctx, { body, caller: { userId } }) {
    const question = await answer(ctx, { id: body.question_id, userId, text: body.text })
    return created(questionView(question, userId))
  },
})

export const questionRoutes: Route[] = [getSearch, getQuestion, postQuestion, postAnswer]
