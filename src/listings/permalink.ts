import type { Listing } from './listing.ts'

/** Where people read an item: the address that the operator has given it, or its page here. `base` is the
 * address of this service. */
export function permalinkOf(
  { id, permalink }: Pick<Listing, 'id' | 'permalink'>,
  base: string,
): string {
  return permalink ?? `${base}/listings/${id}`
}
