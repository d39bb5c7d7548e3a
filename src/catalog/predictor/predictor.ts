import type { Category, SiteTree } from '../tree/tree.ts'
import type { Lexicon, Trust } from './lexical.ts'
import { type Called, trustOn } from './sayings.ts'
import { wordsOf } from './words.ts'

/** A category that a title may belong to. */
export interface Guess {
  category: Category
  /** More is more probable; only to be compared within one answer. */
  score: number
}

/** What comes to less than this part of the first is no guess. */
const leastOfFirst = 0.1

/** Proposes categories of one site for a title, by what they are called. */
export class Predictor {
  readonly #categories: readonly Category[]
  readonly #lexicon: Lexicon
  readonly #trust: Trust

  constructor({ siteId, byId }: SiteTree, { leaves, lexicon }: Called) {
    this.#categories = leaves.map(({ number }) => byId.get(`${siteId}${number}`) as Category)
    this.#lexicon = lexicon
    this.#trust = lexicon.trusted(trustOn(siteId))
  }

  /** The most probable categories, the best first; none where no word of the title is known. */
  predict(title: string, { most, accepts = () => true }: Asked): Guess[] {
    const guesses: Guess[] = []
    const asked = { words: wordsOf(title), trust: this.#trust }
    this.#lexicon.find(asked, (index, score) => {
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
