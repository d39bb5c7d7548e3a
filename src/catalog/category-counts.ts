import type { Catalog } from './catalog.ts'
import type { Category } from './tree/tree.ts'

/** The numbers of listings by category, including those in all categories below it. */
export class CategoryCounts {
  readonly #totals: ReadonlyMap<string, number>

  /** `own` has the numbers of listings in each category itself. */
  constructor(catalog: Catalog, own: ReadonlyMap<string, number>) {
    const totals = new Map<string, number>()
    for (const [id, n] of own) {
      for (const { id: ancestorId } of catalog.category(id)?.path ?? []) {
        totals.set(ancestorId, (totals.get(ancestorId) ?? 0) + n)
      }
    }
    this.#totals = totals
  }

  countOf({ id }: Pick<Category, 'id'>): number {
    return this.#totals.get(id) ?? 0
  }

  /** Returns the categories whose numbers differ in `other`. */
  changedSince(other: CategoryCounts): Set<string> {
    const ids = new Set([...this.#totals.keys(), ...other.#totals.keys()])
    return new Set([...ids].filter((id) => this.countOf({ id }) !== other.countOf({ id })))
  }
}
