import { otherCounts, packWords, unitWords } from './attribute-words.ts'
import { unitSymbols } from './units.ts'

/** The number of units in a pack. */
export interface PackSize {
  number: string
  /** Whether words say so: *pack 12*, *6 unidades*. Otherwise it is a bare *x 6*, which may also be a model. */
  isNamed: boolean
}

const numberPattern = /[0-9]+/g
const behindPattern = /^ ?([a-z]+)?/
const timesPattern = /^ ?x ?[0-9]+(?:[.,][0-9]+)? ?([a-z]+)/
const timesGoodsPattern = /^ ?x ?[a-z]{3}/
const packPattern = new RegExp(
  `(?:^|[^a-z0-9])(?:${[...packWords].join('|')}) ?(?:de |x|com |con |c/|por )? ?$`,
)
/** A side of an area: *10 cm x 20*. */
const sidePattern = /[0-9] ?(?:cm|mm|m|mts?|pulg|in|"|\*)? ?$/
const rangePattern = /[0-9] ?(?:a|al|ao|ate|hasta|o|ou|-|\/) ?$/
/** How many characters on each side of a number are looked at. */
const reach = 20

/** Returns the number of units in a pack. Undefined if a folded title names none or several. */
export function packSizeIn(folded: string): PackSize | undefined {
  let pack: PackSize | undefined
  numberPattern.lastIndex = 0
  for (let match = numberPattern.exec(folded); match; match = numberPattern.exec(folded)) {
    const [number] = match
    const end = match.index + number.length
    const from = startOf(folded, match.index)
    if (number.length > maxDigits || from < 0 || isFraction(folded, end)) continue
    const count = Number(number)
    if (count < 2) continue
    const right = folded.slice(end, end + reach)
    const left = folded.slice(Math.max(0, from - reach), from)
    const isNamed = isNamedCount({ left, right, isFirst: from === 0 })
    if (!isNamed && !(from < match.index && isBareCount(left, right))) continue
    if (rangePattern.test(left)) continue
    if (pack && Number(pack.number) !== count) return undefined
    pack = { number: String(count), isNamed: isNamed || (pack?.isNamed ?? false) }
  }
  return pack
}

/** Returns where a count begins: at its number or at the *x* before it. -1 for a part of a model or fraction. */
function startOf(folded: string, number: number): number {
  let from = number
  const at = folded[number - 1] === ' ' ? number - 2 : number - 1
  if (folded[at] === 'x' && !partOfWord.test(folded[at - 1] ?? '')) from = at
  const before = folded[from - 1] ?? ''
  if (before === '/') return folded[from - 2] === 'c' ? from : -1
  return partOfWord.test(before) ? -1 : from
}

const maxDigits = 4
const partOfWord = /[a-z0-9.,-]/
const isFraction = (folded: string, end: number) =>
  /[.,]/.test(folded[end] ?? '') && /[0-9]/.test(folded[end + 1] ?? '')

/** Returns whether the words around a number say that it counts units. */
function isNamedCount({
  left,
  right,
  isFirst,
}: {
  left: string
  right: string
  isFirst: boolean
}): boolean {
  const word = behindPattern.exec(right)?.[1]
  if (word !== undefined && unitWords.has(word)) return true
  const measured = timesPattern.exec(right)?.[1]
  if (measured !== undefined && isConsumed(measured)) return true
  if (isFirst && timesGoodsPattern.test(right)) return true
  return isCount(right, word) && packPattern.test(left)
}

const isBareCount = (left: string, right: string) =>
  isCount(right, behindPattern.exec(right)?.[1]) && !sidePattern.test(left)

/** Returns whether what follows a number makes it no measure and no part of another one. */
const isCount = (right: string, word: string | undefined) =>
  !/^[./x*"%-]/.test(right) &&
  !/^ [x*] ?[0-9]/.test(right) &&
  (word === undefined || !(unitSymbols.has(word) || otherCounts.has(word)))

/** Returns whether a unit is one of goods that are packed: *4 x 120 g*, but not *4 x 2 m*. */
const isConsumed = (unit: string) =>
  /^(?:l|ml|g|kg)$/.test(unitSymbols.get(unit) ?? unit) || unit === 'cl'
