import { Type } from 'typebox'
import { ok, type Route, type RouteResponse, route } from '../http/route.ts'
import { pathId } from '../kernel/ids.ts'
import { IdText, StrictObject } from '../kernel/schema.ts'
import { updateQuestion } from './commands.ts'
import { type Question, type QuestionUpdate, questionStatuses } from './question.ts'
import { loadQuestion } from './routes.ts'
import { siteOfQuestion } from './site-rules.ts'
import { versionedQuestion } from './versioned-question.ts'
import { QuestionAnswer, questionView } from './view.ts'

const tag = 'Operator: questions'
const url = '/operator/questions/:question_id'
const params = Type.Object({ question_id: IdText })
const answers = { 200: QuestionAnswer }

const getQuestion = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'questions:read',
  sites: siteOfQuestion,
  versioned: versionedQuestion,
  tag,
  summary: 'Get a question',
  description:
    'Returns a question of any status, with the user who asked. 404 `not_found`: there is no such question.',
  refuses: { not_found: 'Question not found: 3957150025' },
  params,
  answers,
  handle: async ({ db }, { params }) =>
    questionResponse(await loadQuestion(db, pathId('question_id', params.question_id))),
})

const patchQuestion = route({
  method: 'PATCH',
  url,
  scope: 'operator',
  permission: 'questions:write',
  sites: siteOfQuestion,
  audits: 'question',
  versioned: versionedQuestion,
  tag,
  summary: 'Change the state of a question',
  description:
    'Changes the fields that you send. When something changes, the seller is notified on the topic `questions`. 404 `not_found`: there is no such question. 409 `status_not_reachable`: the status does not fit, such as `ANSWERED` for a question without an answer.',
  refuses: {
    not_found: 'Question not found: 3957150025',
    status_not_reachable: 'status: a question that has no answer can not become ANSWERED',
  },
  params,
  body: StrictObject({
    status: Type.Optional(Type.Enum([...questionStatuses])),
    hold: Type.Optional(Type.Boolean()),
    deleted_from_listing: Type.Optional(Type.Boolean()),
  }),
  answers,
  async handle(ctx, { params, body }) {
    const { status, hold, deleted_from_listing: deletedFromListing } = body
    const ruling: QuestionUpdate = {
      ...(status === undefined ? {} : { status }),
      ...(hold === undefined ? {} : { hold }),
      ...(deletedFromListing === undefined ? {} : { deletedFromListing }),
    }
    const id = pathId('question_id', params.question_id)
    return questionResponse(await updateQuestion(ctx, id, ruling))
  },
})

const deleteQuestion = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  permission: 'questions:write',
  sites: siteOfQuestion,
  audits: 'question',
  versioned: versionedQuestion,
  tag,
  summary: 'Remove a question from its listing',
  description:
    'Sets the status to `DELETED`: only the seller and the user who asked still see the question. 404 `not_found`: there is no such question.',
  refuses: { not_found: 'Question not found: 3957150025' },
  params,
  answers,
  async handle(ctx, { params }) {
    const ruling: QuestionUpdate = { status: 'DELETED', deletedFromListing: true }
    const id = pathId('question_id', params.question_id)
    return questionResponse(await updateQuestion(ctx, id, ruling))
  },
})

function questionResponse(question: Question): RouteResponse {
  return { ...ok(questionView(question, 'operator')), state: question }
}

export const questionsAdminRoutes: Route[] = [getQuestion, patchQuestion, deleteQuestion]
