import type { IncomingHttpHeaders } from 'node:http'
import { type TObject, Type } from 'typebox'
import { type AuditTargetKind, maximumReasonLength } from '../kernel/audit.ts'
import { badField } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { OperationPermissions } from './operator.ts'
import type { Route } from './route.ts'

/** What the audit log keeps of a request of the operator. */
export interface AuditRequest {
  readonly actor: OperatorActor
  /** Method and path, such as `PATCH /operator/orders/{order_id}`. */
  readonly operation: string
  readonly targetKind: AuditTargetKind
  /** The parameters of the path, separated by slashes. */
  readonly targetId: string
  readonly requestId: string
  readonly reason: string | null
}

/** A running operation with its entry in the audit log. */
interface AuditedOperation {
  /** The context for the handler. Every transaction of it commits together with the entry. */
  readonly ctx: Context
  /** Adds the entry if no transaction has. Call it when the operation has succeeded. */
  finish(): Promise<void>
}

/** Prepares the entry of an operation. */
export type AuditOperation = (ctx: Context, request: AuditRequest) => Promise<AuditedOperation>

/** The header by which an operator says why. */
const reasonHeader = 'x-feria-reason'

const ReasonHeaders = Type.Object({
  [reasonHeader]: Type.Optional(
    Type.String({
      maxLength: maximumReasonLength,
      description: `Why you make this change, for the audit log. At most ${maximumReasonLength} characters`,
      examples: ['ticket 4711'],
    }),
  ),
})

/** Returns the headers of an operation with that of the reason. */
export function withReason(headers: TObject | undefined): TObject {
  return Type.Object({ ...headers?.properties, ...ReasonHeaders.properties })
}

/** Returns whether the audit log records an operation: those of the operator that may change something, and those by
 * which an operator signs in. A `POST` that takes a permission to read, such as a preview, changes nothing. */
export function isAudited({
  scope,
  method,
  permission,
  audits,
}: Pick<Route, 'scope' | 'method' | 'permission' | 'audits'>) {
  // An operation of integrators that operators have too names its target, and is recorded for operators only.
  if (scope !== 'operator') return scope === 'public' && audits !== undefined
  return method !== 'GET' && !permission?.endsWith(':read')
}

/** Until the operation has found out who signs in. */
const nobodyYet: OperatorActor = { kind: 'system', name: 'sign-in' }

/** Returns what the audit log keeps of a request, or undefined if its operation is not recorded. Throws `bad_request` for
 * a reason that is too long. */
export function auditRequestOf(
  route: Route,
  request: {
    id: string
    operator: OperatorActor | undefined
    params: unknown
    headers: IncomingHttpHeaders
  },
): AuditRequest | undefined {
  const { operator: actor = nobodyYet, params, headers, id: requestId } = request
  if (!isAudited(route)) return undefined
  const { audits: targetKind } = route
  if (!targetKind) throw new Error(`${operationOf(route)} does not say what it audits`)
  return {
    actor,
    operation: operationOf(route),
    targetKind,
    targetId: Object.values(params as Record<string, string>).join('/'),
    requestId,
    reason: reasonOf(headers),
  }
}

/** Returns how the log names an operation. */
function operationOf({ method, url }: Pick<Route, 'method' | 'url'>): string {
  return `${method} ${url.replace(/:([a-z_]+)/g, '{$1}')}`
}

/** Returns the permission of each operation, by its name in the log. */
export function operationPermissionsOf(routes: readonly Route[]): OperationPermissions {
  return new Map(routes.map((route) => [operationOf(route), route.permission]))
}

/** Returns the reason of a request, or null. Throws `bad_request` if it is too long. */
function reasonOf(headers: IncomingHttpHeaders): string | null {
  const value = headers[reasonHeader]
  if (value === undefined) return null
  // Node reads headers as Latin-1, but clients send UTF-8.
  const bytes = Buffer.from(String(value), 'latin1')
  const utf8 = bytes.toString('utf8')
  const reason = (utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8).trim()
  if (reason.length > maximumReasonLength) {
    throw badField('X-Feria-Reason', `at most ${maximumReasonLength} characters`)
  }
  return reason === '' ? null : reason
}
