import { numerals } from '../lists/numerals.ts'
import type { NormalizedText } from '../reading/reading.ts'
import type { Word } from '../reading/words.ts'

/** A number as it is written: with whatever stands between its digits, or in words. */
export interface Digits {
  from: number
  to: number
  digits: string
  /** The lengths of its parts. */
  groups: readonly number[]
  /** Its parts. */
  parts: readonly string[]
  /** All that stands between the parts. */
  between: string
  /** How many of its parts are words. */
  spoken: number
}

/** Fewer digits are nobody's number. */
const fewest = 7

const written = /(?:\+\s?|\(\s?|(?<![a-zñ0-9])o)?\d(?:(?:[ .()/_·*~|-]{0,3}|,| ?[oil])\d)*/g

/** The numbers of a text that are long enough to be somebody's. */
export function digitsOf({ text, words, digits }: NormalizedText): Digits[] {
  if (digits < fewest) return spokenDigits(words)
  const found: Digits[] = []
  for (const match of text.matchAll(written)) {
    const [run] = match
    const parts = run.match(/[\doil]+/g) ?? []
    const numbers = parts.map((part) => part.replaceAll('o', '0').replace(/[il]/g, '1'))
    const all = numbers.join('')
    if (all.length < fewest) continue
    found.push({
      from: match.index,
      to: match.index + run.length,
      digits: all,
      groups: numbers.map((part) => part.length),
      parts: numbers,
      between: run.replace(/[\doil]/g, ''),
      spoken: 0,
    })
  }
  return [...found, ...spokenDigits(words)]
}

/** Numbers told in words, digits among them or not: "once cincuenta y cinco 55 doce". */
function spokenDigits(words: readonly Word[]): Digits[] {
  const found: Digits[] = []
  for (let first = 0; first < words.length; first++) {
    const run = spokenRun(words, first)
    if (run.numerals > 0 && run.digits.length >= fewest) {
      const { from } = words[first] as Word
      const { to } = words[run.end - 1] as Word
      const { digits } = run
      found.push({
        from,
        to,
        digits,
        groups: [],
        parts: [digits],
        between: ' ',
        spoken: run.numerals,
      })
    }
    if (run.end > first) first = run.end - 1
  }
  return found
}

function spokenRun(words: readonly Word[], first: number) {
  let digits = ''
  let count = 0
  let at = first
  for (; at < words.length; at++) {
    const word = words[at] as Word
    if (word.stop && at > first) break
    const value = digitsOfWord(word.form)
    if (value === undefined) {
      if (digits === '' || !isTensAnd(words, at)) break
      digits = digits.slice(0, -1) + numerals.ones.get(words[at + 1]?.form ?? '')
      count += 2
      at++
    } else {
      digits += value
      if (!/^\d/.test(word.form)) count++
    }
  }
  return { digits, numerals: count, end: at }
}

function digitsOfWord(form: string): string | undefined {
  if (/^\d{1,4}$/.test(form)) return form
  return numerals.ones.get(form) ?? numerals.teens.get(form) ?? numerals.tens.get(form)
}

/** "cincuenta Y cinco": the tens before, the ones after. */
function isTensAnd(words: readonly Word[], at: number): boolean {
  const [before, and, after] = [words[at - 1]?.form, words[at]?.form, words[at + 1]?.form]
  const joins = and === 'y' || and === 'e'
  return joins && numerals.tens.has(before ?? '') && numerals.ones.has(after ?? '')
}
