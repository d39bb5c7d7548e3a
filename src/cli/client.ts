import { readConfig } from '../platform/config.ts'
import { UsageFailure } from './usage.ts'

/** The server said no: another try would not help. */
export class Refused extends Error {
  readonly status: number
  /** The error body, where there was one. */
  readonly body: Json

  constructor(asked: string, { status, body, message }: RefusedParts) {
    super(`${asked} was refused (${status}): ${message}`)
    this.status = status
    this.body = body
  }
}

interface RefusedParts {
  status: number
  body: Json
  message: string
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every operation
type Json = any

/** Options that say which server a command talks to, and as whom. */
export const serverOptions = { server: 'text', token: 'text' } as const

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

  /** Throws `Refused` for an answer from 400 to 499, and another error when there is none that counts. */
  async call(method: string, path: string, asking: Asking = {}): Promise<Json> {
    const answer = await this.ask(method, path, asking)
    return readJson(answer, await answer.text())
  }

  /** The answer itself, for reading it as it arrives. Throws as `call` does. */
  async ask(
    method: string,
    path: string,
    { body, signal, token = this.#token }: Asking = {},
  ): Promise<Response> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    })
    if (answer.ok) return answer
    const text = await answer.text()
    const read = readJson(answer, text)
    const asked = `${method} ${path}`
    const message = read?.message ?? text.slice(0, 200)
    if (answer.status < 500 && answer.status !== 429) {
      throw new Refused(asked, { status: answer.status, body: read, message })
    }
    throw new Error(`${asked} failed (${answer.status}): ${message}`)
  }
}

interface Asking {
  /** Sent as JSON, unless it is a form. */
  body?: object
  signal?: AbortSignal
  token?: string
}

function readJson({ headers }: Response, text: string): Json {
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return isJson && text !== '' ? JSON.parse(text) : undefined
}

/** Has a person be told in a sentence that the server said no, or is not there. */
export async function inWords<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) throw new UsageFailure(error.message)
    if (error instanceof TypeError && error.message === 'fetch failed') {
      throw new UsageFailure(`There is no Feria at ${client.address}. Is it running?`)
    }
    throw error
  }
}

/** The server of these options, else the one that `feria start` with these settings is. */
export function clientOf(options: { server?: string; token?: string }): Client {
  if (options.server !== undefined && !/^https?:\/\/[^/]/.test(options.server)) {
    throw new UsageFailure(`--server: expected an http(s) address, got "${options.server}"`)
  }
  const { server, token } = options
  if (server !== undefined && token !== undefined) return new Client(server, token, '')
  const { http, operatorToken } = readConfig(process.env)
  const host = /^(0\.0\.0\.0|::)$/.test(http.host) ? '127.0.0.1' : http.host
  const local = `${http.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${http.port}`
  const address = server ?? http.publicUrl ?? local
  return new Client(address, token ?? operatorToken, token === undefined ? '/operator' : '')
}

/** The application that an access token says it is of. */
export function applicationOfToken(token: string | undefined): number | undefined {
  const application = Number(/^APP_USR-(\d{1,16})-/.exec(token ?? '')?.[1])
  return application > 0 ? application : undefined
}
