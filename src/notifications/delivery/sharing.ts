/**
 * Which of the processes that live is to work on an application's lane: each would choose the same, all
 * get about as many, and when one comes or goes only the lanes move that it gets or had (rendezvous
 * hashing). Undefined when none lives.
 */
export function preferredOwner(
  holders: readonly string[],
  applicationId: number,
): string | undefined {
  let best: string | undefined
  let most = -1
  for (const holder of holders) {
    const weight = weightOf(`${holder} ${applicationId}`)
    if (weight > most) [best, most] = [holder, weight]
  }
  return best
}

/** A number below 2^32 that looks random: FNV-1a, its bits mixed once more, since what differs here are
 * mostly the last letters. */
function weightOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
