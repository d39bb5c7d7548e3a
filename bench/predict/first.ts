import { featuresOf } from '../../src/catalog/predictor/learned/features.ts'
import { TrainedModel, whole } from '../../src/catalog/predictor/learned/learned.ts'
import type { Called } from '../../src/catalog/predictor/named/sayings.ts'
import { wordsOf } from '../../src/catalog/predictor/words.ts'
import { randomOf } from '../../src/sandbox/demo/random.ts'
import type { Figure } from '../run.ts'
import { shuffled } from './curve.ts'
import type { Title } from './predict.ts'

const steps = [1, 10, 100, Number.POSITIVE_INFINITY]
const draws = 20

/**
 * What the first listings of a site do to its proposals on the default tree: of one set of titles so many
 * are taught, and those of the other asked for, each set once; the mean of draws. With nothing learned it
 * is what `predict.ts` says of both.
 */
export function firstListings(
  { leaves }: Called,
  { titles, unseen, rankOf, short }: TitleSample,
): Figure[] {
  const numbers = new Map(leaves.map(({ key, number }) => [key, number]))
  return steps.map((step) => {
    let [right, asked] = [0, 0]
    for (const [taught, asking] of [
      [titles, unseen],
      [unseen, titles],
    ] as const) {
      const known = taught.filter(({ keys: [key = ''] }) => numbers.has(key))
      for (let draw = 0; draw < (short || step > known.length ? 1 : draws); draw++) {
        const learned = new TrainedModel()
        for (const { text, keys } of shuffled(known, randomOf(draw)).slice(0, step)) {
          const number = numbers.get(keys[0] as string) as number
          learned.learn(featuresOf(wordsOf(text)), number, whole)
        }
        for (const title of asking) if (rankOf(title, learned) === 0) right++
        asked += asking.length
      }
    }
    const name = `predict.first_${step === Number.POSITIVE_INFINITY ? 'all' : step}.top1`
    return { name, value: (100 * right) / asked, unit: '%' }
  })
}

interface TitleSample {
  titles: readonly Title[]
  unseen: readonly Title[]
  /** The place of the first right guess; -1 without one. */
  rankOf: (title: Title, learned: TrainedModel) => number
  short: boolean
}
