import type { Rule } from './rules.ts'
import type { Shape } from './shape.ts'

/** Who asks: the seller whose token was given, the buyer of one of the seller's orders, a user who has
 * nothing to do with them, the seller with a token that may only read or that is of no application,
 * somebody without a token, or one with a token that is none. */
export type Who = 'seller' | 'buyer' | 'stranger' | 'reader' | 'unbound' | 'nobody' | 'intruder'

/** One promise of the contract, as a request and what must come back. */
export interface Check {
  /** Of the contract, `4.3`. */
  section: string
  /** What is promised, in a sentence. */
  says: string
  /** `GET /orders/{order}`; what stands in braces is found by asking the server. */
  ask: string
  /** The seller, unless said otherwise. */
  as?: Who
  headers?: Readonly<Record<string, string>>
  /** The body: sent as JSON, with what stands in braces filled in; a text is sent as it is. */
  send?: unknown
  /** A file, sent as the part `file` of a form. */
  file?: { name: string; type: string; bytes: Uint8Array | number }
  /** The status, or any of several. */
  gives: number | readonly number[]
  body?: Shape
  /** Headers of the answer, each with what must be in it. */
  head?: Readonly<Record<string, RegExp>>
  /** What else must hold of the answer. */
  holds?: readonly Rule[]
  /** The contract leaves it open; this is how the interface it describes is known to behave. */
  open?: true
  /** Makes or changes something: done with `--write` only. */
  writes?: true
  /** What later checks need of the answer, by its place: `{ note: 'note.id' }`. */
  keeps?: Readonly<Record<string, string>>
  /** Asked again for up to ten seconds: what it looks for happens a little later. */
  patient?: true
}
