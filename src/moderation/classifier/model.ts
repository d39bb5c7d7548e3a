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
/** More than 0.7 of the places in use make look-ups long, fewer take more of the processor's cache. */
const fullest = 0.7
const free = 0
/** A place of the table has three numbers of 32 bits: the hash, then the weights, a byte each. */
const placeSize = entryBytes / 4
/** Weights are stored with this added, so that none is negative. */
const weightOffset = 128
/** So many weights of a byte have a sum below 16 bits. */
const blockSize = 256
const evenBytes = 0x00ff00ff

/** A trained feature: its hash and its weight for each class, from -127 to 127. */
export interface ModelEntry {
  hash: number
  weights: Int8Array
}

/**
 * A linear model (multinomial logistic regression): each feature adds its weights to the scores of the classes. The
 * features are in a hash table with linear probing, each with its weights beside it.
 */
export class ClassifierModel {
  readonly #table: Int32Array
  readonly #mask: number
  readonly #scale: number
  readonly #firstStored = new Int32Array(blockSize)
  readonly #scores = new Float64Array(classCount)

  /** `scale` is what one step of the weights stands for. */
  constructor(entries: readonly ModelEntry[], scale: number) {
    let size = 1024
    while (entries.length > size * fullest) size *= 2
    this.#table = new Int32Array(size * placeSize)
    this.#mask = size - 1
    this.#scale = scale
    for (const { hash, weights } of entries) {
      let at = (hash & this.#mask) * placeSize
      while (this.#table[at] !== free) at = this.#next(at)
      this.#table[at] = hash
      for (let of = 0; of < classCount; of++) {
        const word = at + 1 + (of >> 2)
        const stored = ((weights[of] as number) + weightOffset) << byteShift(of)
        this.#table[word] = (this.#table[word] as number) | stored
      }
    }
  }

  /** Returns the probability of each class. The array is reused by the next call. */
  probabilities({ hashes, count }: MessageFeatures): Float64Array {
    const scores = this.#scores.fill(0)
    let known = 0
    for (let from = 0; from < count; from += blockSize) {
      known += this.#addBlock(hashes, from, Math.min(from + blockSize, count))
    }
    for (let of = 0; of < classCount; of++) {
      scores[of] = (scores[of] as number) - known * weightOffset
    }
    return softmax(scores, this.#scale * lengthFactor(known))
  }

  /** Adds the stored weights of the features of a block to the scores. Returns how many features are known. */
  #addBlock(hashes: Int32Array, from: number, end: number): number {
    const table = this.#table
    const mask = this.#mask
    // Reads the first place of all features before any weight, so that the processor fetches many from memory at once.
    const firstStored = this.#firstStored
    for (let index = from; index < end; index++) {
      firstStored[index - from] = table[((hashes[index] as number) & mask) * placeSize] as number
    }
    // Each sum has the weights of two classes, 16 bits each: additions are most of the work.
    let [sum02, sum13, sum46, sum57] = [0, 0, 0, 0]
    let known = 0
    for (let index = from; index < end; index++) {
      const hash = hashes[index] as number
      const stored = firstStored[index - from] as number
      if (stored === free) continue
      const at = stored === hash ? (hash & mask) * placeSize : this.#find(hash)
      if (at < 0) continue
      known++
      const first = table[at + 1] as number
      const second = table[at + 2] as number
      sum02 = (sum02 + (first & evenBytes)) | 0
      sum13 = (sum13 + ((first >>> 8) & evenBytes)) | 0
      sum46 = (sum46 + (second & evenBytes)) | 0
      sum57 = (sum57 + ((second >>> 8) & evenBytes)) | 0
    }
    this.#addPair(0, sum02)
    this.#addPair(1, sum13)
    this.#addPair(4, sum46)
    this.#addPair(5, sum57)
    return known
  }

  #addPair(of: number, sum: number): void {
    const scores = this.#scores
    scores[of] = (scores[of] as number) + (sum & 0xffff)
    scores[of + 2] = (scores[of + 2] as number) + (sum >>> 16)
  }

  /** Returns how much each feature speaks for a class and against clean. */
  contributions({ hashes, count }: MessageFeatures, of: number): Float64Array {
    const values = new Float64Array(count)
    for (let index = 0; index < count; index++) {
      const at = this.#find(hashes[index] as number)
      if (at >= 0) values[index] = this.#weight(at, of) - this.#weight(at, 0)
    }
    return values
  }

  /** Returns the place of a feature in the table, or -1 for an unknown one. */
  #find(hash: number): number {
    for (let at = (hash & this.#mask) * placeSize; ; at = this.#next(at)) {
      const stored = this.#table[at]
      if (stored === hash) return at
      if (stored === free) return -1
    }
  }

  #next(at: number): number {
    return at + placeSize === this.#table.length ? 0 : at + placeSize
  }

  /** Returns the weight of the feature at a place for a class, with the offset. */
  #weight(at: number, of: number): number {
    return ((this.#table[at + 1 + (of >> 2)] as number) >>> byteShift(of)) & 0xff
  }
}

function byteShift(of: number): number {
  return (of & 3) * 8
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
