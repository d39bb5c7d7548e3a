import { fileURLToPath } from 'node:url'
import type { Context } from '../platform/context.ts'
import { Catalog } from './catalog.ts'
import { ServedCatalog } from './served-catalog.ts'
import { defaultCreatedAt, readDefaultNumbers, readDefaultSource } from './source/default.ts'

const folder = fileURLToPath(new URL('../../catalog', import.meta.url))

/** The served catalog of a process. Another one replaces it as a whole. */
interface CatalogState {
  servedCatalog: ServedCatalog
  version: number
  /** The next served catalog, while it is prepared. */
  next: ServedCatalog | undefined
  count: () => Promise<ReadonlyMap<string, number>>
  /** Opens the built-in catalog. */
  open: () => Catalog
  make(open: () => Catalog): ServedCatalog
}

const states = new WeakMap<object, CatalogState>()

/** Opens the built-in catalog for a process, unless it has one. `changed` is the channel that announces new results of
 * `count`. Tests share one catalog among many programs by `open`. */
export function openCatalog(
  ctx: Pick<Context, 'config' | 'now' | 'signals'>,
  {
    count,
    changed,
    open = openDefault,
  }: {
    count: () => Promise<ReadonlyMap<string, number>>
    changed: string
    open?: () => Catalog
  },
): void {
  if (states.has(ctx)) return
  const { publicUrl, port } = ctx.config.http
  const make = (open: () => Catalog) =>
    new ServedCatalog({
      open,
      count,
      now: ctx.now,
      pictureBaseUrl: `${publicUrl ?? `http://127.0.0.1:${port}`}/category_pictures`,
    })
  const state: CatalogState = {
    servedCatalog: make(open),
    version: 0,
    next: undefined,
    count,
    open,
    make,
  }
  for (const channel of [changed, 'reset']) {
    ctx.signals.on(channel, () => {
      state.servedCatalog.markCountsOutdated()
      state.next?.markCountsOutdated()
    })
  }
  states.set(ctx, state)
}

/** Opens the built-in catalog, which is version 0. */
export function openDefault(): Catalog {
  return new Catalog(readDefaultSource(folder), defaultCreatedAt)
}

/** Opens the built-in catalog with the `open` of this process. */
export function openDefaultOf(ctx: object): Catalog {
  return stateOf(ctx).open()
}

/** Returns the numbers of the categories of the built-in catalog. */
export function defaultNumbers(): { key: string; number: number; dateCreated: Date }[] {
  return [...readDefaultNumbers(folder)].map(([key, number]) => ({
    key,
    number,
    dateCreated: defaultCreatedAt,
  }))
}

/**
 * Replaces the served catalog of a process. `prepare` builds the parts of the next one that will be needed; until it is
 * done, the previous one is served. Requests that have read the previous one keep it.
 */
export async function replaceCatalog(
  ctx: object,
  { version, catalog }: { version: number; catalog: Catalog },
  prepare: (next: ServedCatalog, now: ServedCatalog) => Promise<void>,
): Promise<void> {
  const state = stateOf(ctx)
  const next = state.make(() => catalog)
  state.next = next
  try {
    await prepare(next, state.servedCatalog)
    state.servedCatalog = next
    state.version = version
  } finally {
    state.next = undefined
  }
}

/** Returns the served catalog of this process. A request must call it once, because the next call may return another. */
export function servedCatalogOf(ctx: object): ServedCatalog {
  return stateOf(ctx).servedCatalog
}

/** Returns the version of the served catalog. */
export function versionOf(ctx: object): number {
  return stateOf(ctx).version
}

/** Counts the listings in each category itself, including categories that the served catalog lacks. */
export function countListingsByCategory(ctx: object): Promise<ReadonlyMap<string, number>> {
  return stateOf(ctx).count()
}

function stateOf(ctx: object): CatalogState {
  const state = states.get(ctx)
  if (!state) throw new Error('this process has no catalog')
  return state
}
