import { Failure, type FailureCode } from '../../kernel/failure.ts'
import { bodyOf } from '../failure.ts'
import type { Route } from '../route.ts'
import { exampleOf, requestOf, type Schema } from './examples.ts'
import { groupOf, refusesSending } from './groups.ts'

/** The parts of an OpenAPI document that this module completes. */
interface Document {
  tags?: { name: string; description: string }[]
  paths?: Record<string, Record<string, Operation>>
}
interface Operation {
  description?: string
  parameters?: { name: string; schema: Schema; example?: unknown }[]
  requestBody?: { content?: Contents }
  responses: Record<string, { description: string; content?: Contents }>
}
type Contents = Record<string, { schema: Schema; example?: unknown; examples?: object }>

const statusDescriptions: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'Done. The answer has no body',
  206: 'Part of the answer. `X-Content-Missing` names the parts that are not available',
  303: 'Redirect to the address in `Location`',
  304: 'Not modified',
  400: 'Refused. The body lists every invalid line',
  416: 'The range begins after the end of the file',
}

/** Adds to an OpenAPI document the descriptions of groups, an example of each parameter, body and answer, and the
 * errors of each operation. Changes the document and returns it. */
export function completed<T extends object>(openApi: T, routes: readonly Route[]): T {
  const document = openApi as Document
  document.tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => {
    return { name, description: groupOf(name).description }
  })
  for (const route of routes) {
    const path = route.url.replace(/:([a-z_]+)/g, '{$1}')
    const operation = document.paths?.[path]?.[route.method.toLowerCase()]
    if (operation) complete(operation, route)
  }
  return openApi
}

/** Adds to an operation what the generator leaves out: examples, descriptions of statuses, and refusals. */
function complete(operation: Operation, route: Route): void {
  const { refuses: groupRefuses } = groupOf(route.tag)
  const refuses = route.failures === 'message' ? refusesSending : groupRefuses
  for (const parameter of operation.parameters ?? []) {
    parameter.example = exampleOf(parameter.schema, parameter.name)
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = exampleOf(requestOf(content.schema))
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === 'Default Response') {
      response.description = statusDescriptions[status] ?? ''
    }
    if (status === '4XX') continue
    for (const [type, content] of Object.entries(response.content ?? {})) {
      content.example = type.startsWith('text/') ? textExampleOf(type) : exampleOf(content.schema)
    }
  }
  if (route.scope !== 'page') addRefusals(operation, { route, refuses })
}

const textExampleOf = (type: string) => (type === 'text/html' ? '<!doctype html>…' : 'feria_up 1\n')

/** Adds the errors that the operation may answer, with an example of each code. */
function addRefusals(
  { responses }: Operation,
  { route, refuses }: { route: Route; refuses: readonly FailureCode[] },
): void {
  const refused = responses['4XX']
  const content = refused?.content?.['application/json']
  if (!refused || !content) return
  refused.description = 'Refused. Nothing was changed'
  const codes = [...usualRefusals(route), ...refuses, 'too_many_requests' as const]
  content.examples = Object.fromEntries(
    codes.map((code) => [code, { value: exampleBodyOf(code, route) }]),
  )
  responses['5XX'] = {
    description: 'The service failed. Try again later',
    content: { 'application/json': { ...content, examples: unavailable(route) } },
  }
}

/** Returns the errors that follow from the scope and the input of an operation. */
function usualRefusals({ scope, params, query, body, needsApplication }: Route): FailureCode[] {
  const ofToken: Readonly<Partial<Record<Route['scope'], FailureCode[]>>> = {
    read: ['not_identified_user', 'invalid_token', 'access_denied'],
    write: ['not_identified_user', 'invalid_token', 'access_denied'],
    mixed: ['invalid_token'],
    operator: ['operator_only'],
  }
  return [
    ...(ofToken[scope] ?? []),
    ...(needsApplication ? (['application_required'] as const) : []),
    ...(params || query || body ? (['bad_request'] as const) : []),
  ]
}

const unavailable = (route: Route) => ({
  unavailable: { value: exampleBodyOf('unavailable', route) },
})

function exampleBodyOf(code: FailureCode, { failures: shape }: Route): object {
  return bodyOf(new Failure(code, details[code] ?? 'MLA600000001'), shape)
}

/** Examples of `{detail}` in the messages of failures. */
const details: Readonly<Partial<Record<FailureCode, string>>> = {
  bad_request: 'limit: expected a whole number from 1 to 100',
  not_found: 'Item not found: MLA600000001',
  validation_error: 'price: expected more than 0',
  not_unanswered_question: 'ANSWERED',
  replay_ended: 'finished',
}
