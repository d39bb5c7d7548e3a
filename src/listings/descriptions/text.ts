import type { Breach } from '../../kernel/failure.ts'
import { invalid } from '../sell/breach.ts'
import type { Limits } from '../sell/limits.ts'

/** Returns what is wrong with the description of an item, if anything. */
export function wrongText(
  text: string,
  {
    limits: { longestDescription },
    isFirst,
    isThere,
  }: {
    limits: Pick<Limits, 'longestDescription'>
    /** Whether the item must not have a description yet. */
    isFirst: boolean
    isThere: boolean
  },
): Breach | undefined {
  const field = 'plain_text'
  if (isFirst && isThere) {
    return { ...invalid('description', 'no description yet: use PUT to replace it'), field }
  }
  if (text.trim() === '') {
    return { ...invalid('description', 'a text that is not blank'), field }
  }
  if ([...text].length <= longestDescription) return undefined
  const expected = `at most ${longestDescription} characters in this category`
  return { code: 'item.description.max', field, expected }
}
