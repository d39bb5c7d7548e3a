import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { type ItemFields, putItem } from '../../../test/harness/market.ts'
import {
  applyTrainingLog,
  learnedStateOf,
  nextItemId,
  openTrainingFixture,
  type TrainingFixture,
  trainingItemBody,
} from '../../../test/harness/training-fixture.ts'
import { drain } from '../../../test/harness/wait.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Learner } from './learner.ts'

/** Words of listings of every kind of history, for looking whether they are still known. */
const words = ['numbat', 'tapir', 'quoll', 'dugong']

let school: TrainingFixture
let app: TestApp
let other: TestApp

const put = (id: string, body: ItemFields) => school.putListing(id, body)
const learn = (teaching?: TestApp) => school.trainAll(teaching)
const wordWeights: TrainingFixture['wordWeights'] = (word, where) => school.wordWeights(word, where)
const ask: TrainingFixture['queryRows'] = (text, values) => school.queryRows(text, values)

before(async () => {
  school = await openTrainingFixture()
  ;({ app, secondApp: other } = school)
  const ids = Array.from({ length: 6 }, nextItemId)
  for (const [n, id] of ids.entries())
    await put(id, trainingItemBody(words[n % 4] as string, 10 + n))
  await learn()
  app.advance(91 * dayMs)
  await learn()
  await put(ids[0] as string, trainingItemBody('quoll', 12))
  await put(ids[1] as string, { ...trainingItemBody('tapir', 11), sub_status: ['deleted'] })
  await learn()
})
after(() => school.close())

contract(
  'catalog',
  'a process that starts from a checkpoint and the rest of the log knows what all others know',
  async () => {
    const learner = new Learner(app.ctx, { checkpointAfter: 1 })
    await drain(() => learner.turn())
    const [head] = await ask('select position, snapshot_position, lessons_since from lesson_head')
    assert.deepEqual(
      [head?.['position'], head?.['lessons_since']],
      [head?.['snapshot_position'], 0],
    )
    await put(nextItemId(), trainingItemBody('Okapi', 95))
    await put(nextItemId(), { ...trainingItemBody('Okapi', 95), site_id: 'MLA' })
    await learn()
    const started = await school.openApp()
    await applyTrainingLog(started)
    assert.deepEqual(wordWeights('okapi', { of: started }), { 95: 2 })
    school.assertSameModel()
    // And it goes on with them, over the next checkpoint too.
    await put(nextItemId(), trainingItemBody('Okapi', 96))
    await drain(() => learner.turn())
    await learn()
    assert.deepEqual(wordWeights('okapi', { of: started }), { 95: 2, 96: 1 })
    school.assertSameModel()
  },
)

test('a site that nothing was learned of since keeps its saved model', async () => {
  await putItem(app.client, 'MLB700001', {
    ...trainingItemBody('Capivara', 5),
    site_id: 'MLB',
    category_id: 'MLB5',
    currency_id: 'BRL',
  })
  const learner = new Learner(app.ctx, { checkpointAfter: 1 })
  await drain(() => learner.turn())
  const versions = () =>
    ask('select distinct site_id, version from lesson_snapshots order by site_id')
  const [mla, before] = await versions()
  await put(nextItemId(), trainingItemBody('Capybara', 5))
  await drain(() => learner.turn())
  const [newer, after] = await versions()
  assert.deepEqual(after, before)
  assert.ok(Number(newer?.['version']) > Number(mla?.['version']))
  const started = await school.openApp()
  await applyTrainingLog(started)
  await learn()
  assert.deepEqual(wordWeights('capivara', { of: started, site: 'MLB' }), { 5: 1 })
  school.assertSameModel()
})

test('who is so far behind that the log is gone reads the checkpoint again', async () => {
  for (let n = 0; n < 3; n++) {
    await put(nextItemId(), trainingItemBody('Kakapo', 97))
    await drain(() => school.learnerOf(app).turn())
  }
  await applyTrainingLog(app)
  const learner = new Learner(app.ctx, { checkpointAfter: 1 })
  await drain(() => learner.turn())
  // `other` has not followed yet.
  assert.notEqual(learnedStateOf(other), learnedStateOf(app))
  await ask('delete from lessons where position < (select max(position) from lessons)')
  await learn()
  school.assertSameModel()
})

test('what another program wrote down is learned anew from the listings, by one, and all agree', async () => {
  await ask('update lesson_head set snapshot_format = 0')
  const started = await school.openApp()
  await applyTrainingLog(started)
  assert.equal(started.ctx.trainedModels.position, undefined)
  assert.equal(started.ctx.trainedModels.loadFailure, 'older')
  const before = words.map((word) => wordWeights(word))
  await Promise.all([school.learnerOf(started).turn(), new Learner(started.ctx).turn()])
  await learn(started)
  assert.equal(started.ctx.trainedModels.loadFailure, undefined)
  assert.deepEqual(
    words.map((word) => wordWeights(word, { of: started })),
    before,
  )
  school.assertSameModel()
})

test('a later program’s checkpoint is left alone', async () => {
  const [{ snapshot_format } = {}] = await ask('select snapshot_format from lesson_head')
  await ask('update lesson_head set snapshot_format = 1000')
  const started = await school.openApp()
  const learner = new Learner(started.ctx)
  assert.equal(await learner.turn(), false)
  assert.equal(started.ctx.trainedModels.loadFailure, 'later')
  await ask('update lesson_head set snapshot_format = $1', [snapshot_format])
  await learn(started)
  school.assertSameModel()
})

test('a checkpoint that cannot be read is reported, and made anew', async () => {
  await ask('update lesson_snapshots set bytes = substr(bytes, 1, 1) where part = 3')
  const started = await school.openApp()
  await assert.rejects(
    started.ctx.trainedModels.trainNextBatches(),
    /part 3 of ML[AB], version \d+/,
  )
  await put(nextItemId(), trainingItemBody('Kiwi', 99))
  await learn(started)
  assert.deepEqual(wordWeights('kiwi', { of: started }), { 99: 1 })
  school.assertSameModel()
})
