import { lookalikes } from '../lists/lookalikes.ts'

/** A text as rules read it: small letters, no accents but the ñ (año is no insult), tricks with
 * characters undone. Made in one pass that keeps the way back to the original. */
export interface Folded {
  readonly text: string
  /** Where in the original each character begins, and one more for the end; undefined where no
   * character moved. */
  readonly starts: readonly number[] | undefined
}

const plain = /^[\t\n\r -~]*$/
/** All of ISO-8859-1 that stands for one letter; the soft hyphen stands for none. */
const western = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u00ff]*$/
const asWritten = new Map([
  ...[...'ñ¿¡º°ª'].map((letter) => [letter, letter] as const),
  ['\u00ad', ''],
])
const latinForms: readonly string[] = Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return asWritten.get(letter) ?? lookalikes.get(letter) ?? [...letter.normalize('NFKD')][0] ?? ''
})

export function foldText(text: string): Folded {
  if (plain.test(text)) return { text: text.toLowerCase(), starts: undefined }
  if (western.test(text)) {
    const small = text.toLowerCase()
    const folded = small.replace(
      /[^\t\n\r -~]/g,
      (letter) => latinForms[letter.charCodeAt(0)] ?? '',
    )
    return { text: folded, starts: undefined }
  }
  let folded = ''
  let moved = false
  const starts: number[] = []
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0
    const size = code > 0xffff ? 2 : 1
    const form = code < 256 ? (latinForms[code] ?? '') : formOf(code)
    for (let each = 0; each < form.length; each++) {
      starts.push(form.length === size ? index + each : index)
    }
    if (form.length !== size) moved = true
    folded += form
    index += size
  }
  starts.push(text.length)
  return { text: folded, starts: moved ? starts : undefined }
}

/** The span of the original that a span of the folded text stands for. */
export function originalSpan(
  { starts }: Folded,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  if (!starts) return { from, to }
  const begin = starts[from] ?? 0
  let end = to
  // Where one character became two, both begin where it did.
  while (end < starts.length - 1 && (starts[end] ?? 0) <= (starts[to - 1] ?? begin)) end++
  return { from: begin, to: starts[end] ?? begin }
}

const known = new Map<number, string>()
const knownAtMost = 5_000
const invisible = /^[\p{M}\p{Cf}\p{Cc}\u{e0000}-\u{e01ef}]$/u
const letterEmoji = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]

function formOf(code: number): string {
  let form = known.get(code)
  if (form === undefined) {
    if (known.size >= knownAtMost) known.clear()
    form = newForm(code)
    known.set(code, form)
  }
  return form
}

function newForm(code: number): string {
  const letter = String.fromCodePoint(code)
  if (invisible.test(letter)) return ''
  const begin = letterEmoji.find((from) => code >= from && code < from + 26)
  if (begin !== undefined) return String.fromCharCode(97 + code - begin)
  const small = letter.toLowerCase()
  const same = lookalikes.get(small)
  if (same !== undefined) return same
  const taken = small.normalize('NFKD').replace(/\p{M}/gu, '')
  return [...taken].map((each) => lookalikes.get(each) ?? each).join('')
}
