import { fileURLToPath } from 'node:url'
import type { Context } from '../platform/context.ts'
import { Catalog } from './catalog.ts'
import { ServedCatalog } from './served-catalog.ts'
import { defaultCreatedAt, readDefaultNumbers, readDefaultSource } from './source/default.ts'

const folder = fileURLToPath(new URL('../../catalog', import.meta.url))

/** What a process serves: one shelf at a time, which another takes the place of as a whole. */
interface Held {
  servedCatalog: ServedCatalog
  version: number
  /** The one that will, while it is prepared. */
  next: ServedCatalog | undefined
  count: () => Promise<ReadonlyMap<string, number>>
  /** Opens the catalogue that comes with the program. */
  open: () => Catalog
  make(open: () => Catalog): ServedCatalog
}

const held = new WeakMap<object, Held>()

/** Gives a process the catalogue that comes with the program, unless it has one. `changed` is the channel on which is told
 * that `count` would count otherwise. Tests share one catalogue among many programs by `open`. */
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
  if (held.has(ctx)) return
  const { publicUrl, port } = ctx.config.http
  const make = (open: () => Catalog) =>
    new ServedCatalog({
      open,
      count,
      now: ctx.now,
      pictures: `${publicUrl ?? `http://127.0.0.1:${port}`}/category_pictures`,
    })
  const own: Held = { servedCatalog: make(open), version: 0, next: undefined, count, open, make }
  for (const channel of [changed, 'reset']) {
    ctx.signals.on(channel, () => {
      own.servedCatalog.listingsChanged()
      own.next?.listingsChanged()
    })
  }
  held.set(ctx, own)
}

/** The catalogue that comes with the program: version 0. */
export function openDefault(): Catalog {
  return new Catalog(readDefaultSource(folder), defaultCreatedAt)
}

/** The same, as this process opens it. */
export function openDefaultOf(ctx: object): Catalog {
  return heldBy(ctx).open()
}

/** The numbers that it has given. */
export function defaultNumbers(): { key: string; number: number; dateCreated: Date }[] {
  return [...readDefaultNumbers(folder)].map(([key, number]) => ({
    key,
    number,
    dateCreated: defaultCreatedAt,
  }))
}

/**
 * Has a process serve another catalogue. `prepare` may make of the next shelf what will be asked of it;
 * until it is done the one of before is served, then at once the next one, in everything: who has asked
 * for a shelf before goes on with the one of before.
 */
export async function replaceCatalog(
  ctx: object,
  { version, catalog }: { version: number; catalog: Catalog },
  prepare: (next: ServedCatalog, now: ServedCatalog) => Promise<void>,
): Promise<void> {
  const own = heldBy(ctx)
  const next = own.make(() => catalog)
  own.next = next
  try {
    await prepare(next, own.servedCatalog)
    own.servedCatalog = next
    own.version = version
  } finally {
    own.next = undefined
  }
}

/** The catalogue of this process. A request asks for it once: the next time it may be another. */
export function servedCatalogOf(ctx: object): ServedCatalog {
  return heldBy(ctx).servedCatalog
}

/** Which version that is. */
export function versionOf(ctx: object): number {
  return heldBy(ctx).version
}

/** How many listings there are in each category itself, those included that it does not have. */
export function listingsByCategory(ctx: object): Promise<ReadonlyMap<string, number>> {
  return heldBy(ctx).count()
}

function heldBy(ctx: object): Held {
  const own = held.get(ctx)
  if (!own) throw new Error('this process has no catalogue')
  return own
}
