import type { LeafLexicon } from '../../src/predictor/leaf-lexicon.ts'
import { featuresOf } from '../../src/predictor/model/features.ts'
import { countPerListing, TrainedModel } from '../../src/predictor/model/trained-model.ts'
import { significantWordsOf } from '../../src/predictor/title/words.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import type { Figure } from '../run.ts'
import { shuffled } from './curve.ts'
import type { LabeledTitle } from './predict.ts'

const trainingSizes = [1, 10, 100, Number.POSITIVE_INFINITY]
const draws = 20

/**
 * What the first listings of a site do to its proposals on the default tree: of one set of titles so many
 * are taught, and those of the other asked for, each set once; the mean of draws. With nothing learned it
 * is what `predict.ts` says of both.
 */
export function measureFirstListings(
  { leaves }: LeafLexicon,
  { titles, unseen, rankOf, short }: TitleSample,
): Figure[] {
  const numbers = new Map(leaves.map(({ key, number }) => [key, number]))
  return trainingSizes.map((step) => {
    let [right, total] = [0, 0]
    for (const [taught, asking] of [
      [titles, unseen],
      [unseen, titles],
    ] as const) {
      const trainable = taught.filter(({ keys: [key = ''] }) => numbers.has(key))
      for (let draw = 0; draw < (short || step > trainable.length ? 1 : draws); draw++) {
        const learned = new TrainedModel()
        for (const { text, keys } of shuffled(trainable, seededRandom(draw)).slice(0, step)) {
          const number = numbers.get(keys[0] as string) as number
          learned.train(featuresOf(significantWordsOf(text)), number, countPerListing)
        }
        for (const title of asking) if (rankOf(title, learned) === 0) right++
        total += asking.length
      }
    }
    const name = `predict.first_${step === Number.POSITIVE_INFINITY ? 'all' : step}.top1`
    return { name, value: (100 * right) / total, unit: '%' }
  })
}

interface TitleSample {
  titles: readonly LabeledTitle[]
  unseen: readonly LabeledTitle[]
  /** The place of the first right guess; -1 without one. */
  rankOf: (title: LabeledTitle, learned: TrainedModel) => number
  short: boolean
}
