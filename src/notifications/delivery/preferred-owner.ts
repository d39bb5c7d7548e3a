/**
 * Returns the worker that should deliver an application's queue; undefined when there is none. Until it acquires the
 * lease, another worker may still deliver. By rendezvous hashing all workers choose the same owner and get about as many
 * queues. When one comes or goes, only its own queues move.
 */
export function preferredOwner(
  workers: readonly string[],
  applicationId: number,
): string | undefined {
  let owner: string | undefined
  let maxWeight = -1
  for (const worker of workers) {
    const weight = hash32(`${worker} ${applicationId}`)
    if (weight > maxWeight) [owner, maxWeight] = [worker, weight]
  }
  return owner
}

/** FNV-1a with the finalizer of MurmurHash3, because inputs differ mostly in their last characters. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
