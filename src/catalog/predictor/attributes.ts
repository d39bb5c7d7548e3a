import type { AttributeView } from '../tree/attributes.ts'
import { fold } from './words.ts'

/** What a title says of an attribute (contract 2.15). */
export interface FoundAttribute {
  id: string
  value_id: string | null
  value_name: string
}

/** How sellers write a unit, beside its sign. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  l: ['lt', 'lts', 'litro', 'litros'],
  ml: ['mililitros', 'cc'],
  kg: ['kgs', 'kilo', 'kilos', 'quilo', 'quilos'],
  g: ['gr', 'grs', 'gramos', 'gramas'],
  m: ['mt', 'mts', 'metro', 'metros'],
  cm: ['cms', 'centimetros'],
  mm: ['milimetros'],
  w: ['watt', 'watts'],
  v: ['volt', 'volts'],
  gb: ['gigas', 'g'],
  tb: ['teras'],
  '"': ['pulgadas', 'pulg', 'polegadas', 'pol', 'in', "''"],
  hp: ['cv'],
}

/** A title as attributes look at it: made once, for all the categories that it may belong to. */
export interface TitleParts {
  words: readonly string[]
  /** Its numbers with what stands behind them. */
  measures: readonly { number: string; unit: string }[]
}

const measurePattern = /(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?("|''|[a-z]+)/g

/** What there is to find in a title. */
export function partsOf(title: string): TitleParts {
  const folded = fold(title)
  const measures = [...folded.matchAll(measurePattern)].map(([, number = '', unit = '']) => ({
    number: number.replace(',', '.'),
    unit,
  }))
  return { words: wordsIn(folded), measures }
}

function wordsIn(folded: string): string[] {
  return folded.split(/[^a-z0-9+]+/).filter((word) => word !== '')
}

/** What a domain's attributes are found by. */
interface Matcher {
  /** The words that values begin with, and how many words the longest of those has. */
  longest: ReadonlyMap<string, number>
  values: ReadonlyMap<string, { id: string; value: { id: string; name: string } }>
  units: ReadonlyMap<string, readonly { id: string; unit: string }[]>
}

const matchers = new WeakMap<readonly AttributeView[], Matcher>()

function matcherOf(attributes: readonly AttributeView[]): Matcher {
  let matcher = matchers.get(attributes)
  if (!matcher) {
    matcher = compile(attributes)
    matchers.set(attributes, matcher)
  }
  return matcher
}

function compile(attributes: readonly AttributeView[]): Matcher {
  const longest = new Map<string, number>()
  const values = new Map<string, { id: string; value: { id: string; name: string } }>()
  const units = new Map<string, { id: string; unit: string }[]>()
  for (const { id, values: offered = [], value_type, allowed_units = [] } of attributes) {
    for (const value of value_type === 'boolean' ? [] : offered) {
      const words = wordsIn(fold(value.name))
      const run = words.join(' ')
      // A number alone may be anything; so may a single letter.
      if (run.length < 2 || /^[0-9 ]+$/.test(run) || values.has(run)) continue
      values.set(run, { id, value })
      const [first = ''] = words
      longest.set(first, Math.max(longest.get(first) ?? 0, words.length))
    }
    for (const { id: unit } of allowed_units) {
      const sign = fold(unit)
      for (const written of [sign, ...(spellings[sign] ?? [])]) {
        const known = units.get(written)
        if (known) known.push({ id, unit })
        else units.set(written, [{ id, unit }])
      }
    }
  }
  return { longest, values, units }
}

/** The attributes that a title names: a value that is offered, by all of its words; a measure, by its
 * unit. Of each the longest, in the order of the domain. */
export function attributesIn(
  { words, measures }: TitleParts,
  attributes: readonly AttributeView[],
): FoundAttribute[] {
  const matcher = matcherOf(attributes)
  const found = new Map<string, FoundAttribute>()
  for (const { id, value } of namedIn(words, matcher)) {
    if (!found.has(id)) found.set(id, { id, value_id: value.id, value_name: value.name })
  }
  for (const { number, unit: written } of measures) {
    for (const { id, unit } of matcher.units.get(written) ?? []) {
      if (!found.has(id)) found.set(id, { id, value_id: null, value_name: `${number} ${unit}` })
    }
  }
  if (found.size < 2) return [...found.values()]
  return attributes
    .filter(({ id }) => found.has(id))
    .map(({ id }) => found.get(id) as FoundAttribute)
}

/** The values that stand in a title, the longest first. */
function namedIn(words: readonly string[], { longest, values }: Matcher) {
  const named: { length: number; id: string; value: { id: string; name: string } }[] = []
  for (let from = 0; from < words.length; from++) {
    const most = Math.min(longest.get(words[from] as string) ?? 0, words.length - from)
    for (let length = most; length > 0; length--) {
      const run = length === 1 ? words[from] : words.slice(from, from + length).join(' ')
      const match = values.get(run as string)
      if (match) named.push({ length, ...match })
    }
  }
  return named.length > 1 ? named.sort((a, b) => b.length - a.length) : named
}
