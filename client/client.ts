import createClient from 'openapi-fetch'
import type { Feria } from './operations.ts'
import { makeRetryingFetch, type RetryOptions } from './retry.ts'
import {
  fixedTokenSource,
  type GrantOptions,
  renewingTokenSource,
  type TokenSource,
} from './tokens.ts'
import type { paths } from './types/schema.ts'

export { bodyOf, FeriaFailure, Incomplete, missingParts, type Part, partsOf } from './failure.ts'
export { NotGenuine, type Notification, verifyNotification } from './notification.ts'
export type {
  Feria,
  Method,
  PathOf,
  PathParametersOf,
  QueryOf,
  RequestBody,
  ResponseBody,
} from './operations.ts'
export { byCursor, byOffset, eachMessage, eachNotification, eachOrder } from './pages.ts'
export { memoryStore, type TokenStore, type Tokens } from './tokens.ts'
export type { paths }

export type FeriaOptions = RetryOptions & {
  /** The address of the server without a path: `https://api.example`. */
  baseUrl: string
} & (
    | { token?: string; grant?: undefined }
    /** An authorization whose tokens are renewed before they expire. */
    | { token?: undefined; grant: GrantOptions }
  )

/**
 * Returns a typed client of a Feria server. Answers are `{ data, error, response }`; `bodyOf` turns them into a body or
 * throws `FeriaFailure`. Requests are retried where that is safe, and with a `grant` tokens are renewed.
 */
export function openFeria(options: FeriaOptions): Feria {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const send = makeRetryingFetch(options)
  const tokens = options.grant
    ? renewingTokenSource({
        baseUrl,
        grant: options.grant,
        fetch: send,
        now: options.now ?? Date.now,
      })
    : fixedTokenSource(options.token)
  return createClient<paths>({ baseUrl, fetch: (request) => asBearer(request, { tokens, send }) })
}

/** Sends a request with the current token. After a 401, sends it again with another token, if there is one. */
async function asBearer(
  request: Request,
  { tokens, send }: { tokens: TokenSource; send: (request: Request) => Promise<Response> },
): Promise<Response> {
  if (request.headers.has('authorization')) return send(request)
  const token = await tokens.token()
  if (token === undefined) return send(request)
  // A body can be read only once, and a retry needs it again.
  const answer = await send(withToken(request.clone(), token))
  if (answer.status !== 401) return answer
  const another = await tokens.replacementFor(token)
  if (another === undefined) return answer
  await answer.body?.cancel()
  return send(withToken(request, another))
}

function withToken(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}
