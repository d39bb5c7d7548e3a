import { Failure, type FailureCode } from '../../kernel/failure.ts'
import { bodyOf } from '../failure.ts'
import type { Route } from '../route.ts'
import { exampleOf, requestOf, type Schema } from './examples.ts'
import { groupOf, refusesSending } from './groups.ts'

/** An OpenAPI document, as far as it is completed here. */
interface Document {
  paths?: Record<string, Record<string, Operation>>
}
interface Operation {
  description?: string
  parameters?: { name: string; schema: Schema; example?: unknown }[]
  requestBody?: { content?: Contents }
  responses: Record<string, { description: string; content?: Contents }>
}
type Contents = Record<string, { schema: Schema; example?: unknown; examples?: object }>

const meanings: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  204: 'Done; there is nothing to tell',
  206: 'Done, but for the parts that could not be had',
  303: 'Goes on at `location`',
  304: 'Unchanged since',
  400: 'Refused, with every line that is wrong',
  416: 'The range begins behind the end',
}

/**
 * Says of every operation what its route need not: where the contract has it, an example of each
 * parameter, body and answer, and how it refuses. Changes the document, and returns it.
 */
export function completed<T extends object>(given: T, routes: readonly Route[]): T {
  const document = given as Document
  for (const route of routes) {
    const path = route.url.replace(/:([a-z_]+)/g, '{$1}')
    const operation = document.paths?.[path]?.[route.method.toLowerCase()]
    if (operation) complete(operation, route)
  }
  return given
}

function complete(operation: Operation, route: Route): void {
  const { section, refuses: ofGroup } = groupOf(route.tag)
  const refuses = route.failures === 'message' ? refusesSending : ofGroup
  operation.description = [route.description, section].filter(Boolean).join('\n\n')
  for (const parameter of operation.parameters ?? []) {
    parameter.example = exampleOf(parameter.schema, parameter.name)
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = exampleOf(requestOf(content.schema))
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === 'Default Response') response.description = meanings[status] ?? ''
    if (status === '4XX') continue
    for (const [type, content] of Object.entries(response.content ?? {})) {
      content.example = type.startsWith('text/') ? textIn(type) : exampleOf(content.schema)
    }
  }
  if (route.scope !== 'page') addRefusals(operation, { route, refuses })
}

const textIn = (type: string) => (type === 'text/html' ? '<!doctype html>…' : 'feria_up 1\n')

function addRefusals(
  { responses }: Operation,
  { route, refuses }: { route: Route; refuses: readonly FailureCode[] },
): void {
  const refused = responses['4XX']
  const content = refused?.content?.['application/json']
  if (!refused || !content) return
  refused.description = 'Refused; nothing was done'
  const codes = [...usualRefusals(route), ...refuses, 'too_many_requests' as const]
  content.examples = Object.fromEntries(codes.map((code) => [code, { value: said(code, route) }]))
  responses['5XX'] = {
    description: 'Failed on our side; another try may have it',
    content: { 'application/json': { ...content, examples: unavailable(route) } },
  }
}

/** By who may call, and by what can be said wrongly. */
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

const unavailable = (route: Route) => ({ unavailable: { value: said('unavailable', route) } })

function said(code: FailureCode, { failures: shape }: Route): object {
  return bodyOf(new Failure(code, details[code] ?? 'MLA600000001'), shape)
}

/** What stands for `{detail}` in the words of a refusal. */
const details: Readonly<Partial<Record<FailureCode, string>>> = {
  bad_request: 'limit: expected a whole number from 1 to 100',
  not_found: 'Item not found: MLA600000001',
  validation_error: 'price: expected more than 0',
  not_unanswered_question: 'ANSWERED',
  replay_ended: 'finished',
}
