import { hash } from 'node:crypto'
import { type Static, type TObject, Type } from 'typebox'
import { type AuditTarget, auditTargetKinds } from '../kernel/audit.ts'
import { minuteMs } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { errorBodies, Id, OrNull, Timestamp } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import type { SiteLimit } from './site-rule.ts'

/*
 * Versions of what operators change (docs/decisions/0047-versions.md). A read answers the version in `ETag`. A change with
 * `If-Match` is refused with `version_conflict` unless that is still the present version.
 */

/** The input of an operation, as far as it says which thing it changes. */
export interface VersionedInput {
  readonly params: Readonly<Record<string, string | number>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The sites to which the operator is limited. */
  readonly sites: SiteLimit
}

/** A target in the audit log whose entries say who changed a thing. */
export interface ChangeTarget extends AuditTarget {
  /** Changes of other targets that are related to it count, too. */
  readonly withRelated?: boolean
}

/** A thing that operators change, with a version. */
export interface VersionedThing {
  /**
   * Locks the thing until the transaction ends, as every change of it does, and returns its state. Undefined if there is
   * none, and for one of another site that the rule of the operation (`Route.sites`) lets pass. The operations that read the thing answer the same state (`RouteResponse.state`).
   */
  lock(tx: Tx, input: VersionedInput, ctx: Context): Promise<object | undefined>
  /** The targets in the audit log that say who changed it. Default: the target of the operation. */
  targets?(input: VersionedInput, state: object | undefined): readonly ChangeTarget[]
}

const digestLength = 22

/** Returns a digest of a state. The sequence of fields makes no difference: the database may return another one. */
function digestOf(state: object): string {
  return hash('sha256', JSON.stringify(state, sortFields), 'base64url').slice(0, digestLength)
}

function sortFields(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort())
}

/** Returns the ETag of a state that was read at `readAt`. The time says since when a conflict lists changes. */
export function etagOf(state: object, readAt: Date): string {
  return `"${digestOf(state)}.${readAt.getTime().toString(36)}"`
}

/** The versions that a request accepts. */
export interface VersionCondition {
  /** Undefined: any, if the thing exists (`If-Match: *`). */
  readonly digests: ReadonlySet<string> | undefined
  /** When the caller read the latest of them. */
  readonly readAt: Date | undefined
}

const etagList = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/

/** Returns the condition of the header `If-Match`. Throws `bad_request` if it is malformed. */
export function parseCondition(header: string): VersionCondition {
  if (header === '*') return { digests: undefined, readAt: undefined }
  if (!etagList.test(header)) throw badField('If-Match', 'the ETag of an answer, or *')
  const tags = [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag.split('.'))
  const times = tags.map(([, time = '']) => Number.parseInt(time, 36))
  const readAt = new Date(Math.max(...times.filter((time) => time <= latestMs)))
  return {
    digests: new Set(tags.map(([digest = '']) => digest)),
    readAt: Number.isNaN(readAt.getTime()) ? undefined : readAt,
  }
}

/** The last moment that a `Date` can hold. */
const latestMs = 8.64e15

/** A change began, and has its time in the audit log, before it ended. So changes are listed from a while before the
 * caller read. */
const longestChangeMs = minuteMs

/** The refusal of a change whose `If-Match` is not the present version. */
export class VersionConflict extends Failure {
  /** The ETag of the present state. Null if there is none. */
  readonly etag: string | null
  readonly targets: readonly ChangeTarget[]
  /** From when on changes are of interest. */
  readonly since: Date
  /** What operators changed since. */
  changes: readonly OperatorChange[] = []

  constructor(etag: string | null, targets: readonly ChangeTarget[], readAt: Date = new Date(0)) {
    super(
      'version_conflict',
      etag === null
        ? 'expected something that exists, but there is nothing'
        : presentVersionExpected,
    )
    this.etag = etag
    this.targets = targets
    this.since = new Date(Math.max(0, readAt.getTime() - longestChangeMs))
  }
}

export const presentVersionExpected = 'expected the present version, but this was changed since'

/** The handling of a request with a condition. */
interface VersionGuard {
  /** The context for the handler. Its first transaction checks the condition under the lock of the thing. */
  readonly ctx: Context
  /** Returns the ETag after the change. Undefined if there is nothing any more. */
  etag(): string | undefined
}

/**
 * Prepares a change with a condition. The check is part of the transaction of the change: of two requests with the same
 * version, one waits for the lock of the other, and then meets another version.
 */
export function guardVersion(
  ctx: Context,
  guarded: {
    thing: VersionedThing
    condition: VersionCondition
    input: VersionedInput
    target: ChangeTarget
  },
): VersionGuard {
  const { thing, condition, input, target } = guarded
  const { digests, readAt } = condition
  let hasChanged = false
  let etag: string | undefined
  const db = ctx.db.withExtension({
    async afterBegin(tx) {
      if (hasChanged) return
      const state = await thing.lock(tx, input, ctx)
      if (state && (digests === undefined || digests.has(digestOf(state)))) return
      // Nobody knows any more on which site the thing was.
      const isUnknown = state === undefined && input.sites !== null
      const targets = isUnknown ? [] : (thing.targets?.(input, state) ?? [target])
      throw new VersionConflict(state ? etagOf(state, ctx.now()) : null, targets, readAt)
    },
    async beforeCommit(tx) {
      const state = await thing.lock(tx, input, ctx)
      etag = state && etagOf(state, ctx.now())
    },
    afterCommit() {
      hasChanged = true
    },
  })
  return { ctx: { ...ctx, db }, etag: () => etag }
}

/** Lists what operators changed about the targets since a time, the newest first. */
export type ListOperatorChanges = (
  ctx: Pick<Context, 'db'>,
  changed: { targets: readonly ChangeTarget[]; since: Date },
) => Promise<OperatorChange[]>

export const exampleEtag = '"kX3v9QmT0bYw2LrZ8dNc5A.mfw0k8u2"'

/** The version of an entry of a list. */
const Etag = Type.String({
  description: 'Version of the entry. Send it as `If-Match` with a change, to be told of others',
  examples: [exampleEtag],
})

/** Returns the schema of an entry of a list, with its version. */
export const withEtagField = (entry: TObject) => Type.Object({ ...entry.properties, etag: Etag })

const Values = (description: string) => OrNull(Type.Object({}, { description }))

/** A change in a conflict: an entry of the audit log, of whose personal values only the names are shown. */
const OperatorChange = Type.Object({
  id: Type.String({ description: 'Id of the request', examples: ['5b1d2c3e4f-00001c7'] }),
  date: { ...Timestamp, description: 'When the request was received' },
  actor: Type.String({ description: 'Who acted', examples: ['account:1000000000001'] }),
  actor_name: OrNull(Type.String({ description: 'Name of the account or key' })),
  operation: Type.String({
    description: 'Method and path',
    examples: ['PATCH /operator/orders/{order_id}'],
  }),
  target: OrNull(
    Type.Object({
      kind: Type.Enum([...auditTargetKinds]),
      id: Type.String({ examples: ['2000003508419013'] }),
    }),
  ),
  reason: OrNull(Type.String({ description: 'Why, as the operator said' })),
  before: Values('Fields that changed, before'),
  after: Values('Fields that changed, after'),
  personal: Type.Array(
    Type.Object({
      user_id: Id,
      fields: Type.Array(Type.String({ examples: ['email'] })),
    }),
    { description: 'Names of the personal fields that changed, by the user whom they are about' },
  ),
})
export type OperatorChange = Static<typeof OperatorChange>

/** The body of a conflict. Other refusals with the same status have neither `etag` nor `changes`. */
export const VersionConflictAnswer = Type.Object({
  ...errorBodies.general.properties,
  etag: Type.Optional(
    OrNull(
      Type.String({
        description: 'The present version. Null if there is nothing any more',
        examples: [exampleEtag],
      }),
    ),
  ),
  changes: Type.Optional(
    Type.Array(OperatorChange, {
      description:
        'What operators changed since you read it, the newest first, at most 20. Changes that began up to a minute before are listed too. Empty if no operator did: sellers, buyers and the service change things as well',
    }),
  ),
})
