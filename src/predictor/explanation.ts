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
  /** The features of the title in its listings. `share` is the weighted share among all listings with the feature,
   * `listings` the number of its own after halving. */
  words: readonly { text: string; share: number; listings: number }[]
  /** The words of the title by their stem. */
  written: ReadonlyMap<string, string>
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
  if (total === 0) return []
  const parts = [
    { score: nameScore, reasons: nameReasons(explanation) },
    { score: modelScore, reasons: listingReasons(explanation) },
    {
      score: siblingScore,
      reasons: ['Categories with the same parent have listings with these words.'],
    },
  ]
  return parts
    .filter(({ score }) => score / total >= leastShare)
    .sort((one, other) => other.score - one.score)
    .flatMap(({ score, reasons: [first, ...others] }) =>
      first === undefined ? [] : [`${percent(score / total)} of the score: ${first}`, ...others],
    )
}

function nameReasons({ names, written }: PredictionExplanation): string[] {
  return names.slice(0, maxNames).map(({ text, kind, words }) => {
    const shared = words.map((stem) => quote(written.get(stem) ?? stem))
    const verb = shared.length > 1 ? 'are' : 'is'
    return `${listOf(shared)} ${verb} in the ${kind} ${quote(text)}.`
  })
}

function listingReasons({ words, written }: PredictionExplanation): string[] {
  const strongest = [...words].sort((one, other) => other.share - one.share).slice(0, maxFeatures)
  return strongest.map(({ text, share, listings }) => {
    const stems = text.replace('^', '').split(' ')
    const shown = quote(stems.map((stem) => written.get(stem) ?? stem).join(' '))
    const place = text.startsWith('^') ? ' as the first word' : ''
    const count = listings < 1.5 ? 'one listing' : `${Math.round(listings)} listings`
    return `${percent(share)} of the listings with ${shown}${place} are here (${count}).`
  })
}

const quote = (text: string) => `“${text}”`
const percent = (share: number) => `${Math.round(100 * share)} %`

function listOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${last}` : last
}
