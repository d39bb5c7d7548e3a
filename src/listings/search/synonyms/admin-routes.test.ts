import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { withoutEtag } from '../../../../test/harness/etags.ts'
import { override } from '../../../../test/harness/override.ts'
import { pollUntil } from '../../../../test/harness/wait.ts'
import { sql } from '../../../platform/database/sql.ts'
import { queryWords } from '../words/words.ts'
import { maxSynonymChanges } from './change.ts'
import { SynonymCache, synonymsOf } from './site-synonyms.ts'

let database: TestDatabase
let app: TestApp
/** Another process over the same database. */
let other: TestApp
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

const url = '/operator/search/synonyms'

async function post(body: object, by = app) {
  const answer = await by.client.operator('POST', url, body)
  assert.ok(answer.status === 201 || answer.status === 200, answer.text)
  return answer
}

const add = (words: string[], more: object = {}, by = app) =>
  post({ site_id: 'MLA', action: 'add', words, ...more }, by)
const remove = (words: string[], more: object = {}) =>
  post({ site_id: 'MLA', action: 'remove', words, ...more })
async function undo(id: string) {
  assert.equal((await app.client.operator('DELETE', `${url}/${id}`)).status, 204)
}

async function synonymsIn(query: string, { by = app, site = 'MLA' } = {}): Promise<string[]> {
  const path = `${url}/lookup?site_id=${site}&q=${encodeURIComponent(query)}`
  const { status, body, text } = await by.client.operator('GET', path)
  assert.equal(status, 200, text)
  return body.results.flatMap(({ synonyms }: { synonyms: string[] }) => synonyms)
}

async function list(site = 'MLA') {
  return (await app.client.operator('GET', `${url}?site_id=${site}`)).body.results
}

test('an added group holds on its site, in every process, until it is taken back', async () => {
  assert.deepEqual(await synonymsIn('quillango', { by: other }), [])
  const { status, body } = await add(['quillango', 'Poncho de guanaco'], { note: 'Patagonia' })
  assert.equal(status, 201)
  assert.deepEqual(body, {
    id: body.id,
    site_id: 'MLA',
    action: 'add',
    words: ['quillango', 'Poncho de guanaco'],
    note: 'Patagonia',
    date_created: body.date_created,
  })
  assert.deepEqual(await synonymsIn('quillangos'), ['Poncho de guanaco'])
  assert.deepEqual(await synonymsIn('poncho guanaco'), ['quillango'])
  await pollUntil(
    'the change in the other process',
    async () => (await synonymsIn('quillango', { by: other })).length === 1,
  )
  assert.deepEqual(await synonymsIn('quillango', { site: 'MLU' }), [])
  await undo(body.id)
  assert.deepEqual(await synonymsIn('quillango'), [])
  await pollUntil(
    'the change in the other process',
    async () => (await synonymsIn('quillango', { by: other })).length === 0,
  )
})

test('a removal wins over the list and over added groups, and gives way when it is taken back', async () => {
  assert.ok((await synonymsIn('palta')).includes('aguacate'))
  const removal = (await remove(['aguacate', 'Paltas'])).body
  assert.deepEqual(await synonymsIn('palta'), [])
  const addition = (await add(['palta', 'aguacate', 'cura'])).body
  assert.deepEqual(await synonymsIn('palta'), ['cura'])
  assert.deepEqual(await synonymsIn('aguacate'), ['cura'])
  await undo(removal.id)
  assert.deepEqual(await synonymsIn('palta'), ['aguacate', 'cura'])
  await undo(addition.id)
  assert.deepEqual(await synonymsIn('palta'), ['aguacate'])
})

test('the same words in another order and spelling replace the change', async () => {
  const first = await add(['bombilla', 'bombillón', 'caño'], { site_id: 'MLU' })
  app.advance(1_000)
  const again = await add(['  Caños', 'BOMBILLA', 'bombillones'], { site_id: 'MLU', note: 'mate' })
  assert.deepEqual([first.status, again.status], [201, 200])
  assert.deepEqual((await list('MLU')).map(withoutEtag), [again.body])
  assert.deepEqual(again.body, {
    ...first.body,
    words: ['Caños', 'BOMBILLA', 'bombillones'],
    note: 'mate',
  })
  await undo(first.body.id)
  assert.deepEqual(await list('MLU'), [])
})

test('the list of a site has its changes only, the oldest first', async () => {
  const ids = []
  for (const words of [
    ['uno', 'primero'],
    ['cuatro', 'cuarto'],
    ['tres', 'tercero'],
  ]) {
    app.advance(1_000)
    ids.push((await add(words, { site_id: 'MPE' })).body.id)
  }
  await add(['uno', 'primero'], { site_id: 'MEC' })
  assert.deepEqual(
    (await list('MPE')).map(({ id }: { id: string }) => id),
    ids,
  )
})

test('changes at the same time are all kept, by any process', async () => {
  const words = Array.from({ length: 12 }, (_, n) => `trasto${'bcdfghjklmnp'[n]}`)
  await Promise.all(
    words.map((word, n) => add(['cacharro', word], { site_id: 'MBO' }, n % 2 ? app : other)),
  )
  assert.equal((await list('MBO')).length, 12)
  for (const by of [app, other]) {
    await pollUntil(
      'the change in the other process',
      async () => (await synonymsIn('cacharro', { by, site: 'MBO' })).length === 12,
    )
  }
})

test('two operators who send one change at the same time make one', async () => {
  const answers = await Promise.all([
    add(['gurí', 'chiquilín'], { site_id: 'MPY' }),
    add(['chiquilín', 'gurí'], { site_id: 'MPY' }, other),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 201])
  const results = await list('MPY')
  assert.equal(results.length, 1)
  const deleted = await Promise.all(
    [app, other].map((by) => by.client.operator('DELETE', `${url}/${results[0].id}`)),
  )
  assert.deepEqual(deleted.map(({ status }) => status).sort(), [204, 404])
})

const body = { site_id: 'MLA', action: 'add', words: ['mesa', 'mesita'] }
const refused: [body: unknown, message: RegExp][] = [
  [{ ...body, site_id: undefined }, /site_id/],
  [{ ...body, site_id: 'XXX' }, /^site_id: expected/],
  [{ ...body, site_id: null }, /^site_id: expected/],
  [{ ...body, action: 'merge' }, /^action: expected/],
  [{ ...body, words: undefined }, /words/],
  [{ ...body, words: 'mesa' }, /^words: expected/],
  [{ ...body, words: [] }, /^words: expected/],
  [{ ...body, words: ['mesa'] }, /^words: expected/],
  [{ ...body, words: Array.from({ length: 21 }, (_, n) => `mesa${n}`) }, /^words: expected/],
  [{ ...body, words: ['mesa', 1] }, /^words\[1\]: expected/],
  [{ ...body, words: ['mesa', ''] }, /^words\[1\]: expected/],
  [{ ...body, words: ['mesa', 'a\u0000b'] }, /words\[1\]/],
  [{ ...body, words: ['mesa', 'mesa\nde luz'] }, /^words\[1\]: expected/],
  [{ ...body, words: ['mesa', '\u202eatisem'] }, /^words\[1\]: expected/],
  [{ ...body, words: ['mesa', '???'] }, /^words\[1\]: expected a word$/],
  [{ ...body, words: ['mesa', 'de la'] }, /^words\[1\]: expected a word that the search uses/],
  [{ ...body, words: ['mesa', 'm'.repeat(41)] }, /^words\[1\]: expected words of at most 40/],
  [{ ...body, words: ['mesa', 'm'.repeat(1_000)] }, /^words\[1\]: expected/],
  [
    { ...body, words: ['mesa', 'primero segundo tercero cuarto quinto'] },
    /^words\[1\]: expected at most 4/,
  ],
  [{ ...body, words: ['mesa', 'a.b.c.d.e.f.g'] }, /^words\[1\]: expected/],
  [{ ...body, words: ['mesa', 'vitamina e'] }, /^words\[1\]: expected no single letter/],
  [{ ...body, words: ['edulcorante', 'azúcar sin'] }, /^words\[1\]: expected a word after “sin”/],
  [{ ...body, words: ['mesa', 'MESAS'] }, /^words\[1\]: expected another word.*“mesa”/],
  [{ ...body, action: 'remove', words: ['seis', 'siete', 'ocho'] }, /^words: expected two words/],
  [{ ...body, note: '' }, /^note: expected/],
  [{ ...body, note: 'x'.repeat(501) }, /^note: expected/],
  [{ ...body, country: 'AR' }, /country/],
  [[], /./],
  ['no', /./],
]
test('a wrong change is refused by a message that names the field, and changes nothing', async () => {
  const before = await list()
  for (const [wrong, message] of refused) {
    const answer = await app.client.operator('POST', url, wrong as object)
    assert.equal(answer.status, 400, `${JSON.stringify(wrong)} ${answer.text}`)
    assert.match(answer.body.message, message)
  }
  assert.deepEqual(await list(), before)
})

test('wrong queries and ids are refused', async () => {
  for (const [path, message] of [
    [url, /site_id/],
    [`${url}?site_id=XXX`, /^site_id: expected/],
    [`${url}/lookup?site_id=MLA`, /^q/],
    [`${url}/lookup?site_id=MLA&q=`, /^q/],
    [`${url}/lookup?site_id=MLA&q=${'x'.repeat(1_001)}`, /^q: expected/],
  ] as const) {
    const answer = await app.client.operator('GET', path)
    assert.equal(answer.status, 400, path)
    assert.match(answer.body.message, message)
  }
  for (const id of ['none', '%00', "'; drop table listing_synonyms; --", '0123456789abcdef']) {
    const answer = await app.client.operator('DELETE', `${url}/${encodeURIComponent(id)}`)
    assert.ok([400, 404].includes(answer.status), `${id} ${answer.status}`)
  }
  const { body: failure } = await app.client.operator('DELETE', `${url}/none`)
  assert.equal(failure.message, 'Synonyms not found: none')
})

test('words of any script and signs are words like others', async () => {
  const words = ['кофе', 'コーヒー', "l'amour", 'wh-1000xm4', 'ação', "'; drop table yy; --"]
  const { body: change } = await add(words, { site_id: 'MCR' })
  assert.deepEqual(change.words, words)
  assert.ok((await synonymsIn('КОФЕ', { site: 'MCR' })).includes('コーヒー'))
  assert.ok((await synonymsIn('acao', { site: 'MCR' })).includes('кофе'))
})

test('all of it is the operator’s alone', async () => {
  for (const [method, path] of [
    ['GET', `${url}?site_id=MLA`],
    ['POST', url],
    ['DELETE', `${url}/x`],
    ['GET', `${url}/lookup?site_id=MLA&q=x`],
  ] as const) {
    assert.equal((await app.client.send(method, path, { token: 'stranger' })).status, 401)
  }
})

test('a site has at most 5,000 changes; they are read without holding up other work', async () => {
  const site = 'MGT'
  const words = (n: number) =>
    Array.from({ length: 20 }, (_, at) => `pieza${n % 50} especial tipo${n} clase${at}`)
  const rows = Array.from({ length: maxSynonymChanges - 1 }, (_, n) => JSON.stringify(words(n)))
  await app.ctx.db.rows(sql`
    insert into listing_synonyms (id, site_id, action, words, date_created)
    select 'change ' || n, ${site}, 'add', array(select json_array_elements_text(w::json)), now()
    from unnest(${rows}::text[]) with ordinality as c (w, n)`)
  await add(['última', 'postrera'], { site_id: site })
  const refusal = await app.client.operator('POST', url, {
    site_id: site,
    action: 'add',
    words: ['demás', 'sobrante'],
  })
  assert.equal(refusal.status, 400)
  assert.equal(
    refusal.body.message,
    'site_id: expected a site with less than 5000 changes: delete some',
  )
  assert.equal((await list(site)).length, maxSynonymChanges)
  // The same words again are no new change.
  assert.equal((await add(['última', 'postrera'], { site_id: site })).status, 200)
  let longestMs = 0
  let before = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1_000)
    before = process.cpuUsage()
  }, 1)
  const synonyms = await synonymsIn('pieza7 especial tipo7 clase7', { site })
  clearInterval(watch)
  assert.equal(synonyms.length, 19)
  assert.ok(
    longestMs < 500,
    `the longest run without a pause took ${longestMs} ms of the processor`,
  )
})

test('a process that cannot read changes answers with those that it has, and reads them later', async () => {
  const { db, signals } = app.ctx
  let isBroken = false
  const breakable = override(db, {
    row: (async (...args: Parameters<typeof db.row>) => {
      if (isBroken) throw new Error('the database is away')
      return db.row(...args)
    }) as typeof db.row,
  })
  const synonyms = new SynonymCache({ db: breakable, signals })
  const ctx = { searchCaches: override(app.ctx.searchCaches, { synonyms }) }
  const textsOf = async (word: string) =>
    (await synonymsOf(ctx, 'MLV')).alternativesAt(queryWords(word), 0)[0]?.texts
  isBroken = true
  await assert.rejects(textsOf('perol'))
  isBroken = false
  assert.equal(await textsOf('perol'), undefined)
  isBroken = true
  await add(['perol', 'caldero'], { site_id: 'MLV' })
  assert.equal(await textsOf('perol'), undefined)
  isBroken = false
  assert.deepEqual(await textsOf('perol'), ['caldero'])
})

test('a process that lost its connection reads what changed meanwhile', async () => {
  const { db, signals } = other.ctx
  await synonymsOf(other.ctx, 'MSV')
  // As if another process had written while this one heard nothing.
  await db.rows(sql`
    insert into listing_synonyms (id, site_id, action, words, date_created)
    values ('missed', 'MSV', 'add', ${['pupusa', 'tortilla rellena']}, now())`)
  await db.rows(sql`
    insert into listing_synonym_versions (site_id, version) values ('MSV', 'missed')`)
  assert.deepEqual(await synonymsIn('pupusa', { by: other, site: 'MSV' }), [])
  signals.deliver('reset')
  assert.deepEqual(await synonymsIn('pupusa', { by: other, site: 'MSV' }), ['tortilla rellena'])
})
