import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { encodeModel } from '../../src/catalog/learning/checkpoints.ts'
import {
  decodeEntries,
  encodeEntries,
  type TrainingExample,
  trainModels,
} from '../../src/catalog/learning/training-examples.ts'
import { readDefaultSource } from '../../src/catalog/source/default.ts'
import { treeOf } from '../../src/catalog/tree/tree.ts'
import { makeYielder, runInSlices } from '../../src/kernel/slices.ts'
import { leafLexiconOf } from '../../src/predictor/leaf-lexicon.ts'
import { decodePart } from '../../src/predictor/model/encoding.ts'
import { countPerListing, TrainedModel } from '../../src/predictor/model/trained-model.ts'
import { Predictor } from '../../src/predictor/predictor.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import type { Figure } from '../run.ts'
import { measureSpeed } from './speed.ts'

const expand = promisify(inflateRaw)
/** Brands, models and whatever else no category is called by. */
const brandCount = 30_000
const syllables = 'ka to mi ra su ne lo vi du pe gra xo ti ba zen'.split(' ')
/** Lessons of one batch of the log. */
const batchSize = 500

/**
 * One million listings learned on the default tree: titles of one or two words of their category and three
 * to six others, categories and words each as often as their rank has it (Zipf). How quickly the log is
 * learned in slices, as a process that serves does, how large that is in memory and written down, how
 * quickly a process reads that, how many titles one core predicts then.
 */
export async function measureTrainedModel({
  folder,
  short,
}: {
  folder: string
  short: boolean
}): Promise<Figure[]> {
  const source = readDefaultSource(folder)
  const tree = treeOf('MLA', source)
  const count = short ? 10_000 : 1_000_000
  const { written, titles } = writeLog([...tree.byId.values()].filter(isLeaf), count)

  const models = new Map<'MLA', TrainedModel>()
  const waits = watchLoop()
  const breathe = makeYielder()
  const learning = performance.now()
  for (const batch of written) await runInSlices(trainModels(models, decodeEntries(batch)), breathe)
  const replayS = (performance.now() - learning) / 1_000
  const learned = models.get('MLA') as TrainedModel
  const parts = await encodeModel(learned)
  const loading = performance.now()
  const loaded = new TrainedModel()
  for (const [part, bytes] of parts.entries()) {
    await runInSlices(decodePart(loaded, part, await expand(bytes)), breathe)
  }
  const loadS = (performance.now() - loading) / 1_000
  const waitMs = waits.stop()

  const predictor = new Predictor('MLA', leafLexiconOf(source.categories))
  const speed = measureSpeed((title) => predictor.predict(title, { limit: 4, model: loaded }), {
    texts: titles,
    count: short ? 2_000 : 200_000,
  })
  const megabytes = (bytes: number) => bytes / 1e6
  return [
    { name: 'predict.per_second', value: speed.perSecond, unit: 'titles/s on one core' },
    { name: 'predict.p99_us', value: speed.p99Us, unit: 'µs' },
    {
      name: 'predict.learned_mb',
      value: megabytes(learned.bytes),
      unit: `MB of ${count} listings`,
    },
    { name: 'predict.replay_s', value: replayS, unit: `s for ${count} lessons` },
    {
      name: 'predict.snapshot_mb',
      value: megabytes(parts.reduce((sum, { length }) => sum + length, 0)),
      unit: 'MB, compressed',
    },
    { name: 'predict.load_s', value: loadS, unit: 's from the snapshot' },
    { name: 'predict.wait_ms', value: waitMs, unit: 'ms that a timer was late at most meanwhile' },
  ]
}

const isLeaf = ({ children }: { children: readonly unknown[] }) => children.length === 0

/** A log as the learner writes it, and some of its titles. */
function writeLog(
  categories: readonly { name: string; source: { number: number } }[],
  count: number,
): { written: string[]; titles: string[] } {
  const random = seededRandom(1)
  const ranked = (most: number) =>
    Math.min(most - 1, Math.floor(Math.exp(random.fraction() * Math.log(most + 1))) - 1)
  const brands = Array.from({ length: brandCount }, (_, n) => {
    const word = Array.from({ length: 4 }, () => random.pick(syllables)).join('')
    return word + (n % 37).toString(36)
  })
  const trainingExample = (): TrainingExample => {
    const { name, source } = categories[ranked(categories.length)] as (typeof categories)[number]
    const others = Array.from({ length: random.between(3, 6) }, () => brands[ranked(brandCount)])
    const title = [...name.split(/[ ,]+/).slice(0, 2), ...others].join(' ')
    return { siteId: 'MLA', category: source.number, count: countPerListing, title }
  }
  const written: string[] = []
  const titles: string[] = []
  for (let offset = 0; offset < count; offset += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - offset) }, trainingExample)
    written.push(encodeEntries(batch))
    if (titles.length < 50_000) titles.push(...batch.map(({ title }) => title))
  }
  return { written, titles }
}

/** How late a timer of one millisecond is at most: what a request would wait for its turn. */
function watchLoop(): { stop(): number } {
  let most = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    most = Math.max(most, now - last - 1)
    last = now
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
