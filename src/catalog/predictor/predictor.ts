import { type SiteId, sites } from '../../kernel/sites.ts'
import type { Language, Names } from '../source/source.ts'
import type { Category, SiteTree } from '../tree/tree.ts'
import { Lexicon, type Saying } from './lexical.ts'
import { wordsOf } from './words.ts'

/** A category that a title may belong to. */
export interface Guess {
  category: Category
  /** More is more probable; only to be compared within one answer. */
  score: number
}

/** How far each way to call a category is trusted. */
const trust = {
  /** What people of the country say. */
  said: 1.15,
  /** What those of another country say in the same language, or another. */
  saidElsewhere: 0.7,
  named: 1,
  namedInAnother: 0.75,
}
/** What comes to less than this part of the first is no guess. */
const leastOfFirst = 0.1

/** Proposes categories of one site for a title, by what they are called. */
export class Predictor {
  readonly #categories: readonly Category[]
  readonly #lexicon: Lexicon

  constructor(tree: SiteTree) {
    this.#categories = [...tree.byId.values()].filter(({ children }) => children.length === 0)
    this.#lexicon = new Lexicon(this.#sayings(tree.siteId))
  }

  *#sayings(siteId: SiteId): Generator<Saying> {
    const own = sites[siteId].language
    for (const [category, { source }] of this.#categories.entries()) {
      for (const names of [source.names, ...source.kinds]) {
        yield* namesOf(names, own).map((each) => ({ category, ...each }))
      }
      for (const { text, sites } of source.aliases) {
        const weight = sites.includes(siteId) ? trust.said : trust.saidElsewhere
        yield { category, text, weight }
      }
    }
  }

  /** The most probable categories, the best first; none where no word of the title is known. */
  predict(title: string, { most, accepts = () => true }: Asked): Guess[] {
    const guesses: Guess[] = []
    this.#lexicon.find(wordsOf(title), (index, score) => {
      if (guesses.length === most && score <= (guesses.at(-1)?.score ?? 0)) return
      const category = this.#categories[index] as Category
      if (!accepts(category)) return
      let at = guesses.length
      while (at > 0 && (guesses[at - 1] as Guess).score < score) at--
      guesses.splice(at, 0, { category, score })
      if (guesses.length > most) guesses.pop()
    })
    const least = (guesses[0]?.score ?? 0) * leastOfFirst
    return guesses.filter(({ score }) => score >= least)
  }
}

interface Asked {
  most: number
  accepts?: (category: Category) => boolean
}

function namesOf(names: Names, own: Language): { text: string; weight: number }[] {
  return (['es', 'pt', 'en'] as const).map((language) => ({
    text: names[language],
    weight: language === own ? trust.named : trust.namedInAnother,
  }))
}
