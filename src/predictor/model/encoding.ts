import { createHash } from 'node:crypto'
import { runWithoutPauses, type SlicedWork } from '../../kernel/slices.ts'
import type { Shard } from './shard.ts'
import { shardCount, TrainedModel } from './trained-model.ts'

/** Shards per part. */
const shardsOfPart = 16
/** Number of parts of a model: one with the categories, and the others with the features. */
export const partCount = 1 + shardCount / shardsOfPart

/** Writes numbers of at most 53 bits as varints: seven bits per byte, the lowest first. */
class VarintWriter {
  #bytes = new Uint8Array(1 << 12)
  #end = 0

  write(number: number): void {
    if (this.#end + 8 > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = number
    while (rest > 0x7f) {
      this.#bytes[this.#end++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#end++] = rest
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }
}

class VarintReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(): number {
    let number = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new Error('the encoded model ends early')
      number += (byte & 0x7f) * unit
      if (byte < 0x80) return number
    }
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }
}

/** Encodes a part of a model in steps. Equal models have equal encodings, however they lie in memory. */
export function* encodePart(learned: TrainedModel, part: number): SlicedWork<Uint8Array> {
  const writer = new VarintWriter()
  if (part === 0) {
    writer.write(learned.numbers.length)
    for (const [index, number] of learned.numbers.entries()) {
      writer.write(number)
      writer.write(learned.countOf(index))
    }
    return writer.bytes
  }
  for (const shard of shardsOf(learned, part)) yield* writeShard(writer, shard)
  return writer.bytes
}

/** Writes a shard. Features and categories are written as differences, which take fewer bytes. */
function* writeShard(writer: VarintWriter, shard: Shard): SlicedWork<void> {
  writer.write(shard.size)
  let before = 0
  for (const { feature, pairs } of shard) {
    writer.write(feature - before)
    before = feature
    writer.write(pairs.length / 2)
    let last = 0
    for (let at = 0; at < pairs.length; at += 2) {
      const index = pairs[at] as number
      writer.write(index - last)
      last = index
      writer.write(pairs[at + 1] as number)
    }
    yield
  }
}

/** Decodes a part into a model in steps. Parts must be decoded in order, each once. Throws for invalid bytes. */
export function* decodePart(
  learned: TrainedModel,
  part: number,
  bytes: Uint8Array,
): SlicedWork<void> {
  const reader = new VarintReader(bytes)
  if (part === 0) {
    for (let remaining = reader.read(); remaining > 0; remaining--)
      learned.addCategory(reader.read(), reader.read())
  } else {
    for (const shard of shardsOf(learned, part)) yield* readShard(reader, shard)
  }
  if (!reader.isAtEnd) throw new Error('the encoded model has bytes after its end')
}

function* readShard(reader: VarintReader, shard: Shard): SlicedWork<void> {
  let feature = 0
  for (let remaining = reader.read(); remaining > 0; remaining--) {
    feature += reader.read()
    const pairs: number[] = []
    let index = 0
    for (let more = reader.read(); more > 0; more--) {
      index += reader.read()
      pairs.push(index, reader.read())
    }
    shard.put(feature, pairs)
    yield
  }
}

function shardsOf({ shards }: TrainedModel, part: number): readonly Shard[] {
  return shards.slice((part - 1) * shardsOfPart, part * shardsOfPart)
}

/** Returns a digest of a model. Equal digests mean equal models. */
export function modelDigest(learned: TrainedModel): string {
  const digest = createHash('sha256')
  for (let part = 0; part < partCount; part++) {
    digest.update(runWithoutPauses(encodePart(learned, part)))
  }
  return digest.digest('hex')
}

/** Returns a copy of a model. */
export function copyModel(learned: TrainedModel): TrainedModel {
  const copy = new TrainedModel()
  for (let part = 0; part < partCount; part++) {
    const encoding = encodePart(learned, part)
    let step = encoding.next()
    while (!step.done) step = encoding.next()
    for (const _ of decodePart(copy, part, step.value));
  }
  return copy
}
