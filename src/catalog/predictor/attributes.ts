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

interface Matcher {
  /** Values by their words, joined. */
  values: ReadonlyMap<string, { id: string; value: { id: string; name: string } }>
  longest: number
  measures: readonly { id: string; unit: string; pattern: RegExp }[]
}

const matchers = new WeakMap<readonly AttributeView[], Matcher>()

const wordsIn = (text: string) =>
  fold(text)
    .split(/[^a-z0-9+]+/)
    .filter((word) => word !== '')

function matcherOf(attributes: readonly AttributeView[]): Matcher {
  let matcher = matchers.get(attributes)
  if (!matcher) {
    matcher = compile(attributes)
    matchers.set(attributes, matcher)
  }
  return matcher
}

function compile(attributes: readonly AttributeView[]): Matcher {
  const values: Matcher['values'] & Map<string, unknown> = new Map()
  let longest = 0
  for (const { id, values: offered = [], value_type } of attributes) {
    if (value_type === 'boolean') continue
    for (const value of offered) {
      const words = wordsIn(value.name)
      const key = words.join(' ')
      // A number alone may be anything; so may a single letter.
      if (key.length < 2 || /^[0-9 ]+$/.test(key) || values.has(key)) continue
      longest = Math.max(longest, words.length)
      values.set(key, { id, value })
    }
  }
  const measures = attributes.flatMap(({ id, allowed_units = [] }) =>
    allowed_units.map(({ id: unit }) => {
      const sign = fold(unit)
      const written = [sign, ...(spellings[sign] ?? [])].map((each) =>
        each.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'),
      )
      const pattern = new RegExp(
        `(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?(?:${written.join('|')})(?![a-z0-9])`,
      )
      return { id, unit, pattern }
    }),
  )
  return { values, longest, measures }
}

/** The attributes that a title names: a value that is offered, by all of its words; a measure, by its
 * unit. Of each the longest, in the order of the domain. */
export function attributesIn(
  title: string,
  attributes: readonly AttributeView[],
): FoundAttribute[] {
  const { values, longest, measures } = matcherOf(attributes)
  const found = new Map<string, FoundAttribute>()
  const words = wordsIn(title)
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const match = values.get(words.slice(from, from + length).join(' '))
      if (!match || found.has(match.id)) continue
      const { id, name } = match.value
      found.set(match.id, { id: match.id, value_id: id, value_name: name })
    }
  }
  const folded = fold(title)
  for (const { id, unit, pattern } of measures) {
    const number = pattern.exec(folded)?.[1]
    if (number === undefined || found.has(id)) continue
    found.set(id, { id, value_id: null, value_name: `${number.replace(',', '.')} ${unit}` })
  }
  return attributes.flatMap(({ id }) => found.get(id) ?? [])
}
