import type { Listing } from './listing.ts'

/** Returns the address of the page of an item: the one that the operator set, or the page here. `base` is the address
 * of this service. */
export function permalinkOf(
  { id, permalink }: Pick<Listing, 'id' | 'permalink'>,
  base: string,
): string {
  return permalink ?? `${base}/listings/${id}`
}
