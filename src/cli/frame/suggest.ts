/** The one of `known` that was probably meant: a slip or two away, or begun and not finished. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const bound = Math.min(3, Math.ceil(given.length / 3))
  const ranked = known
    .map((each) => ({ each, far: distance(given, each) }))
    .sort((a, b) => a.far - b.far)
  const [first] = ranked
  if (first && first.far <= bound) return first.each
  const begun = given.length > 1 ? known.filter((each) => each.startsWith(given)) : []
  return begun.length === 1 ? begun[0] : undefined
}

/** ` Did you mean "X"?`, or nothing. */
export function meant(given: string, known: readonly string[]): string {
  const found = nearest(given, known)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

/** Letters to add, drop, change or swap with their neighbour, to come from one word to the other. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const far = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + changed,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      rows[i]?.push(far)
    }
  }
  return at(a.length, b.length)
}
