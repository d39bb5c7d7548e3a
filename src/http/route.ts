import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { AuditTargetKind } from '../kernel/audit.ts'
import type { FailureCode } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { FailureShape } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import type { Caller } from './caller.ts'
import type { OperationPermissions, OperatorRequirements } from './operator.ts'
import type { OperatorPermission } from './permissions.ts'
import type { TokenScope } from './scopes.ts'
import type { SiteLimit, SiteRule } from './site-rule.ts'
import type { VersionedThing } from './versions.ts'

/**
 * Who may call an operation: `public` anybody, `read` and `write` the bearer of a token with that scope, `operator` the
 * operator. `mixed` is anybody, but a token shows more. `page` is a browser: answers and refusals are HTML pages, which
 * no other page may read.
 */
export type Scope = TokenScope | 'public' | 'mixed' | 'operator' | 'page'

/** Errors by code, each with the text that replaces `{detail}` in the message of its example. */
export type Refusals = Readonly<Partial<Record<FailureCode, string>>>

/** The answer of a handler. At most one of `body`, `text`, `bytes`, `lines` and `content` is set. */
export interface RouteResponse {
  status: number
  /** A value that is sent as JSON. */
  body?: unknown
  /** JSON text, or text of the type in the headers. */
  text?: string
  /** Bytes of the type in the headers. */
  bytes?: Uint8Array
  /** A stream of JSON lines. */
  lines?: Readable
  /** A stream of the type in the headers. */
  content?: Readable
  headers?: Record<string, string | string[]>
  /** The state of the `versioned` thing that the answer shows, whose version is its `ETag`. */
  state?: object
  /** Trailers of an answer with `content`, computed after its end. A client that gets them has the whole answer. */
  trailers?: Record<string, () => string>
}

/** The checked input of an operation. */
export interface RouteInput<P, Q, B, S extends Scope> {
  params: P
  query: Q
  body: B
  headers: IncomingHttpHeaders
  /** The network of the client (`networkOf`), by which limits count. Only trusted proxies can change it. */
  network: string
  /** Reports an unknown parameter. Throws `bad_request` in strict mode. */
  ignore(parameter: string): void
  /** Aborts when the client disconnects before the answer. */
  readonly signal: AbortSignal
  /** The body of an operation with `streams`, as it arrives. Undefined if there is none. */
  bodyStream: Readable | undefined
  /** The files of an operation with `takesFiles`, as they arrive. */
  files: AsyncIterable<FormFile>
  /** The bearer of the token. Undefined for scopes without a token, and for a `mixed` request without one. */
  caller: S extends TokenScope ? Caller : S extends 'mixed' ? Caller | undefined : undefined
  /** Who acts as the operator. In a `public` operation with a `permission`, it is undefined for everybody else. */
  operator: S extends 'operator'
    ? OperatorActor
    : S extends 'public'
      ? OperatorActor | undefined
      : undefined
  /** The sites to which the operator is limited. `Route.sites` has been checked; use it where an answer has more. */
  sites: SiteLimit
  /** What the operator may do, for fields that take another permission than their operation. */
  permissions: S extends 'operator' ? ReadonlySet<OperatorPermission> : undefined
  /** The permission of each operation, by its name in the audit log. */
  operationPermissions: OperationPermissions
}

/**
 * An operation of the HTTP interface: its schemas, texts and handler in one value. Types, validation and the reference
 * come from it.
 */
export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  S extends Scope = Scope,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with parameters as in Fastify: `/orders/:order_id`. */
  url: string
  scope: S
  /** What an operation of the operator changes, for the audit log: the kind of its target. Required if `isAudited`. */
  audits?: AuditTargetKind
  /** The thing that an operation of the operator reads or changes, if it has versions (`versions.ts`). */
  versioned?: VersionedThing
  /** The permission that an operator needs. With `scope: 'public'`, anybody may call, and only an operator with this
   * permission is identified. It has no effect with other scopes. */
  permission?: OperatorRequirements['permission']
  /** How the operation keeps operators within their sites. A `public` operation identifies a limited operator only on the
   * operator's sites. */
  sites?: SiteRule
  /** Operators must have entered their password or a code lately, and keys are refused (`checkOperator`). */
  isSensitive?: true
  /** A short imperative, such as `Search orders`. */
  summary: string
  /** What the operation does for its caller, when to use it and which errors matter. */
  description?: string
  /** The group of the operation in the reference (`reference/groups.ts`). */
  tag: string
  params?: P
  query?: Q
  /** Headers that change the answer. They appear in the reference and are not checked. */
  headers?: TObject
  body?: B
  /** Body and answers are NDJSON streams of any length. The body is not checked; `body` and `answers` describe one
   * line. `body`: only the body is a stream. */
  streams?: true | 'body'
  /** The body is a `multipart/form-data` form of any length. The handler gets its files as they arrive; `body` describes
   * the form. */
  takesFiles?: true
  /** The body may also be a form (`application/x-www-form-urlencoded`). It may be missing if the handler checks it. */
  takesFields?: true
  /** An answer that clients may send back as the body: its read-only fields are ignored. A PUT accepts the answer of the
   * GET with the same path without this. */
  roundTripSchema?: TSchema
  /** The handler usually answers from memory. All such requests that have arrived are read before the first one runs
   * (docs/decisions/0020-answers-from-memory.md). */
  fromMemory?: true
  /** The operation skips admission control: it waits for long, or hardly uses the database. Operations with
   * `fromMemory`, `streams` or `takesFiles` skip it anyway. */
  isUnqueued?: true
  /** The handler may wait for something to happen. The caller is checked again before the answer. */
  isLongPoll?: true
  /** The answer may break off, and a client must notice. HTTP/1.0 is refused with `bad_request`: there, an answer that
   * broke off looks complete. */
  mayBreakOff?: true
  /** No page of another origin may read the answer, although anybody may call. */
  sameOrigin?: true
  /** Parts of the answer may be missing: then the status is 206 and `X-Content-Missing` names them. Without this, a 206
   * is a range of bytes. */
  mayLackParts?: true
  /** The errors of this operation besides those of its scope and of values that do not fit a schema. The description
   * names each of them by its `error`. */
  refuses?: Refusals
  /** The shape of the error bodies. Default: `general`. */
  failures?: FailureShape
  /** A token without an application is refused with `application_required`. */
  needsApplication?: true
  /** The handler checks the body itself, in an order of its own. `body` only describes it. */
  checksBodyItself?: true
  /** The schema of each status, for the reference. Tests check it against real answers. A `contentMediaType` replaces
   * `application/json`. */
  answers: Record<number, TSchema>
  /** Headers of the answers, for the reference. */
  answerHeaders?: TObject
  /** Refuses callers who may not use the resource of the path. It runs before query and body are checked. */
  permit?(
    ctx: Context,
    input: Pick<RouteInput<Static<P>, unknown, unknown, S>, 'params' | 'caller'>,
  ): Promise<void>
  handle(
    ctx: Context,
    input: RouteInput<Static<P>, Static<Q>, Static<B>, S>,
  ): Promise<RouteResponse>
}

/** An operation of the operator names its permission and how it keeps operators within their sites. */
type OperatorRequirement<S extends Scope> = 'operator' extends S
  ? Required<Pick<OperatorRequirements, 'permission'>> & { sites: SiteRule }
  : unknown

/**
 * Returns the operation unchanged. It only infers and checks the types. An operation of narrower input is a `Route`
 * because `handle` and `permit` are methods, whose parameters TypeScript compares both ways. That is safe here: the
 * server calls them only with input that fits the schemas of the same operation.
 */
export function route<P extends TObject, Q extends TObject, B extends TSchema, S extends Scope>(
  operation: Route<P, Q, B, S> & OperatorRequirement<S>,
): Route {
  return operation
}

/** Returns whether an operation belongs to the operator's interface. Signing in does, although anybody may call it. */
export function isOperatorRoute({ scope, url }: Pick<Route, 'scope' | 'url'>): boolean {
  return scope === 'operator' || url.startsWith('/operator/')
}

/** Returns whether a request may leave out the body. It is then read as `{}`. A PUT or PATCH without its body is more
 * likely a mistake of the client. */
export function isBodyOptional({ method, body, checksBodyItself, streams, takesFiles }: Route) {
  if (method !== 'POST' || checksBodyItself || streams || takesFiles) return false
  const { type, required = [] } = (body ?? {}) as { type?: string; required?: string[] }
  return type === 'object' && required.length === 0
}

export const ok = (body: unknown): RouteResponse => ({ status: 200, body })
export const created = (body: unknown): RouteResponse => ({ status: 201, body })
/** Answers with stored JSON text, which is sent unchanged. */
export const okJsonText = (text: string): RouteResponse => ({ status: 200, text })
export const noContent = (): RouteResponse => ({ status: 204 })

/** A file of a form, as it arrives. Read it before asking for the next one; otherwise it is skipped. */
export interface FormFile {
  /** The name of its part. */
  field: string
  /** The file name that the caller sent, not checked. */
  name: string | undefined
  /** The bytes. Throws `bad_request` if the form ends early. */
  content: AsyncIterable<Uint8Array>
}
