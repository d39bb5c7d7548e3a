/** Text as searches compare it: without case and without accents. */
export function fold(text: string): string {
  return limitCombiningMarks(text.toLowerCase()).normalize('NFKD').replace(/\p{M}/gu, '')
}

/** Leaves at most 30 marks behind a letter, as Unicode's Stream-Safe Text Format does (UAX #15). Normalization
 * sorts the marks of a letter in the square of their number: 200,000 of them take it 14 s. */
export function limitCombiningMarks(text: string): string {
  return /\p{M}{31}/u.test(text) ? text.replace(/(\p{M}{30})\p{M}+/gu, '$1') : text
}

/** The words of a text, folded, each once and in one order. */
export function wordsOf(text: string): string[] {
  return [...new Set(fold(text).match(/[\p{L}\p{N}]+/gu) ?? [])].sort()
}
