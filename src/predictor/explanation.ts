/** The explanation of a score: its three parts with their evidence. */
export interface PredictionExplanation {
  /** Part of the score from names and aliases. */
  nameScore: number
  /** Part of the score from the listings of the category. */
  modelScore: number
  /** Part of the score from the listings of its siblings. */
  siblingScore: number
  /** The matching names and aliases, the best first, with the stems of the shared words. */
  names: readonly {
    text: string
    kind: 'name' | 'alias'
    words: readonly string[]
    score: number
  }[]
  /** The features of the title in its listings, as stems. `share` is the share in the score: weighted, and lower for few
   * listings. `listings` is the number of its own listings, `total` that of all categories, both after halving. */
  words: readonly { text: string; share: number; listings: number; total: number }[]
  /** The words of the title as written, by their stem. */
  written: ReadonlyMap<string, string>
  /** Stems of words that no name has, which were taken for misspelled ones. */
  corrected: ReadonlySet<string>
}

/** Limits of sentences: further evidence says much the same. */
const maxNames = 2
const maxFeatures = 3
/** Smaller parts of a score decide nothing. */
const leastShare = 0.05

/** Returns what decided in sentences, the strongest part first: the names and aliases with words of the title, the
 * listings with its words, and the siblings. Empty for a category without a score. */
export function reasonsOf(explanation: PredictionExplanation): string[] {
  const { nameScore, modelScore, siblingScore } = explanation
  const total = nameScore + modelScore + siblingScore
  const parts = [
    { what: 'names', score: nameScore, reasons: nameReasons(explanation) },
    { what: 'listings', score: modelScore, reasons: listingReasons(explanation) },
    {
      what: 'listings of other categories with the same parent',
      score: siblingScore,
      reasons: ['Categories with the same parent have listings with words of the title.'],
    },
  ]
  const strong = parts
    .filter(({ score }) => score > 0 && score / total >= leastShare)
    .sort((one, other) => other.score - one.score)
  const shares = strong.map(({ what, score }) => `${percent(score / total)} from ${what}`)
  const summary = shares.length > 1 ? [`The score is ${listOf(shares)}.`] : []
  return [...summary, ...strong.flatMap(({ reasons }) => reasons)]
}

function nameReasons({ names, written, corrected }: PredictionExplanation): string[] {
  return names.slice(0, maxNames).map(({ text, kind, words }) => {
    const shared = words.map((stem) => {
      const word = quote(written.get(stem) ?? stem)
      return corrected.has(stem) ? `${word} (taken for a misspelling)` : word
    })
    return `The ${kind} ${quote(text.trim())} has ${listOf(shared)}.`
  })
}

function listingReasons({ words, written }: PredictionExplanation): string[] {
  const isRepeated = (text: string) => words.some((other) => other.text === text.slice(1))
  const strongest = words
    .filter(({ text }) => !(text.startsWith('^') && isRepeated(text)))
    .sort((one, other) => other.share - one.share)
    .slice(0, maxFeatures)
  return strongest.map(({ text, listings, total }) => {
    const all = Math.max(1, Math.round(total))
    const own = Math.min(all, Math.max(1, Math.round(listings)))
    const shown = quote(writtenFeature(text, written))
    return all === 1
      ? `The only listing with ${shown} is in this category.`
      : `${own} of ${all} listings with ${shown} ${own === 1 ? 'is' : 'are'} in this category.`
  })
}

/** Returns a feature with the words as the title writes them. `^`, which marks a first word, is left out. */
export function writtenFeature(text: string, written: ReadonlyMap<string, string>): string {
  const stems = text.replace('^', '').split(' ')
  return stems.map((stem) => written.get(stem) ?? stem).join(' ')
}

const quote = (text: string) => `“${text}”`
const percent = (share: number) => `${Math.round(100 * share)} %`

function listOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${last}` : last
}
