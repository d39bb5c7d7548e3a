import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { type Route, route } from '../http/route.ts'
import { AnyLine } from './bodies.ts'
import { startImport } from './run.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = { done: Count, imported: Count, unchanged: Count, refused: Count }

const AnswerLine = Type.Union([
  Type.Object(counts, { description: 'How many lines are done and committed' }),
  Type.Object(
    {
      line: Type.Integer({ minimum: 1 }),
      type: Type.Optional(Type.String()),
      id: Type.Optional(Type.Unknown()),
      error: Type.String(),
      message: Type.String(),
    },
    { description: 'A line that was refused, by its number, and why' },
  ),
  Type.Object(
    {
      finished: Type.Boolean(),
      ...counts,
      error: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    },
    { description: 'The last line: whether all was read, else why not' },
  ),
])

const postImport = route({
  method: 'POST',
  url: '/operator/import',
  scope: 'operator',
  tag: 'Operator: import',
  summary: 'Import history: users, items, orders, payments, shipments, claims, messages',
  description:
    'One JSON value a line, in and out, of any number of lines. A line that is wrong is reported by its number and the rest goes on. What is there already stays as it is, so that the same lines may be sent again. History takes no stock and is told to nobody.',
  body: AnyLine,
  streams: true,
  answers: { 200: AnswerLine },
  async handle(ctx, { input }) {
    return { status: 200, lines: startImport(ctx, input ?? Readable.from([])) }
  },
})

export const importRoutes: Route[] = [postImport]
