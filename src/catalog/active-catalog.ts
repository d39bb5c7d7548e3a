import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { makeYielder } from '../kernel/slices.ts'
import type { Context } from '../platform/context.ts'
import { Catalog } from './catalog.ts'
import { PredictorFiles } from './predictor-files.ts'
import { ServedCatalog } from './served-catalog.ts'
import { defaultCreatedAt, readDefaultNumbers, readDefaultSource } from './source/default.ts'

declare module '../platform/context.ts' {
  interface Context {
    readonly catalog: ActiveCatalog
  }
}

const folder = fileURLToPath(new URL('../../catalog', import.meta.url))

export interface ActiveCatalogOptions {
  /** Counts the active listings by category. */
  countListings: () => Promise<ReadonlyMap<string, number>>
  /** The channel that announces new results of `countListings`. */
  countsChangedChannel: string
  /** Opens the built-in catalog. Tests share one among many programs. */
  open?: () => Catalog
}

/** The catalog that a process serves. It begins with the built-in one, which is version 0. */
export class ActiveCatalog {
  readonly #countListings: () => Promise<ReadonlyMap<string, number>>
  readonly #open: () => Catalog
  /** The tables of predictors on disk. */
  readonly predictorFiles: PredictorFiles
  readonly #makeServed: (open: () => Catalog) => ServedCatalog
  #served: ServedCatalog
  #version = 0
  /** The next served catalog, while it is prepared. */
  #next: ServedCatalog | undefined

  constructor(
    { config, now, signals, log }: Pick<Context, 'config' | 'now' | 'signals' | 'log'>,
    { countListings, countsChangedChannel, open = openDefault }: ActiveCatalogOptions,
  ) {
    const { publicUrl, port } = config.http
    this.predictorFiles = new PredictorFiles(join(config.dataDirectory, 'predictor'), log)
    this.#countListings = countListings
    this.#open = open
    this.#makeServed = (openNext) =>
      new ServedCatalog({
        open: openNext,
        count: countListings,
        now,
        pictureBaseUrl: `${publicUrl ?? `http://127.0.0.1:${port}`}/category_pictures`,
      })
    this.#served = this.#makeServed(open)
    for (const channel of [countsChangedChannel, 'reset']) {
      signals.on(channel, () => {
        this.#served.markCountsOutdated()
        this.#next?.markCountsOutdated()
      })
    }
  }

  /** The served catalog. A request must read it once, because the next time it may be another. */
  get served(): ServedCatalog {
    return this.#served
  }

  /** The version of the served catalog. */
  get version(): number {
    return this.#version
  }

  /** Opens the built-in catalog. */
  openDefault(): Catalog {
    return this.#open()
  }

  /** Makes the trees and predictors of all sites in advance, with pauses for other work. A process that answers HTTP does
   * this before it listens. A catalog that replaces this one later is prepared in the same way. */
  async prepareAll(): Promise<void> {
    let prepared: ServedCatalog
    do {
      prepared = this.#served
      await prepared.prepare(
        { sites: siteIds, predictors: siteIds, downloads: [] },
        { breathe: makeYielder(), store: this.predictorFiles },
      )
      // Another catalog may have replaced it meanwhile, prepared for fewer sites.
    } while (prepared !== this.#served)
  }

  /** Makes predictors in advance, and returns the catalog that has them. Background work needs no trees. */
  async preparePredictors(predictors: readonly SiteId[]): Promise<Catalog> {
    const { catalog } = this.#served
    await catalog.prepare(
      { sites: [], predictors },
      { breathe: makeYielder(), store: this.predictorFiles },
    )
    return catalog
  }

  /** Counts the listings in each category itself, including categories that the served catalog lacks. */
  countListings(): Promise<ReadonlyMap<string, number>> {
    return this.#countListings()
  }

  /**
   * Replaces the served catalog. `prepare` builds the parts of the next one that will be needed; until it is done, the
   * previous one is served. Requests that have read the previous one keep it.
   */
  async replace(
    { version, catalog }: { version: number; catalog: Catalog },
    prepare: (next: ServedCatalog, now: ServedCatalog) => Promise<void>,
  ): Promise<void> {
    const next = this.#makeServed(() => catalog)
    this.#next = next
    try {
      await prepare(next, this.#served)
      this.#served = next
      this.#version = version
    } finally {
      this.#next = undefined
    }
  }
}

/** Opens the built-in catalog, which is version 0. */
export function openDefault(): Catalog {
  return new Catalog(readDefaultSource(folder), defaultCreatedAt)
}

/** Returns the numbers of the categories of the built-in catalog. */
export function defaultNumbers(): { key: string; number: number; dateCreated: Date }[] {
  return [...readDefaultNumbers(folder)].map(([key, number]) => ({
    key,
    number,
    dateCreated: defaultCreatedAt,
  }))
}
