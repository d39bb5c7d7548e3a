import { type SiteId, sites } from '../kernel/sites.ts'
import { runInSlices, runWithoutPauses, type SlicedWork, type Yielder } from '../kernel/slices.ts'
import { AttributeFinder } from './attributes.ts'
import { collectGoodsWords, NearbyBrands } from './brands.ts'
import { buildLeafLexicon, type LeafLexicon } from './leaf-lexicon.ts'
import { offeredValues, relevanceOf } from './offered-values.ts'
import { type PredictionInput, Predictor } from './predictor.ts'
import type {
  CatalogLanguage,
  PredictorAttribute,
  PredictorCategory,
  PredictorDomain,
  PredictorSource,
} from './source.ts'
import { type NameMap, NameTrie } from './title/name-trie.ts'
import { AttributeValueIndex, type TitleParts } from './values.ts'

/** A category that a title may belong to, with the attribute values that the title names. */
export interface Proposal<Category extends PredictorCategory = PredictorCategory> {
  category: Category
  /** The higher, the more probable. Scores compare only within one prediction. */
  score: number
  attributes: readonly ProposedValue[]
}

interface ProposedValue {
  /** The id of the attribute. */
  id: string
  /** Null for a number with a unit. */
  value_id: string | null
  value_name: string
}

/** Predicts categories and attribute values for one immutable catalog. Its parts are built on first use. */
export class CatalogPredictor<Category extends PredictorCategory = PredictorCategory> {
  readonly #source: PredictorSource<Category>
  readonly #names = new NameTrie()
  #lexicon: LeafLexicon<Category> | undefined
  #brands: NearbyBrands | undefined
  readonly #sites = new Map<SiteId, Predictor<Category>>()
  readonly #values = new Map<CatalogLanguage, AttributeValueIndex>()
  readonly #attributes: ReadonlyMap<string, PredictorAttribute>
  readonly #domains: ReadonlyMap<string, PredictorDomain>
  /** Finders by language and domain. Sites of one language share them. */
  readonly #finders = new Map<string, AttributeFinder>()

  constructor(source: PredictorSource<Category>) {
    this.#source = source
    this.#attributes = new Map(source.attributes.map((attribute) => [attribute.id, attribute]))
    this.#domains = new Map(source.domains.map((domain) => [domain.id, domain]))
  }

  /** Returns the most probable leaf categories of a title, the best first, with the values that it names. */
  predict(title: string, { siteId, ...input }: ProposalInput<Category>): Proposal<Category>[] {
    const predictions = this.site(siteId).predict(title, input)
    const { language } = sites[siteId]
    const finders = predictions.map(({ category }) => this.valuesOf(category, language))
    const parts = this.readParts(title, language)
    return predictions.map(({ category, score }, at) => ({
      category,
      score,
      attributes: JSON.parse(`[${finders[at]?.renderIn(parts) ?? ''}]`) as ProposedValue[],
    }))
  }

  /** Returns the predictor of the categories of a site. */
  site(siteId: SiteId): Predictor<Category> {
    let predictor = this.#sites.get(siteId)
    if (!predictor) {
      predictor = new Predictor(siteId, this.#leafLexicon)
      this.#sites.set(siteId, predictor)
    }
    return predictor
  }

  /** The sites with a predictor. */
  get builtSites(): readonly SiteId[] {
    return [...this.#sites.keys()]
  }

  /** Builds the predictors of these sites in advance, with pauses for other work. */
  async prepare(siteIds: readonly SiteId[], breathe: Yielder): Promise<void> {
    if (siteIds.length === 0) return
    const { categories } = this.#source
    this.#lexicon ??= await runInSlices(buildLeafLexicon(categories), breathe)
    if (!this.#brands) {
      const goodsWords = await runInSlices(collectGoodsWords(categories), breathe)
      this.#brands = new NearbyBrands(this.#source, { calls: this.#names, goodsWords })
    }
    for (const siteId of siteIds) {
      const { language } = sites[siteId]
      if (!this.#values.has(language)) {
        this.#values.set(language, await runInSlices(this.#buildValues(language), breathe))
      }
      await breathe()
      this.site(siteId)
    }
  }

  /** Returns what finds the attribute values of a category. Call it before `readParts`: it registers names that a title
   * is searched for. */
  valuesOf(category: Category, language: CatalogLanguage): CategoryValues {
    this.#brands ??= new NearbyBrands(this.#source, { calls: this.#names })
    return new CategoryValues(this.#finder(category, language), this.#brands.near(category))
  }

  /** Returns the parts of a title that may be attribute values. They are found once for all categories. */
  readParts(title: string, language: CatalogLanguage): TitleParts {
    return this.#valuesIn(language).findParts(this.#leafLexicon.lexicon.read(title))
  }

  get #leafLexicon(): LeafLexicon<Category> {
    this.#lexicon ??= runWithoutPauses(buildLeafLexicon(this.#source.categories))
    return this.#lexicon
  }

  #finder({ domain: domainId }: Category, language: CatalogLanguage): AttributeFinder {
    const key = `${language} ${domainId}`
    let finder = this.#finders.get(key)
    if (!finder) {
      const domain = this.#domains.get(domainId ?? '')
      const attributes = (domain?.attributes ?? []).flatMap((domainAttribute) => {
        const attribute = this.#attributes.get(domainAttribute.id)
        if (!attribute || !domain) return []
        const { id, valueType } = attribute
        const values = offeredValues(attribute, { domain, language })
        return [{ id, valueType, values, relevance: relevanceOf(domainAttribute) }]
      })
      const values = this.#valuesIn(language)
      finder = new AttributeFinder(attributes, { values, calls: this.#names })
      this.#finders.set(key, finder)
    }
    return finder
  }

  #valuesIn(language: CatalogLanguage): AttributeValueIndex {
    let values = this.#values.get(language)
    if (!values) {
      values = runWithoutPauses(this.#buildValues(language))
      this.#values.set(language, values)
    }
    return values
  }

  #buildValues(language: CatalogLanguage): SlicedWork<AttributeValueIndex> {
    return AttributeValueIndex.build(this.#source.attributes, { language, calls: this.#names })
  }
}

/** Finds the attribute values of one category. */
export class CategoryValues {
  readonly #finder: AttributeFinder
  readonly #brands: NameMap<string>

  constructor(finder: AttributeFinder, brands: NameMap<string>) {
    this.#finder = finder
    this.#brands = brands
  }

  /** Returns the values that a title names as JSON texts, separated by commas. */
  renderIn(parts: TitleParts): string {
    return this.#finder.valuesIn(parts, this.#brands)
  }
}

interface ProposalInput<Category> extends PredictionInput<Category> {
  siteId: SiteId
}
