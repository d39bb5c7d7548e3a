import type {
  Method,
  PathOf,
  PathParametersOf,
  QueryOf,
  RequestBody,
  ResponseBody,
} from 'feria/client'
import type { HttpClient } from './http-client.ts'
import { ConformFailure } from './result.ts'

const timeoutMs = 30_000

type CallOptions<Path extends PathOf<M>, M extends Method> = {
  /** Instead of the operator token. */
  token?: string
} & ([PathParametersOf<Path, M>] extends [never]
  ? unknown
  : { path: Record<keyof PathParametersOf<Path, M>, string | number> }) &
  ([QueryOf<Path, M>] extends [never] ? unknown : { query?: QueryOf<Path, M> }) &
  ([RequestBody<Path, M>] extends [never] ? unknown : { body: RequestBody<Path, M> })

interface AnyCallOptions {
  token?: string
  path?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: object
}

/** Calls operations of a Feria as its operator, by the types of its interface. */
export class Operator {
  readonly #client: HttpClient
  readonly #token: string

  constructor(client: HttpClient, token: string) {
    this.#client = client
    this.#token = token
  }

  /** Returns the body of a successful answer. Throws `ConformFailure` for any other. */
  async call<M extends Uppercase<Method>, Path extends PathOf<Lowercase<M>>>(
    method: M,
    operation: Path,
    options: CallOptions<Path, Lowercase<M>>,
  ): Promise<ResponseBody<Path, Lowercase<M>>> {
    const { path = {}, query = {}, body, token = this.#token } = options as AnyCallOptions
    const filled = operation.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(path[name] ?? ''),
    )
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    )
    const { status, text } = await this.#client.send({
      method,
      path: search.size > 0 ? `${filled}?${search}` : filled,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status < 200 || status > 299) {
      const excerpt = text.slice(0, 200)
      throw new ConformFailure('operator_refused', `${method} ${filled} (${status}): ${excerpt}`)
    }
    return (text === '' ? undefined : JSON.parse(text)) as ResponseBody<Path, Lowercase<M>>
  }
}
