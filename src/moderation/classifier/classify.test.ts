import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { moderate } from '../moderate.ts'
import type { Writer } from '../reason.ts'
import { noTerms } from '../terms.ts'
import { normalizeText } from '../text/normalize.ts'
import { classify } from './classify.ts'
import { extractFeatures } from './features.ts'
import { classifierModel, modelFile } from './file.ts'
import { ClassifierModel, classCount, formatModel, inputsOfModel, parseModel } from './model.ts'

function classified(text: string, writer: Writer = 'seller') {
  const normalized = normalizeText(text)
  const sender = { writer, billingAsked: false }
  const result = classify(classifierModel(), normalized, { sender, rules: [], ignored: [] })
  const { from, to } = result.explain()
  return { ...result, cause: normalized.text.slice(from, to) }
}

function weightsOf(...values: number[]): Int8Array {
  return Int8Array.from({ length: classCount }, (_, of) => values[of] ?? 0)
}

test('the classifier finds what no phrase names, and says which words it is for', () => {
  const threat = classified('Ya sé a qué hora salís de tu local, cuidate en la esquina', 'buyer')
  assert.equal(threat.reason, 'OUT_OF_PLACE_LANGUAGE')
  assert.ok(threat.clean < 0.5, `${threat.clean}`)
  const evasion = classified(
    'Ponele que ya lo recibiste aunque no haya llegado, así me liberan la plata',
  )
  assert.equal(evasion.reason, 'EVASION_CLAIM_SELLER')
  assert.match(evasion.cause, /recibiste|ponele/)
})

test('only a seller evades a claim', () => {
  const text = 'No abras el reclamo, esperá a que venza el plazo'
  assert.equal(classified(text).reason, 'EVASION_CLAIM_SELLER')
  assert.notEqual(classified(text, 'buyer').reason, 'EVASION_CLAIM_SELLER')
})

test('a text of one or two words is not held back for lack of others', () => {
  for (const text of [
    'Hola',
    'ok',
    'Gracias!',
    'Factura A',
    'XL',
    '¿?',
    '👍',
    '42',
    'No',
    'Um bule',
  ]) {
    const context = { siteId: 'MLA', writer: 'buyer', terms: noTerms, billingAsked: false } as const
    assert.equal(moderate(text, context), undefined, text)
  }
})

test('the same text has the same probabilities, whatever was judged between', () => {
  const text = 'Te paso mi usuario por otro lado, buscame igual que la tienda'
  const first = [...classifierModel().probabilities(featuresOf(text))]
  featuresOf('otro texto')
  assert.deepEqual([...classifierModel().probabilities(featuresOf(text))], first)
  const sum = first.reduce((all, probability) => all + probability, 0)
  assert.ok(Math.abs(sum - 1) < 1e-9)
})

function featuresOf(text: string) {
  return extractFeatures(normalizeText(text), { writer: 'seller', billingAsked: false }, [])
}

test('a model file gives back the model that was written, and another file is refused', () => {
  const entries = [
    { hash: 5, weights: weightsOf(100, -100) },
    { hash: -7, weights: weightsOf(-20, 60) },
    // The same place of the table as 5: the next free one is taken.
    { hash: 5 + 1024, weights: weightsOf(0, 0, 127) },
  ]
  const file = gzipSync(formatModel(entries, { scale: 0.05, inputs: 'digest' }))
  assert.equal(inputsOfModel(file), 'digest')
  const features = featuresOf('')
  features.hashes.set([5, -7, 5 + 1024, 99])
  features.count = 4
  const read = [...parseModel(file).probabilities(features)]
  assert.deepEqual(read, [...new ClassifierModel(entries, 0.05).probabilities(features)])
  assert.ok((read[2] as number) > (read[1] as number))
  assert.throws(() => parseModel(gzipSync('something else\n{}\n')), /no model/)
  const whole = formatModel(entries, { scale: 0.05, inputs: 'digest' })
  assert.throws(() => parseModel(gzipSync(whole.subarray(0, -1))), /cut off/)
})

test('the model was trained from the messages that are here', () => {
  const inputs = createHash('sha256')
  const folder = fileURLToPath(new URL('../../../moderation/training/', import.meta.url))
  for (const name of readdirSync(folder).sort()) inputs.update(readFileSync(`${folder}${name}`))
  inputs.update(readFileSync(new URL('../../../bench/moderation/tuning.tsv', import.meta.url)))
  const problem = 'The messages have changed: run npm run train:moderation'
  assert.equal(inputsOfModel(readFileSync(modelFile)), inputs.digest('hex'), problem)
})

test('a text of any length costs little and is read as far as there is room', () => {
  const before = process.cpuUsage()
  const features = featuresOf('transferime al alias 1234 5678 '.repeat(20_000))
  const { user } = process.cpuUsage(before)
  assert.ok(features.count <= features.hashes.length)
  assert.ok(user < 2e6, `${user} µs`)
})
