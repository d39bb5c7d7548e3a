import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ClassifierModel, classCount, lengthFactor } from './model.ts'

const scale = 0.01
const none = new Int32Array(0)
const weights = fc.int8Array({ minLength: classCount, maxLength: classCount, min: -127, max: 127 })

test('the highest weights of a thousand features do not overflow into another class', () => {
  const highest = Int8Array.from({ length: classCount }, (_, of) => (of % 2 === 0 ? 127 : -127))
  const model = new ClassifierModel([{ hash: 5, weights: highest }], scale)
  const hashes = new Int32Array(1_000).fill(5)
  const probabilities = model.probabilities({ hashes, from: none, to: none, count: 1_000 })
  for (const [of, probability] of probabilities.entries()) {
    assert.ok(Math.abs(probability - (of % 2 === 0 ? 2 / classCount : 0)) < 1e-9)
  }
})

test('the probabilities are those of the plain sums, however many features a text has', () => {
  // Hashes that end alike share their first place in the table.
  const hash = fc.integer({ min: 1, max: 60 }).map((number) => (number << 14) | (number % 3))
  const entry = fc.record({ hash, weights })
  const entries = fc.uniqueArray(entry, { maxLength: 40, selector: ({ hash }) => hash })
  fc.assert(
    fc.property(entries, fc.array(hash, { maxLength: 1_000, size: 'max' }), (known, hashes) => {
      const model = new ClassifierModel(known, scale)
      const sums = new Float64Array(classCount)
      let count = 0
      for (const hash of hashes) {
        const entry = known.find((other) => other.hash === hash)
        if (!entry) continue
        count++
        for (const [of, weight] of entry.weights.entries()) sums[of] = (sums[of] ?? 0) + weight
      }
      const powers = sums.map((sum) => Math.exp(sum * scale * lengthFactor(count)))
      const total = powers.reduce((sum, power) => sum + power, 0)
      const features = { hashes: Int32Array.from(hashes), count: hashes.length }
      const probabilities = model.probabilities({ ...features, from: none, to: none })
      for (const [of, probability] of probabilities.entries()) {
        assert.ok(Math.abs(probability - (powers[of] ?? 0) / total) < 1e-9)
      }
    }),
  )
})
