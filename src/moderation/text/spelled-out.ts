import { wordTables } from '../lists/word-tables.ts'
import type { LinkText } from './span.ts'
import { isLetterCode, type NormalizedWord } from './words.ts'

const trigger =
  /\s[.@/]\s|[([{]\s*[.@]|\s[.@]\S|\S@\s|\.\s(?:[a-z]{2,8}\/|(?:com|ly|me|net|example|link)(?![a-z]))/

/**
 * Returns the text with spelled-out addresses joined: `bit . ly / a`, `ana (arroba) g m a i l punto com`. Undefined
 * when there is no sign of one. The rest of the text is unchanged.
 */
export function spelledOutText(
  text: string,
  words: readonly NormalizedWord[],
): LinkText | undefined {
  const { signs } = wordTables()
  if (!words.some(({ form, isSpecial }) => isSpecial && signs.has(form)) && !trigger.test(text))
    return undefined
  let spoken = ''
  /** Span in the folded text of each character of the view. */
  const from: number[] = []
  const to: number[] = []
  const add = (piece: string, span: { from: number; to: number }) => {
    spoken += piece
    for (let count = 0; count < piece.length; count++) {
      from.push(span.from)
      to.push(span.to)
    }
  }
  let last: NormalizedWord | undefined
  for (const word of words) {
    const sign = signOf(text, word)
    if (last) {
      const gap = text.slice(last.to, word.from)
      const isSigned = sign !== undefined || signOf(text, last) !== undefined
      add(isSigned ? bareSign(gap) : between(gap, [last, word]), { from: last.to, to: word.from })
    }
    add(sign ?? spelling(text, word), word)
    last = word
  }
  return {
    text: spoken,
    spanOf: (first, end) => ({ from: from[first] ?? 0, to: to[end - 1] ?? text.length }),
  }
}

function signOf(text: string, { form, from, to }: NormalizedWord): string | undefined {
  const { signs, bracketedSigns } = wordTables()
  const sign = signs.get(form)
  if (sign === undefined || !bracketedSigns.has(form)) return sign
  return /[([{<*_-]/.test(text[from - 1] ?? '') && /[)\]}>*_-]/.test(text[to] ?? '')
    ? sign
    : undefined
}

/** Returns the word as written, or its normalized form when it was spelled letter by letter. */
function spelling(text: string, { form, from, to }: NormalizedWord): string {
  const written = text.slice(from, to)
  return /^[a-z0-9ñ]+$/.test(written) ? written : form
}

/** Joins the words next to a spelled-out sign, unless a line ends between them. */
function bareSign(gap: string): string {
  return endsLine(gap) ? ' ' : (/[.@/_-]/.exec(gap)?.[0] ?? '')
}

/** A line ends between two words, but not within an address: *bit⏎.ly⏎/a*. A full stop of a sentence has no space before
 * it. */
function endsLine(gap: string): boolean {
  return gap.includes('\n') && !/^\s+[./]\s*$/.test(gap)
}

/** Returns what to write between two words: a sign without its brackets, a space, or nothing between single letters. */
function between(gap: string, [first, second]: [NormalizedWord, NormalizedWord]): string {
  if (endsLine(gap)) return ' '
  if (gap.includes('://')) return '://'
  // A colon before a space announces an address: *aquí: b i t . l y*.
  if (/:\s/.test(gap)) return ' '
  const signs = gap.replace(/[\s()[\]{}<>*"']/g, '')
  if (/^[.@/_:?=&-]$/.test(signs)) return signs
  const isSpelled = signs === '' && gap.length === 1 && isLetter(first) && isLetter(second)
  return isSpelled ? '' : ' '
}

function isLetter({ from, to, form }: NormalizedWord): boolean {
  return to - from === 1 && isLetterCode(form.charCodeAt(0))
}
