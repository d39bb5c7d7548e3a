import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditedChange, AuditTarget, AuditTargetKind } from '../kernel/audit.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'

/** An entry of the audit log. */
export interface AuditEntry {
  /** The id of the request (`X-Request-Id`), or of a job and the listing that it changed. */
  readonly id: string
  readonly recordedAt: Date
  /** `token`, or kind and id or name of the actor, such as `account:5`. */
  readonly actor: string
  readonly actorName: string | null
  /** Method and path, such as `PATCH /operator/orders/{order_id}`. */
  readonly operation: string
  readonly targetKind: AuditTargetKind
  /** Empty if the operation has no single target. */
  readonly targetId: string
  /** Other targets under which the entry is found, as `targetText` writes them. */
  readonly related: readonly string[]
  readonly reason: string | null
  /** JSON of the fields that differ. Null: there was nothing, or the operation describes no change. */
  readonly before: string | null
  readonly after: string | null
}

/** Personal values of a user in an entry, as JSON. */
export interface PersonalValues {
  readonly userId: number
  readonly before: string | null
  readonly after: string | null
}

/** Longer values are stored as their length and hash, so that an entry stays small. */
const maximumValueLength = 2_000

/** Returns how the log names an actor. */
export function actorText(actor: OperatorActor): string {
  if (actor.kind === 'token') return actor.kind
  return `${actor.kind}:${actor.kind === 'system' ? actor.name : actor.id}`
}

/** Returns a target as text: `order:2000003508419013`. */
export function targetText({ kind, id }: AuditTarget): string {
  return `${kind}:${id}`
}

/** Returns the target of such a text. */
export function targetOf(text: string): AuditTarget {
  const colon = text.indexOf(':')
  return { kind: text.slice(0, colon) as AuditTargetKind, id: text.slice(colon + 1) }
}

export function actorNameOf(actor: OperatorActor): string | null {
  return actor.kind === 'token' ? null : actor.name
}

/** Returns both sides of a change as JSON with only the fields that differ. */
export function changeTexts({ before, after }: AuditedChange): {
  before: string | null
  after: string | null
} {
  const [old, current] = [textsOf(before), textsOf(after)]
  const differing = [...new Set([...old.keys(), ...current.keys()])].filter(
    // A field that is missing equals one that is null, so that something new shows only what it has.
    (name) => !isSameJson(old.get(name) ?? 'null', current.get(name) ?? 'null'),
  )
  return {
    before: before && objectText(old, differing),
    after: after && objectText(current, differing),
  }
}

/** Returns whether two texts are the same JSON. The database may return the fields of an object in another order. */
function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
}

/** Returns the JSON text of each field. */
function textsOf(values: object | null): ReadonlyMap<string, string> {
  const fields = Object.entries(values ?? {}).filter(([, value]) => value !== undefined)
  return new Map(fields.map(([name, value]) => [name, shortened(JSON.stringify(value))]))
}

function shortened(text: string): string {
  if (text.length <= maximumValueLength) return text
  const sha256 = createHash('sha256').update(text).digest('hex')
  return JSON.stringify({ length: text.length, sha256 })
}

function objectText(texts: ReadonlyMap<string, string>, names: readonly string[]): string {
  const fields = names.flatMap((name) => {
    const text = texts.get(name)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(',')}}`
}
