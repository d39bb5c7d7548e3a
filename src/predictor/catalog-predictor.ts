import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { runInSlices, runWithoutPauses, type SlicedWork, type Yielder } from '../kernel/slices.ts'
import { AttributeFinder } from './attributes.ts'
import { NearbyBrands } from './brands.ts'
import { CompatibleDevices } from './compatible.ts'
import { confidenceDepth } from './confidence.ts'
import {
  buildLeafLexicon,
  type LeafLexicon,
  phraseTrustOn,
  restoreLeafLexicon,
} from './leaf-lexicon.ts'
import type { Trust } from './lexicon/lexicon.ts'
import { offeredValues, relevanceOf } from './offered-values.ts'
import { type PredictionInput, Predictor } from './predictor.ts'
import type {
  CatalogLanguage,
  PredictorAttribute,
  PredictorCategory,
  PredictorDomain,
  PredictorSource,
} from './source.ts'
import {
  decodeTables,
  digestOf,
  encodeTables,
  type PredictorTables,
  type TableStore,
} from './tables.ts'
import { type NameMap, NameTrie } from './title/name-trie.ts'
import { AttributeValueIndex, isBrandOrModel, type TitleParts } from './values.ts'

/** A category that a title may belong to, with the attribute values that the title names. */
export interface Proposal<Category extends PredictorCategory = PredictorCategory> {
  category: Category
  /** The higher, the more probable. Scores compare only within one prediction. */
  score: number
  /** How probable it is that the category is right, from 0 to 1. */
  probability: number
  attributes: readonly ProposedValue[]
}

interface ProposedValue {
  /** The id of the attribute. */
  id: string
  /** Null for a number with a unit. */
  value_id: string | null
  value_name: string
}

export interface PreparationTools {
  breathe: Yielder
  /** Keeps tables between starts. */
  store?: TableStore | undefined
}

/** Predicts categories and attribute values for one immutable catalog. Its parts are built on first use. */
export class CatalogPredictor<Category extends PredictorCategory = PredictorCategory> {
  readonly #source: PredictorSource<Category>
  readonly #names = new NameTrie()
  #lexicon: LeafLexicon<Category> | undefined
  #brands: NearbyBrands | undefined
  #compatible: CompatibleDevices | undefined
  #preparing: Promise<void> = Promise.resolve()
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
    const site = this.site(siteId)
    const all = site.predict(title, { ...input, limit: Math.max(input.limit, confidenceDepth) })
    const probabilities = site.probabilitiesOf(title, all, input.model)
    const predictions = all.slice(0, input.limit)
    const { language } = sites[siteId]
    const finders = predictions.map(({ category }) => this.valuesOf(category, language))
    const parts = this.readParts(title, language)
    return predictions.map(({ category, score }, at) => ({
      category,
      score,
      probability: probabilities[at] ?? 0,
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

  /** Makes the predictors of these sites in advance, with pauses for other work. Tables that the store has are read,
   * others are built and written to it. */
  async prepare(requested: readonly SiteId[], { breathe, store }: PreparationTools): Promise<void> {
    // One after another: two would build the same tables twice.
    this.#preparing = this.#preparing
      .catch(() => {})
      .then(() => this.#prepareSites(requested, { breathe, store }))
    await this.#preparing
  }

  async #prepareSites(
    requested: readonly SiteId[],
    { breathe, store }: PreparationTools,
  ): Promise<void> {
    const missing = requested.filter((siteId) => !this.#sites.has(siteId))
    if (missing.length === 0) return
    const trust = await this.#prepareTables({ breathe, store })
    this.#brands ??= await runInSlices(this.#buildBrands(), breathe)
    for (const siteId of missing) {
      const { language } = sites[siteId]
      if (!this.#values.has(language)) {
        this.#values.set(language, await runInSlices(this.#buildValues(language), breathe))
      }
      await breathe()
      this.#sites.set(siteId, new Predictor(siteId, this.#leafLexicon, trust.get(siteId)))
    }
  }

  async #prepareTables({ breathe, store }: PreparationTools): Promise<PredictorTables['trust']> {
    const { categories } = this.#source
    const rules = await store?.rulesDigest()
    const digest = rules && (await runInSlices(digestOf(categories, rules), breathe))
    const file = digest && (await store?.read(digest))
    const stored = file ? await runInSlices(decodeTables(file), breathe) : undefined
    if (stored) {
      this.#lexicon ??= restoreLeafLexicon(categories, stored.index)
      return stored.trust
    }
    this.#lexicon ??= await runInSlices(buildLeafLexicon(categories), breathe)
    const { lexicon } = this.#lexicon
    const trust = new Map<SiteId, Trust>()
    for (const siteId of siteIds) {
      trust.set(siteId, await runInSlices(lexicon.buildTrust(phraseTrustOn(siteId)), breathe))
    }
    if (digest && store) {
      const pieces = await runInSlices(encodeTables({ index: lexicon.index, trust }), breathe)
      // Without a place to keep them, the next start builds them again.
      await store.write(digest, pieces).catch(() => {})
    }
    return trust
  }

  /** Returns what finds the attribute values of a category. Call it before `readParts`: it registers names that a title
   * is searched for. */
  valuesOf(category: Category, language: CatalogLanguage): CategoryValues {
    this.#brands ??= runWithoutPauses(this.#buildBrands())
    return new CategoryValues(this.#finder(category, language), this.#brands.near(category))
  }

  /** Returns the parts of a title that may be attribute values. They are found once for all categories. */
  readParts(title: string, language: CatalogLanguage): TitleParts {
    return this.#valuesIn(language).findParts(this.#leafLexicon.lexicon.read(title, language))
  }

  get #leafLexicon(): LeafLexicon<Category> {
    this.#lexicon ??= runWithoutPauses(buildLeafLexicon(this.#source.categories))
    return this.#lexicon
  }

  #finder(category: Category, language: CatalogLanguage): AttributeFinder {
    const { domain: domainId } = category
    const key = `${language} ${domainId}`
    let finder = this.#finders.get(key)
    if (!finder) {
      const domain = this.#domains.get(domainId ?? '')
      const attributes = (domain?.attributes ?? []).flatMap((domainAttribute) => {
        const attribute = this.#attributes.get(domainAttribute.id)
        if (!attribute || !domain) return []
        const { id, valueType } = attribute
        // The values of all others are in the index of the language.
        const values = isBrandOrModel(id) ? offeredValues(attribute, { domain, language }) : []
        return [{ id, valueType, values, relevance: relevanceOf(domainAttribute) }]
      })
      const values = this.#valuesIn(language)
      this.#compatible ??= new CompatibleDevices(this.#source, this.#names)
      finder = new AttributeFinder(attributes, {
        values,
        calls: this.#names,
        models: domain?.models ?? [],
        compatible: domain && this.#compatible.of(category, domain),
      })
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

  #buildBrands(): SlicedWork<NearbyBrands> {
    return NearbyBrands.build(this.#source, this.#names)
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
