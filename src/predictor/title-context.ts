import {
  coffeeWords,
  colorWords,
  fragranceWords,
  framedGoods,
  linkWords,
  measureWords,
  nounColors,
  partWords,
  purposeWords,
  tailWords,
  weakNounColors,
  workWords,
} from './attribute-words.ts'
import type { NameMatch, TitleToken } from './title/name-trie.ts'

/**
 * Whether the words around a name let it be a value of an attribute: *vino* is no color in *copa de vino*, *madera* no
 * material in *broca para madera*.
 */
export type ContextRule = (words: readonly TitleToken[], match: NameMatch) => boolean

/** Returns the rule of a value, if it has any. `written` is the folded name that titles use. */
export function contextRuleOf(attributeId: string, written: string): ContextRule | undefined {
  if (attributeId === 'FRAME_MATERIAL') return isOfFrame
  // The word for a mesh is that for a strap, too.
  if (attributeId === 'STRAP_MATERIAL' && /^mal[lh]a$/.test(written)) return never
  if (colorIdPattern.test(attributeId)) return nounColors.has(written) ? isNounColor : isOfWhole
  if (attributeId === 'MATERIAL' && nounColors.has(written)) return isNamedMaterial
  if (materialIdPattern.test(attributeId)) return isMaterial
  if (attributeId === 'FLAVOR') return isNotFirst
  if (attributeId === 'FRAGRANCE_TYPE' && /^perfumes?$/.test(written)) return isOnlyFragrance
  if (attributeId === 'PATTERN' && written === 'infantil') return never
  if (/^gal(?:on|ao)$/.test(written)) return isUncounted
  if (kindIdPattern.test(attributeId)) return written.startsWith('de ') ? undefined : isGoods
  if (sizeIdPattern.test(attributeId)) return isSingleSize
  if (attributeId === 'COMPATIBLE_DEVICE') return isBehindAnyPurpose
  return undefined
}

const colorIdPattern = /^COLOR$/
/** Attributes of materials. Their values are nouns without other forms: *linho* is linen, *linha* a thread. */
export const materialIdPattern = /MATERIAL$|^METAL$/
/** Attributes that say what the goods are. Behind *para* they say what the goods are for. */
const kindIdPattern =
  /^(?:APPLIANCE|GARMENT|FOOTWEAR|DRINK|PACKAGE|HEADPHONE|CURTAIN|PAINT)_TYPE$|^BAG_FORMAT$/
const sizeIdPattern = /^(?:(?:SHOE|BRA|RING|DIAPER)_)?SIZE$/

/** Returns whether a word of a title says what the goods are for. */
export function hasPurposeWord(words: readonly TitleToken[]): boolean {
  for (const { written } of words) if (purposeWords.has(written)) return true
  return false
}

const writtenAt = (words: readonly TitleToken[], at: number) => words[at]?.written ?? ''

/** Returns whether a title names what the goods are for, or work on, directly before the words at `from`. */
function isBehindPurpose(words: readonly TitleToken[], from: number): boolean {
  let at = from - 1
  while (linkWords.has(writtenAt(words, at))) at--
  return at >= 0 && purposeWords.has(writtenAt(words, at))
}

/** How many words may stand between a tool's work and the last material: *fura metal, aço e ferro*. */
const workReach = 4

const isMaterial: ContextRule = (words, { from }) => {
  if (partWords.has(wordBefore(words, from))) return false
  if (isBehindPurpose(words, from)) return false
  for (let at = from - 1; at >= 0 && at >= from - workReach; at--) {
    if (workWords.has(writtenAt(words, at))) return false
  }
  return true
}

/** Metals and the like are also colors: *de oro* is a material, *negro y oro* is not. */
const isNamedMaterial: ContextRule = (words, match) =>
  /^(?:de|en|em)$/.test(writtenAt(words, match.from - 1)) && isMaterial(words, match)

/** *1 galón* is a volume, *galón* a can. */
const isUncounted: ContextRule = (words, { from }) => !/^[0-9]/.test(writtenAt(words, from - 1))

/** The first word is what the goods are: cheese has no flavor of cheese. */
const isNotFirst: ContextRule = (_words, { from }) => from > 0

const never: ContextRule = () => false

const isOnlyFragrance: ContextRule = (words) =>
  !words.some(({ written }) => fragranceWords.has(written))

const isOfWhole: ContextRule = (words, { from }) => !partWords.has(wordBefore(words, from))

/** Behind *de*, too, goods are what others are of or for: *robot de cocina*, *motor de lavarropas*. */
const isGoods: ContextRule = (words, { from }) => {
  if (isBehindPurpose(words, from)) return false
  const isBehindDe = from > 1 && /^d[eo]$/.test(writtenAt(words, from - 1))
  return !isBehindDe || measureWords.has(writtenAt(words, from - 2))
}

const isBehindAnyPurpose: ContextRule = (words, { from }) =>
  words.some(({ written }, at) => at < from && purposeWords.has(written))

const isOfFrame: ContextRule = (words, { from }) =>
  words.some(
    ({ written }, at) => framedGoods.has(written) && (at === 0 || (at < from && at >= from - 2)),
  )

const isNounColor: ContextRule = (words, { from, to }) => {
  const before = writtenAt(words, from - 1)
  if (colorWords.has(before)) return true
  if (from === 0 || linkWords.has(before) || partWords.has(before)) return false
  if (purposeWords.has(before)) return false
  if (before === 'sabor' || before === 'aroma' || before === 'sin' || before === 'sem') return false
  const written = writtenAt(words, from)
  if (written === 'cafe' && words.some((word) => coffeeWords.has(word.written))) return false
  if (weakNounColors.has(written)) return true
  let end = words.length
  while (end > to && isTail(writtenAt(words, end - 1))) end--
  return end === to
}

/** Codes and numbers at the end, and words that say nothing of the goods. */
const isTail = (written: string) => tailWords.has(written) || /[0-9]/.test(written)

/** The word before `from`, without articles and prepositions. */
function wordBefore(words: readonly TitleToken[], from: number): string {
  let at = from - 1
  while (linkWords.has(writtenAt(words, at))) at--
  return writtenAt(words, at)
}

const rangeWords = new Set(['a', 'al', 'ao', 'ate', 'hasta', 'e', 'y', 'o', 'ou', 'u'])
const letterSize = /^(?:[2-6]?x{0,4}[slg]|m|p{1,3}|g{1,3}|e?xg{1,3})$/
const numberSize = /^(?:[1-5][0-9]|[1-9])$/

/** Returns whether a size is the only one: *38 al 42* and *P M G* are sizes to choose from. */
const isSingleSize: ContextRule = (words, { from, to }) => {
  const own = writtenAt(words, to - 1)
  const isAlike = (at: number) => {
    const other = writtenAt(words, at)
    return (
      (letterSize.test(own) && letterSize.test(other)) ||
      (numberSize.test(own) && numberSize.test(other))
    )
  }
  if (isAlike(to) || isAlike(from - 1)) return false
  if (rangeWords.has(writtenAt(words, to)) && isAlike(to + 1)) return false
  return !(rangeWords.has(writtenAt(words, from - 1)) && isAlike(from - 2))
}
