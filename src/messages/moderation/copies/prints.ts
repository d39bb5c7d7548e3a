import { foldText } from '../reading/fold.ts'
import { wordsOf } from '../reading/words.ts'

/** A text with fewer words than this says nothing about who wrote it: "ok, dale, mañana sale". */
const fewestWords = 12
/** Each print is made of `rows` minima: texts of which nine tenths are the same share one of the
 * `bands` nearly always (0.9996), those that share a third hardly ever (0.2). */
const bands = 6
const rows = 3

/**
 * What a text is known by when nearly the same one is sent again, as whole numbers of 64 bits: two
 * texts are copies when they share one. Numbers, and the name after a greeting, are left out: they are
 * what differs between copies. Empty for short texts.
 */
export function printsOf(text: string): readonly string[] {
  const words = tellingWords(text)
  if (words.length < fewestWords) return []
  const minima = new Uint32Array(bands * rows).fill(0xffffffff)
  for (let at = 0; at + 1 < words.length; at++) {
    const pair = hashOf(`${words[at]} ${words[at + 1]}`)
    for (let each = 0; each < minima.length; each++) {
      const value = mixed(pair, each)
      if (value < (minima[each] ?? 0)) minima[each] = value
    }
  }
  return Array.from({ length: bands }, (_, band) => printOf(minima, band))
}

const greeting =
  /^(hola|ola|oi|buen|buenas|buenos|bom|boa|estimad[oa]|prezad[oa]|querid[oa]|car[oa])$/
const greetingGoesOn = /^(dia|dias|tarde|tardes|noche|noches|noite|sr|sra|senor|senora|srta)$/

/** Words without numbers, and without the name that follows a greeting. */
function tellingWords(text: string): string[] {
  const folded = foldText(text).text
  const { words } = wordsOf(folded)
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

/** Another hash of the same for each `seed`. */
function mixed(hash: number, seed: number): number {
  let value = Math.imul(hash ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** The minima of a band as one signed number; the band is part of it, so that bands do not mix. */
function printOf(minima: Uint32Array, band: number): string {
  const own = [...minima.slice(band * rows, (band + 1) * rows)].join()
  const high = BigInt(hashOf(`${band}:${own}`))
  const low = BigInt(hashOf(`${own}:${band}`))
  return BigInt.asIntN(64, (high << 32n) | low).toString()
}
