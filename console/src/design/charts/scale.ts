/** The heights of the lines behind a chart: from 0 to what holds `most`, in steps that are read at once. */
export function axisTicksFor(most: number): number[] {
  if (most <= 0) return [0, 1]
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const whole = Math.max(step, Number.isInteger(most) ? 1 : 0)
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, n) => n * whole)
}

/** Which of so many columns have room for a label of their own. */
export function labeledColumns(count: number, width: number, labelWidth = 84): Set<number> {
  const every = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, 1)))
  const shown = new Set<number>()
  for (let n = 0; n < count; n += every) shown.add(n)
  return shown
}
