import { chunkEnd, extractChunkFeatures } from './features.ts'
import type { ClassifierModel, WeightSums } from './model.ts'

/** Longer chunks are not kept: V8 keeps the whole text in memory that such a substring was cut from. */
const longestKept = 12
/** The runs of characters of longer chunks do not fit into one sum. */
const longestSummed = 64
const keptChunks = 16_384

/** A chunk, a run of text without a space, with the sums of the weights of its runs of characters. */
interface SummedChunk {
  text: string
  sums: WeightSums
}

/**
 * Sums of weights by chunk. Most chunks of a message are words of earlier ones, whose dozens of runs of characters need
 * not be looked up again: moderation takes a quarter less time.
 */
export class ChunkSums {
  readonly #model: ClassifierModel
  /** By a hash of the chunk. The last of those with the same place stays. */
  readonly #kept: (SummedChunk | undefined)[] = Array.from({ length: keptChunks })
  readonly #sums: WeightSums[] = []

  constructor(model: ClassifierModel) {
    this.#model = model
  }

  /** Returns the sums of the chunks of a text, or undefined if one of them is too long. The next call reuses the array. */
  of(text: string): readonly WeightSums[] | undefined {
    this.#sums.length = 0
    for (let from = 0; from < text.length; ) {
      const to = chunkEnd(text, from)
      if (to - from > longestSummed) return undefined
      if (to > from) this.#sums.push(this.#sumsOf(text, from, to))
      from = to + 1
    }
    return this.#sums
  }

  #sumsOf(text: string, from: number, to: number): WeightSums {
    if (to - from > longestKept) return this.#model.sumWeights(extractChunkFeatures(text, from, to))
    let hash = 0
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
    const place = (hash ^ (hash >>> 15)) & (keptChunks - 1)
    const kept = this.#kept[place]
    if (kept?.text.length === to - from && text.startsWith(kept.text, from)) return kept.sums
    const sums = this.#model.sumWeights(extractChunkFeatures(text, from, to))
    this.#kept[place] = { text: text.slice(from, to), sums }
    return sums
  }
}
