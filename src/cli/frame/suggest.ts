/** Returns the candidate that was probably meant: one with few typos, or the only one with this beginning. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const bound = Math.min(3, Math.ceil(text.length / 3))
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(text, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const [first] = ranked
  if (first && first.edits <= bound) return first.candidate
  const continuations =
    text.length > 1 ? candidates.filter((candidate) => candidate.startsWith(text)) : []
  return continuations.length === 1 ? continuations[0] : undefined
}

/** Returns ` Did you mean "X"?`, or an empty text. */
export function didYouMean(text: string, candidates: readonly string[]): string {
  const candidate = nearest(text, candidates)
  return candidate === undefined ? '' : ` Did you mean "${candidate}"?`
}

/** Returns the Damerau-Levenshtein distance (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const edits = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + changed,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      rows[i]?.push(edits)
    }
  }
  return at(a.length, b.length)
}
