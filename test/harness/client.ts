import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { routes } from '../../src/app/routes.ts'
import { type ApiAnswer, ApiClient, type RequestOptions } from '../../src/cli/client/client.ts'
import '../../src/http/check.ts'
import type { Route } from '../../src/http/route.ts'
import { errorBodies } from '../../src/kernel/schema.ts'
import { sandboxOperatorToken } from '../../src/platform/config.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export type TestResponse = ApiAnswer<any>

/**
 * The client of the command line, with the operator's token, for tests. `call` is typed and throws for a refusal; `send`,
 * `get` and `operator` return the answer of any status. Holds every answer to the schema that its route declares.
 */
export class TestClient extends ApiClient {
  readonly #operatorToken: string

  constructor(address: string, operatorToken: string = sandboxOperatorToken) {
    super(address, operatorToken, '/operator')
    this.#operatorToken = operatorToken
  }

  override async send(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<TestResponse> {
    const answer = await super.send(method, path, options)
    assertMatchesSchema(method, path, answer)
    return answer
  }

  get(path: string, token?: string): Promise<TestResponse> {
    return this.send('GET', path, token === undefined ? {} : { token })
  }

  /** Sends a request with the operator's token. */
  operator(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return this.send(method, path, { token: this.#operatorToken, body, headers })
  }
}

const compiledSchemas = new WeakMap<object, ReturnType<typeof Compile>>()

function assertMatchesSchema(method: string, path: string, answer: TestResponse) {
  if (answer.body === undefined || path.includes('attributes=')) return
  const route = routeOf(method, path)
  const isRefused = answer.status >= 400
  if (isRefused) {
    const { status, status_code } = answer.body
    assert.equal(status ?? status_code, answer.status, `${method} ${path} repeats its status`)
  }
  if (!route && !isRefused) return
  const schema = isRefused
    ? errorBodies[route?.failures ?? 'general']
    : route?.answers[answer.status]
  assert.ok(schema, `${method} ${path} does not declare an answer ${answer.status}`)
  const check = compiledSchemas.get(schema) ?? Compile(schema)
  compiledSchemas.set(schema, check)
  // Looking for errors takes much longer than finding that there are none.
  if (check.Check(answer.body)) return
  const [wrong] = check.Errors(answer.body)
  assert.fail(`${method} ${path} does not answer as declared: ${JSON.stringify(wrong)}`)
}

const patterns = new Map<string, RegExp>()

function routeOf(method: string, path: string): Route | undefined {
  return routes.find((route) => route.method === method && patternOf(route.url).test(path))
}

function patternOf(url: string): RegExp {
  const pattern = patterns.get(url) ?? new RegExp(`^${url.replace(/:[a-z_]+/g, '[^/?]+')}(\\?|$)`)
  patterns.set(url, pattern)
  return pattern
}
