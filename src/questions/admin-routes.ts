import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { pathId } from '../kernel/ids.ts'
import { IdText, Strict } from '../kernel/schema.ts'
import { rule } from './commands.ts'
import { questionStatuses, type Ruling } from './question.ts'
import { questionOf } from './routes.ts'
import { QuestionAnswer, questionView } from './view.ts'

const tag = 'Operator: questions'
const url = '/operator/questions/:question_id'
const params = Type.Object({ question_id: IdText })
const answers = { 200: QuestionAnswer }

const getQuestion = route({
  method: 'GET',
  url,
  scope: 'operator',
  tag,
  summary: 'One question, whatever its status',
  params,
  answers,
  handle: async ({ db }, { params }) =>
    ok(questionView(await questionOf(db, pathId('question_id', params.question_id)), 'operator')),
})

const patchQuestion = route({
  method: 'PATCH',
  url,
  scope: 'operator',
  tag,
  summary: 'Decide about a question',
  description:
    'What is not named stays. Its seller is told on the topic questions; what changes nothing is not told.',
  params,
  body: Strict({
    status: Type.Optional(Type.Enum([...questionStatuses])),
    hold: Type.Optional(Type.Boolean()),
    deleted_from_listing: Type.Optional(Type.Boolean()),
  }),
  answers,
  async handle(ctx, { params, body }) {
    const { status, hold, deleted_from_listing: deletedFromListing } = body
    const ruling: Ruling = {
      ...(status === undefined ? {} : { status }),
      ...(hold === undefined ? {} : { hold }),
      ...(deletedFromListing === undefined ? {} : { deletedFromListing }),
    }
    const question = await rule(ctx, pathId('question_id', params.question_id), ruling)
    return ok(questionView(question, 'operator'))
  },
})

const deleteQuestion = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  tag,
  summary: 'Take a question off its listing',
  description: 'It is `DELETED` from then on; its parties still read it.',
  params,
  answers,
  async handle(ctx, { params }) {
    const ruling: Ruling = { status: 'DELETED', deletedFromListing: true }
    const question = await rule(ctx, pathId('question_id', params.question_id), ruling)
    return ok(questionView(question, 'operator'))
  },
})

export const questionsAdminRoutes: Route[] = [getQuestion, patchQuestion, deleteQuestion]
