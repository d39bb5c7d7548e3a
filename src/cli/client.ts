import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { readConfig } from '../platform/config.ts'
import { describeTlsProblem, describeUnreachable, TlsFailure } from './connection.ts'
import { CommandFailure } from './failure.ts'

/** The server said no: another try would not help. */
export class Refused extends CommandFailure {
  readonly status: number
  /** The error body, where there was one. */
  readonly body: Json

  constructor(asked: string, { status, body, message }: Answered) {
    super(`${asked} was refused (${status}): ${message}`)
    this.status = status
    this.body = body
  }
}

interface Answered {
  status: number
  body: Json
  message: string
}

/** The server cannot be reached, or failed: another try may help. */
export class OutOfReach extends CommandFailure {}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every operation
export type Json = any

const server = {
  kind: 'address',
  says: 'Another server than the one that the settings describe.',
} as const

/** Which server a command talks to, for operations that only the operator has. */
export const toServer = {
  server,
  token: {
    kind: 'text',
    as: 'TOKEN',
    says: 'Its operator’s token, instead of that of the settings.',
  },
} as const

/** The same for operations that an application has for itself too. */
export const toServerAsAnyone = {
  server,
  token: {
    kind: 'text',
    as: 'TOKEN',
    says: 'An access token of the application itself or of its owner, instead of the operator’s token.',
  },
} as const

export interface ServerOptions {
  server?: string
  token?: string
}

/** Talks to a running Feria as its operator or, with an access token, as an application. */
export class Client {
  readonly address: string
  readonly #token: string
  /** What paths begin with that the operator has one of their own for. */
  readonly prefix: '' | '/operator'

  constructor(address: string, token: string, prefix: '' | '/operator') {
    this.address = address.replace(/\/+$/, '')
    this.#token = token
    this.prefix = prefix
  }

  /** The body of the answer; undefined when there is none. Throws `Refused` for an answer from 400 to
   * 499, `TlsFailure` where its certificate is refused, and `OutOfReach` when there is none that
   * counts. */
  async call(method: string, path: string, asking: Asking = {}): Promise<Json> {
    const answer = await this.ask(method, path, asking)
    return jsonIn(answer, await this.#read(answer, asking))
  }

  /** The answer itself, for reading it as it arrives. Throws as `call` does. */
  async ask(method: string, path: string, asking: Asking = {}): Promise<Response> {
    const { body, signal, token = this.#token } = asking
    const isForm = body instanceof FormData
    const answer = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.#away(error)
    })
    if (answer.ok) return answer
    const text = await this.#read(answer, asking)
    const read = jsonIn(answer, text)
    const message = read?.message ?? text.slice(0, 200)
    throw failureOf(`${method} ${path}`, { status: answer.status, body: read, message })
  }

  #read(answer: Response, { signal }: Asking): Promise<string> {
    return answer.text().catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.#away(error)
    })
  }

  /** Sends lines while they are read, and hands out the lines of the answer while they come. */
  async *lines(path: string, body: Readable): AsyncGenerator<Json> {
    const asked = `POST ${path}`
    const request = (this.address.startsWith('https:') ? httpsRequest : httpRequest)(
      this.address + path,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/x-ndjson',
        },
      },
    )
    const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', reject)
      body.once('error', (error) => request.destroy(error))
    })
    // Who has answered already may hang up on what is still sent.
    request.on('error', () => {})
    body.pipe(request)
    const answer = await answered.catch((error: unknown) => {
      throw body.errored ?? this.#away(error)
    })
    const status = answer.statusCode ?? 0
    if (status !== 200) {
      answer.setEncoding('utf8')
      const text = (await answer.toArray().catch(() => [])).join('')
      throw failureOf(asked, { status, ...messageIn(text) })
    }
    let broke: Error | undefined
    answer.once('error', (error) => {
      broke = error
    })
    try {
      for await (const line of createInterface({ input: answer })) yield JSON.parse(line)
    } catch (error) {
      broke ??= error as Error
    } finally {
      body.unpipe(request).destroy()
      request.destroy()
    }
    if (body.errored) throw body.errored
    if (broke || !answer.complete) throw this.#away(broke ?? new Error('the answer broke off'))
  }

  #away(error: unknown): CommandFailure {
    const problem = describeTlsProblem(this.address, error)
    if (problem !== undefined) return new TlsFailure(problem)
    return new OutOfReach(describeUnreachable(this.address, error))
  }
}

interface Asking {
  /** Sent as JSON, unless it is a form. */
  body?: object
  signal?: AbortSignal
  token?: string
}

function failureOf(asked: string, answered: Answered): CommandFailure {
  const { status, message } = answered
  if (status < 500 && status !== 429) return new Refused(asked, answered)
  return new OutOfReach(`${asked} failed (${status}): ${message}`)
}

function jsonIn({ headers }: Response, text: string): Json {
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return isJson && text !== '' ? JSON.parse(text) : undefined
}

function messageIn(text: string): { body: Json; message: string } {
  try {
    const body = JSON.parse(text)
    return { body, message: body.message }
  } catch {
    return { body: undefined, message: text.slice(0, 200) }
  }
}

/** The server of these options, else the one that `feria start` with these settings is on this machine:
 * a proxy at its public address may refuse what operators ask. With a certificate, whose names are those of
 * the public address, it is asked there. */
export function clientOf({ server, token }: ServerOptions): Client {
  if (server !== undefined && token !== undefined) return new Client(server, token, '')
  const { http, operatorToken } = readConfig(process.env)
  const host = /^(0\.0\.0\.0|::)$/.test(http.host) ? '127.0.0.1' : http.host
  const local = `${http.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${http.port}`
  const address = server ?? (http.tls && http.publicUrl) ?? local
  return new Client(address, token ?? operatorToken, token === undefined ? '/operator' : '')
}

/** The application that an access token says it is of. */
export function applicationOfToken(token: string | undefined): number | undefined {
  const application = Number(/^APP_USR-(\d{1,16})-/.exec(token ?? '')?.[1])
  return application > 0 ? application : undefined
}

/** A path with a query of whatever of it is known. */
export function withQuery(
  path: string,
  query: Record<string, string | number | undefined | null>,
): string {
  const known = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`
}
