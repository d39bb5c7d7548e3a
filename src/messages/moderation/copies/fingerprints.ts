import { foldMessageText } from '../../../moderation/fold/fold.ts'
import { splitIntoWords } from '../../../moderation/text/words.ts'

/** Shorter texts are too common to be called copies: "ok, dale, mañana sale". */
const minWords = 12
/** MinHash with `bands` prints of `rows` minima each. Texts that are 90 % equal share a print with probability 0.9996,
 * texts that are a third equal with 0.2. */
const bands = 6
const rows = 3

/**
 * Returns the prints of a text as signed 64-bit integers: two texts are copies when they share one. Numbers and the
 * name after a greeting are left out, because they differ between copies. Empty for short texts.
 */
export function fingerprintsOf(text: string): readonly string[] {
  const words = distinctiveWords(text)
  if (words.length < minWords) return []
  const minima = new Uint32Array(bands * rows).fill(0xffffffff)
  for (let at = 0; at + 1 < words.length; at++) {
    const pair = hashOf(`${words[at]} ${words[at + 1]}`)
    for (let index = 0; index < minima.length; index++) {
      const value = mixed(pair, index)
      if (value < (minima[index] ?? 0)) minima[index] = value
    }
  }
  return Array.from({ length: bands }, (_, band) => fingerprintOf(minima, band))
}

const greeting =
  /^(hola|ola|oi|buen|buenas|buenos|bom|boa|estimad[oa]|prezad[oa]|querid[oa]|car[oa])$/
const greetingGoesOn = /^(dia|dias|tarde|tardes|noche|noches|noite|sr|sra|senor|senora|srta)$/

/** Returns the words without numbers and without the name after a greeting. */
function distinctiveWords(text: string): string[] {
  const folded = foldMessageText(text).text
  const { words } = splitIntoWords(folded)
  let first = 0
  if (greeting.test(words[0]?.form ?? '')) {
    while (first < words.length && first < 4 && isGreeting(words[first]?.form ?? '')) first++
    const comma = words.findIndex(
      ({ to }, at) => at >= first - 1 && at < first + 3 && /^\s*[,.!:;\n-]/.test(folded.slice(to)),
    )
    first = comma === -1 ? first + 1 : comma + 1
  }
  return words
    .slice(first)
    .filter(({ from, to }) => !/[0-9]/.test(folded.slice(from, to)))
    .map(({ form }) => form)
}

function isGreeting(form: string): boolean {
  return greeting.test(form) || greetingGoesOn.test(form)
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/** Derives another hash for each `seed`. */
function mixed(hash: number, seed: number): number {
  let value = Math.imul(hash ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Hashes the minima of a band to one signed number. The band is part of the hash, so that bands never match others. */
function fingerprintOf(minima: Uint32Array, band: number): string {
  const minimaOfBand = [...minima.slice(band * rows, (band + 1) * rows)].join()
  const high = BigInt(hashOf(`${band}:${minimaOfBand}`))
  const low = BigInt(hashOf(`${minimaOfBand}:${band}`))
  return BigInt.asIntN(64, (high << 32n) | low).toString()
}
