/** Stands for what varies: as a value for any value, within a text for any text, as an entry for any further entries. */
const anything = '…'

/** Returns where `actual` lacks something of `expected`, or undefined if it has it all. Further fields are fine. */
export function differenceOf(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (expected === anything) return undefined
  const where = path === '' ? 'the answer' : path
  if (typeof expected === 'string' && expected.includes(anything)) {
    return typeof actual === 'string' && patternOf(expected).test(actual)
      ? undefined
      : `${where}: expected ${expected}, got ${JSON.stringify(actual)}`
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${where}: expected a list, got ${JSON.stringify(actual)}`
    return listDifference(expected, actual, path)
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) {
      return `${where}: expected an object, got ${JSON.stringify(actual)}`
    }
    for (const [key, value] of Object.entries(expected)) {
      if (key === anything) continue
      if (!Object.hasOwn(actual, key)) return `${where}: has no "${key}"`
      const difference = differenceOf(
        value,
        (actual as Record<string, unknown>)[key],
        `${path}.${key}`,
      )
      if (difference) return difference
    }
    return undefined
  }
  return Object.is(expected, actual)
    ? undefined
    : `${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`
}

/** Entries in their order. With `"…"` among them others may stand between. */
function listDifference(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): string | undefined {
  const isOpen = expected.includes(anything)
  const entries = expected.filter((entry) => entry !== anything)
  if (!isOpen && entries.length !== actual.length) {
    return `${path}: expected ${entries.length} entries, got ${actual.length}`
  }
  let next = 0
  for (const [index, entry] of entries.entries()) {
    const candidates = isOpen ? actual.slice(next) : actual.slice(next, next + 1)
    const differences = candidates.map((each, at) =>
      differenceOf(entry, each, `${path}[${next + at}]`),
    )
    const matchIndex = differences.indexOf(undefined)
    if (matchIndex < 0) return differences[0] ?? `${path}: has no entry ${index}`
    next += matchIndex + 1
  }
  return undefined
}

/** Returns an expression for a text in which `…` stands for anything. */
function patternOf(text: string): RegExp {
  const parts = text.split(anything).map((part) => escaped(part))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Whether `output` contains `text`; `…` stands for anything within a line. */
export function isShown(text: string, output: string): boolean {
  const parts = text.split(anything).map((part) => escaped(part))
  return new RegExp(parts.join('.*'), 'i').test(output)
}

/** Returns the JSON values of an output: the whole of it, or its lines that are JSON. */
export function jsonValuesOf(output: string): unknown[] {
  const parsed = (text: string): unknown[] => {
    try {
      return [JSON.parse(text)]
    } catch {
      return []
    }
  }
  const whole = parsed(output)
  return whole.length > 0
    ? whole
    : output
        .split('\n')
        .filter((line) => /^[[{]/.test(line))
        .flatMap(parsed)
}
