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
  /** Runs of its words, the longest first. */
  runs: readonly string[]
  /** Its numbers with what stands behind them. */
  measures: readonly { number: string; unit: string }[]
}

/** Values have no more words than this. */
const longestRun = 6
const measurePattern = /(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?("|''|[a-z]+)/g

/** What there is to find in a title. */
export function partsOf(title: string): TitleParts {
  const folded = fold(title)
  const words = wordsIn(folded)
  const runs: string[] = []
  for (let length = Math.min(longestRun, words.length); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      runs.push(words.slice(from, from + length).join(' '))
    }
  }
  const measures = [...folded.matchAll(measurePattern)].map(([, number = '', unit = '']) => ({
    number: number.replace(',', '.'),
    unit,
  }))
  return { runs, measures }
}

function wordsIn(folded: string): string[] {
  return folded.split(/[^a-z0-9+]+/).filter((word) => word !== '')
}

/** What a domain's attributes are found by. */
interface Matcher {
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
  const values = new Map<string, { id: string; value: { id: string; name: string } }>()
  const units = new Map<string, { id: string; unit: string }[]>()
  for (const { id, values: offered = [], value_type, allowed_units = [] } of attributes) {
    for (const value of value_type === 'boolean' ? [] : offered) {
      const run = wordsIn(fold(value.name)).join(' ')
      // A number alone may be anything; so may a single letter.
      if (run.length >= 2 && !/^[0-9 ]+$/.test(run) && !values.has(run))
        values.set(run, { id, value })
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
  return { values, units }
}

/** The attributes that a title names: a value that is offered, by all of its words; a measure, by its
 * unit. Of each the longest, in the order of the domain. */
export function attributesIn(
  { runs, measures }: TitleParts,
  attributes: readonly AttributeView[],
): FoundAttribute[] {
  const { values, units } = matcherOf(attributes)
  const found = new Map<string, FoundAttribute>()
  for (const run of runs) {
    const match = values.get(run)
    if (!match || found.has(match.id)) continue
    const { id, name } = match.value
    found.set(match.id, { id: match.id, value_id: id, value_name: name })
  }
  for (const { number, unit: written } of measures) {
    for (const { id, unit } of units.get(written) ?? []) {
      if (!found.has(id)) found.set(id, { id, value_id: null, value_name: `${number} ${unit}` })
    }
  }
  return found.size === 0 ? [] : attributes.flatMap(({ id }) => found.get(id) ?? [])
}
