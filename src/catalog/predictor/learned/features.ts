import type { Word } from '../words.ts'

/** What of a title is told apart in what is learned. */
export interface Feature {
  /** A hash of 32 bits: of a million words, a few hundred share theirs with another. */
  hash: number
  /** How much it tells. */
  weight: number
  /** As it is explained: a word, two neighbours, or the word that a title begins with. */
  text: string
}

/**
 * Which features titles have, how they are hashed, how words are cut (`parts.ts`, `words.ts`) and how what is learned
 * is written down (`encoding.ts`) make a format. Raise it with any of these: what was learned is then
 * learned again from the titles themselves.
 */
export const format = 2

const firstWeight = 1.2
const pairWeight = 2

/** The words of a title, pairs of neighbours, and its first word once more: that names the thing more
 * often than any other. */
export function featuresOf(words: readonly Word[]): Feature[] {
  const features: Feature[] = []
  let before: Word | undefined
  for (const word of words) {
    features.push({ hash: hashOf(word.stem), weight: weightOf(word), text: word.stem })
    if (before) {
      const text = `${before.stem} ${word.stem}`
      const weight = pairWeight * Math.min(weightOf(before), weightOf(word))
      features.push({ hash: hashOf(text), weight, text })
    }
    before = word
  }
  const [first] = words
  if (first) {
    const text = `^${first.stem}`
    features.push({ hash: hashOf(text), weight: firstWeight, text })
  }
  return features
}

/** Further back in a title, and behind *para*, words tell more of what was learned than of names: brands
 * and models stand there. */
function weightOf({ weight }: Word): number {
  return Math.sqrt(weight)
}

/** FNV-1a, its bits mixed once more: parts of the table are chosen by some of them, slots by others. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
