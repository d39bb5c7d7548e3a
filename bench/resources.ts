/**
 * What the running benchmark has open: servers, databases, temporary folders. A benchmark closes what it
 * opens; after a failure `closeAll` closes the rest, so that no server outlives the run.
 */
type Close = () => Promise<void> | void

const openResources = new Set<() => Promise<void>>()

/** Registers `close` with `closeAll`. Returns a function that closes now, once. */
export function trackResource(close: Close): () => Promise<void> {
  let closed: Promise<void> | undefined
  const closeOnce = () => {
    closed ??= (async () => close())().finally(() => openResources.delete(closeOnce))
    return closed
  }
  openResources.add(closeOnce)
  return closeOnce
}

/** Closes everything that is still open, the newest first. */
export async function closeAll(): Promise<void> {
  for (const close of [...openResources].toReversed()) {
    // The failure that led here matters more than one while closing.
    await close().catch(() => {})
  }
}

/**
 * Runs `work`, then `release`, whatever became of the work. Throws the failure of the work rather than the
 * one of the release: in a `finally` block the second would hide the first.
 */
export async function runThenRelease<T>(
  work: () => Promise<T>,
  release: () => Promise<void>,
): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    await release().catch(() => {})
    throw error
  }
  await release()
  return result
}
