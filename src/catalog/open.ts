import { fileURLToPath } from 'node:url'
import type { Context } from '../platform/context.ts'
import { Catalog } from './catalog.ts'
import { Shelf } from './shelf.ts'
import { defaultCreatedAt, readDefaultSource } from './source/default.ts'

const folder = fileURLToPath(new URL('../../catalog', import.meta.url))

const shelves = new WeakMap<object, Shelf>()

/** Gives a process its catalogue. `changed` is the channel on which is told that `count` would count
 * otherwise. */
export function openCatalog(
  ctx: Pick<Context, 'config' | 'now' | 'signals'>,
  { count, changed }: { count: () => Promise<ReadonlyMap<string, number>>; changed: string },
): void {
  const { publicUrl, port } = ctx.config.http
  const shelf = new Shelf({
    open: () => new Catalog(readDefaultSource(folder), defaultCreatedAt),
    count,
    now: ctx.now,
    pictures: `${publicUrl ?? `http://127.0.0.1:${port}`}/category_pictures`,
  })
  for (const channel of [changed, 'reset']) ctx.signals.on(channel, () => shelf.listingsChanged())
  shelves.set(ctx, shelf)
}

/** The catalogue of this process. */
export function shelfOf(ctx: object): Shelf {
  const shelf = shelves.get(ctx)
  if (!shelf) throw new Error('this process has no catalogue')
  return shelf
}
