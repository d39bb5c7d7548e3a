import { percentile } from '../measure.ts'

/** How many texts one core makes something of, one after another, and how long the slowest hundredth takes. */
export function measureSpeed(
  make: (text: string) => unknown,
  { texts, count }: { texts: readonly string[]; count: number },
): { perSecond: number; p99Us: number } {
  const took = new Float64Array(count)
  const makeOne = (n: number) => make(texts[n % texts.length] as string)
  for (let n = 0; n < Math.min(count, 5_000); n++) makeOne(n)
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    const before = performance.now()
    makeOne(n)
    took[n] = performance.now() - before
  }
  const perSecond = count / ((performance.now() - began) / 1_000)
  return { perSecond, p99Us: percentile([...took], 0.99) * 1_000 }
}
