import type { FieldError } from '../../kernel/failure.ts'
import { invalid } from './breach.ts'
import type { ListingLimits } from './limits.ts'

/** Returns what is wrong with the description of an item, if anything. */
export function findDescriptionBreach(
  text: string,
  {
    limits: { maxDescriptionLength },
    isFirst,
    isThere,
  }: {
    limits: Pick<ListingLimits, 'maxDescriptionLength'>
    /** Whether the item must not have a description yet. */
    isFirst: boolean
    isThere: boolean
  },
): FieldError | undefined {
  const field = 'plain_text'
  if (isFirst && isThere) {
    return { ...invalid('description', 'no description yet: use PUT to replace it'), field }
  }
  if (text.trim() === '') {
    return { ...invalid('description', 'a text that is not blank'), field }
  }
  if ([...text].length <= maxDescriptionLength) return undefined
  const expected = `at most ${maxDescriptionLength} characters in this category`
  return { code: 'item.description.max', field, expected }
}
