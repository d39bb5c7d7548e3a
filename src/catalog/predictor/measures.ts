import type { SourceAttribute } from '../source/source.ts'
import { fold, wordsIn } from './parts.ts'
import { signOf } from './units.ts'
import { stemOf } from './words.ts'

/** A number of a title with the unit behind it. */
interface Measure {
  number: string
  /** By its sign, and as it is written. */
  unit: string
  written: string
  /** The words that stand beside it, as they are compared: what it measures, if anything says so. One that
   * stands between two measures of a unit, 8gb ram 256gb, says it of neither. */
  beside: readonly string[]
}

const pattern =
  /(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?("|''|(?:m[2²]|mts?2|[a-z]+)(?![a-z0-9²]))/g
const digit = /[0-9]/
const wordBefore = /([a-z]+)[ :]+(?:d[eoa] +)?$/
const wordBehind = /^[ :]*(?:d[eoa] +)?([a-z]+)/
/** How far before a number its word may begin. */
const reach = 24
/** No title has more of them to tell. */
const mostMeasures = 30

/** Those of a folded title. */
function measuresIn(folded: string): Measure[] {
  const found: (Omit<Measure, 'beside'> & Neighbours)[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(folded); match; match = pattern.exec(folded)) {
    const { 0: all, 1: number = '', 2: written = '', index } = match
    const before = wordBefore.exec(folded.slice(Math.max(0, index - reach), index))?.[1]
    const behind = wordBehind.exec(folded.slice(index + all.length))?.[1]
    found.push({ number: plainNumber(number), unit: signOf(written), written, before, behind })
    if (found.length === mostMeasures) break
  }
  return found.map(({ number, unit, written, before, behind }, at) => {
    const [last, next] = [found[at - 1], found[at + 1]]
    const words = [
      last?.unit === unit && last.behind === before ? undefined : before,
      next?.unit === unit && next.before === behind ? undefined : behind,
    ]
    const beside = words.filter((word) => word !== undefined).map(stemOf)
    return { number, unit, written, beside }
  })
}

/** The words that stand next to a measure. */
interface Neighbours {
  before: string | undefined
  behind: string | undefined
}

/** With a point before its decimals. Three digits behind point or comma are thousands, whichever the
 * country writes: 12.000 frigorías, 12,000 BTU; but 0,750 l. */
function plainNumber(written: string): string {
  return /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(written)
    ? written.replace(/[.,]/, '')
    : written.replace(',', '.')
}

/** What an attribute is measured in; the attribute by its place among all. */
interface Scale {
  attribute: number
  id: string
  /** Those of one sign: cc and ml. */
  units: string[]
  /** Whether it is told in this unit where no other is named. */
  isDefault: boolean
  /** What the attribute is called, word by word, as they are compared. */
  called: readonly string[]
}

/** An attribute that a domain asks for. */
export interface MeasureInTitle {
  /** Where it stands there. */
  at: number
  /** See `AttributeView`: 1 for what tells one product from another. */
  relevance: number
}

/** A scale that one of them has. */
type ScaledMeasure = MeasureInTitle & { scale: Scale }

/** A measure, and what it may be of: what is measured in its unit, and what is counted by its word. */
export interface Measured extends Measure {
  scales: readonly Scale[]
  counted: readonly Scale[]
}

interface Here {
  measure: Measured
  open: readonly ScaledMeasure[]
}

/** What attributes are measured in, and what they are called in one language. */
export class Scales {
  /** By the sign of the unit. */
  readonly #bySign = new Map<string, Scale[]>()

  /** What is counted is its own unit: 2 quartos. */
  add(
    attribute: number,
    {
      id,
      name,
      valueType,
      units,
    }: { name: string } & Pick<SourceAttribute, 'id' | 'valueType' | 'units'>,
  ): void {
    const called = wordsIn(fold(name)).map(stemOf)
    const add = (sign: string, unit: string) => {
      const known = this.#bySign.get(sign) ?? []
      this.#bySign.set(sign, known)
      const last = known.at(-1)
      if (last?.attribute === attribute) last.units.push(unit)
      else
        known.push({ attribute, id, units: [unit], isDefault: unit === (units[0] ?? ''), called })
    }
    for (const unit of units) add(signOf(unit), unit)
    const counted = valueType === 'number' && countedIn.exec(fold(name))?.[1]
    if (counted) add(signOf(counted) === counted ? stemOf(counted) : signOf(counted), '')
  }

  /** The measures of a folded title that may be of anything; memories too that nothing is measured in, since
   * they tell which is the smaller. */
  in(folded: string): Measured[] {
    if (!digit.test(folded)) return []
    return measuresIn(folded).flatMap((measure) => {
      const scales = this.#bySign.get(measure.unit) ?? none
      const counted = this.#bySign.get(stemOf(measure.unit)) ?? none
      const isOfAny = scales.length + counted.length > 0 || gigabytes.has(measure.unit)
      return isOfAny ? [{ ...measure, scales, counted }] : []
    })
  }
}

const none: readonly Scale[] = []

/**
 * What the measures of a title say of the attributes that a domain asks for, and of which nothing is said
 * yet. A measure is that of one attribute: of which a word beside it says, else the only one of its unit that
 * matters most. Where there are several, or another measure is of it too, it is of what is usually told in
 * its unit: 60cm 5mm are a length and a thickness. What might still be of several says nothing: 120 cm may be
 * its height or its width, and of a wire 2,5mm 100m either its length. Of two memories the smaller is what it
 * works with.
 */
export function measureValues(
  measures: readonly Measured[],
  {
    asked,
    isSaid,
  }: { asked: (attribute: number) => MeasureInTitle | undefined; isSaid: (at: number) => boolean },
): MeasureValue[] {
  const found: MeasureValue[] = []
  const here: Here[] = []
  for (const measure of measures) {
    const open = measuresOf(measure, asked)
    if (open.length > 0 || gigabytes.has(measure.unit)) here.push({ measure, open })
  }
  if (here.length === 0) return found
  const openTo = ({ open }: Here) =>
    open.filter(({ at }) => !isSaid(at) && found.every((other) => other.at !== at))
  const tell = (
    { at, scale: { id, units } }: ScaledMeasure,
    { measure: { number, written } }: Here,
  ) => {
    const unit = units.find((each) => fold(each) === written) ?? units[0]
    found.push({ at, id, value: `${number} ${unit}`.trimEnd() })
  }
  const unnamed = here.filter((one) => {
    const { beside } = one.measure
    const named = openTo(one).find(({ scale: { called } }) =>
      beside.some((word) => called.includes(word)),
    )
    if (named) tell(named, one)
    return !named
  })
  const memories = unnamed.filter(({ measure }) => gigabytes.has(measure.unit))
  const [less, more, other] = memories.sort((a, b) => bySize(a.measure, b.measure))
  const ram = less && openTo(less).find(({ scale }) => scale.id === 'RAM')
  const storage = more && openTo(more).find(({ scale }) => scale.id !== 'RAM')
  const areMemories = ram && storage && !other && bySize(less.measure, more.measure) < 0
  if (areMemories) {
    tell(ram, less)
    tell(storage, more)
  }
  const rest = areMemories ? unnamed.filter((one) => one !== less && one !== more) : unnamed
  const likely = rest.map((one) => mostRelevant(openTo(one)))
  const usual = rest.map((one, n) =>
    likely[n] && isOfOne(likely, n)
      ? likely[n]
      : mostRelevant(openTo(one).filter(({ scale }) => scale.isDefault)),
  )
  for (const [n, one] of rest.entries()) {
    const scale = usual[n]
    if (scale && isOfOne(usual, n)) tell(scale, one)
  }
  return found
}

/** In the order of the domain. What is only counted so has to give way to what is measured so. */
function measuresOf(
  { scales, counted }: Measured,
  asked: (attribute: number) => MeasureInTitle | undefined,
): ScaledMeasure[] {
  const here: ScaledMeasure[] = []
  for (const some of [scales, counted]) {
    for (const scale of here.length > 0 ? [] : some) {
      const standing = asked(scale.attribute)
      if (standing) here.push({ scale, at: standing.at, relevance: standing.relevance })
    }
  }
  return here.length > 1 ? here.sort((a, b) => a.at - b.at) : here
}

/** What is said of the attribute that stands `at` this place. */
interface MeasureValue {
  at: number
  id: string
  value: string
}

/** Cantidad de hornallas, Vagas de garagem, Ambientes; no year, and not Unidades por paquete. */
const countedIn = /^(?:(?:cantidad|quantidade) de )?([a-z]+s)(?: de [a-z ]+)?$/

const gigabytes = new Map([
  ['mb', 1 / 1024],
  ['gb', 1],
  ['tb', 1024],
])
const sizeOf = ({ number, unit }: Measure) => Number(number) * (gigabytes.get(unit) as number)
const bySize = (one: Measure, other: Measure) => sizeOf(one) - sizeOf(other)

/** Whether no other of them is the same as the nth. */
function isOfOne(scales: readonly (ScaledMeasure | undefined)[], n: number): boolean {
  return scales.every((other, m) => m === n || other === undefined || other.at !== scales[n]?.at)
}

/** Undefined where there are several. */
function mostRelevant(scales: readonly ScaledMeasure[]): ScaledMeasure | undefined {
  const most = Math.min(...scales.map(({ relevance }) => relevance))
  const [only, other] = scales.filter(({ relevance }) => relevance === most)
  return other ? undefined : only
}
