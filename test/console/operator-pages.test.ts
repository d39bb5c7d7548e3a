import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seriousFindings } from '../harness/axe.ts'
import {
  type ConsoleStage,
  type Look,
  noBrowser,
  openConsole,
  takeAlong,
} from '../harness/console.ts'
import { until } from '../harness/program.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'

/** Every page of the operator's, in both schemes, on a phone and on a desk, in three languages. */
let stage: ConsoleStage
let receiver: Receiver
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  stage = await openConsole()
  receiver = await openReceiver()
  await fill()
})
after(async () => {
  await stage?.close()
  await receiver?.close()
})

/** Deliveries that were accepted and refused, a fault, a term: what pages show where there is something. */
async function fill(): Promise<void> {
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await stage.operator('PUT', `/operator/applications/${stage.told('APPLICATION')}`, settings)
  for (const answers of [200, 503]) {
    receiver.answers = answers
    const told = receiver.received.length
    const body = { comments: `${answers}` }
    await stage.operator('PATCH', `/operator/orders/${stage.told('ORDER')}`, body)
    await until('it is told', () => receiver.received.length > told)
  }
  const fault = { kind: 'delay', share: 0.5, seed: 1 }
  await stage.operator('PUT', '/operator/sandbox/receiver-faults', fault)
  const term = { kind: 'word', value: 'trueque', reason: 'OUT_OF_PLACE_LANGUAGE' }
  await stage.operator('POST', '/operator/moderation/terms', term)
}

const seller = 100000001

function paths(): string[] {
  const order = stage.told('ORDER')
  return [
    '/operator',
    '/operator/orders',
    `/operator/orders?seller=${seller}&tags=paid`,
    `/operator/orders?seller=${seller}&q=zzzz`,
    `/operator/orders/${order}`,
    '/operator/orders/1',
    '/operator/conversations',
    `/operator/conversations?seller=${seller}`,
    `/operator/conversations/${stage.told('TALK')}/${seller}`,
    '/operator/moderation',
    '/operator/catalogue',
    '/operator/catalogue?category=MLB1055',
    '/operator/catalogue/predictor',
    '/operator/catalogue/predictor?site=MLA&q=Heladera%20no%20frost%20blanca',
    '/operator/catalogue/predictor?site=MLA&q=zzzz',
    '/operator/catalogue/versions',
    '/operator/users',
    '/operator/users?nickname=nobody-so',
    `/operator/users/${seller}`,
    '/operator/sandbox',
  ]
}

const looks: Look[] = [
  { scheme: 'light', width: 1280, language: 'en' },
  { scheme: 'dark', width: 1280, language: 'es' },
  { scheme: 'light', width: 390, language: 'pt' },
  { scheme: 'dark', width: 390, language: 'en' },
  { scheme: 'light', width: 390, language: 'es' },
  { scheme: 'dark', width: 1280, language: 'pt' },
]

for (const look of looks) {
  const { scheme, width, language } = look
  test(`every page of the operator’s can be used by everybody: ${scheme}, ${width} px, ${language} (own)`, {
    skip,
  }, async () => {
    const looking = await stage.open(look)
    await takeAlong(looking, JSON.stringify({ user: null, operatorToken: stage.told('OPERATOR') }))
    const { page, errors } = looking
    const titles = new Set<string>()
    for (const path of paths()) {
      await looking.go(path)
      await page.waitForLoadState('networkidle')
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      assert.deepEqual(await seriousFindings(page), [], path)
      const isWider = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      assert.equal(isWider, false, `${path} fits into ${width} px`)
      assert.equal(await page.evaluate('document.documentElement.lang'), language)
      titles.add(await page.title())
    }
    assert.ok(titles.size >= 11, [...titles].join())
    assert.deepEqual(errors, [])
    await looking.context.close()
  })
}
