import { readBrandNames, readPhrases, readWordSections } from './title/word-files.ts'

/**
 * The word lists that decide whether a word of a title is an attribute value. `catalog/words/attribute-words.txt` says
 * what each of them is.
 */

const sections = readWordSections()

/** Returns the words of a section. Throws for one that the file lacks. */
function wordsOf(section: string): ReadonlySet<string> {
  const words = sections.get(section)
  if (!words) throw new Error(`attribute-words.txt has no section [${section}]`)
  return words
}

export const purposeWords = wordsOf('purpose')
export const measureWords = wordsOf('measure')
export const workWords = wordsOf('work')
export const linkWords = wordsOf('link')
export const deviceWords = wordsOf('device')
export const colorWords = wordsOf('color')
export const nounColors = wordsOf('noun color')
export const weakNounColors = wordsOf('weak noun color')
export const coffeeWords = wordsOf('coffee')
export const tailWords = wordsOf('tail')
export const framedGoods = wordsOf('framed goods')
export const partWords = wordsOf('part')
export const modelVariants = wordsOf('model variant')
export const ingredients = wordsOf('ingredient')
export const graphicsWords = wordsOf('graphics card')
export const commonModels = wordsOf('common model')
export const packWords = wordsOf('pack')
export const unitWords = wordsOf('unit')
export const otherCounts = wordsOf('other count')
export const fragranceWords = wordsOf('fragrance')

/** Phrases in which no word is a value of an attribute. */
export const plainPhrases = readPhrases()

/** Brands by their short and old names. */
export const brandNames = readBrandNames()
