import type { PredictorAttribute } from './source.ts'
import { foldText, splitWords } from './title/tokenize.ts'
import { stemOf } from './title/words.ts'
import { unitSymbolOf } from './units.ts'

/** Finds numbers with units in a title and assigns them to the attributes of a domain. Example: *Heladera Gafa no frost
 * 374 lts* has the number 374 with the unit `l`, written *lts*, and `frost` beside it. No attribute is called *frost*,
 * so the measure goes to the single most relevant attribute in liters: capacity, as *374 L* in the spelling of the
 * catalog. */

/** A number of a title with its unit. */
interface Measure {
  /** The number with a decimal point and without separators of thousands. */
  number: string
  /** The symbol of the unit, as `unitSymbolOf` returns it. For an unknown unit, it is the folded word: *2 quartos*. */
  unit: string
  /** The unit as written, folded. */
  written: string
  /** The stems of neighboring words, which may name what is measured. A word between two measures of the same unit
   * (*8gb ram 256gb*) counts for neither. */
  beside: readonly string[]
}

/** A number with a word or sign behind it: group 1 is the number, group 2 the unit. Words that are units of no
 * attribute are dropped later. */
const pattern = /([0-9]+(?:[.,][0-9]+)?) ?("|''|(?:m[2²]|mts?2|[a-z]+)(?![a-z0-9²]))/g
const digit = /[0-9]/
/** The neighboring word on each side, in group 1: *peso de 5 kg*, *8gb de memoria ram*. */
const wordBefore = /([a-z]+)[ :]+(?:d[eoa] +)?$/
const wordBehind = /^[ :]*(?:d[eoa] +)?(?:memoria +(?=ram))?([a-z]+)/
/** How many characters before a number are examined, for its word and for the other end of a range. */
const reach = 24
/** Limit of measures in a title. */
const maxMeasures = 30

const partOfWord = /[a-z0-9.,]/

/** Returns whether a number is no part of a word or another number. An *x* may stand before it: *x500gr*. */
function isAlone(folded: string, index: number): boolean {
  const before = folded[index - 1] ?? ''
  if (before === 'x') return !partOfWord.test(folded[index - 2] ?? '')
  return !partOfWord.test(before)
}

/** Returns the measures of a folded title in its order, whether or not an attribute has their units. */
function measuresIn(folded: string): Measure[] {
  const measures: (Omit<Measure, 'beside'> & NeighborWords)[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(folded); match; match = pattern.exec(folded)) {
    const { 0: text, 1: number = '', 2: written = '', index } = match
    if (!isAlone(folded, index)) continue
    const [left, right] = [
      folded.slice(Math.max(0, index - reach), index),
      folded.slice(index + text.length),
    ]
    const before = wordBefore.exec(left)?.[1]
    const behind = wordBehind.exec(right)?.[1]
    const unit = unitSymbolOf(written)
    if (isModelNumber(left) || isOneOfSeveral({ unit, left, right })) continue
    const memory = unit === 'gb' ? memoryBefore.exec(left)?.[1] : undefined
    if (memory)
      measures.push({ number: memory, unit, written, before: undefined, behind: undefined })
    // Centiliters are no unit of the catalog: 75 cl become 750 ml.
    const [amount, spelled] =
      unit === 'cl'
        ? [String(Number(plainNumber(number)) * 10), 'ml']
        : [plainNumber(number), written]
    measures.push({ number: amount, unit: unitSymbolOf(spelled), written: spelled, before, behind })
    if (measures.length >= maxMeasures) break
  }
  return measures.map(({ number, unit, written, before, behind }, at) => {
    const [last, next] = [measures[at - 1], measures[at + 1]]
    const words = [
      last?.unit === unit && last.behind === before ? undefined : before,
      next?.unit === unit && next.before === behind ? undefined : behind,
    ]
    const beside = words.filter((word) => word !== undefined).map(stemOf)
    return { number, unit, written, beside }
  })
}

/** A memory before another one with the same unit: *4/64gb*, *8+256 GB*. Group 1 is its number. */
const memoryBefore = /(?<![a-z0-9.,])([0-9]{1,2}) ?[/+] ?$/

/** Returns whether a number follows the letters of a model: *TE-966HP*. */
const isModelNumber = (left: string) =>
  left.endsWith('-') && /[a-z]/.test(left.charAt(left.length - 2))

/** Units of the sides of an area. */
const lengthUnits = new Set(['cm', 'mm', 'm', 'in', 'ft'])
/** The other end of a range and the other side of an area, on either side of the measure. Group 1 is its unit, if
 * any. */
const rangeBefore =
  /(?:^|[^a-z0-9.,])[0-9]+(?:[.,][0-9]+)? ?("|''|[a-z]+)?(?: (?:a|al|ao|ate|hasta|e|y|o|ou|-) |[/-])(?:de )?$/
const rangeBehind =
  /^(?: (?:a|al|ao|ate|hasta|e|y|o|ou|-) |[/-])[0-9]+(?:[.,][0-9]+)? ?("|''|[a-z]+)?/
const sideBefore = /(?:^|[^a-z0-9.,/])[0-9]+(?:[.,][0-9]+)? ?("|''|[a-z]+)? ?[x*] ?$/
const sideBehind = /^ ?[x*] ?[0-9]+(?:[.,][0-9]+)? ?("|''|[a-z]+)?/

/** What stands beside a measure in a range or area. These two simple patterns rule out most measures before the four
 * above are tried. */
const neighborBefore = /(?: (?:a|al|ao|ate|hasta|e|y|o|ou|-|x|de) | x|[0-9m"'*] ?[*x]|[/*-]) ?$/
const neighborBehind = /^(?: (?:a|al|ao|ate|hasta|e|y|o|ou|-) |[/-]| ?[x*] ?)[0-9]/

/** Returns whether a measure is one of several: an end of a range (*3 a 5 kg*), one to choose, or a side of an area
 * (*10 x 20 cm*). */
function isOneOfSeveral({
  unit,
  left,
  right,
}: {
  unit: string
  left: string
  right: string
}): boolean {
  if (!neighborBefore.test(left) && !neighborBehind.test(right)) return false
  const hasUnit = (match: RegExpExecArray | null, isOptional: boolean) =>
    match !== null && (match[1] === undefined ? isOptional : unitSymbolOf(match[1]) === unit)
  if (
    !gigabytesPerUnit.has(unit) &&
    (hasUnit(rangeBefore.exec(left), true) || hasUnit(rangeBehind.exec(right), false))
  )
    return true
  return (
    lengthUnits.has(unit) &&
    (hasUnit(sideBefore.exec(left), true) || hasUnit(sideBehind.exec(right), true))
  )
}

/** The folded words next to a measure, before and behind it. */
interface NeighborWords {
  before: string | undefined
  behind: string | undefined
}

/** Returns a number with a decimal point. Three digits after a point or comma are thousands, as countries differ
 * (*12.000 frigorías*, *12,000 BTU*), but not in *0,750 l*. */
function plainNumber(written: string): string {
  const number = written.startsWith('0') ? written.replace(/^0+(?=[0-9])/, '') : written
  return /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(number)
    ? number.replace(/[.,]/, '')
    : number.replace(',', '.')
}

/** The units of an attribute that share a symbol. */
interface AttributeUnit {
  /** The index among all attributes of the catalog. */
  attribute: number
  id: string
  /** The units of the symbol as the catalog spells them, such as cc and ml. Empty text for a count. */
  units: string[]
  /** Whether one of them is the default unit of the attribute. */
  isDefault: boolean
  /** The stems of the attribute's name. */
  nameStems: readonly string[]
}

/** A measured attribute of a domain. */
export interface MeasuredAttribute {
  /** Its index in the domain. */
  at: number
  /** 1 for an attribute that is required or distinguishes products, 2 for any other. 1 is more relevant. */
  relevance: number
}

/** A measured attribute with its scale. */
type MeasuredAttributeUnit = MeasuredAttribute & { scale: AttributeUnit }

/** A measure with the attributes that it may be of: those of its unit, and those that are counted by its word. */
export interface MatchedMeasure extends Measure {
  scales: readonly AttributeUnit[]
  counted: readonly AttributeUnit[]
}

/** A measure with the attributes of the domain that it may be of, in the order of the domain. */
interface DomainMeasure {
  measure: MatchedMeasure
  open: readonly MeasuredAttributeUnit[]
}

/** The units (scales) of all attributes in one language. */
export class AttributeUnits {
  /** The scales by symbol of the unit, or by stem of the counted word. */
  readonly #bySign = new Map<string, AttributeUnit[]>()

  /** Adds the scales of an attribute, whose index is among all of the catalog. The word of a counted attribute is its
   * unit: *2 quartos*. */
  add(
    attribute: number,
    {
      id,
      name,
      valueType,
      units,
    }: { name: string } & Pick<PredictorAttribute, 'id' | 'valueType' | 'units'>,
  ): void {
    const called = splitWords(foldText(name)).map(stemOf)
    const add = (sign: string, unit: string) => {
      const scales = this.#bySign.get(sign) ?? []
      this.#bySign.set(sign, scales)
      const last = scales.at(-1)
      if (last?.attribute === attribute) last.units.push(unit)
      else
        scales.push({
          attribute,
          id,
          units: [unit],
          isDefault: unit === (units[0] ?? ''),
          nameStems: called,
        })
    }
    for (const unit of units) add(unitSymbolOf(unit), unit)
    const counted = valueType === 'number' && countedNamePattern.exec(foldText(name))?.[1]
    if (counted)
      add(unitSymbolOf(counted) === counted ? stemOf(counted) : unitSymbolOf(counted), '')
  }

  /** Returns the measures of a folded title that some attribute may have, in the order of the title. Memory sizes are
   * always included, because they decide which of two is the smaller. */
  measuresIn(folded: string): MatchedMeasure[] {
    if (!digit.test(folded)) return []
    return measuresIn(folded).flatMap((measure) => {
      const scales = this.#bySign.get(measure.unit) ?? none
      const counted = this.#bySign.get(stemOf(measure.unit)) ?? none
      const isOfAny = scales.length + counted.length > 0 || gigabytesPerUnit.has(measure.unit)
      return isOfAny ? [{ ...measure, scales, counted }] : []
    })
  }
}

const none: readonly AttributeUnit[] = []

/** Assigns measures to attributes of a domain without a value. `attributeOf` takes an index in the catalog; `isSaid`
 * takes one in the domain and says if that has a value. A measure goes to the attribute that a neighboring word names,
 * else to the single most relevant one of its unit. If there are several, or another measure fits too, it goes to the
 * one with that default unit: *60cm 5mm* are length and thickness. An ambiguous measure is dropped: *120 cm* may be
 * height or width. Of two memory sizes, the smaller is the RAM. */
export function assignMeasures(
  measures: readonly MatchedMeasure[],
  {
    attributeOf,
    isSaid,
  }: {
    attributeOf: (attribute: number) => MeasuredAttribute | undefined
    isSaid: (at: number) => boolean
  },
): MeasureValue[] {
  const values: MeasureValue[] = []
  const candidates: DomainMeasure[] = []
  for (const measure of measures) {
    const open = measuresOf(measure, attributeOf)
    if (open.length > 0 || gigabytesPerUnit.has(measure.unit)) candidates.push({ measure, open })
  }
  if (candidates.length === 0) return values
  const openTo = ({ open }: DomainMeasure) =>
    open.filter(({ at }) => !isSaid(at) && values.every((other) => other.at !== at))
  const assign = (
    { at, scale: { id, units } }: MeasuredAttributeUnit,
    { measure: { number, written } }: DomainMeasure,
  ) => {
    const unit = units.find((candidate) => foldText(candidate) === written) ?? units[0]
    values.push({ at, id, value: `${number} ${unit}`.trimEnd() })
  }
  const unnamed = candidates.filter((candidate) => {
    const { beside } = candidate.measure
    const named = openTo(candidate).find(({ scale: { nameStems } }) =>
      beside.some((word) => nameStems.includes(word)),
    )
    if (named) assign(named, candidate)
    return !named
  })
  const memories = unnamed.filter(({ measure }) => gigabytesPerUnit.has(measure.unit))
  const [less, more, other] = memories.sort((a, b) => bySize(a.measure, b.measure))
  const ram = less && openTo(less).find(({ scale }) => scale.id === 'RAM')
  const storage = more && openTo(more).find(({ scale }) => scale.id !== 'RAM')
  const areMemories = ram && storage && !other && bySize(less.measure, more.measure) < 0
  if (areMemories) {
    assign(ram, less)
    assign(storage, more)
  }
  const rest = areMemories
    ? unnamed.filter((candidate) => candidate !== less && candidate !== more)
    : unnamed
  const likely = rest.map((candidate) => mostRelevant(openTo(candidate)))
  const best = rest.map((candidate, n) =>
    likely[n] && isUniqueAttribute(likely, n)
      ? likely[n]
      : mostRelevant(openTo(candidate).filter(({ scale }) => scale.isDefault)),
  )
  for (const [n, candidate] of rest.entries()) {
    const scale = best[n]
    if (scale && isUniqueAttribute(best, n)) assign(scale, candidate)
  }
  return values
}

/** Returns the attributes of a measure in the order of the domain. Counted ones are used only if none has the unit. */
function measuresOf(
  { scales, counted }: MatchedMeasure,
  attributeOf: (attribute: number) => MeasuredAttribute | undefined,
): MeasuredAttributeUnit[] {
  const measured: MeasuredAttributeUnit[] = []
  for (const group of [scales, counted]) {
    for (const scale of measured.length > 0 ? [] : group) {
      const attribute = attributeOf(scale.attribute)
      if (attribute) measured.push({ scale, at: attribute.at, relevance: attribute.relevance })
    }
  }
  return measured.length > 1 ? measured.sort((a, b) => a.at - b.at) : measured
}

/** A value of the attribute with index `at` in the domain. `value` is the number and the unit: *374 L*. */
interface MeasureValue {
  at: number
  id: string
  value: string
}

/** Names of counted attributes: *Cantidad de hornallas*, *Vagas de garagem*, *Ambientes*. Not *Unidades por
 * paquete*. */
const countedNamePattern = /^(?:(?:cantidad|quantidade) de )?([a-z]+s)(?: de [a-z ]+)?$/

/** Gigabytes by symbol of a unit of memory. It also tells whether a unit is one of memory. */
const gigabytesPerUnit = new Map([
  ['mb', 1 / 1024],
  ['gb', 1],
  ['tb', 1024],
])
/** Returns a memory size in gigabytes. */
const sizeOf = ({ number, unit }: Measure) =>
  Number(number) * (gigabytesPerUnit.get(unit) as number)
const bySize = (one: Measure, other: Measure) => sizeOf(one) - sizeOf(other)

/** Returns whether no other measure has the attribute of the nth. `scales` is parallel to the measures. */
function isUniqueAttribute(
  scales: readonly (MeasuredAttributeUnit | undefined)[],
  n: number,
): boolean {
  return scales.every((other, m) => m === n || other === undefined || other.at !== scales[n]?.at)
}

/** Returns the attribute of lowest relevance number. Undefined if there are several. */
function mostRelevant(scales: readonly MeasuredAttributeUnit[]): MeasuredAttributeUnit | undefined {
  const most = Math.min(...scales.map(({ relevance }) => relevance))
  const [only, other] = scales.filter(({ relevance }) => relevance === most)
  return other ? undefined : only
}
