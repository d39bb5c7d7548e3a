import { gunzipSync } from 'node:zlib'
import type { MessageFeatures } from './features.ts'

/** The classes of the model, in the order of its weights. */
export const classes = [
  'clean',
  'OUT_OF_PLACE_LANGUAGE',
  'EVASION_CLAIM_SELLER',
  'LINK_PLATFORMPAY',
  'PLATFORM_LINKS_EXTERNALPAY',
  'LINK_SHORT_URL',
  'SOCIAL_NETWORK_LINK',
  'PERSONAL_DATA',
] as const
export const classCount = classes.length
export type MessageClass = (typeof classes)[number]

const magic = 'feria moderation 1\n'
const entryBytes = 4 + classCount
/** Below 0.6 of the places in use, a look-up needs two steps at most on average. */
const fullest = 0.6
const free = 0

/** A trained feature: its hash and its weight for each class, from -127 to 127. */
export interface ModelEntry {
  hash: number
  weights: Int8Array
}

/**
 * A linear model (multinomial logistic regression): each feature adds its weights to the scores of the classes. The
 * features are in a hash table with linear probing, their weights beside each other.
 */
export class ClassifierModel {
  readonly #hashes: Int32Array
  readonly #weights: Int8Array
  readonly #mask: number
  readonly #scale: number
  readonly #scores = new Float64Array(classCount)

  /** `scale` is what one step of the weights stands for. */
  constructor(entries: readonly ModelEntry[], scale: number) {
    let size = 1024
    while (entries.length > size * fullest) size *= 2
    this.#hashes = new Int32Array(size)
    this.#weights = new Int8Array(size * classCount)
    this.#mask = size - 1
    this.#scale = scale
    for (const { hash, weights } of entries) {
      let at = hash & this.#mask
      while (this.#hashes[at] !== free) at = (at + 1) & this.#mask
      this.#hashes[at] = hash
      this.#weights.set(weights, at * classCount)
    }
  }

  /** Returns the probability of each class. The array is reused by the next call. */
  probabilities({ hashes, count }: MessageFeatures): Float64Array {
    const scores = this.#scores.fill(0)
    let known = 0
    for (let index = 0; index < count; index++) {
      const at = this.#find(hashes[index] as number)
      if (at < 0) continue
      known++
      for (let of = 0; of < classCount; of++) {
        scores[of] = (scores[of] as number) + (this.#weights[at + of] as number)
      }
    }
    return softmax(scores, this.#scale * lengthFactor(known))
  }

  /** Returns how much each feature speaks for a class and against clean. */
  contributions({ hashes, count }: MessageFeatures, of: number): Float64Array {
    const values = new Float64Array(count)
    for (let index = 0; index < count; index++) {
      const at = this.#find(hashes[index] as number)
      if (at < 0) continue
      values[index] = (this.#weights[at + of] as number) - (this.#weights[at] as number)
    }
    return values
  }

  /** Returns where the weights of a feature begin, or -1 for an unknown one. */
  #find(hash: number): number {
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const stored = this.#hashes[at]
      if (stored === hash) return at * classCount
      if (stored === free) return -1
    }
  }
}

/** A long text has many features, so each says less. A short one has too few to be sure of: it gets no more for each than
 * one of this many. */
const fewFeatures = 40

/** Returns by what the sum of the weights of so many features is multiplied. */
export function lengthFactor(count: number): number {
  return 1 / Math.sqrt(count + fewFeatures)
}

function softmax(scores: Float64Array, factor: number): Float64Array {
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) highest = Math.max(highest, score * factor)
  let sum = 0
  for (let of = 0; of < scores.length; of++) {
    scores[of] = Math.exp((scores[of] as number) * factor - highest)
    sum += scores[of] as number
  }
  for (let of = 0; of < scores.length; of++) scores[of] = (scores[of] as number) / sum
  return scores
}

/** Parses a model file: a line with the format, a line of JSON, then the entries. Throws for another file. */
export function parseModel(file: Uint8Array): ClassifierModel {
  const bytes = gunzipSync(file)
  const headerEnd = bytes.indexOf('\n', magic.length)
  if (bytes.subarray(0, magic.length).toString() !== magic || headerEnd < 0) {
    throw new Error('this is no model of moderation')
  }
  const { scale, entries: count } = JSON.parse(bytes.subarray(magic.length, headerEnd).toString())
  const entries: ModelEntry[] = []
  let at = headerEnd + 1
  if (bytes.length !== at + count * entryBytes) throw new Error('the model file was cut off')
  for (let read = 0; read < count; read++, at += entryBytes) {
    const weights = new Int8Array(bytes.buffer, bytes.byteOffset + at + 4, classCount)
    entries.push({ hash: bytes.readInt32LE(at), weights })
  }
  return new ClassifierModel(entries, scale)
}

/** Formats a model file, not yet compressed. `inputs` is a digest of what the model was trained from. */
export function formatModel(
  entries: readonly ModelEntry[],
  { scale, inputs }: { scale: number; inputs: string },
): Buffer {
  const header = `${magic}${JSON.stringify({ inputs, scale, entries: entries.length })}\n`
  const body = Buffer.alloc(entries.length * entryBytes)
  for (const [index, { hash, weights }] of entries.entries()) {
    body.writeInt32LE(hash, index * entryBytes)
    body.set(new Uint8Array(weights.buffer, weights.byteOffset, classCount), index * entryBytes + 4)
  }
  return Buffer.concat([Buffer.from(header), body])
}

/** Returns the digest of the inputs that a model file names. */
export function inputsOfModel(file: Uint8Array): string {
  const bytes = gunzipSync(file)
  return JSON.parse(bytes.subarray(magic.length, bytes.indexOf('\n', magic.length)).toString())
    .inputs
}
