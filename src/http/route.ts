import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { FailureShape } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import type { FormFile } from './bodies/forms.ts'
import type { Caller } from './caller.ts'
import type { TokenScope } from './scopes.ts'

/**
 * Who may call: anybody, the bearer of an access token that has this scope, or the operator.
 * `mixed` is anybody too, who sees more with a token (contract 1). `page` is somebody in front of a
 * browser: answers and refusals are pages, and no other page may read them.
 */
export type Scope = TokenScope | 'public' | 'mixed' | 'operator' | 'page'

/** What a handler answers: a body to be written as JSON, `text` that already is JSON, `lines` of JSON
 * that are sent as they are made; `bytes` or `content` of a type that the headers tell, or compressed. */
export interface Answer {
  status: number
  body?: unknown
  text?: string
  bytes?: Uint8Array
  lines?: Readable
  content?: Readable
  headers?: Record<string, string | string[]>
}

export interface RouteInput<P, Q, B, S extends Scope> {
  params: P
  query: Q
  body: B
  headers: IncomingHttpHeaders
  /** The network of the client, by which limits count (`networkOf`), as far as trusted proxies tell it. */
  network: string
  /** Names a parameter that the operation turns out not to know, which is refused in strict mode. */
  ignore(parameter: string): void
  /** Aborts when the client goes away before the answer: whoever waits need wait no longer. */
  readonly gone: AbortSignal
  /** The body of an operation that `streams`, as it arrives; undefined when there is none. */
  input: Readable | undefined
  /** The files of an operation that `takesFiles`, as they arrive. */
  files: AsyncIterable<FormFile>
  /** Set where the scope asks for an access token, and where one came to a `mixed` one. */
  caller: S extends TokenScope ? Caller : S extends 'mixed' ? Caller | undefined : undefined
}

/**
 * One operation: its contract and its handler in one value. Types, validation and the reference page
 * are read off it.
 */
export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  S extends Scope = Scope,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters as Fastify writes them: `/orders/:order_id`. */
  url: string
  scope: S
  summary: string
  /** Where the contract says so, or what the operator's interface promises. */
  description?: string
  tag: string
  params?: P
  query?: Q
  /** Headers that change the answer, for the reference page; they are not checked. */
  headers?: TObject
  body?: B
  /** Lines of JSON in and out, of any number: the body is not checked but handed over as it arrives,
   * and `body` and the answers describe one line. */
  streams?: true
  /** A form (`multipart/form-data`) of any length: its files are handed over as they arrive, and `body`
   * describes it. */
  takesFiles?: true
  /** The body may come as a form writes it (`application/x-www-form-urlencoded`) too, or not at all
   * where the handler checks it. */
  takesFields?: true
  /** The body may be this answer as it was read: what the body does not take of it is left out in silence. A PUT
   * takes back what a GET of its address answers without saying so here. */
  takesBack?: TSchema
  /** The handler answers from memory, as a rule. Where several such requests have come in, all of them are
   * read before the first is worked on (decision 20). */
  fromMemory?: true
  /** Not queued in front of the database: it lasts as long as its caller wants, or needs little of it. Nor is what
   * answers from memory or takes its body as it arrives. */
  isUnqueued?: true
  /** Anybody may call, but no page of another origin may read the answer. */
  sameOrigin?: true
  /** Parts of the answer may be empty when they could not be had; the status is 206 then, and `X-Content-Missing`
   * names them. A 206 without this is a range of bytes. */
  mayLackParts?: true
  /** The shape of its error bodies, where it is not the general one. */
  failures?: FailureShape
  /** A token without an application is refused (contract 5). */
  needsApplication?: true
  /** The handler checks the body, in the contract's own order and words; `body` only describes it. */
  unchecked?: true
  /** Schema per status, for the reference page; checked against real answers by the tests. */
  answers: Record<number, TSchema>
  /** Refuses callers who may not touch what the path names, before query and body are checked. */
  permit?(
    ctx: Context,
    asked: Pick<RouteInput<Static<P>, unknown, unknown, S>, 'params' | 'caller'>,
  ): Promise<void>
  handle(ctx: Context, asked: RouteInput<Static<P>, Static<Q>, Static<B>, S>): Promise<Answer>
}

/** Ties the types of one operation together; the value stays what it was. */
export function route<P extends TObject, Q extends TObject, B extends TSchema, S extends Scope>(
  operation: Route<P, Q, B, S>,
): Route {
  return operation as unknown as Route
}

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
/** A body that lies ready as JSON text: it is sent as it is. */
export const ready = (text: string): Answer => ({ status: 200, text })
export const nothing = (): Answer => ({ status: 204 })
