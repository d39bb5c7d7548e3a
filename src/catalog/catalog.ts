import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { runInSlices } from '../kernel/slices.ts'
import { CatalogPredictor, type PreparationTools } from '../predictor/catalog-predictor.ts'
import type { Predictor } from '../predictor/predictor.ts'
import { PredictionTemplate } from './prediction-template.ts'
import type { CatalogSource, SourceAttribute, SourceCategory } from './source/source.ts'
import { type AttributeView, attributesOf } from './tree/attributes.ts'
import { type CategorySettings, settingsOf } from './tree/settings.ts'
import { buildTree, type Category, type Domain, type SiteTree, treeOf } from './tree/tree.ts'

/** The parts of a catalog that have been built on demand. */
export interface BuiltParts {
  /** The sites with a tree. */
  sites: readonly SiteId[]
  /** The sites with a predictor. */
  predictors: readonly SiteId[]
}

interface PredictionRendering {
  siteId: SiteId
  /** The best first. */
  categories: readonly SourceCategory[]
  explain?: ((category: SourceCategory) => object) | undefined
}

/** An immutable catalog. Another one replaces it as a whole. Its parts are built on first use. */
export class Catalog {
  readonly createdAt: Date
  readonly source: CatalogSource
  readonly #trees = new Map<SiteId, SiteTree>()
  readonly #predictor: CatalogPredictor<SourceCategory>
  readonly #sourceAttributes: ReadonlyMap<string, SourceAttribute>
  readonly #attributes = new Map<string, readonly AttributeView[]>()
  /** By site and number of the category: a prediction looks four of them up. */
  readonly #templates = new Map<SiteId, Map<number, PredictionTemplate>>()

  constructor(source: CatalogSource, createdAt: Date) {
    this.source = source
    this.createdAt = createdAt
    this.#predictor = new CatalogPredictor(source)
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
  predictor(siteId: SiteId): Predictor<SourceCategory> {
    return this.#predictor.site(siteId)
  }

  get builtParts(): BuiltParts {
    return { sites: [...this.#trees.keys()], predictors: this.#predictor.builtSites }
  }

  /** Builds these parts in advance, with pauses for other work. */
  async prepare(
    { sites: siteIds, predictors }: BuiltParts,
    { breathe, store }: PreparationTools,
  ): Promise<void> {
    for (const siteId of siteIds) {
      if (this.#trees.has(siteId)) continue
      this.#trees.set(siteId, await runInSlices(buildTree(siteId, this.source), breathe))
    }
    await this.#predictor.prepare(predictors, { breathe, store })
  }

  category(id: string): Category | undefined {
    const siteId = siteOf(id)
    return siteId && this.tree(siteId).byId.get(id)
  }

  /** Returns an attribute with its names in all languages. Undefined for an unknown id. */
  attribute(id: string): SourceAttribute | undefined {
    return this.#sourceAttributes.get(id)
  }

  /** Renders predicted categories of a site, each as JSON text with the explanation of `explain`. */
  renderPredictions(title: string, { siteId, categories, explain }: PredictionRendering): string[] {
    if (categories.length === 0) return []
    const templates = categories.map((category) => this.#template(siteId, category))
    // The templates must exist first: they register the values for which the title is searched once.
    const parts = this.#predictor.readParts(title, sites[siteId].language)
    return templates.map((template, at) => {
      return template.render(parts, explain?.(categories[at] as SourceCategory))
    })
  }

  #template(siteId: SiteId, category: SourceCategory): PredictionTemplate {
    let templates = this.#templates.get(siteId)
    if (!templates) {
      templates = new Map()
      this.#templates.set(siteId, templates)
    }
    let template = templates.get(category.number)
    if (!template) {
      const { byId } = this.tree(siteId)
      const ofSite = byId.get(`${siteId}${category.number}`) as Category
      template = new PredictionTemplate(ofSite, {
        domainName: this.#domain(ofSite)?.name,
        values: this.#predictor.valuesOf(category, sites[siteId].language),
      })
      templates.set(category.number, template)
    }
    return template
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

/** Returns the site of an id of a category, domain or item. Undefined if it begins with no site. */
export function siteOf(id: string): SiteId | undefined {
  const site = id.slice(0, 3) as SiteId
  return siteIds.includes(site) ? site : undefined
}
