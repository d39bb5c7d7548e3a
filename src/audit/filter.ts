import { Type } from 'typebox'
import { type AuditTarget, auditTargetKinds } from '../kernel/audit.ts'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { Timestamp } from '../kernel/schema.ts'
import type { AuditFilter } from './store.ts'

/** The parameters that select entries. */
export const auditFilterQuery = {
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only entries of this actor, such as `token` or `account:5`',
      examples: ['token'],
    }),
  ),
  target: Type.Optional(
    Type.String({
      maxLength: 600,
      description: `Only entries about this target, or related to it: its kind, a colon and its id. Kinds: ${auditTargetKinds.map((kind) => `\`${kind}\``).join(', ')}`,
      examples: ['order:2000003508419013'],
    }),
  ),
  operation: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only entries of this operation: method and path, as entries show them',
      examples: ['PATCH /operator/orders/{order_id}'],
    }),
  ),
  from: Type.Optional({ ...Timestamp, description: 'Only entries at or after this time' }),
  to: Type.Optional({ ...Timestamp, description: 'Only entries before this time' }),
}

export interface AuditFilterQuery {
  actor?: string
  target?: string
  operation?: string
  from?: string
  to?: string
}

/** Returns the filter of a query. Throws `bad_request`. */
export function auditFilterOf({
  actor,
  target,
  operation,
  from,
  to,
}: AuditFilterQuery): AuditFilter {
  const since = from === undefined ? undefined : parseTimestamp(from)
  const until = to === undefined ? undefined : parseTimestamp(to)
  if (since && until && since >= until) throw badField('from', 'a time before `to`')
  return { actor, target: targetOf(target), operation, from: since, to: until }
}

function targetOf(text: string | undefined): AuditTarget | undefined {
  if (text === undefined) return undefined
  const [, name, id] = /^([a-z_]+):(.+)$/s.exec(text) ?? []
  const kind = auditTargetKinds.find((known) => known === name)
  if (kind && id !== undefined) return { kind, id }
  throw badField('target', 'a kind and an id, such as order:2000003508419013')
}
