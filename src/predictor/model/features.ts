import type { TitleWord } from '../title/words.ts'

/** A feature of a title in the trained model. */
export interface TitleFeature {
  /** A 32-bit hash. Of a million words, a few hundred share it with another. */
  hash: number
  weight: number
  /** The text in an explanation: a word, two neighboring words, or the first word of a title. */
  text: string
}

/**
 * The version of features, hashes, words (`tokenize.ts`, `words.ts`) and encoding (`encoding.ts`). Raise it when any of them
 * changes: the models are then trained again from the titles.
 */
export const modelFormat = 3

const firstWeight = 1.2
const pairWeight = 1.5

/** Returns the features of a title: its words, pairs of neighbors, and its first word again, which most often names the
 * goods. */
export function featuresOf(words: readonly TitleWord[]): TitleFeature[] {
  const features: TitleFeature[] = []
  let before: TitleWord | undefined
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

/** Returns the weight of a word. Late words and those after *para* count almost fully, unlike in names: they are brands
 * and models. */
function weightOf({ weight }: TitleWord): number {
  return weight ** 0.25
}

/** Returns the hash of a text: FNV-1a with a final mix. Some bits choose the shard, others the slot, so all must be well
 * distributed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
