import type { AttributeView } from '../../catalog/tree/attributes.ts'
import { amount } from '../../kernel/money.ts'
import { fold } from '../../kernel/text.ts'
import type { SaidAttribute } from './bodies.ts'

/** The value of an attribute as a listing keeps it, or what was expected in its place. */
export type ReadValue = { value_id: string | null; value_name: string } | { expected: string }

type Offered = NonNullable<AttributeView['values']>[number]

/** A text without blanks around it; null of a blank one. What is not said stays undefined. */
export function trimmed(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? text.trim() || null : text
}

/** Whether it says that there is no value. */
export function isEmptied({ value_id, value_name, value_struct }: SaidAttribute): boolean {
  return !value_id && !value_struct && (value_name ?? '').trim() === ''
}

/**
 * Reads a value by the kind of its attribute (contract 2.14). One that the attribute offers is told by its
 * id or its name, whichever was said; of two that differ the id counts. Numbers are written plainly.
 */
export function readValue(said: SaidAttribute, attribute: AttributeView): ReadValue {
  const { values: offered = [], value_type: kind, value_max_length: longest } = attribute
  const name = nameOf(said)
  const { byId, byName } = indexOf(offered)
  const known = byId.get(said.value_id ?? '') ?? byName.get(fold(name))
  if (known) return { value_id: known.id, value_name: known.name }
  if (kind === 'list' || kind === 'boolean') return { expected: oneOf(offered) }
  if (name === '') return { expected: `${oneOf(offered)}, or a value_name` }
  const read = { string: asText, number: asNumber, number_unit: asMeasure }[kind](name, attribute)
  if (read === undefined) return { expected: expectations[kind](attribute) }
  if ([...read].length > longest) return { expected: `at most ${longest} characters` }
  return { value_id: null, value_name: read }
}

interface ValueIndex {
  byId: ReadonlyMap<string, Offered>
  /** By the folded name; the first of those that share one. */
  byName: ReadonlyMap<string, Offered>
}

const indexes = new WeakMap<readonly Offered[], ValueIndex>()

/** The offered values by what may be said of them, made once: a brand is one of thousands. */
function indexOf(offered: readonly Offered[]): ValueIndex {
  let index = indexes.get(offered)
  if (!index) {
    const backwards = offered.toReversed()
    index = {
      byId: new Map(backwards.map((value) => [value.id, value])),
      byName: new Map(backwards.map((value) => [fold(value.name), value])),
    }
    indexes.set(offered, index)
  }
  return index
}

/** The value as a text, however it is said. */
export function nameOf({ value_name, value_struct }: SaidAttribute): string {
  const said = (value_name ?? '').trim()
  return said === '' && value_struct ? `${value_struct.number} ${value_struct.unit}` : said
}

const expectations = {
  string: () => 'a text',
  number: () => 'a number, such as 4 or 2.5',
  number_unit: ({ allowed_units: units = [], default_unit: unit }: AttributeView) =>
    `a number and its unit, one of ${units.map(({ id }) => id).join(', ')}, such as 4 ${unit}`,
}

const asText = (text: string) => text

/** No number that is measured has more digits, and all of them are exact. */
const numberPattern = /^-?\d{1,15}(?:[.,]\d{1,10})?$/

function asNumber(text: string): string | undefined {
  if (!numberPattern.test(text)) return undefined
  return amount(text.replace(',', '.')).toFixed()
}

function asMeasure(text: string, { allowed_units: units = [] }: AttributeView): string | undefined {
  const [, digits = '', written = ''] = /^(-?[\d.,]+)\s*(\D.*)$/.exec(text) ?? []
  const number = asNumber(digits)
  const unit =
    units.find(({ id }) => id === written) ?? units.find(({ id }) => fold(id) === fold(written))
  return number === undefined || !unit ? undefined : `${number} ${unit.id}`
}

const mostNamed = 12

function oneOf(values: readonly { name: string }[]): string {
  if (values.length === 0) return 'a value'
  const named = values.slice(0, mostNamed).map(({ name }) => name)
  const more = values.length - named.length
  return `one of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
