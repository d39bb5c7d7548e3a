import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import '../../src/http/check.ts'
import type { Route } from '../../src/http/route.ts'
import { errorBodies } from '../../src/kernel/schema.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

export interface TestResponse {
  status: number
  headers: Headers
  body: Json
  text: string
}

interface CallOptions {
  /** Sent as `Authorization: Bearer …`. */
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface TestClient {
  call(method: string, path: string, asking?: CallOptions): Promise<TestResponse>
  get(path: string, token?: string): Promise<TestResponse>
  /** With the operator's token. */
  operator(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>
}

/** Talks HTTP to a running Feria, and holds every answer to the schema that its route declares. */
export function makeClient(
  address: string,
  known: { routes: readonly Route[]; operatorToken: string },
): TestClient {
  const call: TestClient['call'] = async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const answered = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
    }
    assertMatchesSchema(known.routes, method, path, answered)
    return answered
  }
  return {
    call,
    get: (path, token) => call('GET', path, token === undefined ? {} : { token }),
    operator: (method, path, body, headers = {}) =>
      call(method, path, { token: known.operatorToken, body, headers }),
  }
}

const compiledSchemas = new WeakMap<object, ReturnType<typeof Compile>>()

function assertMatchesSchema(
  routes: readonly Route[],
  method: string,
  path: string,
  answered: TestResponse,
) {
  if (answered.body === undefined || path.includes('attributes=')) return
  const route = routes.find((each) => each.method === method && pathPattern(each.url).test(path))
  const isRefused = answered.status >= 400
  if (isRefused) {
    const { status, status_code } = answered.body
    assert.equal(status ?? status_code, answered.status, `${method} ${path} repeats its status`)
  }
  if (!route && !isRefused) return
  const schema = isRefused
    ? errorBodies[route?.failures ?? 'general']
    : route?.answers[answered.status]
  assert.ok(schema, `${method} ${path} does not declare an answer ${answered.status}`)
  const check = compiledSchemas.get(schema) ?? Compile(schema)
  compiledSchemas.set(schema, check)
  const [wrong] = check.Errors(answered.body)
  assert.equal(wrong, undefined, `${method} ${path} answers as declared: ${JSON.stringify(wrong)}`)
}

function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replace(/:[a-z_]+/g, '[^/?]+')}(\\?|$)`)
}
