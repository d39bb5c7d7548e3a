import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import type { SlicedWork } from '../kernel/slices.ts'
import type { Trust } from './lexicon/lexicon.ts'
import type { PhraseIndex } from './lexicon/phrase-index.ts'
import { SpellingCorrector } from './lexicon/spelling.ts'
import { TextList } from './lexicon/text-list.ts'
import type { PredictorCategory } from './source.ts'

/** What predictors look up: the phrases of a catalog, and the trust of each site in them. */
export interface PredictorTables {
  index: PhraseIndex
  trust: ReadonlyMap<SiteId, Trust>
}

/** Keeps tables between starts. Both functions may fail: tables are then built again. */
export interface TableStore {
  /** Returns a digest of the rules by which tables are built: other code builds other tables. */
  rulesDigest(): Promise<string>
  read(digest: string): Promise<Uint8Array | undefined>
  write(digest: string, pieces: readonly Uint8Array[]): Promise<void>
}

/** Returns a digest, in steps, of the categories and rules that tables are built from. */
export function* digestOf(
  categories: readonly PredictorCategory[],
  rules: string,
): SlicedWork<string> {
  const hash = createHash('sha256').update(rules).update(siteIds.join())
  for (const category of categories) {
    const { key, number, parent, names, kinds, aliases, domain, settings } = category
    hash.update(JSON.stringify([key, number, parent, names, kinds, aliases, domain, settings]))
    yield
  }
  return hash.digest('hex')
}

const magic = 'feria predictor tables 1\n'
/** Alignment of arrays in the file. */
const alignment = 8
const bytesPerCheck = 1 << 20

type Section = Int32Array | Float32Array | Uint8Array

/** Returns tables as pieces of a file: the magic, the length and checksum of the rest, and aligned sections, each after its
 * length in bytes. */
export function* encodeTables({ index, trust }: PredictorTables): SlicedWork<Uint8Array[]> {
  const { slips } = index
  const lists = [[...index.wordOf.keys()], [...index.extraOf.keys()], slips.words, slips.sounds]
  const sections: Section[] = [
    index.texts.bytes,
    index.texts.starts,
    Int32Array.from(index.by),
    Int32Array.of(index.categories),
    index.phraseStarts,
    index.phraseData,
    index.idf,
    index.wordStarts,
    index.links,
    index.postings,
    slips.slots,
  ]
  for (const list of lists) {
    sections.push(Buffer.from(list.join('\n')))
    yield
  }
  for (const siteId of siteIds) {
    const { by, alone } = trust.get(siteId) as Trust
    sections.push(by, alone)
  }
  const pieces: Uint8Array[] = []
  let [length, checksum] = [0, 0]
  const push = function* (bytes: Uint8Array): SlicedWork<undefined> {
    pieces.push(bytes)
    length += bytes.length
    for (let at = 0; at < bytes.length; at += bytesPerCheck) {
      checksum = crc32(bytes.subarray(at, at + bytesPerCheck), checksum)
      yield
    }
    return undefined
  }
  for (const { buffer, byteOffset, byteLength } of sections) {
    yield* push(numbersAsBytes(byteLength, 0))
    yield* push(new Uint8Array(buffer, byteOffset, byteLength))
    yield* push(new Uint8Array(-byteLength & (alignment - 1)))
  }
  const head = Buffer.alloc(headBytes)
  head.write(magic)
  head.set(numbersAsBytes(length, checksum), headBytes - alignment)
  return [head, ...pieces]
}

const headBytes = 40

function numbersAsBytes(...numbers: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer)
}

/** Reads tables from a file in steps. Undefined for a damaged one. */
export function* decodeTables(file: Uint8Array): SlicedWork<PredictorTables | undefined> {
  // Arrays are views of the file. Their alignment counts from the start of its memory.
  const bytes = file.byteOffset % alignment === 0 ? file : Uint8Array.from(file)
  if (Buffer.from(bytes.subarray(0, magic.length)).toString() !== magic) return undefined
  if (bytes.length < headBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const [length, checksum] = [headBytes - 8, headBytes - 4].map((at) => view.getUint32(at, true))
  if (bytes.length - headBytes !== length) return undefined
  let computed = 0
  for (let at = headBytes; at < bytes.length; at += bytesPerCheck) {
    computed = crc32(bytes.subarray(at, at + bytesPerCheck), computed)
    yield
  }
  if (computed !== checksum) return undefined
  let at = headBytes
  const section = () => {
    const start = bytes.byteOffset + at + alignment
    const size = view.getUint32(at, true)
    at += alignment + Math.ceil(size / alignment) * alignment
    return [bytes.buffer, start, size] as const
  }
  const readBytes = () => new Uint8Array(...section())
  const integers = () => {
    const [buffer, start, size] = section()
    return new Int32Array(buffer, start, size / 4)
  }
  const floats = () => {
    const [buffer, start, size] = section()
    return new Float32Array(buffer, start, size / 4)
  }
  const list = () => {
    const text = Buffer.from(...section()).toString()
    return text === '' ? [] : text.split('\n')
  }
  const fields = {
    texts: new TextList(readBytes(), integers()),
    by: [...integers()],
    categories: integers()[0] as number,
    phraseStarts: integers(),
    phraseData: integers(),
    idf: floats(),
    wordStarts: integers(),
    links: integers(),
    postings: integers(),
  }
  const slots = integers()
  const wordOf = yield* numberMap(list(), 0)
  const extraOf = yield* numberMap(list(), wordOf.size)
  const slips = new SpellingCorrector({ words: list(), sounds: list(), slots })
  yield
  const trust = new Map(siteIds.map((siteId) => [siteId, { by: floats(), alone: floats() }]))
  return { index: { ...fields, wordOf, extraOf, slips }, trust }
}

function* numberMap(words: readonly string[], first: number): SlicedWork<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const word of words) {
    numbers.set(word, first + numbers.size)
    yield
  }
  return numbers
}
