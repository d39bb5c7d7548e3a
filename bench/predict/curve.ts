import { readFileSync } from 'node:fs'
import type { CatalogSource, SourceCategory } from '../../src/catalog/source/source.ts'
import { type LeafLexicon, leafLexiconOf } from '../../src/predictor/leaf-lexicon.ts'
import { featuresOf } from '../../src/predictor/model/features.ts'
import { countPerListing, TrainedModel } from '../../src/predictor/model/trained-model.ts'
import { Predictor } from '../../src/predictor/predictor.ts'
import { significantWordsOf } from '../../src/predictor/title/words.ts'
import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'
import type { Figure } from '../run.ts'
import { Reliability } from './reliability.ts'

/** Listings that a category has taught by. */
const trainingSizes = [0, 1, 3, 10, 30, Number.POSITIVE_INFINITY]
const seeds = [1, 2, 3]
/** One listing in so many is not learned, but asked for. */
const testSetDivisor = 5

interface TrainingTitle {
  title: string
  number: number
}

/**
 * How much is right after 0, 1, 3, 10, 30 and all listings of each category: titles of a file, which are
 * taught and asked for on a tree of the file's own paths. A fifth of each category is only asked for; the
 * mean of three ways to draw it.
 */
export function curve(file: string, { short }: { short: boolean }): Figure[] {
  const { called, titles } = readLabeledTitles(file)
  const byNumber = Map.groupBy(titles, ({ number }) => number)
  const right = new Map<string, number[]>()
  const [named, trained] = [new Reliability(), new Reliability()]
  for (const seed of short ? seeds.slice(0, 1) : seeds) {
    const { trainingTitles, testTitles } = split(byNumber, seed)
    for (const step of trainingSizes) {
      const learned = new TrainedModel()
      for (const of of trainingTitles) {
        for (const { title, number } of of.slice(0, step)) {
          learned.train(featuresOf(significantWordsOf(title)), number, countPerListing)
        }
      }
      const predictor = new Predictor('MLA', called)
      const ranks = testTitles.map(({ title, number }) => {
        const predictions = predictor.predict(title, { limit: 8, model: learned })
        const probabilities = predictor.probabilitiesOf(title, predictions, learned)
        for (const [rank, { category }] of predictions.entries()) {
          const reliability = step === 0 ? named : trained
          reliability.add(probabilities[rank] as number, category.number === number)
        }
        return predictions.findIndex(({ category }) => category.number === number)
      })
      for (const most of [1, 3, 8]) {
        const share = ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length
        const name = `predict.learned_${step === Number.POSITIVE_INFINITY ? 'all' : step}.top${most}`
        right.set(name, [...(right.get(name) ?? []), share])
      }
    }
  }
  const figures = [...right].map(([name, shares]) => ({
    name,
    value: (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length,
    unit: '%',
  }))
  return [
    ...figures,
    named.report('predict.own_names_calibration_error'),
    trained.report('predict.own_listings_calibration_error'),
  ]
}

/** Of each category one in five, at least one where it has two; and the others. */
function split(byNumber: ReadonlyMap<number, readonly TrainingTitle[]>, seed: number) {
  const random = seededRandom(seed)
  const trainingTitles: TrainingTitle[][] = []
  const testTitles: TrainingTitle[] = []
  for (const of of byNumber.values()) {
    const mixed = shuffled(of, random)
    const testCount = Math.round(mixed.length / testSetDivisor)
    testTitles.push(...mixed.slice(0, testCount))
    trainingTitles.push(mixed.slice(testCount))
  }
  return { trainingTitles, testTitles }
}

export function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.between(0, at)
    ;[mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T]
  }
  return mixed
}

/** A file of lines `title<TAB>path`, the path with ` > ` between its steps; the first line is a head. */
function readLabeledTitles(file: string): {
  called: LeafLexicon
  titles: TrainingTitle[]
} {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const categories = new Map<string, SourceCategory>()
  // A category with titles of its own is proposed although it has others below it.
  const listed = new Set(lines.map((line) => line.split('\t')[1] ?? ''))
  const categoryOf = (path: readonly string[]): SourceCategory => {
    const key = path.join(' > ')
    const existing = categories.get(key)
    if (existing) return existing
    const above = path.slice(0, -1)
    const parent = above.length === 0 ? null : categoryOf(above).key
    const name = path.at(-1) as string
    const category: SourceCategory = {
      key,
      parent,
      number: categories.size + 1,
      vertical: 'core',
      domain: listed.has(key) ? 'GOODS' : null,
      settings: listed.has(key) ? { listing_allowed: true } : {},
      names: { es: name, pt: name, en: name },
      kinds: [],
      aliases: [],
    }
    categories.set(key, category)
    return category
  }
  const titles = lines.map((line) => {
    const [title = '', path = ''] = line.split('\t')
    return { title, number: categoryOf(path.split(' > ')).number }
  })
  const source: CatalogSource = {
    categories: [...categories.values()],
    attributes: [],
    domains: [],
  }
  return { called: leafLexiconOf(source.categories), titles }
}
