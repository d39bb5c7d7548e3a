import { runWithoutPauses, type SlicedWork } from '../kernel/slices.ts'
import { valueIdOf } from './offered-values.ts'
import type { PredictorCategory, PredictorSource } from './source.ts'
import { NameMap, type NameTrie } from './title/name-trie.ts'
import { foldText, splitWords } from './title/tokenize.ts'
import { attributeValueJson } from './values.ts'

/**
 * Brands that a title may name although its domain does not offer them: those of nearby categories. A brand with the name
 * of a kind of goods is left out, because a title most probably means the goods.
 */
export class NearbyBrands {
  readonly #byKey: ReadonlyMap<string, PredictorCategory>
  /** The brands of all categories below each category. */
  readonly #below = new Map<string, NameMap<string>>()
  readonly #none: NameMap<string>

  /** `goodsWords` are those of `collectGoodsWords`, if they exist already. */
  constructor(
    { categories, domains }: Pick<PredictorSource, 'categories' | 'domains'>,
    { calls, goodsWords = runWithoutPauses(collectGoodsWords(categories)) }: NearbyBrandsOptions,
  ) {
    this.#none = new NameMap(calls)
    this.#byKey = new Map(categories.map((category) => [category.key, category]))
    const offered = new Map(
      domains.map(({ id, brands }) => [
        id,
        brands
          .filter((name) => !goodsWords.has(foldText(name)))
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
          below = new NameMap(calls)
          this.#below.set(key, below)
        }
        for (const { name, text } of brands) below.add(name, text)
      }
    }
  }

  /** Returns the brands of a category, or of its nearest ancestor that has any. */
  near(category: PredictorCategory): NameMap<string> {
    for (const { key } of [category, ...this.#above(category)]) {
      const below = this.#below.get(key)
      if (below) return below
    }
    return this.#none
  }

  *#above({ parent }: PredictorCategory): Generator<PredictorCategory> {
    let ancestor = this.#byKey.get(parent ?? '')
    for (; ancestor; ancestor = this.#byKey.get(ancestor.parent ?? '')) yield ancestor
  }
}

interface NearbyBrandsOptions {
  calls: NameTrie
  goodsWords?: ReadonlySet<string>
}

/** Collects, in steps, the words of the names of all categories and of the goods in them (`kinds`), in every language.
 * They are single folded words, so a brand of several words is never taken for goods. */
export function* collectGoodsWords(
  categories: readonly PredictorCategory[],
): SlicedWork<ReadonlySet<string>> {
  const words = new Set<string>()
  for (const { names, kinds } of categories) {
    for (const translations of [names, ...kinds]) {
      yield
      for (const name of Object.values(translations)) {
        for (const word of splitWords(foldText(name))) words.add(word)
      }
    }
  }
  return words
}
