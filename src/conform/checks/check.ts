import type { Rule } from './rules.ts'
import type { Shape } from './shape.ts'

/**
 * The caller of a check: the seller, the buyer of one of the seller's orders, a user who is no party to them
 * (`stranger`), the seller with a read-only token (`reader`) or with one of no application (`unbound`), a caller without
 * a token (`nobody`) or with an invalid one (`intruder`).
 */
export type CallerRole =
  | 'seller'
  | 'buyer'
  | 'stranger'
  | 'reader'
  | 'unbound'
  | 'nobody'
  | 'intruder'

/** A request and what the contract requires of its answer. */
export interface ConformCheck {
  /** The section of the contract, such as `4.3`. */
  section: string
  /** The requirement, in a sentence. */
  says: string
  /** `GET /orders/{order}`. The server is searched for the names in braces. */
  ask: string
  /** The caller. Default: the seller. */
  as?: CallerRole
  headers?: Readonly<Record<string, string>>
  /** The body: JSON in which names in braces are filled in, or a text that is sent unchanged. */
  send?: unknown
  /** A file to send as the part `file` of a form. */
  file?: { name: string; type: string; bytes: Uint8Array | number }
  /** The status, or the allowed ones. */
  gives: number | readonly number[]
  body?: Shape
  /** Headers of the answer with their patterns. */
  head?: Readonly<Record<string, RegExp>>
  /** Further rules for the answer. */
  holds?: readonly Rule[]
  /** The contract does not fix this behavior. */
  open?: true
  /** Creates or changes something: runs only with `--write`. */
  writes?: true
  /** Values of the answer that later checks use, by their path: `{ note: 'note.id' }`. */
  keeps?: Readonly<Record<string, string>>
  /** Repeated for up to ten seconds, because its effect is asynchronous. */
  patient?: true
}
