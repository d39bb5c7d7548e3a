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
  summary: 'Retrieve a question',
  description:
    'Returns a question of any status, with the user who asked. 404 `not_found`: there is no such question.',
  refuses: { not_found: 'Question not found: 3957150025' },
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
  summary: 'Change the state of a question',
  description:
    'Changes the fields that you send. When something changes, the seller is notified on the topic `questions`. 404 `not_found`: there is no such question. 409 `status_not_reachable`: the status does not fit, such as `ANSWERED` for a question without an answer.',
  refuses: {
    not_found: 'Question not found: 3957150025',
    status_not_reachable: 'status: a question that has no answer can not become ANSWERED',
  },
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
  summary: 'Remove a question from its listing',
  description:
    'Sets the status to `DELETED`: only the seller and the user who asked still see the question. 404 `not_found`: there is no such question.',
  refuses: { not_found: 'Question not found: 3957150025' },
  params,
  answers,
  async handle(ctx, { params }) {
    const ruling: Ruling = { status: 'DELETED', deletedFromListing: true }
    const question = await rule(ctx, pathId('question_id', params.question_id), ruling)
    return ok(questionView(question, 'operator'))
  },
})

export const questionsAdminRoutes: Route[] = [getQuestion, patchQuestion, deleteQuestion]
