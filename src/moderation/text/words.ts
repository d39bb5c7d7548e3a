import { wordTables } from '../lists/word-tables.ts'

/** A word of a folded text, normalized. */
export interface NormalizedWord {
  /** Digits and symbols replaced by the letters that they stand for, repeated letters shortened. */
  form: string
  /** Other possible readings. */
  alternatives: readonly string[]
  from: number
  to: number
  /** Whether a sentence ends before the word. */
  stop: boolean
  /** Whether it was disguised: spelled letter by letter, or with digits and symbols for letters. */
  isDisguised: boolean
  /** Whether the form is in the table of special words: all others skip the tables that it is made of. */
  isSpecial: boolean
}

export interface TextWords {
  words: NormalizedWord[]
  /** Number of digits in the text. Texts with few digits skip the rules about numbers. */
  digitCount: number
}

const letterOf = new Map(
  '0o 1i 3e 4a 5s 7t 8b @a $s €e'.split(' ').map(([sign = '', letter = '']) => [sign, letter]),
)
const none: readonly string[] = []
const closing = new Set([...'.!?;…'])
const symbols = new Set([...'@$*#€'])

/** Splits a folded text into words. Single letters in a row are joined in a second pass. */
export function splitIntoWords(text: string): TextWords {
  const words: NormalizedWord[] = []
  let digits = 0
  let singleLetters = 0
  let stop = false
  const { special } = wordTables()
  for (let at = 0; at < text.length; at++) {
    if (!isWordCode(text.charCodeAt(at))) {
      stop ||= isStop(text, at, words.at(-1))
      continue
    }
    const from = at
    let letters = 0
    let others = 0
    let hash = 0
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isLetterCode(code)) letters++
      else if (code >= 48 && code <= 57) {
        digits++
        others++
      } else if (isHiddenLetter(text, from, at)) others++
      else break
      hash = Math.imul(hash ^ code, 16777619)
    }
    if (others > 0 && letters > 1) words.push(disguisedWord(text, { from, to: at, stop }))
    else {
      const form = formOf(text, { from, to: at, hash })
      words.push({
        form,
        alternatives: none,
        from,
        to: at,
        stop,
        isDisguised: false,
        isSpecial: special.has(form),
      })
    }
    if (at - from === 1) singleLetters++
    stop = false
    at--
  }
  const joined = singleLetters > 2 ? joinSpelledLetters(text, words) : words
  return { words: joinSplitNames(text, joined), digitCount: digits }
}

export function isLetterCode(code: number): boolean {
  if (code < 128) return code >= 97 && code <= 122
  return code === 241 || (code > 0xff && code < 0x2000) || (code > 0x2bff && code < 0xd800)
}

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || isLetterCode(code)
}

function isStop(text: string, at: number, before: NormalizedWord | undefined): boolean {
  const letter = text[at] ?? ''
  if (letter === '\n') return true
  if (letter === '.' && before?.to === at && wordTables().abbreviations.has(before.form))
    return false
  return closing.has(letter) && (at + 1 === text.length || /\s/.test(text[at + 1] ?? ''))
}

/** Returns whether a symbol in a word masks a letter: `p*ta`, `put@s`, but not the @ of an address. */
function isHiddenLetter(text: string, from: number, at: number): boolean {
  const symbol = text[at] ?? ''
  if (!symbols.has(symbol) || at === from || !isLetterCode(text.charCodeAt(at - 1))) {
    return symbol === '*' && text[at - 1] === '*' && at > from
  }
  if (symbol === '*' || symbol === '#') {
    const rest = text.slice(at, at + 6)
    return /^[*#]*[a-zñ]/.test(rest) || (at - from < 3 && /^[*#]+(?![*#a-zñ0-9])/.test(rest))
  }
  if (symbol === '$' || symbol === '€') return isLetterCode(text.charCodeAt(at + 1))
  return /^@[a-zñ]{0,2}(?![a-zñ0-9._@-])|^@[a-zñ]{0,2}\.(?:\s|$)/.test(text.slice(at, at + 5))
}

/** Longer forms are not kept: V8 keeps the whole text in memory that such a substring was cut from. */
const longestKept = 12
const keptForms = 8192
/** Forms of earlier texts, by a hash of their letters. Taking one from here saves cutting it out and hashing it anew
 * in each table that it is looked up in. */
const formsByHash: (string | undefined)[] = Array.from({ length: keptForms })

/** Returns the form of a word that is not disguised. */
function formOf(
  text: string,
  { from, to, hash }: { from: number; to: number; hash: number },
): string {
  const at = (hash ^ (hash >>> 15)) & (keptForms - 1)
  const kept = formsByHash[at]
  if (kept?.length === to - from && text.startsWith(kept, from)) return kept
  const written = text.slice(from, to)
  const form = collapseRepeats(written)
  if (form === written && form.length <= longestKept) formsByHash[at] = form
  return form
}

/** Returns a disguised word, with digits and signs read as letters. The alternative reads a 1 as an l. */
function disguisedWord(
  text: string,
  { from, to, stop }: { from: number; to: number; stop: boolean },
): NormalizedWord {
  const written = collapseRepeats(text.slice(from, to))
  const form = collapseRepeats(lettersFor(written))
  const withL = lettersFor(written.replaceAll('1', 'l'))
  return {
    form,
    alternatives: withL === form ? none : [withL],
    from,
    to,
    stop,
    isDisguised: true,
    isSpecial: isSpecial(form),
  }
}

function isSpecial(form: string): boolean {
  return wordTables().special.has(form)
}

/** Replaces the digits and signs that often stand for letters. */
export function lettersFor(text: string): string {
  return [...text].map((letter) => letterOf.get(letter) ?? letter).join('')
}

/** Shortens `holaaaa` to `hola`: Spanish and Portuguese words do not repeat a letter three times. */
function collapseRepeats(word: string): string {
  if (word.length < 4) return word
  for (let at = 2; at < word.length; at++) {
    const letter = word.charCodeAt(at)
    if (letter !== word.charCodeAt(at - 1) || letter !== word.charCodeAt(at - 2)) continue
    return letter >= 48 && letter <= 57 ? word : word.replace(/([^0-9])\1{2,}/g, '$1')
  }
  return word
}

/** Joins three or more single letters with the same separator: `g m a i l`. */
function joinSpelledLetters(text: string, words: readonly NormalizedWord[]): NormalizedWord[] {
  const joined: NormalizedWord[] = []
  for (let at = 0; at < words.length; ) {
    const first = words[at] as NormalizedWord
    let end = at + 1
    if (isAlone(first)) {
      const between = text.slice(first.to, words[end]?.from)
      while (end < words.length && between.length <= 3 && isAlone(words[end] as NormalizedWord)) {
        if (text.slice(words[end - 1]?.to, words[end]?.from) !== between) break
        end++
      }
    }
    const run = words.slice(at, end)
    joined.push(run.length < 3 ? first : wordOfLetters(run))
    if (run.length < 3) end = at + 1
    at = end
  }
  return joined
}

function isAlone({ from, to, form }: NormalizedWord): boolean {
  return to - from === 1 && isLetterCode(form.charCodeAt(0))
}

/** Joins single letters to one word. The letter at either end may be a word of its own: `h d p y`. */
function wordOfLetters(run: readonly NormalizedWord[]): NormalizedWord {
  const form = run.map((word) => word.form).join('')
  const others = [form.replace(/[yeoau]$/, ''), form.replace(/^[yeoau]/, '')]
  return {
    form,
    alternatives: others.filter((other) => other !== form),
    from: run[0]?.from ?? 0,
    to: run.at(-1)?.to ?? 0,
    stop: run[0]?.stop ?? false,
    isDisguised: true,
    isSpecial: isSpecial(form),
  }
}

/** Joins the halves of names that are often split: `insta gram`. */
function joinSplitNames(text: string, words: NormalizedWord[]): NormalizedWord[] {
  let joined: NormalizedWord[] | undefined
  const { splitBeginnings } = wordTables()
  for (let at = 0; at < words.length; at++) {
    const first = words[at] as NormalizedWord
    const second = first.isSpecial && splitBeginnings.has(first.form) ? words[at + 1] : undefined
    const name = second && nameOf(text, first, second)
    if (name) {
      joined ??= words.slice(0, at)
      joined.push({
        ...first,
        form: name,
        alternatives: [first.form],
        to: second.to,
        isSpecial: isSpecial(name),
      })
      at++
    } else joined?.push(first)
  }
  return joined ?? words
}

function nameOf(text: string, first: NormalizedWord, second: NormalizedWord): string | undefined {
  if (second.from - first.to > 2) return undefined
  const form = first.form + second.form
  const isName =
    wordTables().splitNames.has(form) && !/[\n@]/.test(text.slice(first.to, second.from))
  return isName ? form : undefined
}
