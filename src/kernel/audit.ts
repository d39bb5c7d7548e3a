import type { OperatorActor } from './operator-actor.ts'

/** What an operation of the operator changes, as a target in the audit log. */
export const auditTargetKinds = [
  'answer_fault',
  'application',
  'authorization',
  'catalog_version',
  'claim',
  'clock',
  'conversation',
  'currency_rate',
  'fault',
  'import',
  'invoice',
  'job',
  'listener',
  'listing',
  'message',
  'moderation_rule',
  'moderation_term',
  'notification',
  'operator_account',
  'operator_key',
  'operator_role',
  'operator_session',
  'operator_token',
  'order',
  'picture',
  'question',
  'quotation',
  'receiver_fault',
  'replay',
  'shipment',
  'simulation',
  'snapshot',
  'synonym',
  'token',
  'trigger',
  'user',
] as const
export type AuditTargetKind = (typeof auditTargetKinds)[number]

/** What an entry of the audit log is about. */
export interface AuditTarget {
  readonly kind: AuditTargetKind
  readonly id: string
}

/** The longest reason that an operator may give for a change, in characters. */
export const maximumReasonLength = 500

/** Values before and after a change, by field. Null: there was nothing before, or there is nothing after. */
export interface AuditedChange {
  readonly before: object | null
  readonly after: object | null
}

/**
 * What the code of an operation says about its change, for its entry in the audit log. Only calls before the commit of
 * the first transaction reach the entry, except `result`. A call replaces an earlier one, because a transaction may run
 * again.
 */
export interface AuditNotes {
  /** Names who acts, where the operation itself finds out: signing in. */
  actor(actor: OperatorActor): void
  /** Names the target by its id. Default: the parameters of the path. */
  target(id: string | number): void
  /** Names another target under which the entry is found, such as the order of a claim. */
  relate(kind: AuditTargetKind, id: string | number): void
  /** Describes the change. Only the fields that differ are kept. No personal values and no secrets. */
  change(change: AuditedChange): void
  /** Describes the personal values of a user that change. They are stored apart, so that they can be erased. */
  personal(userId: number, change: AuditedChange): void
  /** Adds counts that are known only when the operation has ended, such as those of an import. */
  result(result: object): Promise<void>
}

/** For everything but operations of the operator: notes that nobody keeps. */
export const unaudited: AuditNotes = {
  actor: () => {},
  target: () => {},
  relate: () => {},
  change: () => {},
  personal: () => {},
  result: async () => {},
}
