import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Catalog } from '../../src/catalog/catalog.ts'
import { readDefaultSource } from '../../src/catalog/source/default.ts'
import { type SiteId, sites } from '../../src/kernel/sites.ts'
import { confidenceDepth } from '../../src/predictor/confidence.ts'
import { leafLexiconOf } from '../../src/predictor/leaf-lexicon.ts'
import type { TrainedModel } from '../../src/predictor/model/trained-model.ts'
import { Predictor } from '../../src/predictor/predictor.ts'
import type { Figure } from '../run.ts'
import { curve } from './curve.ts'
import { measureFirstListings } from './first-listings.ts'
import { Reliability } from './reliability.ts'
import { measureSpeed } from './speed.ts'
import { measureTrainedModel } from './trained-model.ts'
import { measureTypos } from './typos.ts'

const catalog = fileURLToPath(new URL('../../catalog', import.meta.url))
const titlesFile = new URL('./titles.tsv', import.meta.url)
const unseenFile = new URL('./unseen.tsv', import.meta.url)
const blindFile = new URL('./blind.tsv', import.meta.url)
const classesFile = new URL('./classes.tsv', import.meta.url)

export interface LabeledTitle {
  language: string
  siteId: SiteId
  /** Of the categories that are right, the best first. */
  keys: readonly string[]
  text: string
}

/**
 * How often a right category of the default tree is the first, among three, among eight, with nothing
 * learned: for titles in a seller's style that were written apart from the words of the catalogue and
 * before anything was tuned; for others that were written when those words were done, by one who had
 * not seen them; for those of a third set, by which nothing was ever chosen; and for invented titles of
 * each class of errors that real titles showed (`classes.tsv`). How many titles one core
 * predicts a second. What becomes of that with listings: see `first.ts`, `curve.ts` and `learned.ts`; with
 * a word that is written wrong: `slips.ts`.
 */
export async function predict({ short }: { short: boolean }): Promise<Figure[]> {
  const source = readDefaultSource(catalog)
  const [titles, unseen, blind, classes] = [
    readTitles(),
    readSiteTitles(unseenFile),
    readSiteTitles(blindFile),
    readSiteTitles(classesFile),
  ]
  const predictors = new Map<SiteId, Predictor>()
  const began = performance.now()
  const called = leafLexiconOf(source.categories)
  const buildMs = performance.now() - began
  for (const siteId of new Set(
    [...titles, ...unseen, ...blind, ...classes].map((title) => title.siteId),
  )) {
    predictors.set(siteId, new Predictor(siteId, called))
  }
  const rankOf = ({ siteId, text, keys }: LabeledTitle, learned?: TrainedModel) => {
    const guesses = predictors.get(siteId)?.predict(text, { limit: 8, model: learned }) ?? []
    return guesses.findIndex(({ category }) => isCorrect(category.key, keys))
  }
  const reliability = new Reliability()
  for (const { siteId, text, keys } of [...titles, ...unseen, ...blind, ...classes]) {
    const predictor = predictors.get(siteId) as Predictor
    const predictions = predictor.predict(text, { limit: confidenceDepth })
    const probabilities = predictor.probabilitiesOf(text, predictions)
    for (const [rank, { category }] of predictions.entries()) {
      reliability.add(probabilities[rank] as number, isCorrect(category.key, keys))
    }
  }
  const figures: Figure[] = []
  const sets = { '': titles, unseen_: unseen, blind_: blind, classes_: classes }
  for (const [prefix, all] of Object.entries(sets)) {
    for (const language of ['es', 'pt', undefined]) {
      const of = all.filter((title) => language === undefined || title.language === language)
      const ranks = of.map((title) => rankOf(title))
      for (const most of [1, 3, 8]) {
        const share = ranks.filter((rank) => rank >= 0 && rank < most).length / of.length
        const name = `predict.${prefix}top${most}${language ? `_${language}` : ''}`
        figures.push({ name, value: share * 100, unit: `% of ${of.length}` })
      }
    }
  }
  const load = { texts: titles.map(({ text }) => text), count: short ? 2_000 : 200_000 }
  const own = new Catalog(source, new Date(0))
  const guess = (title: string) => own.predictor('MLA').predict(title, { limit: 4 })
  const named = measureSpeed(guess, load)
  const proposed = measureSpeed((title) => {
    const categories = guess(title).map(({ category }) => category)
    return own.renderPredictions(title, { siteId: 'MLA', categories })
  }, load)
  return [
    ...figures,
    reliability.report('predict.calibration_error'),
    { name: 'predict.named_per_second', value: named.perSecond, unit: 'titles/s on one core' },
    { name: 'predict.named_p99_us', value: named.p99Us, unit: 'µs' },
    {
      name: 'predict.proposed_per_second',
      value: proposed.perSecond,
      unit: 'titles/s on one core, with the attributes of four categories',
    },
    { name: 'predict.build_ms', value: buildMs, unit: 'ms for all sites' },
    measureTypos([...titles, ...unseen], { rankOf: (title) => rankOf(title), short }),
    ...measureFirstListings(called, { titles, unseen, rankOf, short }),
    ...learningCurve(short),
    ...(await measureTrainedModel({ folder: catalog, short })),
  ]
}

/** The curve of the titles that `FERIA_BENCH_TITLES` names: they are nobody's to pass on. */
function learningCurve(short: boolean): Figure[] {
  const file = process.env['FERIA_BENCH_TITLES']
  if (file) return curve(file, { short })
  process.stdout.write(
    'No learning curve: FERIA_BENCH_TITLES names no file of titles and their paths.\n',
  )
  return []
}

/** Branches of real estate and their like are labelled by their root alone in some. */
const isCorrect = (predicted: string, keys: readonly string[]) =>
  keys.some((key) => predicted === key || (key.startsWith('x-') && predicted.startsWith(`${key}-`)))

function readTitles(): LabeledTitle[] {
  return rowsOf(titlesFile).map(([language = '', siteId = '', key = '', text = '']) => {
    return { language, siteId: siteId as SiteId, keys: [key], text }
  })
}

function readSiteTitles(file: URL): LabeledTitle[] {
  return rowsOf(file).map(([site = '', keys = '', text = '']) => {
    const siteId = site as SiteId
    return { language: sites[siteId].language, siteId, keys: keys.split(','), text }
  })
}

function rowsOf(file: URL): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t'))
}
