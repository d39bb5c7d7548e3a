import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  digest,
  follow,
  item,
  newId,
  openSchool,
  type School,
} from '../../../test/harness/training.ts'
import { knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { dayMs } from '../../kernel/clock.ts'
import type { ItemBody } from '../admin-routes.ts'
import { Learner } from './learner.ts'

/** Words of listings of every kind of history, for looking whether they are still known. */
const words = ['numbat', 'tapir', 'quoll', 'dugong']

let school: School
let app: TestApp
let other: TestApp

const put = (id: string, body: ItemBody) => school.put(id, body)
const learn = (teaching?: TestApp) => school.learn(teaching)
const known: School['known'] = (word, where) => school.known(word, where)
const ask: School['ask'] = (text, values) => school.ask(text, values)

before(async () => {
  school = await openSchool()
  ;({ app, other } = school)
  const ids = Array.from({ length: 6 }, newId)
  for (const [n, id] of ids.entries()) await put(id, item(words[n % 4] as string, 10 + n))
  await learn()
  app.advance(91 * dayMs)
  await learn()
  await put(ids[0] as string, item('quoll', 12))
  await put(ids[1] as string, { ...item('tapir', 11), sub_status: ['deleted'] })
  await learn()
})
after(() => school.close())

contract(
  'catalog',
  'a process that starts from a snapshot and the rest of the log knows what all others know',
  async () => {
    const snapshots = new Learner(app.ctx, { snapshotAfter: 1 })
    while (await snapshots.turn()) {}
    const [head] = await ask('select position, snapshot_position, lessons_since from lesson_head')
    assert.deepEqual(
      [head?.['position'], head?.['lessons_since']],
      [head?.['snapshot_position'], 0],
    )
    await put(newId(), item('Okapi', 95))
    await put(newId(), { ...item('Okapi', 95), site_id: 'MLA' })
    await learn()
    const started = await school.open()
    await follow(started)
    assert.deepEqual(known('okapi', { of: started }), { 95: 2 })
    school.assertAgreed()
    // And it goes on with them, over the next snapshot too.
    await put(newId(), item('Okapi', 96))
    while (await snapshots.turn()) {}
    await learn()
    assert.deepEqual(known('okapi', { of: started }), { 95: 2, 96: 1 })
    school.assertAgreed()
  },
)

test('a site that nothing was learned of since keeps its snapshot', async () => {
  const mlb = { ...item('Capivara', 5), site_id: 'MLB', category_id: 'MLB5', currency_id: 'BRL' }
  const { status } = await app.client.operator('PUT', '/operator/items/MLB700001', mlb)
  assert.equal(status, 201)
  const snapshots = new Learner(app.ctx, { snapshotAfter: 1 })
  while (await snapshots.turn()) {}
  const versions = () =>
    ask('select distinct site_id, version from lesson_snapshots order by site_id')
  const [mla, before] = await versions()
  await put(newId(), item('Capybara', 5))
  while (await snapshots.turn()) {}
  const [newer, after] = await versions()
  assert.deepEqual(after, before)
  assert.ok(Number(newer?.['version']) > Number(mla?.['version']))
  const started = await school.open()
  await follow(started)
  await learn()
  assert.deepEqual(known('capivara', { of: started, site: 'MLB' }), { 5: 1 })
  school.assertAgreed()
})

test('who is so far behind that the log is gone reads the snapshots again', async () => {
  for (let n = 0; n < 3; n++) {
    await put(newId(), item('Kakapo', 97))
    while (await school.learnerOf(app).turn()) {}
  }
  await follow(app)
  const snapshots = new Learner(app.ctx, { snapshotAfter: 1 })
  while (await snapshots.turn()) {}
  // `other` has not followed yet.
  assert.notEqual(digest(other), digest(app))
  await ask('delete from lessons where position < (select max(position) from lessons)')
  await learn()
  school.assertAgreed()
})

test('what another program wrote down is learned anew from the listings, by one, and all agree', async () => {
  await ask('update lesson_head set snapshot_format = 0')
  const started = await school.open()
  await follow(started)
  assert.equal(knowledgeOf(started.ctx).position, undefined)
  assert.equal(knowledgeOf(started.ctx).obstacle, 'older')
  const before = words.map((word) => known(word))
  await Promise.all([school.learnerOf(started).turn(), new Learner(started.ctx).turn()])
  await learn(started)
  assert.equal(knowledgeOf(started.ctx).obstacle, undefined)
  assert.deepEqual(
    words.map((word) => known(word, { of: started })),
    before,
  )
  school.assertAgreed()
})

test('a later program’s snapshots are left alone', async () => {
  const [{ snapshot_format } = {}] = await ask('select snapshot_format from lesson_head')
  await ask('update lesson_head set snapshot_format = 1000')
  const started = await school.open()
  const learner = new Learner(started.ctx)
  assert.equal(await learner.turn(), false)
  assert.equal(knowledgeOf(started.ctx).obstacle, 'later')
  await ask('update lesson_head set snapshot_format = $1', [snapshot_format])
  await learn(started)
  school.assertAgreed()
})

test('a snapshot that cannot be read is told, and made anew', async () => {
  await ask('update lesson_snapshots set bytes = substr(bytes, 1, 1) where part = 3')
  const started = await school.open()
  await assert.rejects(knowledgeOf(started.ctx).follow(), /part 3 of ML[AB], version \d+/)
  await put(newId(), item('Kiwi', 99))
  await learn(started)
  assert.deepEqual(known('kiwi', { of: started }), { 99: 1 })
  school.assertAgreed()
})
