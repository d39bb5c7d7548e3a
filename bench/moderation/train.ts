import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { extractFeatures } from '../../src/moderation/classifier/features.ts'
import { modelFile } from '../../src/moderation/classifier/file.ts'
import {
  classCount,
  classes,
  formatModel,
  lengthFactor,
  type ModelEntry,
} from '../../src/moderation/classifier/model.ts'
import { matchRules } from '../../src/moderation/moderate.ts'
import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'
import { type LabeledMessage, readLabeledFile } from './labelled.ts'

/**
 * `npm run train:moderation`: trains the classifier of moderation from `moderation/training/` and writes
 * `moderation/model.bin.gz`. The same messages, rules and code give the same file.
 *
 * The model is a multinomial logistic regression, fitted by AdaGrad. Features that occur in one message only are left
 * out; of the others those stay that weigh most, and the model is fitted to them once more.
 */

const trainingFolder = fileURLToPath(new URL('../../moderation/training/', import.meta.url))

const settings = {
  epochs: 8,
  learningRate: 0.15,
  decay: 1e-5,
  /** Features of fewer messages teach nothing about other ones. */
  fewestMessages: 2,
  /** The table then fits a cache of the processor; with more of them the figures are the same. */
  mostFeatures: 45_000,
  /** The model is the mean of a fit for each seed: the order of the messages then matters less. */
  seeds: [1, 2, 3],
}

interface Example {
  features: Int32Array
  expected: number
}

/** Indexes of features by their hash. */
type Vocabulary = ReadonlyMap<number, number>

const inputs = createHash('sha256')
const examples: Example[] = []
const tuningFile = fileURLToPath(new URL('./tuning.tsv', import.meta.url))
for (const name of readdirSync(trainingFolder).sort()) {
  if (!name.endsWith('.tsv')) continue
  const path = `${trainingFolder}${name}`
  inputs.update(readFileSync(path))
  for (const message of readLabeledFile(path)) examples.push(exampleOf(message))
}
inputs.update(readFileSync(tuningFile))
// The rules were written by these messages. They would teach that rules are always right.
for (const message of readLabeledFile(tuningFile)) examples.push(exampleOf(message, { rules: [] }))
process.stdout.write(`${examples.length} messages\n`)

function exampleOf(
  { text, context, expected }: LabeledMessage,
  { rules }: { rules?: readonly string[] } = {},
): Example {
  const matched = matchRules(text, context)
  const { hashes, count } = extractFeatures(matched.normalized, context, rules ?? matched.rules)
  return { features: hashes.slice(0, count), expected: classes.indexOf(expected as 'clean') }
}

const messagesOf = countMessages(examples)
const frequent = [...messagesOf].filter(([, count]) => count >= settings.fewestMessages)
const candidates: Vocabulary = new Map(frequent.map(([hash], index) => [hash, index]))
const rough = fit(examples, candidates, 1)
const heaviest = frequent
  .map(([hash, count], index) => ({ hash, weight: spread(rough, index) * Math.sqrt(count) }))
  .sort((one, other) => other.weight - one.weight || one.hash - other.hash)
  .slice(0, settings.mostFeatures)
const vocabulary: Vocabulary = new Map(heaviest.map(({ hash }, index) => [hash, index]))
const weights = meanOf(settings.seeds.map((seed) => fit(examples, vocabulary, seed)))

// The few weights beyond are cut, so that the steps of all others are finer.
const magnitudes = Float32Array.from(weights, Math.abs).sort()
const scale = (magnitudes[Math.floor(magnitudes.length * 0.9999)] as number) / 127
const entries: ModelEntry[] = []
for (const [hash, index] of vocabulary) {
  const steps = Int8Array.from({ length: classCount }, (_, of) =>
    Math.max(-127, Math.min(127, Math.round((weights[index * classCount + of] as number) / scale))),
  )
  if (hash !== 0 && steps.some((step) => step !== 0)) entries.push({ hash, weights: steps })
}
entries.sort((one, other) => one.hash - other.hash)
const model = formatModel(entries, { scale, inputs: inputs.digest('hex') })
writeFileSync(modelFile, gzipSync(model, { level: 9 }))
process.stdout.write(`${candidates.size} features, ${entries.length} kept\n`)

/** Returns in how many messages each feature occurs. */
function countMessages(all: readonly Example[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { features } of all) {
    for (const hash of new Set(features)) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  }
  return counts
}

/** Returns the weights of the features, those of a feature beside each other. */
function fit(all: readonly Example[], of: Vocabulary, seed: number): Float32Array {
  const weights = new Float32Array(of.size * classCount)
  const squares = new Float32Array(of.size * classCount).fill(1e-3)
  const rows = all.map(({ features, expected }) => ({ known: knownOf(features, of), expected }))
  const random = seededRandom(seed)
  const errors = new Float64Array(classCount)
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    shuffle(rows, random)
    for (const { known, expected } of rows) {
      const factor = lengthFactor(known.length)
      predict(weights, known, factor, errors)
      errors[expected] = (errors[expected] as number) - 1
      for (const feature of known) {
        for (let at = feature * classCount, label = 0; label < classCount; at++, label++) {
          const gradient =
            (errors[label] as number) * factor + settings.decay * (weights[at] as number)
          squares[at] = (squares[at] as number) + gradient * gradient
          weights[at] =
            (weights[at] as number) -
            (settings.learningRate * gradient) / Math.sqrt(squares[at] as number)
        }
      }
    }
  }
  return weights
}

function meanOf(fits: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(fits[0]?.length ?? 0)
  for (const weights of fits) {
    for (let at = 0; at < mean.length; at++) {
      mean[at] = (mean[at] as number) + (weights[at] as number) / fits.length
    }
  }
  return mean
}

function shuffle<T>(rows: T[], random: SeededRandom): void {
  for (let last = rows.length - 1; last > 0; last--) {
    const other = random.between(0, last)
    const row = rows[last] as T
    rows[last] = rows[other] as T
    rows[other] = row
  }
}

function knownOf(features: Int32Array, of: Vocabulary): Int32Array {
  const known: number[] = []
  for (const hash of features) {
    const index = of.get(hash)
    if (index !== undefined) known.push(index)
  }
  return Int32Array.from(known)
}

/** Writes the probability of each class to `to`. */
function predict(weights: Float32Array, known: Int32Array, factor: number, to: Float64Array): void {
  to.fill(0)
  for (const feature of known) {
    for (let label = 0; label < classCount; label++) {
      to[label] = (to[label] as number) + (weights[feature * classCount + label] as number)
    }
  }
  const highest = Math.max(...to) * factor
  let sum = 0
  for (let label = 0; label < classCount; label++) {
    to[label] = Math.exp((to[label] as number) * factor - highest)
    sum += to[label] as number
  }
  for (let label = 0; label < classCount; label++) to[label] = (to[label] as number) / sum
}

/** Returns how differently a feature weighs for the classes. */
function spread(weights: Float32Array, feature: number): number {
  const own = weights.subarray(feature * classCount, (feature + 1) * classCount)
  const mean = own.reduce((sum, weight) => sum + weight, 0) / classCount
  return Math.sqrt(own.reduce((sum, weight) => sum + (weight - mean) ** 2, 0))
}
