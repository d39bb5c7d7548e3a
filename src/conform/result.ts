import type { CallerRole } from './checks/check.ts'

/** The result of a check. */
export interface CheckResult {
  section: string
  /** The requirement, in a sentence. */
  says: string
  /** The request, such as `GET /orders/1`. */
  request: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** How the answer of a failed check differs from the contract. */
  differences: readonly string[]
  /** What a skipped check lacks. */
  lacks?: MissingInput
  /** The contract does not fix this behavior. */
  isOpen: boolean
}

/** What a check lacks: the permission to write, the token of a role, or a value, with the reason why there is none. */
export type MissingInput =
  | { kind: 'permission' }
  | { kind: 'token'; role: CallerRole }
  | { kind: 'value'; name: string; reason: string }

/**
 * Why a run cannot begin: the token is not one of a seller, the operator's token is refused, or the server lacks
 * something that the operator's part of a run is made of.
 */
export type ConformFailureReason =
  | 'not_a_seller'
  | 'operator_refused'
  | 'no_third_user'
  | 'no_value'

/** A run of checks cannot begin. The message is for the person who runs it. */
export class ConformFailure extends Error {
  override name = 'ConformFailure'
  readonly reason: ConformFailureReason

  constructor(reason: ConformFailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}
