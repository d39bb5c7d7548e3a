/** Returns a text without case and accents, as searches compare it. */
export function fold(text: string): string {
  return limitCombiningMarks(text.toLowerCase()).normalize('NFKD').replace(/\p{M}/gu, '')
}

/** Keeps at most 30 combining marks per letter, as the Stream-Safe Text Format does (UAX #15). Normalization takes
 * quadratic time in the marks of a letter: 14 s for 200,000. */
export function limitCombiningMarks(text: string): string {
  return /\p{M}{31}/u.test(text) ? text.replace(/(\p{M}{30})\p{M}+/gu, '$1') : text
}

/** Returns the folded words of a text, sorted and without duplicates. */
export function wordsOf(text: string): string[] {
  return [...new Set(fold(text).match(/[\p{L}\p{N}]+/gu) ?? [])].sort()
}
