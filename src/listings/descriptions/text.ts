import type { Breach } from '../../kernel/failure.ts'
import { invalid } from '../sell/breach.ts'
import type { Limits } from '../sell/limits.ts'

/** What is wrong with words for an item (contract 2.13, `max_description_length`). */
export function wrongText(
  text: string,
  {
    limits: { longestDescription },
    isFirst,
    isThere,
  }: {
    limits: Pick<Limits, 'longestDescription'>
    /** Whether there must be none yet. */
    isFirst: boolean
    isThere: boolean
  },
): Breach | undefined {
  const field = 'plain_text'
  if (isFirst && isThere) {
    return { ...invalid('description', 'a first one: there is one, which PUT changes'), field }
  }
  if (text.trim() === '') {
    return { ...invalid('description', 'a text that is not blank'), field }
  }
  if ([...text].length <= longestDescription) return undefined
  const expected = `at most ${longestDescription} characters in this category`
  return { code: 'item.description.max', field, expected }
}
