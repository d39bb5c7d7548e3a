import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { significantWordsOf } from '../title/words.ts'
import { copyModel, decodePart, encodePart, modelDigest } from './encoding.ts'
import { featuresOf } from './features.ts'
import { maxCategoriesPerFeature } from './shard.ts'
import { countPerListing, TrainedModel } from './trained-model.ts'

/** What was learned as plain as can be: by feature, the count of each category. */
class Plain {
  readonly features = new Map<number, Map<number, number>>()
  readonly counts = new Map<number, number>()

  learn(hashes: readonly number[], number: number, count: number): void {
    this.counts.set(number, Math.max(0, (this.counts.get(number) ?? 0) + count))
    for (const hash of hashes) this.#add(hash, number, count)
  }

  #add(hash: number, number: number, count: number): void {
    const counts = this.features.get(hash) ?? new Map<number, number>()
    const indexes = [...this.counts.keys()]
    if (counts.has(number) || counts.size < maxCategoriesPerFeature || count <= 0) {
      counts.set(number, (counts.get(number) ?? 0) + count)
      if ((counts.get(number) ?? 0) <= 0) counts.delete(number)
    } else {
      const [rarest] = [...counts].sort(
        ([a, m], [b, n]) => m - n || indexes.indexOf(b) - indexes.indexOf(a),
      )
      const [other = 0, rest = 0] = rarest ?? []
      counts.set(other, rest - count)
      if (rest <= count) counts.delete(other)
      if (rest <= count) counts.set(number, count)
    }
    this.features.set(hash, counts)
  }

  halve(): void {
    for (const [number, count] of this.counts) this.counts.set(number, count >> 1)
    for (const counts of this.features.values()) {
      for (const [number, count] of counts) {
        if (count > 1) counts.set(number, count >> 1)
        else counts.delete(number)
      }
    }
  }
}

function counted(learned: TrainedModel, hash: number): [number: number, count: number][] {
  const { pairs, from, to } = learned.find(hash)
  const counts: [number, number][] = []
  for (let at = from; at < to; at += 2) {
    counts.push([learned.numbers[pairs[at] as number] as number, pairs[at + 1] as number])
  }
  return counts.sort(([a], [b]) => a - b)
}

const sortedOf = (counts: ReadonlyMap<number, number> = new Map()) =>
  [...counts].sort(([a], [b]) => a - b)

type Step = 'halve' | { hashes: number[]; number: number; count: number }

/** Features that share slots and parts of the table, and more categories than one feature may have. */
const someHash = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 20 }).map((n) => n * 8 + 7),
  fc.integer({ min: 0, max: 0xffffffff }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      hashes: fc.uniqueArray(someHash, { minLength: 1, maxLength: 4 }),
      number: fc.integer({ min: 1, max: 40 }),
      count: fc.constantFrom(1, 4, 16, 40, -1, -4, -16, -16),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>('halve') },
)

function take(learned: TrainedModel, step: Step): void {
  if (step === 'halve') for (const _ of learned.halve());
  else {
    const features = step.hashes.map((hash) => ({ hash, weight: 1, text: '' }))
    learned.train(features, step.number, step.count)
  }
}

test('what is learned, unlearned and halved is counted as a plain count does', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
      const [learned, plain] = [new TrainedModel(), new Plain()]
      for (const step of steps) {
        take(learned, step)
        if (step === 'halve') plain.halve()
        else plain.learn(step.hashes, step.number, step.count)
      }
      for (const [hash, counts] of plain.features) {
        assert.deepEqual(counted(learned, hash), sortedOf(counts))
      }
      const counts = learned.numbers.map((number, index) => [number, learned.countOf(index)])
      assert.deepEqual(counts, [...plain.counts])
      const total = [...plain.counts.values()].reduce((sum, count) => sum + count, 0)
      assert.equal(learned.listings, total / countPerListing)
    }),
    { numRuns: 150 },
  )
})

test('what is written down and read again is the same, and goes on the same', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 120 }),
      fc.array(step, { maxLength: 120 }),
      (one, two) => {
        const learned = new TrainedModel()
        for (const step of one) take(learned, step)
        const copy = copyModel(learned)
        assert.equal(modelDigest(copy), modelDigest(learned))
        for (const step of two) {
          take(learned, step)
          take(copy, step)
        }
        assert.equal(modelDigest(copy), modelDigest(learned))
      },
    ),
    { numRuns: 100 },
  )
})

test('other knowledge has another digest', () => {
  const digest = (...steps: Step[]) => {
    const learned = new TrainedModel()
    for (const step of steps) take(learned, step)
    return modelDigest(learned)
  }
  const step = { hashes: [1, 2], number: 3, count: 16 }
  const others = [
    digest(step),
    digest(step, step),
    digest(step, 'halve'),
    digest({ ...step, hashes: [1, 3] }),
    digest({ ...step, number: 4 }),
    digest({ ...step, count: 4 }),
  ]
  assert.equal(new Set(others).size, others.length)
})

test('whatever is not what was written is refused, and does not hang', () => {
  const learned = new TrainedModel()
  for (let n = 0; n < 40; n++) take(learned, { hashes: [n << 24, n], number: n, count: 16 })
  const encoding = encodePart(learned, 1)
  let step = encoding.next()
  while (!step.done) step = encoding.next()
  const bytes = step.value
  const read = (bytes: Uint8Array) => {
    for (const _ of decodePart(new TrainedModel(), 1, bytes));
  }
  read(bytes)
  assert.throws(() => read(bytes.subarray(0, bytes.length - 1)), /ends early/)
  assert.throws(() => read(new Uint8Array([...bytes, 0])), /bytes after its end/)
})

test('a listing that is taken back leaves nothing behind', () => {
  const learned = new TrainedModel()
  const features = (title: string) => featuresOf(significantWordsOf(title))
  learned.train(features('Mate de calabaza'), 1, countPerListing)
  const before = modelDigest(learned)
  learned.train(features('Termo de acero'), 1, countPerListing)
  learned.train(features('Termo de acero'), 1, -countPerListing)
  assert.equal(modelDigest(learned), before)
})

test('what is not there can be taken back a hundred times: nothing is below nothing', () => {
  const learned = new TrainedModel()
  const features = featuresOf(significantWordsOf('Mate de calabaza'))
  for (let n = 0; n < 100; n++) learned.train(features, 1, -countPerListing)
  assert.equal(learned.listings, 0)
  learned.train(features, 1, countPerListing)
  assert.deepEqual(counted(learned, features[0]?.hash ?? 0), [[1, countPerListing]])
})

test('a halved listing counts half, and after some halvings nothing', () => {
  const learned = new TrainedModel()
  const features = featuresOf(significantWordsOf('Mate'))
  learned.train(features, 1, countPerListing)
  const listings: number[] = []
  for (let n = 0; n < 6; n++) {
    listings.push(learned.listings)
    take(learned, 'halve')
  }
  assert.deepEqual(listings, [1, 0.5, 0.25, 0.125, 0.0625, 0])
  assert.deepEqual(counted(learned, features[0]?.hash ?? 0), [])
})

test('millions of words of nonsense do not fill the memory', () => {
  const learned = new TrainedModel()
  for (let n = 0; n < 60_000; n++) {
    // All in one part of the table.
    learned.train([{ hash: n, weight: 1, text: '' }], 1, countPerListing)
  }
  assert.ok(learned.bytes < 2_000_000, String(learned.bytes))
  assert.deepEqual(counted(learned, 1), [[1, countPerListing]], 'what came first is still known')
})

test('titles are taken apart, hashed and written down in one format: raise it with any of them', () => {
  const learned = new TrainedModel()
  learned.train(
    featuresOf(significantWordsOf('Camiones para niños, con ruedas')),
    1411,
    countPerListing,
  )
  learned.train(featuresOf(significantWordsOf('Caminhão de brinquedo')), 1580, 4)
  const digest = '40944abda45b7d2048cd0d00344739e6d33abc898e2bae29843aaeb2a4dfff64'
  assert.equal(
    modelDigest(learned),
    digest,
    'a new digest asks for another `format` in features.ts: what was learned is learned anew then',
  )
})
