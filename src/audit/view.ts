import { type Static, Type } from 'typebox'
import { isOperatorPermission } from '../http/permissions.ts'
import type { RouteInput } from '../http/route.ts'
import { auditTargetKinds } from '../kernel/audit.ts'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import type { Db } from '../platform/database/database.ts'
import { targetOf } from './entry.ts'
import {
  type AuditEntryRow,
  listPersonalValues,
  listResults,
  type PersonalValuesRow,
} from './store.ts'

const Target = (description: string) =>
  Type.Object(
    {
      kind: Type.Enum([...auditTargetKinds]),
      id: Type.String({
        description: 'Id of what was changed. Several parameters of a path are joined with `/`',
        examples: ['2000003508419013'],
      }),
    },
    { description },
  )
const Values = (description: string) => OrNull(Type.Object({}, { description }))

export const AuditEntryAnswer = Type.Object({
  id: Type.String({
    description:
      'Id of the request: `X-Request-Id` of its answer. Of what a job changed: the ids of the job and of the listing',
    examples: ['5b1d2c3e4f-00001c7'],
  }),
  date: { ...Timestamp, description: 'When the request was received' },
  actor: Type.String({
    description:
      'Who acted: `token` for the bearer of the operator’s token, or kind and id, such as `account:5`',
    examples: ['token'],
  }),
  actor_name: OrNull(
    Type.String({ description: 'Name of the account or key. Null for the token' }),
  ),
  operation: Type.String({
    description: 'Method and path',
    examples: ['PATCH /operator/orders/{order_id}'],
  }),
  target: OrNull(Target('What was changed. Null if it has no id')),
  related: Type.Array(Target('What else the change is about'), {
    description:
      'Other targets under which the entry is found, such as the order of a claim. Entries of before Feria recorded them have none',
  }),
  reason: OrNull(Type.String({ description: 'The header `X-Feria-Reason` of the request' })),
  before: Values('Fields that changed, before. Null if there was nothing'),
  after: Values('Fields that changed, after. Null if the operation describes no change'),
  personal: Type.Array(
    Type.Object({
      user_id: Id,
      erased: Type.Boolean({
        description: 'Whether the values were erased at the request of the user',
      }),
      before: Values('Personal values before'),
      after: Values('Personal values after'),
    }),
    { description: 'Personal values that changed, by the user whom they are about' },
  ),
  result: Values('Counts of an operation that goes on after its answer begins, such as an import'),
})
export type AuditEntryAnswer = Static<typeof AuditEntryAnswer>

/** Who reads entries in a history. */
export type HistoryReader = Pick<
  RouteInput<unknown, unknown, unknown, 'operator'>,
  'permissions' | 'operationPermissions'
>

/**
 * Returns whether somebody may read the values of an entry in a history: by the permission of its operation, or the one
 * to read what that one writes, or by `audit:read`, which the values of an unknown operation and of the own account take.
 */
function mayReadValues(
  { operation }: Pick<AuditEntryRow, 'operation'>,
  { permissions, operationPermissions }: HistoryReader,
): boolean {
  if (permissions.has('audit:read')) return true
  const permission = operationPermissions.get(operation)
  if (permission === undefined || permission === 'own-account') return false
  const toRead = permission.replace(/:write$/, ':read')
  return [permission, toRead].some((name) => isOperatorPermission(name) && permissions.has(name))
}

/** Renders the entries of a history. Without the permission, they have no values: the history says who changed something,
 * and why. */
export async function renderEntriesFor(
  db: Db,
  entries: readonly AuditEntryRow[],
  reader: HistoryReader,
): Promise<AuditEntryAnswer[]> {
  const rendered = await renderEntries(db, entries)
  return rendered.map((entry) =>
    mayReadValues(entry, reader)
      ? entry
      : { ...entry, before: null, after: null, personal: [], result: null },
  )
}

/** Renders entries, with their personal values and results. */
export async function renderEntries(
  db: Db,
  entries: readonly AuditEntryRow[],
): Promise<AuditEntryAnswer[]> {
  if (entries.length === 0) return []
  const withPersonal = entries.filter(({ personalUsers }) => personalUsers.length > 0)
  const [personal, results] = await Promise.all([
    withPersonal.length > 0 ? listPersonalValues(db, withPersonal) : [],
    listResults(db, entries),
  ])
  const personalById = Map.groupBy(personal, ({ entryId }) => entryId)
  const resultById = new Map(results.map(({ entryId, result }) => [entryId, result]))
  return entries.map((entry) => ({
    id: entry.id,
    date: timestamp(entry.recordedAt),
    actor: entry.actor,
    actor_name: entry.actorName,
    operation: entry.operation,
    target: entry.targetId === '' ? null : { kind: entry.targetKind, id: entry.targetId },
    related: entry.related.map(targetOf),
    reason: entry.reason,
    before: parsed(entry.before),
    after: parsed(entry.after),
    personal: entry.personalUsers.map((userId) =>
      renderPersonal(Number(userId), personalById.get(entry.id)),
    ),
    result: parsed(resultById.get(entry.id) ?? null),
  }))
}

function renderPersonal(
  userId: number,
  rows: readonly PersonalValuesRow[] = [],
): AuditEntryAnswer['personal'][number] {
  const values = rows.find((row) => row.userId === userId)
  return {
    user_id: userId,
    erased: values === undefined,
    before: parsed(values?.before ?? null),
    after: parsed(values?.after ?? null),
  }
}

function parsed(text: string | null): object | null {
  return text === null ? null : (JSON.parse(text) as object)
}
