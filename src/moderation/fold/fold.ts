import { lookalikes } from './lookalikes.ts'

/** A text as rules read it: lower case, no accents except the ñ (año is no insult), look-alike characters replaced. */
export interface FoldedText {
  readonly text: string
  /** Offset in the original of each character, and of the end. Undefined when no offset differs. */
  readonly originalOffsets: readonly number[] | undefined
}

const plain = /^[\t\n\r -~]*$/
/** ISO-8859-1 characters that fold to one letter each; the soft hyphen folds to none. */
const western = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u00ff]*$/
const asWritten = new Map([
  ...[...'ñ¿¡º°ª'].map((letter) => [letter, letter] as const),
  ['\u00ad', ''],
])
const latinForms: readonly string[] = Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return asWritten.get(letter) ?? lookalikes.get(letter) ?? [...letter.normalize('NFKD')][0] ?? ''
})

/** Folds a text for the rules. Most texts are ASCII or western and take a short way, since no offset changes in
 * them. */
export function foldMessageText(text: string): FoldedText {
  if (plain.test(text)) return { text: text.toLowerCase(), originalOffsets: undefined }
  if (western.test(text)) {
    const lowerCase = text.toLowerCase()
    const folded = lowerCase.replace(
      /[^\t\n\r -~]/g,
      (letter) => latinForms[letter.charCodeAt(0)] ?? '',
    )
    return { text: folded, originalOffsets: undefined }
  }
  let folded = ''
  let moved = false
  const starts: number[] = []
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0
    const size = code > 0xffff ? 2 : 1
    const foldedForm = code < 256 ? (latinForms[code] ?? '') : formOf(code)
    for (let offset = 0; offset < foldedForm.length; offset++) {
      starts.push(foldedForm.length === size ? index + offset : index)
    }
    if (foldedForm.length !== size) moved = true
    folded += foldedForm
    index += size
  }
  starts.push(text.length)
  return { text: folded, originalOffsets: moved ? starts : undefined }
}

/** Returns the span of the original text that a span of the folded text comes from. */
export function originalSpan(
  { originalOffsets }: FoldedText,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  if (!originalOffsets) return { from, to }
  const begin = originalOffsets[from] ?? 0
  let end = to
  // Two characters that came from one share its offset.
  while (
    end < originalOffsets.length - 1 &&
    (originalOffsets[end] ?? 0) <= (originalOffsets[to - 1] ?? begin)
  )
    end++
  return { from: begin, to: originalOffsets[end] ?? begin }
}

const formCache = new Map<number, string>()
const maxCachedForms = 5_000
const invisible = /^[\p{M}\p{Cf}\p{Cc}\u{e0000}-\u{e01ef}]$/u
const letterEmoji = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]

/** Returns what a character folds to, from the cache if it is there. */
function formOf(code: number): string {
  let form = formCache.get(code)
  if (form === undefined) {
    if (formCache.size >= maxCachedForms) formCache.clear()
    form = newForm(code)
    formCache.set(code, form)
  }
  return form
}

/** Returns what a character folds to: a letter for emoji and look-alike letters, nothing for an invisible one. */
function newForm(code: number): string {
  const letter = String.fromCodePoint(code)
  if (invisible.test(letter)) return ''
  const begin = letterEmoji.find((from) => code >= from && code < from + 26)
  if (begin !== undefined) return String.fromCharCode(97 + code - begin)
  const lowerCase = letter.toLowerCase()
  const lookalike = lookalikes.get(lowerCase)
  if (lookalike !== undefined) return lookalike
  const decomposed = lowerCase.normalize('NFKD').replace(/\p{M}/gu, '')
  return [...decomposed].map((part) => lookalikes.get(part) ?? part).join('')
}
