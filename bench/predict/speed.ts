import type { Learned } from '../../src/catalog/predictor/learned/learned.ts'
import type { Predictor } from '../../src/catalog/predictor/predictor.ts'
import { percentile } from '../measure.ts'

/** How many titles one core predicts, one after another, and how long the slowest hundredth takes. */
export function speedOf(
  predictor: Predictor,
  {
    texts,
    count,
    learned,
  }: { texts: readonly string[]; count: number; learned?: Learned | undefined },
): { perSecond: number; p99Us: number } {
  const took = new Float64Array(count)
  const each = (n: number) =>
    predictor.predict(texts[n % texts.length] as string, { most: 4, learned })
  for (let n = 0; n < Math.min(count, 5_000); n++) each(n)
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    const before = performance.now()
    each(n)
    took[n] = performance.now() - before
  }
  const perSecond = count / ((performance.now() - began) / 1_000)
  return { perSecond, p99Us: percentile([...took], 0.99) * 1_000 }
}
