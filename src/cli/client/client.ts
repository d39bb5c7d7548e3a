import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type {
  Method,
  PathOf,
  PathParametersOf,
  QueryOf,
  RequestBody,
  ResponseBody,
} from 'feria/client'
import { readConfig } from '../../platform/config.ts'
import { CommandFailure } from '../frame/failure.ts'
import { describeTlsProblem, describeUnreachable, TlsFailure } from './connection.ts'

/** The server refused the request (a status below 500 that is not success and not 429). A retry would not help. As a rule
 * it is 400 to 499; a redirect that was not followed counts, too. */
export class RequestRefused extends CommandFailure {
  readonly status: number
  /** The error body; undefined if there was none. */
  readonly body: ErrorBody | undefined

  constructor(request: string, answer: ErrorAnswer) {
    super(`${request} was refused (${answer.status}): ${messageOf(answer)}`)
    this.status = answer.status
    this.body = (answer.body as ErrorBody | null) ?? undefined
  }
}

/** The body of an error, as far as commands read it. Errors of messages and of OAuth have other fields, too. */
export interface ErrorBody {
  message?: string
  cause?: unknown[]
}

type ErrorAnswer = Omit<ApiAnswer, 'headers'>

/** The server cannot be reached, or failed (status 429 or 500 and above). A retry may help. */
export class ServerUnavailable extends CommandFailure {}

const server = {
  kind: 'address',
  says: 'The address of the server. Default: the one that the settings describe.',
} as const

/** Options of commands whose operations are for the operator only. */
export const operatorServerOptions = {
  server,
  token: {
    kind: 'text',
    as: 'TOKEN',
    says: 'The operator token of the server, an API key or the token of a session. Default: the operator token of the settings.',
  },
  reason: {
    kind: 'text',
    as: 'TEXT',
    says: 'Why you make a change, for the audit log.',
  },
} as const

/** Options of commands whose operations applications may call, too. */
export const anyTokenServerOptions = {
  server,
  token: {
    kind: 'text',
    as: 'TOKEN',
    says: 'An access token of the application or of its owner. Default: the operator token.',
  },
} as const

export interface ServerOptions {
  server?: string
  token?: string
  /** Why the operator makes a change, for the audit log. */
  reason?: string
}

/** An answer of any status, with its body read. */
export interface ApiAnswer<Body = unknown> {
  status: number
  headers: Headers
  text: string
  /** The parsed JSON; undefined if the answer has none. */
  body: Body
}

/**
 * Client of a running Feria, as its operator or, with an access token, as an application. Commands and tests share it:
 * `call` is typed by the operations and succeeds or throws, `send` sends any request and returns the answer of any status.
 * Neither retries, so that a command or a test meets every answer.
 */
export class ApiClient {
  readonly address: string
  readonly #token: string
  /** Prefix of paths that exist for applications and for the operator. */
  readonly prefix: '' | '/operator'
  readonly #fetchBy: typeof fetch
  readonly #headers: Readonly<Record<string, string>>

  /** `fetchBy` sends the requests of all methods but `lines`. `headers` are added to each request. */
  constructor(
    address: string,
    token: string,
    prefix: '' | '/operator',
    fetchBy: typeof fetch = fetch,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.address = address.replace(/\/+$/, '')
    this.#token = token
    this.prefix = prefix
    this.#fetchBy = fetchBy
    this.#headers = headers
  }

  /** Calls an operation and returns the JSON body of the answer, or undefined if it has none. Throws `RequestRefused` for
   * an error status below 500 other than 429, `TlsFailure` if the certificate is refused, and the reason of `signal` once
   * it is aborted. Every other failure of the connection or the server is `ServerUnavailable`; JSON that is malformed is
   * a `SyntaxError`. */
  async call<M extends Uppercase<Method>, Path extends PathOf<Lowercase<M>>>(
    method: M,
    path: Path,
    ...[options]: CallArguments<Path, Lowercase<M>>
  ): Promise<ResponseBody<Path, Lowercase<M>>> {
    const {
      path: parameters = {},
      query = {},
      body,
      form,
      ...others
    } = (options ?? {}) as AnyCallOptions
    const url = withQuery(withParameters(path, parameters), query)
    const answer = await this.#callJson(method, url, { ...others, body: form ?? body })
    return answer as ResponseBody<Path, Lowercase<M>>
  }

  /** Returns the OpenAPI document, which describes the operations and is none itself. Throws as `call` does. */
  async readOpenApi(options: Pick<RequestOptions, 'signal'> = {}): Promise<OpenApiDocument> {
    return (await this.#callJson('GET', '/openapi.json', options)) as OpenApiDocument
  }

  async #callJson(method: string, path: string, options: RequestOptions): Promise<unknown> {
    const answer = await this.send(method, path, { token: this.#token, ...options })
    if (answer.status < 200 || answer.status > 299)
      throw failureOfAnswer(`${method} ${path}`, answer)
    return answer.body
  }

  /** Sends a request as it is given, with no other token than `options` has. Returns the answer of any status. Throws for
   * failures of the connection, as `call` does. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer> {
    return this.#read(await this.#fetch(method, path, options), options)
  }

  /** Returns the answer with its body unread. Throws as `call` does. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await this.#fetch(method, path, { token: this.#token, ...options })
    if (response.ok) return response
    throw failureOfAnswer(`${method} ${path}`, await this.#read(response, options))
  }

  async #fetch(method: string, path: string, options: RequestOptions): Promise<Response> {
    const { body, headers, signal, token, redirect } = options
    const isEncoded = encodedBodies.some((type) => body instanceof type)
    const content = isEncoded || typeof body === 'string' ? body : JSON.stringify(body)
    const fetchBy = this.#fetchBy
    return fetchBy(this.address + path, {
      method,
      headers: {
        ...this.#headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isEncoded || body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: content as string }),
      ...(signal ? { signal } : {}),
      ...(redirect ? { redirect } : {}),
    }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.#failureOfConnection(error)
    })
  }

  /** Reads the body. It can break off although the head arrived, so it throws the same failures as `request`. */
  async #read(response: Response, { signal }: RequestOptions): Promise<ApiAnswer> {
    const text = await response.text().catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.#failureOfConnection(error)
    })
    const { status, headers } = response
    return { status, headers, text, body: jsonIn(response, text) }
  }

  /** Sends lines as `body` yields them, and yields the lines of the answer as they arrive. Throws as `call` does. */
  async *lines<Path extends PathOf<'post'>>(
    path: Path,
    body: Readable,
  ): AsyncGenerator<NonNullable<ResponseBody<Path, 'post'>>> {
    const requestLine = `POST ${path}`
    const request = (this.address.startsWith('https:') ? httpsRequest : httpRequest)(
      this.address + path,
      {
        method: 'POST',
        headers: {
          ...this.#headers,
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/x-ndjson',
        },
      },
    )
    const answering = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', reject)
      body.once('error', (error) => request.destroy(error))
    })
    // After its answer, the server may close the connection while lines are still sent.
    request.on('error', () => {})
    body.pipe(request)
    const answer = await answering.catch((error: unknown) => {
      throw body.errored ?? this.#failureOfConnection(error)
    })
    const status = answer.statusCode ?? 0
    if (status < 200 || status > 299) {
      answer.setEncoding('utf8')
      const text = (await answer.toArray().catch(() => [])).join('')
      throw failureOfAnswer(requestLine, { status, text, body: jsonOrUndefined(text) })
    }
    let breakage: Error | undefined
    answer.once('error', (error) => {
      breakage = error
    })
    try {
      for await (const line of createInterface({ input: answer })) yield JSON.parse(line)
    } catch (error) {
      breakage ??= error as Error
    } finally {
      body.unpipe(request).destroy()
      request.destroy()
    }
    if (body.errored) throw body.errored
    if (breakage || !answer.complete)
      throw this.#failureOfConnection(breakage ?? new Error('the answer broke off'))
  }

  /** Returns the failure of a connection that could not be opened or broke. */
  #failureOfConnection(error: unknown): CommandFailure {
    const problem = describeTlsProblem(this.address, error)
    if (problem !== undefined) return new TlsFailure(problem)
    return new ServerUnavailable(describeUnreachable(this.address, error))
  }
}

/** Bodies that are sent as they are. A string is sent as it is, too, but as JSON. */
const encodedBodies = [FormData, URLSearchParams, Uint8Array]

export interface RequestOptions {
  /** Sent as JSON, unless it is a string or one of `encodedBodies`. */
  body?: unknown
  /** These take precedence over the headers that the other options give. */
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Sent as `Authorization: Bearer …`. */
  token?: string
  /** Whether redirects are followed. Default: `follow`. */
  redirect?: 'follow' | 'manual'
}

type ParameterValue = string | number | boolean | null | undefined

/** What may be left out of a query or a body may also be undefined: neither a query string nor JSON writes it. */
type OrUndefined<Fields> = {
  [Name in keyof Fields]: Record<never, never> extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name]
}

type CallOptions<Path extends PathOf<M>, M extends Method> = Pick<
  RequestOptions,
  'signal' | 'token'
> &
  ([PathParametersOf<Path, M>] extends [never]
    ? unknown
    : { path: Record<keyof PathParametersOf<Path, M>, string | number> }) &
  ([QueryOf<Path, M>] extends [never]
    ? unknown
    : Record<never, never> extends QueryOf<Path, M>
      ? { query?: OrUndefined<QueryOf<Path, M>> }
      : { query: OrUndefined<QueryOf<Path, M>> }) &
  ([RequestBody<Path, M>] extends [never]
    ? { form?: FormData }
    : Record<never, never> extends RequestBody<Path, M>
      ? { body?: OrUndefined<RequestBody<Path, M>> }
      : { body: OrUndefined<RequestBody<Path, M>> })

/** The options of an operation; they may be left out if none of them is required. */
type CallArguments<Path extends PathOf<M>, M extends Method> =
  Record<never, never> extends CallOptions<Path, M>
    ? [options?: CallOptions<Path, M>]
    : [options: CallOptions<Path, M>]

/** What the options of all operations have in common. */
interface AnyCallOptions extends RequestOptions {
  path?: Record<string, string | number>
  query?: Record<string, ParameterValue>
  form?: FormData
}

/** The OpenAPI document, as far as commands read it. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, object>
}

/** Returns the failure of an answer that is not a success: `ServerUnavailable` if a retry may help, else
 * `RequestRefused`. */
function failureOfAnswer(request: string, answer: ErrorAnswer): CommandFailure {
  const { status } = answer
  if (status < 500 && status !== 429) return new RequestRefused(request, answer)
  return new ServerUnavailable(`${request} failed (${status}): ${messageOf(answer)}`)
}

function messageOf({ body, text }: ErrorAnswer): string {
  return (body as ErrorBody | null | undefined)?.message ?? text.slice(0, 200)
}

function jsonIn({ headers }: Response, text: string): unknown {
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return isJson && text !== '' ? JSON.parse(text) : undefined
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a client of the server of these options, by default of the local one that the settings describe. The default
 * is not the public address, where a proxy may refuse operator requests. With TLS it is, because the certificate names
 * the public host.
 */
export function openClient({ server, token, reason }: ServerOptions): ApiClient {
  const headers = reason === undefined ? {} : { 'x-feria-reason': headerText(reason) }
  if (server !== undefined && token !== undefined) {
    return new ApiClient(server, token, '', fetch, headers)
  }
  const { http, operatorToken } = readConfig(process.env)
  const address = server ?? (http.tls && http.publicUrl) ?? localAddress(http)
  const prefix = token === undefined ? '/operator' : ''
  return new ApiClient(address, token ?? operatorToken, prefix, fetch, headers)
}

/** Returns a text in the characters that a header may have: each stands for a byte of its UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text.replace(/\s+/g, ' ').trim()).toString('latin1')
}

/** Returns the address of the port that these settings describe, from this machine. */
export function localAddress(http: {
  host: string
  port: number
  tls?: object | undefined
}): string {
  const host = /^(0\.0\.0\.0|::)$/.test(http.host) ? '127.0.0.1' : http.host
  const name = host.includes(':') ? `[${host}]` : host
  return `${http.tls ? 'https' : 'http'}://${name}:${http.port}`
}

/** Returns the application id in an access token, or undefined. */
export function applicationOfToken(token: string | undefined): number | undefined {
  const application = Number(/^APP_USR-(\d{1,16})-/.exec(token ?? '')?.[1])
  return application > 0 ? application : undefined
}

/** Returns the path with its parameters in the place of their names in braces. */
function withParameters(path: string, parameters: Record<string, string | number>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''))
}

/** Returns the path with a query string of the parameters that have a value. */
function withQuery(path: string, query: Record<string, ParameterValue>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`
}
