import type { NormalizedText } from '../text/normalize.ts'
import type { TextSpan } from '../text/span.ts'

/**
 * Turns a message into features for the classifier: hashes of its words, of pairs and triples of words, of runs of
 * four and five characters, of the shapes of its numbers, of its writer, and of the rules that match. Runs of characters
 * see what words hide: typing errors, letters apart, signs for letters.
 */

/** Features of one message. The arrays are reused by the next call of `extractFeatures`. */
export interface MessageFeatures {
  /** Hashes, 32 bits each. A feature that occurs twice is there twice. */
  readonly hashes: Int32Array
  /** Where each feature stands in the folded text: start and end. Both 0 for one without a place. */
  readonly from: Int32Array
  readonly to: Int32Array
  count: number
}

export interface MessageSender {
  writer: 'seller' | 'buyer'
  /** Whether the seller has asked for invoicing data. */
  billingAsked: boolean
}

/** Enough for the longest text that moderation gets, 3,500 characters. The rest of a longer one is not read. */
const capacity = 65_536
/** No step of a loop adds more features than this. */
const mostPerStep = 64
/** A match of a rule counts as several features, because it says more than a word. */
const ruleWeight = 3
const farthestPair = 4

const hashes = new Int32Array(capacity)
const starts = new Int32Array(capacity)
const ends = new Int32Array(capacity)
const features: MessageFeatures = { hashes, from: starts, to: ends, count: 0 }

const textStart = 0x3c6ef372
const textEnd = 0x1b873593
const sentenceEnd = 0x2545f491
/** Set apart features of different kinds that are made of the same words. */
const kinds = {
  billing: 0x77777777,
  pair: 0x11111111,
  overOne: 0x5a5a5a5a,
  apart: 0x3c3c3c3c,
  shape: 0x0d0d0d0d,
  digits: 0x0e0e0e0e,
  writer: 17,
  sender: 19,
  rule: 23,
}

/** Extracts the features of a message. `rules` holds ids and reasons of the rules that match. */
export function extractFeatures(
  normalized: NormalizedText,
  sender: MessageSender,
  rules: Iterable<string>,
): MessageFeatures {
  features.count = 0
  addWords(normalized, sender.billingAsked)
  addCharacters(normalized.text)
  if (normalized.digitCount > 3) addNumbers(normalized.text)
  add(hashOf(sender.writer, kinds.writer), 0, 0)
  add(hashOf(`${sender.writer}${sender.billingAsked}`, kinds.sender), 0, 0)
  for (const rule of rules) {
    const hash = hashOf(rule, kinds.rule)
    for (let times = 0; times < ruleWeight; times++) add(hash, 0, 0)
  }
  return features
}

/** Removes the features that touch one of these spans. */
export function removeFeatures(of: MessageFeatures, spans: readonly TextSpan[]): void {
  let kept = 0
  for (let index = 0; index < of.count; index++) {
    const from = of.from[index] as number
    const to = of.to[index] as number
    if (spans.some((span) => from < span.to && span.from < to)) continue
    of.hashes[kept] = of.hashes[index] as number
    of.from[kept] = from
    of.to[kept] = to
    kept++
  }
  of.count = kept
}

function add(hash: number, from: number, to: number): void {
  const at = features.count++
  // Mixes the high bits into the low ones, by which the model looks a feature up.
  let mixed = hash ^ (hash >>> 15)
  mixed = Math.imul(mixed, 0x85ebca6b)
  hashes[at] = mixed ^ (mixed >>> 13)
  starts[at] = from
  ends[at] = to
}

function isFull(): boolean {
  return features.count > capacity - mostPerStep
}

const wordHashes: number[] = []
const wordStarts: number[] = []
const wordEnds: number[] = []

/** Adds single words, pairs and triples in a row, and pairs with up to five words between them. */
function addWords({ text, words }: NormalizedText, billingAsked: boolean): void {
  wordHashes.length = 0
  wordStarts.length = 0
  wordEnds.length = 0
  pushWord(textStart, 0, 0)
  for (const { form, from, to, stop } of words) {
    if (stop) pushWord(sentenceEnd, from, from)
    pushWord(hashOfWord(form), from, to)
  }
  pushWord(textEnd, text.length, text.length)
  for (let first = 0; first < wordHashes.length && !isFull(); first++) {
    const from = wordStarts[first] as number
    const word = wordHashes[first] as number
    add(word, from, wordEnds[first] as number)
    if (billingAsked) add(word ^ kinds.billing, from, wordEnds[first] as number)
    if (first + 1 === wordHashes.length) break
    const pair = (Math.imul(word, 31) + (wordHashes[first + 1] as number)) | 0
    add(pair ^ kinds.pair, from, wordEnds[first + 1] as number)
    for (let apart = 2; apart <= farthestPair && first + apart < wordHashes.length; apart++) {
      const other = wordHashes[first + apart] as number
      const to = wordEnds[first + apart] as number
      if (apart === 2) add((Math.imul(pair, 33) + other) | 0, from, to)
      const kind = apart === 2 ? kinds.overOne : kinds.apart
      add((Math.imul(word, 37) + Math.imul(other, 41)) ^ kind, from, to)
    }
  }
}

function pushWord(hash: number, from: number, to: number): void {
  wordHashes.push(hash)
  wordStarts.push(from)
  wordEnds.push(to)
}

/** Numbers of equally many digits are the same word. */
function hashOfWord(form: string): number {
  let hash = 0x811c9dc5 | 0
  let isNumber = true
  for (let at = 0; at < form.length; at++) {
    const code = form.charCodeAt(at)
    if (!isDigit(code)) isNumber = false
    hash = Math.imul(hash ^ code, 16777619)
  }
  return isNumber ? Math.imul(0x5bd1e995 ^ Math.min(form.length, 16), 0x27d4eb2f) : hash
}

/** Adds runs of four and five characters within each run of text without a space. The space on either side is
 * part of them. */
function addCharacters(text: string): void {
  for (let from = 0; from < text.length && !isFull(); ) {
    const to = chunkEnd(text, from)
    if (to > from) addChunk(text, from, to)
    from = to + 1
  }
}

/** Returns where the run of text without a space ends that begins at `from`. */
function chunkEnd(text: string, from: number): number {
  let to = from
  while (to < text.length && !isSpace(text.charCodeAt(to))) to++
  return to
}

/** Adds the runs of characters of a chunk. A number counts as one character that tells about how long it is. */
function addChunk(text: string, from: number, to: number): void {
  let [one, two, three, four, five] = [space, space, space, space, space]
  let [startOne, startTwo, startThree, startFour, startFive] = [from, from, from, from, from]
  let length = 0
  let digits = 0
  for (let at = from; at <= to && !isFull(); at++) {
    let code = at < to ? text.charCodeAt(at) : space
    if (isDigit(code)) {
      digits++
      if (at + 1 < to && isDigit(text.charCodeAt(at + 1))) continue
      code = codeOfNumber(code, digits)
      digits = 0
    }
    five = four
    four = three
    three = two
    two = one
    one = code
    startFive = startFour
    startFour = startThree
    startThree = startTwo
    startTwo = startOne
    startOne = at
    length++
    if (length < 3) continue
    const end = Math.min(at + 1, to)
    let hash = Math.imul(one ^ 0x9e3779b9, 16777619) ^ two
    hash = Math.imul(hash, 16777619) ^ three
    hash = Math.imul(hash, 16777619) ^ four
    add(hash, startFour, end)
    if (length < 4) continue
    hash = Math.imul(hash, 16777619) ^ five
    add(hash, startFive, end)
  }
}

const space = 32

function isSpace(code: number): boolean {
  return code <= space || code === 0xa0
}

/** Returns the character that stands for a number: itself for one digit, 2, 4 or 7 for longer ones. */
function codeOfNumber(lastDigit: number, digits: number): number {
  if (digits === 1) return lastDigit
  return (digits <= 3 ? '2' : digits <= 6 ? '4' : '7').charCodeAt(0)
}

/** Adds the shape of each number with its separators, and how many digits it has. */
function addNumbers(text: string): void {
  for (const match of text.matchAll(/\d[\d\s.,\-/()]*\d/g)) {
    if (isFull()) return
    const [number] = match
    const to = match.index + number.length
    add(hashOf(number.replace(/\d/g, '0').slice(0, 40), kinds.shape), match.index, to)
    add(hashOf(String(number.replace(/\D/g, '').length), kinds.digits), match.index, to)
  }
}

function hashOf(text: string, kind: number): number {
  let hash = kind
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  return hash
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
