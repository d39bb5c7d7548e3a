import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { ImportLineSchema } from './bodies.ts'
import { startImport } from './run.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = { done: Count, imported: Count, unchanged: Count, refused: Count }

const AnswerLine = Type.Union([
  Type.Object(counts, { description: 'Progress: lines that are done and committed' }),
  Type.Object(
    {
      line: Type.Integer({ minimum: 1 }),
      type: Type.Optional(Type.String()),
      id: Type.Optional(Type.Unknown()),
      error: Type.String(),
      message: Type.String(),
    },
    { description: 'A refused line: its number and the reason' },
  ),
  Type.Object(
    {
      finished: Type.Boolean(),
      ...counts,
      error: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    },
    { description: 'The last line: whether all lines were read, or why not' },
  ),
])

const postImport = route({
  method: 'POST',
  url: '/operator/import',
  scope: 'operator',
  permission: 'imports:write',
  sites: allSites,
  audits: 'import',
  tag: 'Operator: import',
  summary: 'Import history',
  description:
    'Imports users, items, orders, payments, shipments, claims and messages of the past. Send one JSON value per line, each after the lines that it refers to: users and items before their orders, orders before the rest. The answer streams refused lines by number, progress, and the result. Its status is 200 even if lines are refused: read `finished` and `refused` of the last line. A wrong line is reported, and the rest goes on. A line whose id is stored for the same parties changes nothing, even if it differs, so after an interruption you can send the same lines again. Imports take no stock and send no notifications.',
  body: ImportLineSchema,
  streams: true,
  answers: { 200: AnswerLine },
  async handle(ctx, { bodyStream }) {
    return { status: 200, lines: startImport(ctx, bodyStream ?? Readable.from([])) }
  },
})

export const importRoutes: Route[] = [postImport]
