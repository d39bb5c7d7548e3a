import type { IncomingHttpHeaders } from 'node:http'
import { type TObject, Type } from 'typebox'
import { badField } from '../kernel/failure.ts'
import type { Route, RouteResponse } from './route.ts'
import { etagOf, exampleEtag, parseCondition, type VersionCondition } from './versions.ts'

/** Returns whether a request of the operation may have a condition. */
export const takesCondition = ({ versioned, scope, method }: Route) =>
  versioned !== undefined && scope === 'operator' && method !== 'GET'

/** Returns the condition of a change, or undefined if it has none. Throws `bad_request` for a malformed header, and for
 * an operation that could not heed it. */
export function versionConditionOf(
  route: Route,
  headers: IncomingHttpHeaders,
): VersionCondition | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || route.scope !== 'operator' || route.method === 'GET') return undefined
  if (takesCondition(route)) return parseCondition(header)
  throw badField('If-Match', 'no such header: this operation has no versions')
}

/** Returns an answer with the ETag of its state. */
export function withEtag(
  answer: RouteResponse,
  { route, etag, now }: { route: Route; etag: string | undefined; now: Date },
): RouteResponse {
  if (!route.versioned || route.scope !== 'operator' || answer.status >= 300) return answer
  const present = etag ?? (answer.state && etagOf(answer.state, now))
  return present === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, etag: present } }
}

const ConditionHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the state that you know. If it is another one by now, the answer is 409 `version_conflict`. `*`: any that exists. Left out: the change is made in any case',
      examples: [exampleEtag],
    }),
  ),
})
const EtagHeaders = Type.Object({
  ETag: Type.String({
    description: 'Version of the state, for `If-Match`',
    examples: [exampleEtag],
  }),
})

/** Returns the headers of requests of an operation, with that of the condition. */
export function withCondition(route: Route, headers: TObject | undefined): TObject | undefined {
  if (!takesCondition(route)) return headers
  return Type.Object({ ...headers?.properties, ...ConditionHeaders.properties })
}

/** Returns the headers of answers of an operation, with its ETag. */
export function answerHeadersOf({ versioned, scope, answerHeaders }: Route): TObject | undefined {
  if (!versioned || scope !== 'operator') return answerHeaders
  return Type.Object({ ...answerHeaders?.properties, ...EtagHeaders.properties })
}
