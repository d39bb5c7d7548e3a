import type { AttributeView } from '../tree/attributes.ts'
import { wordsIn } from './runs.ts'
import { signOf } from './units.ts'
import { fold, stemOf } from './words.ts'

/** A number of a title with the unit behind it. */
export interface Measure {
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
const wordBefore = /([a-z]+)[ :]+(?:d[eoa] +)?$/
const wordBehind = /^[ :]*(?:d[eoa] +)?([a-z]+)/
/** How far before a number its word may begin. */
const reach = 24

/** Those of a folded title. */
export function measuresIn(folded: string): Measure[] {
  const found = [...folded.matchAll(pattern)].map(
    ({ 0: all, 1: number = '', 2: unit = '', index }) => {
      const before = wordBefore.exec(folded.slice(Math.max(0, index - reach), index))?.[1]
      const behind = wordBehind.exec(folded.slice(index + all.length))?.[1]
      return { number: plainNumber(number), unit: signOf(unit), written: unit, before, behind }
    },
  )
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

/** With a point before its decimals. Three digits behind point or comma are thousands, whichever the
 * country writes: 12.000 frigorías, 12,000 BTU; but 0,750 l. */
function plainNumber(written: string): string {
  return /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(written)
    ? written.replace(/[.,]/, '')
    : written.replace(',', '.')
}

/** What the attribute is measured in that stands `at` this place among those of a domain. */
interface Scale {
  at: number
  id: string
  /** Those of one sign: cc and ml. */
  units: string[]
  /** Whether it is told in this unit where no other is named. */
  isDefault: boolean
  /** See `AttributeView`: 1 for what tells one product from another. */
  relevance: number
  /** What the attribute is called, word by word, as they are compared. */
  called: readonly string[]
}

/** What the attributes of one domain are measured in. */
export class Scales {
  /** By the sign of the unit. */
  readonly #bySign = new Map<string, Scale[]>()

  /** What is counted is its own unit: 2 quartos. */
  add(
    at: number,
    { id, name, relevance, value_type, allowed_units = [], default_unit }: AttributeView,
  ): void {
    const called = wordsIn(fold(name)).map(stemOf)
    const add = (sign: string, unit: string) => {
      const known = this.#bySign.get(sign) ?? []
      const own = known.find((other) => other.at === at)
      if (own) own.units.push(unit)
      else {
        const isDefault = unit === (default_unit ?? '')
        this.#bySign.set(sign, [...known, { at, id, units: [unit], isDefault, relevance, called }])
      }
    }
    for (const { id: unit } of allowed_units) add(signOf(unit), unit)
    const counted = value_type === 'number' && countedIn.exec(fold(name))?.[1]
    if (counted) add(signOf(counted) === counted ? stemOf(counted) : signOf(counted), '')
  }

  /**
   * What the measures of a title say, of attributes of which nothing is said yet. A measure is that of one
   * attribute: of which a word beside it says, else the only one of its unit that matters most. Where there
   * are several, or another measure is of it too, it is of what is usually told in its unit: 60cm 5mm are a
   * length and a thickness. What might still be of several says nothing: 120 cm may be its height or its
   * width, and of a wire 2,5mm 100m either its length. Of two memories the smaller is what it works with.
   */
  told(measures: readonly Measure[], isOpen: (at: number) => boolean): Told[] {
    const found = new Map<number, Told>()
    const tell = ({ at, id, units }: Scale, { number, written }: Measure) => {
      const unit = units.find((each) => fold(each) === written) ?? units[0]
      found.set(at, { at, id, value: `${number} ${unit}`.trimEnd() })
    }
    const openTo = ({ unit }: Measure) =>
      this.#of(unit).filter(({ at }) => isOpen(at) && !found.has(at))
    const unnamed = measures.filter((measure) => {
      const { beside } = measure
      const named = openTo(measure).find(({ called }) => beside.some((one) => called.includes(one)))
      if (named) tell(named, measure)
      return !named
    })
    const [less, more, other] = unnamed.filter(({ unit }) => gigabytes.has(unit)).sort(bySize)
    const ram = less && openTo(less).find(({ id }) => id === 'RAM')
    const storage = more && openTo(more).find(({ id }) => id !== 'RAM')
    const areMemories = ram && storage && !other && bySize(less, more) < 0
    if (areMemories) {
      tell(ram, less)
      tell(storage, more)
    }
    const rest = areMemories ? unnamed.filter((one) => one !== less && one !== more) : unnamed
    const likely = rest.map((measure) => mostRelevant(openTo(measure)))
    const usual = rest.map((measure, n) =>
      likely[n] && isOfOne(likely, n)
        ? likely[n]
        : mostRelevant(openTo(measure).filter(({ isDefault }) => isDefault)),
    )
    for (const [n, measure] of rest.entries()) {
      const scale = usual[n]
      if (scale && isOfOne(usual, n)) tell(scale, measure)
    }
    return [...found.values()]
  }

  #of(unit: string): readonly Scale[] {
    return this.#bySign.get(unit) ?? this.#bySign.get(stemOf(unit)) ?? []
  }
}

/** What is said of the attribute that stands `at` this place. */
interface Told {
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
function isOfOne(scales: readonly (Scale | undefined)[], n: number): boolean {
  return scales.every((other, m) => m === n || other === undefined || other.at !== scales[n]?.at)
}

/** Undefined where there are several. */
function mostRelevant(scales: readonly Scale[]): Scale | undefined {
  const most = Math.min(...scales.map(({ relevance }) => relevance))
  const [only, other] = scales.filter(({ relevance }) => relevance === most)
  return other ? undefined : only
}
