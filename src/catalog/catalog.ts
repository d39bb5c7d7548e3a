import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { AttributeFinder } from './predictor/attributes.ts'
import { collectGoodsWords, NearbyBrands } from './predictor/brands.ts'
import {
  buildLeafLexicon,
  type LeafLexicon,
  leafLexiconOf,
} from './predictor/lexicon/leaf-lexicon.ts'
import { PredictionTemplate } from './predictor/prediction-template.ts'
import { Predictor } from './predictor/predictor.ts'
import { NameTrie } from './predictor/title/name-trie.ts'
import { AttributeValueIndex } from './predictor/values.ts'
import type { CatalogLanguage, CatalogSource, SourceAttribute } from './source/source.ts'
import { type AttributeView, attributesOf } from './tree/attributes.ts'
import { type CategorySettings, settingsOf } from './tree/settings.ts'
import { runInSlices, runWithoutPauses, type SlicedWork, type Yielder } from './tree/slices.ts'
import { buildTree, type Category, type Domain, type SiteTree, treeOf } from './tree/tree.ts'

/** The parts of a catalog that have been built on demand. */
export interface BuiltParts {
  /** The sites with a tree. */
  sites: readonly SiteId[]
  /** The sites with a predictor. */
  predictors: readonly SiteId[]
}

/** An immutable catalog. Another one replaces it as a whole. Its parts are built on first use. */
export class Catalog {
  readonly createdAt: Date
  readonly source: CatalogSource
  readonly #trees = new Map<SiteId, SiteTree>()
  #called: LeafLexicon | undefined
  readonly #calls = new NameTrie()
  #brands: NearbyBrands | undefined
  readonly #predictors = new Map<SiteId, Predictor>()
  readonly #sourceAttributes: ReadonlyMap<string, SourceAttribute>
  readonly #attributes = new Map<string, readonly AttributeView[]>()
  readonly #values = new Map<CatalogLanguage, AttributeValueIndex>()
  /** Finders by language and domain. */
  readonly #finders = new Map<string, AttributeFinder>()
  readonly #proposals = new WeakMap<Category, PredictionTemplate>()

  constructor(source: CatalogSource, createdAt: Date) {
    this.source = source
    this.createdAt = createdAt
    this.#sourceAttributes = new Map(
      source.attributes.map((attribute) => [attribute.id, attribute]),
    )
  }

  /** Returns the tree of a site. It is built on first use, because most marketplaces use few sites. */
  tree(siteId: SiteId): SiteTree {
    let tree = this.#trees.get(siteId)
    if (!tree) {
      tree = treeOf(siteId, this.source)
      this.#trees.set(siteId, tree)
    }
    return tree
  }

  /** Returns the predictor of a site. It is built on first use. */
  predictor(siteId: SiteId): Predictor {
    let predictor = this.#predictors.get(siteId)
    if (!predictor) {
      predictor = new Predictor(this.tree(siteId), this.#calledHere())
      this.#predictors.set(siteId, predictor)
    }
    return predictor
  }

  get builtParts(): BuiltParts {
    return { sites: [...this.#trees.keys()], predictors: [...this.#predictors.keys()] }
  }

  /** Builds these parts in advance, with pauses for other work. */
  async prepare({ sites: siteIds, predictors }: BuiltParts, breathe: Yielder): Promise<void> {
    for (const siteId of siteIds) {
      if (this.#trees.has(siteId)) continue
      this.#trees.set(siteId, await runInSlices(buildTree(siteId, this.source), breathe))
    }
    if (predictors.length === 0) return
    this.#called ??= await runInSlices(buildLeafLexicon(this.source.categories), breathe)
    const goodsWords = await runInSlices(collectGoodsWords(this.source.categories), breathe)
    this.#brands ??= new NearbyBrands(this.source, { calls: this.#calls, goodsWords })
    for (const siteId of predictors) {
      const { language } = sites[siteId]
      if (!this.#values.has(language)) {
        this.#values.set(language, await runInSlices(this.#growValues(language), breathe))
      }
      await breathe()
      this.predictor(siteId)
    }
  }

  category(id: string): Category | undefined {
    const siteId = siteOf(id)
    return siteId && this.tree(siteId).byId.get(id)
  }

  /** Returns an attribute with its names in all languages. Undefined for an unknown id. */
  attribute(id: string): SourceAttribute | undefined {
    return this.#sourceAttributes.get(id)
  }

  /** Renders categories of one site as predictions for a title, each as JSON text with the explanation of `explain`. */
  renderPredictions(
    title: string,
    categories: readonly Category[],
    explain?: (category: Category) => object,
  ): string[] {
    const [first] = categories
    if (!first) return []
    const proposals = categories.map((category) => {
      return { category, proposal: this.#proposal(category) }
    })
    // The proposals must exist first: they register the values for which the title is searched once.
    const words = this.#calledHere().lexicon.read(title)
    const parts = this.#valuesIn(languageOf(first)).findParts(words)
    return proposals.map(({ category, proposal }) => {
      return proposal.render(parts, explain?.(category))
    })
  }

  #calledHere(): LeafLexicon {
    this.#called ??= leafLexiconOf(this.source.categories)
    return this.#called
  }

  #proposal(category: Category): PredictionTemplate {
    let proposal = this.#proposals.get(category)
    if (!proposal) {
      this.#brands ??= new NearbyBrands(this.source, { calls: this.#calls })
      proposal = new PredictionTemplate(category, {
        domainName: this.#domain(category)?.name,
        finder: this.#finder(category),
        brands: this.#brands.near(category.source),
      })
      this.#proposals.set(category, proposal)
    }
    return proposal
  }

  /** Returns the finder of a category's domain. Sites of one language share it. */
  #finder(category: Category): AttributeFinder {
    const language = languageOf(category)
    const key = `${language} ${category.source.domain}`
    let finder = this.#finders.get(key)
    if (!finder) {
      const values = this.#valuesIn(language)
      finder = new AttributeFinder(this.attributes(category), { values, calls: this.#calls })
      this.#finders.set(key, finder)
    }
    return finder
  }

  #valuesIn(language: CatalogLanguage): AttributeValueIndex {
    let values = this.#values.get(language)
    if (!values) {
      values = runWithoutPauses(this.#growValues(language))
      this.#values.set(language, values)
    }
    return values
  }

  #growValues(language: CatalogLanguage): SlicedWork<AttributeValueIndex> {
    return AttributeValueIndex.build(this.source.attributes, { language, calls: this.#calls })
  }

  /** Returns the settings of a category. */
  settings({ id, source, children, domainId }: Category): CategorySettings {
    const siteId = siteOf(id) ?? (siteIds[0] as SiteId)
    const isParent = children.length > 0
    return settingsOf({
      vertical: source.vertical,
      siteId,
      isParent,
      domainId,
      overrides: source.settings,
    })
  }

  /** Returns the attributes of listings in a category. Empty for a category without a domain, as those with children usually are. */
  attributes(category: Category): readonly AttributeView[] {
    const domain = this.#domain(category)
    const siteId = siteOf(category.id)
    if (!domain || !siteId) return []
    let attributes = this.#attributes.get(domain.id)
    if (!attributes) {
      attributes = attributesOf(domain.source, { attributesById: this.#sourceAttributes, siteId })
      this.#attributes.set(domain.id, attributes)
    }
    return attributes
  }

  #domain({ id, domainId }: Category): Domain | undefined {
    const siteId = siteOf(id)
    return siteId && this.tree(siteId).domains.get(domainId ?? '')
  }
}

function languageOf({ id }: Category): CatalogLanguage {
  return sites[siteOf(id) ?? (siteIds[0] as SiteId)].language
}

/** Returns the site of an id of a category, domain or item. Undefined if it begins with no site. */
export function siteOf(id: string): SiteId | undefined {
  const site = id.slice(0, 3) as SiteId
  return siteIds.includes(site) ? site : undefined
}
