import type { CatalogSource, SourceCategory } from '../source/source.ts'
import { valueIdOf } from '../tree/attributes.ts'
import { atOnce, type Steps } from '../tree/slices.ts'
import { fold, wordsIn } from './parts.ts'
import { type Calls, Runs } from './runs.ts'
import { attributeValueJson } from './values.ts'

/**
 * Brands that a title may name though its domain does not offer them: those that are offered nearest by.
 * A brand that is called like a kind of thing is left out, since a title most probably means the thing.
 */
export class Brands {
  readonly #byKey: ReadonlyMap<string, SourceCategory>
  /** By category: the brands of what hangs below it, as they are told of a title. */
  readonly #below = new Map<string, Runs<string>>()
  readonly #none: Runs<string>

  /** `things`: the words that things are called by, where they have been looked for already. */
  constructor(
    { categories, domains }: Pick<CatalogSource, 'categories' | 'domains'>,
    { calls, things = atOnce(growThings(categories)) }: Naming,
  ) {
    this.#none = new Runs(calls)
    this.#byKey = new Map(categories.map((each) => [each.key, each]))
    const offered = new Map(
      domains.map(({ id, brands }) => [
        id,
        brands
          .filter((name) => !things.has(fold(name)))
          .map((name) => ({
            name,
            text: attributeValueJson('BRAND', { id: valueIdOf(name), name }),
          })),
      ]),
    )
    for (const category of categories) {
      const brands = offered.get(category.domain ?? '') ?? []
      if (brands.length === 0) continue
      for (const { key } of this.#above(category)) {
        let below = this.#below.get(key)
        if (!below) {
          below = new Runs(calls)
          this.#below.set(key, below)
        }
        for (const { name, text } of brands) below.add(name, text)
      }
    }
  }

  /** Those of the category itself, or of the nearest above it that has any. */
  near(category: SourceCategory): Runs<string> {
    for (const { key } of [category, ...this.#above(category)]) {
      const below = this.#below.get(key)
      if (below) return below
    }
    return this.#none
  }

  *#above({ parent }: SourceCategory): Generator<SourceCategory> {
    for (let at = this.#byKey.get(parent ?? ''); at; at = this.#byKey.get(at.parent ?? '')) yield at
  }
}

interface Naming {
  calls: Calls
  things?: ReadonlySet<string>
}

/** Every word that a category or a kind of what is listed in it is called by, in any language; step by
 * step. */
export function* growThings(categories: readonly SourceCategory[]): Steps<ReadonlySet<string>> {
  const things = new Set<string>()
  for (const { names, kinds } of categories) {
    for (const each of [names, ...kinds]) {
      yield
      for (const name of Object.values(each)) {
        for (const word of wordsIn(fold(name))) things.add(word)
      }
    }
  }
  return things
}
