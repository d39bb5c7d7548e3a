import type { TObject } from 'typebox'
import { Failure, type FailureCode, failures } from '../../kernel/failure.ts'
import { errorBodyOf } from '../failure.ts'
import { isBodyOptional, type Refusals, type Route } from '../route.ts'
import { answerHeadersOf, takesCondition } from '../versioned-route.ts'
import { presentVersionExpected } from '../versions.ts'
import { exampleOf, type JsonSchema, requestOf } from './examples.ts'
import { described, descriptionOf, withoutBound } from './fields.ts'
import { groupOf } from './groups.ts'
import { wrongValueOf } from './wrong-value.ts'

/** The parts of an OpenAPI document that this module completes. */
interface OpenApiDocument {
  tags?: { name: string; description: string }[]
  paths?: Record<string, Record<string, Operation>>
}
interface Operation {
  description?: string
  parameters?: { name: string; schema: JsonSchema; description?: string; example?: unknown }[]
  requestBody?: { required?: boolean; content?: Contents }
  responses: Record<string, { description: string; headers?: Headers; content?: Contents }>
}
type Headers = Record<string, { description?: string; schema: JsonSchema }>
type Contents = Record<string, { schema: JsonSchema; example?: unknown; examples?: object }>

const statusDescriptions: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted: the work goes on in the background',
  204: 'Done. The answer has no body',
  206: 'Part of the answer. `X-Content-Missing` names the parts that are not available',
  303: 'Redirect to the address in `Location`',
  304: 'Not modified',
  400: 'Refused. The body lists every invalid line',
  409: 'Refused. Nothing was changed. With `version_conflict`, the body says what changed meanwhile',
  416: 'The range begins after the end of the file',
}

/** Adds to an OpenAPI document the descriptions of groups, an example of each parameter, body and answer, and the
 * errors of each operation. Changes the document and returns it. */
export function completeDocument<T extends object>(openApi: T, routes: readonly Route[]): T {
  const document = openApi as OpenApiDocument
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
  for (const parameter of operation.parameters ?? []) {
    // The plugin has moved the first of `examples` here.
    parameter.schema = withoutBound(parameter.schema)
    parameter.example ??= exampleOf(parameter.schema, parameter.name)
    const { schema, name } = parameter
    const own = parameter.description ?? schema.description
    const ownSchema = own === undefined ? schema : { ...schema, description: own }
    const description = descriptionOf(ownSchema, name)
    if (description !== undefined) parameter.description = description
  }
  // The fields of a form may all be in the query.
  const mayLackBody = (route.takesFields && route.checksBodyItself) || isBodyOptional(route)
  if (mayLackBody && operation.requestBody) operation.requestBody.required = false
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.schema = described(content.schema)
    content.example = exampleOf(requestOf(content.schema))
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === 'Default Response') {
      response.description = statusDescriptions[status] ?? ''
    }
    if (status === '4XX') continue
    const answerHeaders = status === '204' ? route.answerHeaders : answerHeadersOf(route)
    if (answerHeaders) response.headers = headersOf(answerHeaders)
    for (const [type, content] of Object.entries(response.content ?? {})) {
      content.schema = described(content.schema)
      content.example ??= type.startsWith('text/') ? textExampleOf(type) : exampleOf(content.schema)
    }
  }
  if (route.scope !== 'page') addRefusals(operation, route)
}

/** Returns the OpenAPI headers of an answer. */
function headersOf({ properties }: TObject): Headers {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, header]) => {
      const { description, ...schema } = header
      return [name, { ...(description === undefined ? {} : { description }), schema }]
    }),
  )
}

const textExampleOf = (type: string) => (type === 'text/html' ? '<!doctype html>…' : 'feria_up 1\n')

/** Adds the errors that the operation may answer, with an example of each code. */
function addRefusals({ responses }: Operation, route: Route): void {
  const refused = responses['4XX']
  const content = refused?.content?.['application/json']
  if (!refused || !content) return
  // A refused token request may have revoked tokens.
  refused.description =
    route.failures === 'oauth'
      ? 'Refused. `error` is a code of OAuth 2.0 (RFC 6749)'
      : 'Refused. Nothing was changed'
  const refusals = { ...usualRefusals(route), ...route.refuses, too_many_requests: '' }
  content.examples = examplesOf(refusals, route, (status) => status < 500)
  responses['5XX'] = {
    description: 'The service failed. Try again later',
    content: {
      'application/json': {
        ...content,
        examples: examplesOf(
          { ...route.refuses, unavailable: '' },
          route,
          (status) => status >= 500,
        ),
      },
    },
  }
}

/** Returns the errors that follow from the scope and the input of an operation. */
function usualRefusals(route: Route): Refusals {
  const { scope, failures: shape, needsApplication } = route
  const withoutToken = shape === 'message' ? 'access_token_required' : 'not_identified_user'
  const ofBearer = { [withoutToken]: '', invalid_token: '', access_denied: '' }
  const ofToken: Readonly<Record<Route['scope'], Refusals>> = {
    public: {},
    page: {},
    read: ofBearer,
    write: ofBearer,
    mixed: { invalid_token: '' },
    operator: { operator_only: '', ...operatorRefusals(route) },
  }
  const wrongValue = wrongValueOf(route)
  return {
    ...ofToken[scope],
    ...(needsApplication ? { application_required: '' } : {}),
    ...(takesCondition(route) ? { version_conflict: presentVersionExpected } : {}),
    ...(wrongValue === undefined ? {} : { bad_request: wrongValue }),
  }
}

function operatorRefusals({ permission, isSensitive, sites }: Route): Refusals {
  return {
    ...(permission === 'own-account'
      ? { account_required: '' }
      : { permission_denied: permission ?? '' }),
    ...(sites?.denial === undefined ? {} : { site_denied: sites.denial }),
    ...(isSensitive ? { account_required: '', verification_required: '' } : {}),
  }
}

function examplesOf(
  refusals: Refusals,
  { failures: shape }: Route,
  fits: (status: number) => boolean,
): Record<string, { value: object }> {
  const codes = Object.keys(refusals) as FailureCode[]
  return Object.fromEntries(
    codes
      .filter((code) => fits(failures[code].status))
      .map((code) => [code, { value: errorBodyOf(new Failure(code, refusals[code]), shape) }]),
  )
}
