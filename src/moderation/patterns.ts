/** One word that a pattern expects. */
export interface PatternElement {
  words: ReadonlySet<string>
  /** Prefixes of matching words, at least three letters each. */
  prefixes: readonly string[]
  /** Minimum digits of a number that matches, at most five. Undefined: numbers do not match. */
  number: number | undefined
  optional: boolean
  /** Whether the element may match several words in a row. */
  repeated: boolean
  /** How many other words may come before it. */
  gap: number
}

export interface Pattern {
  elements: readonly PatternElement[]
  /** Whether it matches only at the beginning of a sentence. */
  atStart: boolean
}

/**
 * Parses a phrase, whose syntax README.md describes. `names` holds the named alternatives. Throws if the first word is
 * optional or a number, because phrases are looked up by their first word.
 */
export function patternOf(line: string, names: ReadonlyMap<string, string>): Pattern {
  const elements: PatternElement[] = []
  let gap = 0
  const parts = line.split(/\s+/)
  const atStart = parts[0] === '^'
  for (const part of parts.slice(atStart ? 1 : 0)) {
    const skipped = /^\.\.(\d)$/.exec(part)
    if (skipped) gap = Number(skipped[1])
    else {
      elements.push({ ...elementOf(part, names), gap })
      gap = 0
    }
  }
  const [first] = elements
  if (!first || first.optional || first.number !== undefined)
    throw new Error(`expected a first word that is neither optional nor a number: ${line}`)
  return { elements, atStart }
}

/** Parses one word of a phrase. Throws for a prefix of fewer than three letters, because prefixes are looked up by
 * their first three letters. */
function elementOf(part: string, names: ReadonlyMap<string, string>): PatternElement {
  const optional = part.endsWith('?')
  const required = optional ? part.slice(0, -1) : part
  const repeated = required.endsWith('+')
  const choices = expandNames(repeated ? required.slice(0, -1) : required, names).split('|')
  if (choices.includes('')) throw new Error(`an alternative is empty: ${part}`)
  const beginnings = choices
    .filter((choice) => choice.endsWith('*'))
    .map((choice) => choice.slice(0, -1))
  const shortBeginning = beginnings.find((choice) => choice.length < 3)
  if (shortBeginning !== undefined)
    throw new Error(`expected at least three letters before the *: ${shortBeginning}*`)
  return {
    words: new Set(choices.filter((choice) => !/[*#]$/.test(choice))),
    prefixes: beginnings,
    number: choices.includes('#') ? 2 : choices.includes('##') ? 3 : undefined,
    optional,
    repeated,
    gap: 0,
  }
}

function expandNames(part: string, names: ReadonlyMap<string, string>): string {
  return part.replace(/<[a-z-]+>/g, (name) => {
    const alternatives = names.get(name)
    if (alternatives === undefined || alternatives.includes('<'))
      throw new Error(`unknown name: ${name}`)
    return alternatives
  })
}
