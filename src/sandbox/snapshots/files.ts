import { keyOf } from '../../messages/attachments/attachment.ts'
import type { Context } from '../../platform/context.ts'

type Tools = Pick<Context, 'files' | 'log'>
interface Kept {
  id: string
  size: number
}

/** How many are copied at a time. */
const atOnce = 8

const keptKey = (place: string, id: string) => `snapshots/${place}/${keyOf(id)}`

/** Copies files beside those of the world, where nothing that removes these comes by. A file that is gone
 * meanwhile is left out; returns how many were copied. */
export async function keepFiles(
  tools: Tools,
  { place, files }: { place: string; files: readonly Kept[] },
): Promise<number> {
  const copied = await each(files, async ({ id, size }) => {
    try {
      const to = keptKey(place, id)
      // Of the snapshot of the same name before: what an id names never changes.
      if (!(await isThere(tools, to))) await copy(tools, { from: keyOf(id), to, size })
      return true
    } catch (error) {
      tools.log.warn({ err: error, attachment: id }, 'a file is not in the snapshot')
      return false
    }
  })
  return copied.filter(Boolean).length
}

/** Puts back what of these is not there. Their names are given once, so that what is there is the same. */
export async function restoreFiles(
  tools: Tools,
  { place, files }: { place: string; files: readonly Kept[] },
): Promise<void> {
  await each(files, async ({ id, size }) => {
    if (await isThere(tools, keyOf(id))) return
    try {
      await copy(tools, { from: keptKey(place, id), to: keyOf(id), size })
    } catch (error) {
      tools.log.warn({ err: error, attachment: id }, 'a file of the snapshot is gone')
    }
  })
}

/** Removes files of the world, or those of a snapshot. */
export async function removeFiles(
  { files: store, log }: Tools,
  { place, files }: { place?: string; files: readonly Kept[] },
): Promise<void> {
  await each(files, async ({ id }) => {
    const key = place === undefined ? keyOf(id) : keptKey(place, id)
    await store.remove(key).catch((error: unknown) => {
      log.warn({ err: error, key }, 'a file could not be removed')
    })
  })
}

async function isThere({ files }: Tools, key: string): Promise<boolean> {
  try {
    const content = await files.read(key, { start: 0, end: 0 })
    for await (const _ of content) break
    return true
  } catch {
    return false
  }
}

async function copy(
  { files }: Tools,
  { from, to, size }: { from: string; to: string; size: number },
): Promise<void> {
  await files.put(to, await files.read(from, { start: 0, end: size - 1 }))
}

async function each<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < all.length; at += atOnce) {
    done.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  }
  return done
}
