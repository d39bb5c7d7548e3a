import { endUserSession, renewUserSession } from './oauth.ts'
import { type AuthScheme, getSession } from './session.ts'

/** An error response of the API, with its code and message. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** 0 where nothing answered. */
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** What operators changed meanwhile, for `version_conflict`. */
  readonly changes: readonly OperatorChange[]

  constructor(failure: {
    status: number
    code: string
    message: string
    requestId?: string | null
    changes?: readonly OperatorChange[] | undefined
  }) {
    super(failure.message)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId ?? null
    this.changes = failure.changes ?? []
  }
}

/** A change of an operator in a conflict of versions. */
export interface OperatorChange {
  id: string
  date: string
  actor: string
  actor_name: string | null
  operation: string
  before: object | null
  after: object | null
  personal: readonly { fields: readonly string[] }[]
}

/** A body with the version of what it shows. */
export type Versioned<T> = T & { etag?: string }

export type QueryParameters = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface RequestOptions {
  /** Nobody's token is sent without it. */
  authScheme?: AuthScheme
  query?: QueryParameters
  body?: unknown
  signal?: AbortSignal
  /** Adds the `ETag` of the response to its body, as `etag`. */
  readsEtag?: boolean
  /** The version that a change is based on. If there is another one by now, it fails with `version_conflict`. */
  ifMatch?: string | undefined
}

export function withQuery(path: string, query: QueryParameters = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`
}

/** Returns the current token of an auth scheme, or undefined without one. */
export async function tokenOf(authScheme: AuthScheme): Promise<string | undefined> {
  const { user, operatorToken } = getSession()
  if (authScheme === 'operator') return operatorToken ?? undefined
  if (!user) return undefined
  const isOver = user.expiresAt - Date.now() < 30_000
  return isOver ? (await renewUserSession(user))?.accessToken : user.accessToken
}

/** Asks the HTTP interface, as any client would. Throws `ApiFailure`. */
export async function callApi<T>(
  method: string,
  path: string,
  asking: RequestOptions = {},
): Promise<T> {
  const { authScheme } = asking
  const token = authScheme && (await tokenOf(authScheme))
  let response = await fetchApi(method, path, { ...asking, token })
  const { user } = getSession()
  // Revoked, or the sandbox's clock has moved past its end.
  if (response.status === 401 && authScheme === 'user' && user) {
    const next = await renewUserSession(user)
    if (next) response = await fetchApi(method, path, { ...asking, token: next.accessToken })
    if (response.status === 401) endUserSession()
  }
  const text = await response.text()
  if (!response.ok) throw apiErrorOf(response, text)
  const answer = text === '' ? undefined : JSON.parse(text)
  const etag = asking.readsEtag ? response.headers.get('etag') : null
  return (etag === null ? answer : { ...answer, etag }) as T
}

async function fetchApi(
  method: string,
  path: string,
  { query, body, signal, token, ifMatch }: RequestOptions & { token: string | undefined },
): Promise<Response> {
  try {
    return await fetch(withQuery(path, query), {
      method,
      credentials: 'omit',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError({ status: 0, code: 'unreachable', message: String(error) })
  }
}

function apiErrorOf(response: Response, text: string): ApiError {
  const { status } = response
  const requestId = response.headers.get('x-request-id')
  try {
    const body = JSON.parse(text) as {
      message?: string
      error?: string
      code?: string
      changes?: OperatorChange[]
    }
    const code = body.error ?? body.code ?? String(status)
    const { message = code, changes } = body
    return new ApiError({ status, code, message, requestId, changes })
  } catch {
    return new ApiError({ status, code: String(status), message: response.statusText, requestId })
  }
}
