/** Results that nDCG looks at. */
export const ndcgDepth = 10
/** Results that precision looks at. */
export const precisionDepth = 5
/** From this mean grade on, a title is relevant. */
export const relevantGrade = 1.5

const gainOf = (grade: number) => 2 ** grade - 1

const discountedGain = (grades: readonly number[]) =>
  grades
    .slice(0, ndcgDepth)
    .reduce((sum, grade, index) => sum + gainOf(grade) / Math.log2(index + 2), 0)

/** Returns the normalized discounted cumulative gain of the first ten results, from 0 to 1. The ideal order is that of
 * all titles judged for the query, found or not. Undefined if none of them has a grade above 0. */
export function ndcgOf(results: readonly number[], judged: readonly number[]): number | undefined {
  const ideal = discountedGain(judged.toSorted((a, b) => b - a))
  return ideal === 0 ? undefined : discountedGain(results) / ideal
}

/** Returns the share of relevant titles among the first five results. Fewer than five results are divided by the
 * number of relevant titles judged for the query, at most five. Undefined if none is relevant. */
export function precisionOf(
  results: readonly number[],
  judged: readonly number[],
): number | undefined {
  const relevantIn = (grades: readonly number[]) =>
    grades.filter((grade) => grade >= relevantGrade).length
  const most = Math.min(precisionDepth, relevantIn(judged))
  if (most === 0) return undefined
  const first = results.slice(0, precisionDepth)
  return relevantIn(first) / (first.length < precisionDepth ? most : precisionDepth)
}

/** Returns Cohen's kappa of two judges with quadratic weights: 1 if they agree on all, 0 if not more than by chance. */
export function kappaOf(pairs: readonly (readonly [number, number])[]): number {
  let [observed, expected] = [0, 0]
  for (const [first, second] of pairs) observed += (first - second) ** 2
  const firstCounts = countGrades(pairs.map(([first]) => first))
  const secondCounts = countGrades(pairs.map(([, second]) => second))
  for (const [first, count] of firstCounts) {
    for (const [second, otherCount] of secondCounts) {
      expected += ((first - second) ** 2 * count * otherCount) / pairs.length
    }
  }
  // Without any spread of grades, chance agrees as well.
  return expected === 0 ? Number.NaN : 1 - observed / expected
}

function countGrades(grades: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const grade of grades) counts.set(grade, (counts.get(grade) ?? 0) + 1)
  return counts
}
