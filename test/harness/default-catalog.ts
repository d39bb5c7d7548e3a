import { openDefault } from '../../src/catalog/active-catalog.ts'
import type { Catalog } from '../../src/catalog/catalog.ts'

let catalog: Catalog | undefined

/** Returns the default catalog, which this process reads once: a catalog never changes, and reading it and
 * indexing its names takes half a second. */
export function defaultCatalog(): Catalog {
  catalog ??= openDefault()
  return catalog
}
