import { storageKeyOf } from '../../messages/attachments/attachment.ts'
import type { Context } from '../../platform/context.ts'

type Tools = Pick<Context, 'files' | 'log'>
interface StoredFile {
  id: string
  size: number
}

/** How many files are copied at a time. */
const concurrency = 8

const keptKey = (schema: string, id: string) => `snapshots/${schema}/${storageKeyOf(id)}`

/** Copies files to the folder of a snapshot. A file that no longer exists is left out. Returns how many were copied. */
export async function copyFilesToSnapshot(
  tools: Tools,
  { schema, files }: { schema: string; files: readonly StoredFile[] },
): Promise<number> {
  const copied = await runConcurrently(files, async ({ id, size }) => {
    try {
      const to = keptKey(schema, id)
      // An earlier snapshot of this name may have the file. The content of an id never changes.
      if (!(await exists(tools, to))) await copy(tools, { from: storageKeyOf(id), to, size })
      return true
    } catch (error) {
      tools.log.warn({ err: error, attachment: id }, 'a file is not in the snapshot')
      return false
    }
  })
  return copied.filter(Boolean).length
}

/** Restores the missing files of a snapshot. Existing files are the same, because ids are never reused. */
export async function restoreFiles(
  tools: Tools,
  { schema, files }: { schema: string; files: readonly StoredFile[] },
): Promise<void> {
  await runConcurrently(files, async ({ id, size }) => {
    if (await exists(tools, storageKeyOf(id))) return
    try {
      await copy(tools, { from: keptKey(schema, id), to: storageKeyOf(id), size })
    } catch (error) {
      tools.log.warn({ err: error, attachment: id }, 'a file of the snapshot is gone')
    }
  })
}

/** Removes files of the sandbox or, with `schema`, of a snapshot. */
export async function removeFiles(
  { files: store, log }: Tools,
  { schema, files }: { schema?: string; files: readonly StoredFile[] },
): Promise<void> {
  await runConcurrently(files, async ({ id }) => {
    const key = schema === undefined ? storageKeyOf(id) : keptKey(schema, id)
    await store.remove(key).catch((error: unknown) => {
      log.warn({ err: error, key }, 'a file could not be removed')
    })
  })
}

async function exists({ files }: Tools, key: string): Promise<boolean> {
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

async function runConcurrently<T, R>(
  inputs: readonly T[],
  work: (input: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < inputs.length; at += concurrency) {
    results.push(...(await Promise.all(inputs.slice(at, at + concurrency).map(work))))
  }
  return results
}
