import { wordTables } from './lists/word-tables.ts'
import type { NormalizedText } from './text/normalize.ts'
import type { NormalizedWord } from './text/words.ts'

/** A number in a text, in digits with separators or in words. */
export interface TextNumber {
  from: number
  to: number
  digits: string
  /** Lengths of the parts. */
  partLengths: readonly number[]
  /** Parts between the separators. */
  parts: readonly string[]
  /** All separators, concatenated. */
  separators: string
  /** Number of parts that are words. */
  spelledParts: number
}

/** Shorter numbers are neither accounts, documents nor telephones. */
const minDigits = 7

const written = /(?:\+\s?|\(\s?|(?<![a-zñ0-9])o)?\d(?:(?:[ .()/_·*~|-]{0,3}|,| ?[oil])\d)*/g

/** Finds the numbers of at least seven digits. */
export function findNumbers({ text, words, digitCount }: NormalizedText): TextNumber[] {
  if (digitCount < minDigits) return findSpelledNumbers(words)
  const numbers: TextNumber[] = []
  for (const match of text.matchAll(written)) {
    const [run] = match
    const parts = run.match(/[\doil]+/g) ?? []
    const digitParts = parts.map((part) => part.replaceAll('o', '0').replace(/[il]/g, '1'))
    const joined = digitParts.join('')
    if (joined.length < minDigits) continue
    numbers.push({
      from: match.index,
      to: match.index + run.length,
      digits: joined,
      partLengths: digitParts.map((part) => part.length),
      parts: digitParts,
      separators: run.replace(/[\doil]/g, ''),
      spelledParts: 0,
    })
  }
  return [...numbers, ...findSpelledNumbers(words)]
}

/** Finds numbers in words, also mixed with digits: "once cincuenta y cinco 55 doce". */
function findSpelledNumbers(words: readonly NormalizedWord[]): TextNumber[] {
  const numbers: TextNumber[] = []
  for (let first = 0; first < words.length; first++) {
    if (digitsOfWord(words[first] as NormalizedWord) === undefined) continue
    const run = readSpelledNumber(words, first)
    if (run.numerals > 0 && run.digits.length >= minDigits) {
      const { from } = words[first] as NormalizedWord
      const { to } = words[run.end - 1] as NormalizedWord
      const { digits } = run
      numbers.push({
        from,
        to,
        digits,
        partLengths: [],
        parts: [digits],
        separators: ' ',
        spelledParts: run.numerals,
      })
    }
    if (run.end > first) first = run.end - 1
  }
  return numbers
}

/** Reads the numbers that are written as words from word `first` on. Returns their digits, how many numerals they
 * are, and the index after the last word. */
function readSpelledNumber(words: readonly NormalizedWord[], first: number) {
  let digits = ''
  let count = 0
  let at = first
  for (; at < words.length; at++) {
    const word = words[at] as NormalizedWord
    if (word.stop && at > first) break
    const value = digitsOfWord(word)
    if (value === undefined) {
      if (digits === '' || !isTensAnd(words, at)) break
      digits = digits.slice(0, -1) + wordTables().ones.get(words[at + 1]?.form ?? '')
      count += 2
      at++
    } else {
      digits += value
      if (!/^\d/.test(word.form)) count++
    }
  }
  return { digits, numerals: count, end: at }
}

function digitsOfWord({ form, isSpecial }: NormalizedWord): string | undefined {
  const code = form.charCodeAt(0)
  if (code >= 48 && code <= 57 && /^\d{1,4}$/.test(form)) return form
  if (!isSpecial) return undefined
  const { ones, teens, tens } = wordTables()
  return ones.get(form) ?? teens.get(form) ?? tens.get(form)
}

/** Returns whether the word joins tens and ones: "cincuenta Y cinco". */
function isTensAnd(words: readonly NormalizedWord[], at: number): boolean {
  const [before, and, after] = [words[at - 1]?.form, words[at]?.form, words[at + 1]?.form]
  const joins = and === 'y' || and === 'e'
  if (!joins) return false
  const { ones, tens } = wordTables()
  return tens.has(before ?? '') && ones.has(after ?? '')
}
