import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { type Catalog, type InUse, siteOf } from './catalog.ts'
import { Counts } from './counts.ts'
import type { Breathe } from './tree/slices.ts'
import type { Category } from './tree/tree.ts'
import { categoryView } from './tree/views.ts'

/** A tree to download, as it is sent (contract 4.4). */
export interface Download {
  bytes: Buffer
  /** What they tell of it, whether it is sent or known already. */
  headers: { readonly etag: string } & Readonly<Record<string, string>>
}

/** How long a download is what it is, though listings come and go (contract 8). */
const downloadMs = 300_000

const writtenAtOnce = 200
/** Counting takes no more than this part of the time, however many listings there are. */
const countingShare = 0.05
/** Before it is tried again after it failed. */
const retryMs = 1_000

interface Options {
  /** Reads the catalogue, when it is first asked for. */
  open: () => Catalog
  /** Counts what is listed in each category itself. */
  count: () => Promise<ReadonlyMap<string, number>>
  now: Clock
  /** Where pictures of categories are shown. */
  pictures: string
}

/** The catalogue that is served now, and the bodies made of it. */
export class ServedCatalog {
  readonly #options: Options
  #catalog: Catalog | undefined
  #counts: Counts | undefined
  /** Whether listings may have changed since they were counted, and from when on to count again. */
  #isStale = true
  #nextCountAt = 0
  #counting: Promise<void> | undefined
  readonly #bodies = new Map<string, string>()
  readonly #attributes = new Map<string, string>()
  readonly #downloads = new Map<string, { making: Promise<Download>; at: Date }>()

  constructor(options: Options) {
    this.#options = options
  }

  get catalog(): Catalog {
    this.#catalog ??= this.#options.open()
    return this.#catalog
  }

  get #known(): Counts {
    this.#counts ??= new Counts(this.catalog, new Map())
    return this.#counts
  }

  /** What of it has been asked for: nothing, as long as the catalogue itself has not. */
  get inUse(): InUse & { downloads: readonly [SiteId, boolean][] } {
    const downloads = [...this.#downloads.keys()].map((key): [SiteId, boolean] => {
      const [siteId, withAttributes] = key.split(' ')
      return [siteId as SiteId, withAttributes === 'true']
    })
    return { ...(this.#catalog?.inUse ?? { sites: [], predictors: [] }), downloads }
  }

  /** Makes beforehand what will be asked for, a little at a time. */
  async prepare({ downloads, ...used }: ServedCatalog['inUse'], breathe: Breathe): Promise<void> {
    await this.catalog.prepare(used, breathe)
    if (used.sites.length > 0) await this.counted()
    for (const [siteId, withAttributes] of downloads) await this.download(siteId, withAttributes)
  }

  /** Listings have come, gone or changed. */
  listingsChanged(): void {
    this.#isStale = true
  }

  /** Resolves once counts are those of now, or as new as counting them all the time would make them. Those
   * of before do while nobody can count; rejects where there are none. */
  async counted(): Promise<void> {
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

  async #count(): Promise<void> {
    const began = performance.now()
    this.#isStale = false
    let own: ReadonlyMap<string, number>
    try {
      own = await this.#options.count()
    } catch (error) {
      this.#isStale = true
      throw error
    }
    const counts = new Counts(this.catalog, own)
    for (const id of counts.changed(this.#known)) {
      this.#bodies.delete(id)
      const parent = this.catalog.category(id)?.parent
      if (parent) this.#bodies.delete(parent.id)
    }
    this.#counts = counts
    const ended = performance.now()
    this.#nextCountAt = ended + (ended - began) / countingShare
  }

  /** A category's body as JSON text (contract 2.13). */
  body(category: Category): string {
    let text = this.#bodies.get(category.id)
    if (text === undefined) {
      text = JSON.stringify(this.#view(category))
      this.#bodies.set(category.id, text)
    }
    return text
  }

  /** Its attributes as JSON text (contract 2.14). */
  attributesBody(category: Category): string {
    const key = category.domainId ?? ''
    let text = this.#attributes.get(key)
    if (text === undefined) {
      text = JSON.stringify(this.catalog.attributes(category))
      this.#attributes.set(key, text)
    }
    return text
  }

  /** All categories of a site, by their ids, compressed (contract 4.4). */
  async download(siteId: SiteId, withAttributes: boolean): Promise<Download> {
    const key = `${siteId} ${withAttributes}`
    const at = this.#options.now()
    const known = this.#downloads.get(key)
    if (known && Math.abs(at.getTime() - known.at.getTime()) < downloadMs) return known.making
    const making = this.#makeDownload(siteId, { withAttributes, createdAt: at })
    this.#downloads.set(key, { making, at })
    making.catch(() => this.#downloads.delete(key))
    return making
  }

  async #makeDownload(
    siteId: SiteId,
    { withAttributes, createdAt }: { withAttributes: boolean; createdAt: Date },
  ): Promise<Download> {
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

  /** The text of a download in pieces: downloads that are made at the same time are never whole in memory. */
  async *#pieces(siteId: SiteId, withAttributes: boolean): AsyncGenerator<string> {
    let piece = '{'
    let count = 0
    for (const category of this.catalog.tree(siteId).byId.values()) {
      const text = JSON.stringify(this.#view(category))
      const more = withAttributes ? `,"attributes":${this.attributesBody(category)}}` : '}'
      piece += `${count === 0 ? '' : ','}"${category.id}":${text.slice(0, -1)}${more}`
      if (++count % writtenAtOnce > 0) continue
      yield piece
      piece = ''
      // Thousands of them: who asks for something else meanwhile is answered in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    yield `${piece}}`
  }

  #view(category: Category): object {
    return categoryView(category, {
      countOf: (each) => this.#known.of(each),
      pictures: this.#options.pictures,
      dateCreated: this.catalog.createdAt,
      siteId: siteOf(category.id) ?? (siteIds[0] as SiteId),
      hasAttributes: (each) => this.catalog.attributes(each).length > 0,
    })
  }
}
