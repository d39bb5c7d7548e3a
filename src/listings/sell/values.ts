import type { AttributeView } from '../../catalog/tree/attributes.ts'
import { amount } from '../../kernel/money.ts'
import { fold } from '../../kernel/text.ts'
import type { AttributeInput } from './bodies.ts'

/** The value of an attribute as listings store it, or what was expected instead. */
export type ValueResult = { value_id: string | null; value_name: string } | { expected: string }

type OfferedValue = NonNullable<AttributeView['values']>[number]

/** Trims a text. Returns null for a blank text, and undefined for undefined. */
export function trimmed(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? text.trim() || null : text
}

/** Returns whether an attribute is sent without a value, which clears it. */
export function isCleared({ value_id, value_name, value_struct }: AttributeInput): boolean {
  return !value_id && !value_struct && (value_name ?? '').trim() === ''
}

/**
 * Reads a value by the type of its attribute. Offered values are found by id or by name; when both differ, the id
 * counts. Numbers are normalized, such as `4,50` to `4.5`.
 */
export function readValue(input: AttributeInput, attribute: AttributeView): ValueResult {
  const { values: offered = [], value_type: valueType, value_max_length: maxLength } = attribute
  const name = valueTextOf(input)
  const { byId, byName } = valueIndexOf(offered)
  const offeredValue = byId.get(input.value_id ?? '') ?? byName.get(fold(name))
  if (offeredValue) return { value_id: offeredValue.id, value_name: offeredValue.name }
  if (valueType === 'list' || valueType === 'boolean') return { expected: oneOf(offered) }
  if (name === '') return { expected: `${oneOf(offered)}, or a value_name` }
  const text = { string: asText, number: asNumber, number_unit: asMeasure }[valueType](
    name,
    attribute,
  )
  if (text === undefined) return { expected: expectations[valueType](attribute) }
  if ([...text].length > maxLength) return { expected: `at most ${maxLength} characters` }
  return { value_id: null, value_name: text }
}

interface ValueIndex {
  byId: ReadonlyMap<string, OfferedValue>
  /** By folded name. The first of several values with the same name counts. */
  byName: ReadonlyMap<string, OfferedValue>
}

const indexes = new WeakMap<readonly OfferedValue[], ValueIndex>()

/** Indexes the offered values by id and name, once per attribute: some attributes offer thousands of values. */
function valueIndexOf(offered: readonly OfferedValue[]): ValueIndex {
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

/** Returns the value as text, from its name or from its number and unit. */
export function valueTextOf({ value_name, value_struct }: AttributeInput): string {
  const name = (value_name ?? '').trim()
  return name === '' && value_struct ? `${value_struct.number} ${value_struct.unit}` : name
}

const expectations = {
  string: () => 'a text',
  number: () => 'a number, such as 4 or 2.5',
  number_unit: ({ allowed_units: units = [], default_unit: unit }: AttributeView) =>
    `a number and its unit, one of ${units.map(({ id }) => id).join(', ')}, such as 4 ${unit}`,
}

const asText = (text: string) => text

/** 15 digits before and 10 after the decimal sign are more than any measure needs. They are kept exactly. */
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

const maxNamedValues = 12

function oneOf(values: readonly { name: string }[]): string {
  if (values.length === 0) return 'a value'
  const named = values.slice(0, maxNamedValues).map(({ name }) => name)
  const remaining = values.length - named.length
  return `one of ${named.join(', ')}${remaining > 0 ? ` and ${remaining} more` : ''}`
}
