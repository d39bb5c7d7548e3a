import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import type { Yielder } from '../kernel/slices.ts'
import { type BuiltParts, type Catalog, siteOf } from './catalog.ts'
import type { Category } from './tree/tree.ts'
import { categoryView } from './tree/views.ts'

/** The compressed download of a site's categories. */
export interface CategoryDownload {
  bytes: Buffer
  /** Headers of the answers 200 and 304. */
  headers: { readonly etag: string } & Readonly<Record<string, string>>
}

/** How long a download stays the same although numbers of listings change: 5 minutes. */
const downloadMs = 300_000

const categoriesPerPiece = 200
/** Counting takes at most this share of the time, however many listings there are. */
const countingShare = 0.05
/** Pause after a failed count before the next try. */
const retryMs = 1_000

interface ServedCatalogOptions {
  /** Opens the catalog on first use. */
  open: () => Catalog
  /** Counts the listings in each category itself. */
  count: () => Promise<ReadonlyMap<string, number>>
  now: Clock
  /** The base address of the pictures of categories. */
  pictureBaseUrl: string
}

/** The catalog in force, with cached bodies of its answers. */
export class ServedCatalog {
  readonly #options: ServedCatalogOptions
  #catalog: Catalog | undefined
  #counts: CategoryCounts | undefined
  /** Whether listings may have changed since the last count. */
  #isStale = true
  #nextCountAt = 0
  #counting: Promise<void> | undefined
  readonly #bodies = new Map<string, string>()
  readonly #attributes = new Map<string, string>()
  readonly #downloads = new Map<string, { making: Promise<CategoryDownload>; at: Date }>()

  constructor(options: ServedCatalogOptions) {
    this.#options = options
  }

  get catalog(): Catalog {
    this.#catalog ??= this.#options.open()
    return this.#catalog
  }

  get #currentCounts(): CategoryCounts {
    this.#counts ??= new CategoryCounts(this.catalog, new Map())
    return this.#counts
  }

  /** The parts that have been requested. Empty until the catalog is opened. */
  get builtParts(): BuiltParts & { downloads: readonly [SiteId, boolean][] } {
    const downloads = [...this.#downloads.keys()].map((key): [SiteId, boolean] => {
      const [siteId, withAttributes] = key.split(' ')
      return [siteId as SiteId, withAttributes === 'true']
    })
    return { ...(this.#catalog?.builtParts ?? { sites: [], predictors: [] }), downloads }
  }

  /** Builds these parts in advance, with pauses for other work. */
  async prepare(
    { downloads, ...used }: ServedCatalog['builtParts'],
    breathe: Yielder,
  ): Promise<void> {
    await this.catalog.prepare(used, breathe)
    if (used.sites.length > 0) await this.refreshCounts()
    for (const [siteId, withAttributes] of downloads) await this.download(siteId, withAttributes)
  }

  /** Marks the counts as outdated. */
  markCountsOutdated(): void {
    this.#isStale = true
  }

  /** Resolves once the counts are current, or as recent as the limit of counting allows. If counting fails, the earlier
   * counts stay. Rejects if there are none. */
  async refreshCounts(): Promise<void> {
    if (!this.#isStale || performance.now() < this.#nextCountAt) return
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined
    })
    try {
      await this.#counting
    } catch (error) {
      if (!this.#counts) throw error
      this.#nextCountAt = performance.now() + retryMs
    }
  }

  /** Counts listings by category and drops the rendered answers whose counts changed. */
  async #count(): Promise<void> {
    const startedAt = performance.now()
    this.#isStale = false
    let own: ReadonlyMap<string, number>
    try {
      own = await this.#options.count()
    } catch (error) {
      this.#isStale = true
      throw error
    }
    const counts = new CategoryCounts(this.catalog, own)
    for (const id of counts.changedSince(this.#currentCounts)) {
      this.#bodies.delete(id)
      const parent = this.catalog.category(id)?.parent
      if (parent) this.#bodies.delete(parent.id)
    }
    this.#counts = counts
    const endedAt = performance.now()
    this.#nextCountAt = endedAt + (endedAt - startedAt) / countingShare
  }

  /** Returns the body of a category as JSON text. */
  categoryJson(category: Category): string {
    let text = this.#bodies.get(category.id)
    if (text === undefined) {
      text = JSON.stringify(this.#view(category))
      this.#bodies.set(category.id, text)
    }
    return text
  }

  /** Returns the attributes of a category as JSON text. */
  attributesJson(category: Category): string {
    const key = category.domainId ?? ''
    let text = this.#attributes.get(key)
    if (text === undefined) {
      text = JSON.stringify(this.catalog.attributes(category))
      this.#attributes.set(key, text)
    }
    return text
  }

  /** Returns the download of a site's categories, from the cache if it is less than 5 minutes old. */
  async download(siteId: SiteId, withAttributes: boolean): Promise<CategoryDownload> {
    const key = `${siteId} ${withAttributes}`
    const at = this.#options.now()
    const cached = this.#downloads.get(key)
    if (cached && Math.abs(at.getTime() - cached.at.getTime()) < downloadMs) return cached.making
    const making = this.#makeDownload(siteId, { withAttributes, createdAt: at })
    this.#downloads.set(key, { making, at })
    making.catch(() => this.#downloads.delete(key))
    return making
  }

  async #makeDownload(
    siteId: SiteId,
    { withAttributes, createdAt }: { withAttributes: boolean; createdAt: Date },
  ): Promise<CategoryDownload> {
    const bytes = await pipeline(this.#pieces(siteId, withAttributes), createGzip(), buffer)
    const md5 = createHash('md5').update(bytes).digest('hex')
    const headers = {
      etag: `"${md5}"`,
      'cache-control': `public, max-age=${downloadMs / 1000}`,
      'x-content-created': timestamp(createdAt),
      'x-content-md5': md5,
    }
    return { bytes, headers }
  }

  /** Yields the text of a download in pieces, so that concurrent downloads are never complete in memory. */
  async *#pieces(siteId: SiteId, withAttributes: boolean): AsyncGenerator<string> {
    let piece = '{'
    let count = 0
    for (const category of this.catalog.tree(siteId).byId.values()) {
      const text = JSON.stringify(this.#view(category))
      const end = withAttributes ? `,"attributes":${this.attributesJson(category)}}` : '}'
      piece += `${count === 0 ? '' : ','}"${category.id}":${text.slice(0, -1)}${end}`
      if (++count % categoriesPerPiece > 0) continue
      yield piece
      piece = ''
      // There are thousands of categories: let other requests run in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    yield `${piece}}`
  }

  #view(category: Category): object {
    return categoryView(category, {
      countOf: (counted) => this.#currentCounts.countOf(counted),
      pictureBaseUrl: this.#options.pictureBaseUrl,
      dateCreated: this.catalog.createdAt,
      siteId: siteOf(category.id) ?? (siteIds[0] as SiteId),
      hasAttributes: (checked) => this.catalog.attributes(checked).length > 0,
    })
  }
}

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
