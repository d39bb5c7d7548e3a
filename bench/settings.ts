/** Returns the positive number that this environment variable sets, or `usual` when it is not set. */
export function numberSetting(name: `FERIA_BENCH_${string}`, usual: number): number {
  const text = process.env[name]
  return text === undefined ? usual : positive(name, text)
}

/**
 * Returns the positive numbers, separated by commas, that this environment variable sets: as many as `usual` has, or
 * at least one where there may be any number of them.
 */
export function numbersSetting(
  name: `FERIA_BENCH_${string}`,
  usual: readonly number[],
  { isOfAnyLength = false } = {},
): readonly number[] {
  const text = process.env[name]
  if (text === undefined) return usual
  const numbers = text.split(',').map((part) => positive(name, part))
  if (isOfAnyLength || numbers.length === usual.length) return numbers
  throw new Error(`${name}: expected ${usual.length} numbers separated by commas, got "${text}"`)
}

/** Returns the two URLs, separated by a comma, that this environment variable sets. */
export function urlsSetting(name: `FERIA_BENCH_${string}`): readonly [string, string] {
  const text = process.env[name] ?? ''
  const [one, other, ...more] = text.split(',').map((part) => part.trim())
  if (one && other && more.length === 0 && [one, other].every((url) => URL.canParse(url)))
    return [one, other]
  throw new Error(`${name}: expected two URLs separated by a comma, got "${text}"`)
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number > 0 && Number.isFinite(number)) return number
  throw new Error(`${name}: expected a positive number, got "${text}"`)
}
