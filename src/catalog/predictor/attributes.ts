import { type AttributeView, valueIdOf } from '../tree/attributes.ts'
import { Runs, wordsIn } from './runs.ts'
import { fold } from './words.ts'

/** What a title says of an attribute (contract 2.15). */
export interface FoundAttribute {
  id: string
  value_id: string | null
  value_name: string
}

/** How sellers write a unit, beside its sign. */
export const spellings: Readonly<Record<string, readonly string[]>> = {
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

/** A value that is offered of an attribute. */
interface Offered {
  id: string
  value: { id: string; name: string }
}

/** What a domain's attributes are found by. */
interface Matcher {
  hasBrand: boolean
  values: Runs<Offered>
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
  const values = new Runs<Offered>()
  const units = new Map<string, { id: string; unit: string }[]>()
  for (const { id, values: offered = [], value_type, allowed_units = [] } of attributes) {
    for (const value of value_type === 'boolean' ? [] : offered)
      values.add(value.name, { id, value })
    // A brand is called one way; what a thing is like follows the thing: heladera blanca, zapatos negros.
    const isCalled = id === 'BRAND' || id === 'MODEL' || value_type === 'boolean'
    for (const value of isCalled ? [] : offered) {
      for (const form of formsOf(value.name)) values.add(form, { id, value })
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
  return { hasBrand: attributes.some(({ id }) => id === 'BRAND'), values, units }
}

/** The other forms of a word that ends in -o: of her, of several. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}

/** The attributes that a title names: a value that is offered, or one of the `brands` beside, by all of
 * its words; a measure, by its unit. Of each the longest, in the order of the domain. */
export function attributesIn(
  { words, measures }: TitleParts,
  attributes: readonly AttributeView[],
  brands?: Runs<string>,
): FoundAttribute[] {
  const matcher = matcherOf(attributes)
  const found = new Map<string, FoundAttribute>()
  for (const { id, value } of matcher.values.in(words)) {
    if (!found.has(id)) found.set(id, { id, value_id: value.id, value_name: value.name })
  }
  const [brand] = found.has('BRAND') || !matcher.hasBrand ? [] : (brands?.in(words) ?? [])
  if (brand) found.set('BRAND', { id: 'BRAND', value_id: valueIdOf(brand), value_name: brand })
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
