import { badField } from '../../../kernel/failure.ts'
import { parseId } from '../../../kernel/ids.ts'
import { fold, wordsOf } from '../../../kernel/text.ts'

/** What a phrase of the operator may mean, by its form alone. An order matches if one of the meanings does. */
export interface PhraseForms {
  /** Ids of orders, packs, payments, shipments or users, if every word is a whole number; otherwise none. */
  readonly ids: readonly number[]
  /** An e-mail address in lower case. */
  readonly email: string | null
  /** The beginning of a nickname, without case and accents. */
  readonly nickname: string
  /** A seller's code of an item, or a tracking number. */
  readonly code: string
  /** Words of titles, or ids of items. The lines of an order have all of them. */
  readonly words: readonly string[]
}

const maxLength = 200
const maxWords = 20
const emailForm = /^[^\s@]+@[^\s@]+$/

/** Parses the text of `q`. Null if it is empty. Throws `bad_request` for a text that is too long. */
export function parsePhrase(text: string | undefined): PhraseForms | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if (trimmed.length > maxLength) throw badField('q', `at most ${maxLength} characters`)
  const parts = trimmed.split(/\s+/)
  const words = wordsOf(trimmed)
  if (Math.max(parts.length, words.length) > maxWords) {
    throw badField('q', `at most ${maxWords} words`)
  }
  const ids = parts.map(parseId)
  return {
    ids: ids.every((id) => id !== undefined) ? [...new Set(ids)] : [],
    email: emailForm.test(trimmed) ? trimmed.toLowerCase() : null,
    nickname: fold(trimmed),
    code: trimmed,
    words,
  }
}
