import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { hourMs } from '../../kernel/clock.ts'
import { type GuideOption, guideOptions } from '../../kernel/guide-options.ts'
import {
  type ConversationRecord,
  emptyConversation,
  isBoundToGuide,
} from '../../messages/conversation.ts'
import { templatesOf } from '../../messages/guide/templates.ts'
import { type Message, messageStatuses, moderationStatuses } from '../../messages/message.ts'
import { offeredOptions, optionRuleOf, remainingUsesOf } from '../../messages/option-rules.ts'
import { conversationAfter } from '../../messages/send/write.ts'
import { normalizeMessageText } from '../../messages/text.ts'
import { moderationReasons } from '../../moderation/reason.ts'
import { readConfig } from '../../platform/config.ts'
import type { DemoConversation } from './conversation-builder.ts'
import { demoFiles } from './data.ts'
import { createDemoData, type DemoOrder } from './demo.ts'
import { type DemoSite, demoBuyerId, demoSellerId } from './ids.ts'

/** Seeds and hours with which everything must hold, because nothing may be left to luck. */
const hours = [
  '2026-03-10T15:00:00.000Z',
  '2024-02-29T03:07:11.123Z',
  '2031-12-31T23:59:59.999Z',
  '2027-06-01T11:30:00.000Z',
].map((text) => new Date(text))
const { scenarios } = demoFiles().scenarios
const named = scenarios.reduce((sum, { sale }) => sum + (sale.orders ?? 1), 0)
const ordersOf = (seed: number, now: Date, orders: number) => [
  ...createDemoData({ seed, now, orders }).orders,
]
const smallDemos = hours.flatMap((now) =>
  Array.from({ length: 10 }, (_, index) => ({ now, sales: ordersOf(2_000 + index, now, named) })),
)
const large = ordersOf(3, hours[0] as Date, 4_000)

interface OrderWithConversation extends DemoOrder {
  conversation: DemoConversation
  now: Date
}
const saidIn = (now: Date, sales: readonly DemoOrder[]): OrderWithConversation[] =>
  sales.flatMap((sale) =>
    sale.conversation ? [{ ...sale, conversation: sale.conversation, now }] : [],
  )
const all = [
  ...smallDemos.flatMap(({ now, sales }) => saidIn(now, sales)),
  ...saidIn(hours[0] as Date, large),
]

test('every story is told whole, whatever the seed and the hour', () => {
  const names = scenarios.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(demoFiles().conversations.named).filter((name) => !names.includes(name)),
    [],
  )
  const lengths = new Map<string, number>()
  for (const { sales } of smallDemos) {
    let index = 0
    for (const { name, sale: plan } of scenarios) {
      const { conversation } = sales[index] ?? {}
      index += plan.orders ?? 1
      assert.equal(conversation !== undefined, name in demoFiles().conversations.named, name)
      if (!conversation) continue
      const firstLength = lengths.get(name) ?? conversation.messages.length
      assert.equal(conversation.messages.length, firstLength, name)
      lengths.set(name, firstLength)
    }
  }
})

test('what is said is said in its order, after the sale and before now, and nothing is read before it was said', () => {
  for (const { order, conversation, now } of all) {
    let before = order.dateCreated
    for (const {
      dateCreated,
      dateAvailable,
      dateNotified,
      dateRead,
      status,
    } of conversation.messages) {
      assert.ok(dateCreated > before, String(order.id))
      before = dateCreated
      assert.equal(dateAvailable !== null, status === 'available')
      assert.equal(dateNotified !== null, status === 'available')
      const ways = [dateCreated, dateAvailable, dateNotified, dateRead].flatMap(
        (date) => date ?? [],
      )
      assert.deepEqual(
        ways,
        ways.toSorted((one, other) => Number(one) - Number(other)),
      )
      assert.ok(ways.every((date) => date <= now))
    }
    const { blockedAt } = conversation.thread
    assert.ok(blockedAt === null || (blockedAt > before && blockedAt <= now))
  }
})

test('it is what could have been sent (7.3): characters, lengths, nothing left to fill in', () => {
  for (const { conversation } of all) {
    for (const { text, fromId, sellerId } of conversation.messages) {
      assert.equal(normalizeMessageText(text, fromId === sellerId ? 'seller' : 'buyer'), text)
      assert.doesNotMatch(text, /[{}]|undefined|null|^\s|\s$|\s\s/)
    }
  }
})

contract(
  ['3.3', '4.1'],
  'sellers begin by the action guide where they must, within its caps, and leave it then',
  () => {
    const caps = readConfig({ FERIA_MODE: 'sandbox' }).messages.guideCaps
    const used = new Set<string>()
    for (const { conversation, order, shipment } of all) {
      const sale = {
        siteId: order.siteId,
        orders: [{ isMadeToOrder: order.details.manufacturing_ending_date !== null }],
        shipment: shipment && { ...shipment, promisedAt: null },
      } as unknown as Parameters<typeof isBoundToGuide>[0]['sale']
      let thread: ConversationRecord = emptyConversation
      for (const message of conversation.messages) {
        const { fromId, sellerId, optionId } = message
        const isBound = fromId === sellerId && isBoundToGuide({ sale, thread })
        assert.equal(optionId !== null, isBound, `${order.id} ${message.text}`)
        if (optionId) {
          const option = optionId as GuideOption
          used.add(option)
          assert.ok(offeredOptions(sale).includes(option))
          assert.ok(remainingUsesOf(option, thread.spent, caps) > 0)
          if (optionRuleOf(option).type === 'template') {
            const [template] = templatesOf(option, order.siteId)
            const [start = '', end = ''] = template?.text.split('{day}') ?? []
            assert.ok(message.text.startsWith(start))
            assert.equal(message.text.endsWith(end), end === '')
          }
        }
        thread = conversationAfter(thread, message)
      }
      const { block: _, blockedAt: __, ...storedThread } = conversation.thread
      assert.deepEqual(
        [storedThread.spent, storedThread.buyerWroteAt],
        [thread.spent, thread.buyerWroteAt],
      )
    }
    assert.deepEqual([...used].sort(), [...guideOptions].sort())
  },
)

test('nothing is said while nobody may: unpaid, on its way from the warehouse, after it came to nothing', () => {
  for (const { order, shipment, conversation } of all) {
    const [first] = conversation.messages as [Message]
    const last = conversation.messages.at(-1) as Message
    const paid = order.payments.map(({ date_approved }) => date_approved).filter(Boolean)
    if (order.dateClosed === null) assert.ok(paid.length > 0, String(order.id))
    if (shipment?.logisticType === 'fulfillment') {
      assert.ok(first.dateCreated > new Date(shipment.history.date_delivered ?? Number.NaN))
    }
    const ended = order.details.cancel_detail
    if (ended && order.packId === null) assert.ok(last.dateCreated < new Date(ended.date))
  }
})

contract('2.10', 'moderation found what was held back, and its span says what it was', () => {
  const spans: Record<string, RegExp> = {
    PERSONAL_DATA: /^(11 5555-0142|[a-z.0-9]+@example\.com)$/,
    OUT_OF_PLACE_LANGUAGE: /^Son unos inútiles$/,
    SOCIAL_NETWORK_LINK: /^(instagram\.com\/usados\.del\.sur|@mili\.y\.santi)$/,
    LINK_SHORT_URL: /^https:\/\/bit\.ly\/3los-colores$/,
    AUTOMATIC_MESSAGE: /^Hola\. Gracias por comprar .* mensaje automático\.$/,
    LINK_PLATFORMPAY: /^https:\/\/pay\.feria\.example\/diferencia-envio$/,
    PLATFORM_LINKS_EXTERNALPAY: /^paypal\.me\/lo\.del\.sur$/,
    EVASION_CLAIM_SELLER: /^(cerrá el reclamo|não abra reclamação)$/,
  }
  assert.deepEqual(Object.keys(spans).sort(), [...moderationReasons].sort())
  for (const { sales, now } of smallDemos) {
    const messages = saidIn(now, sales).flatMap(({ conversation }) => conversation.messages)
    const verdicts = messages.flatMap(({ moderation, text, status }) => {
      const { finding, overruledAt } = moderation
      assert.equal(finding !== null, status === 'moderated' || overruledAt !== null)
      if (!finding) return []
      assert.match(text.slice(finding.from, finding.to), spans[finding.reason] ?? /^$/)
      assert.equal(moderation.reason, overruledAt ? null : finding.reason)
      return finding.reason
    })
    assert.deepEqual([...new Set(verdicts)].sort(), [...moderationReasons].sort())
    assert.deepEqual(
      kindsOf(messages, ({ status }) => status),
      [...messageStatuses].sort(),
    )
    assert.deepEqual(
      kindsOf(messages, ({ moderation }) => moderation.status),
      [...moderationStatuses].sort(),
    )
    assert.equal(messages.filter(({ moderation }) => moderation.overruledAt).length, 1)
  }
})

const kindsOf = (messages: readonly Message[], of: (message: Message) => string) =>
  [...new Set(messages.map(of))].sort()

contract(
  '2.10',
  'the demo seller and buyer meet every reason, files, packs, and what neither has read',
  () => {
    for (const { sales, now } of smallDemos) {
      const own = saidIn(now, sales).filter(
        ({ order }) => order.sellerId === demoSellerId && order.buyerId === demoBuyerId,
      )
      const messages = own.flatMap(({ conversation }) => conversation.messages)
      const moderated = messages.filter(({ status }) => status === 'moderated')
      assert.deepEqual(
        kindsOf(moderated, ({ moderation }) => moderation.reason ?? ''),
        [...moderationReasons].sort(),
      )
      const unread = messages.filter(({ status, dateRead }) => status === 'available' && !dateRead)
      for (const toId of [demoSellerId, demoBuyerId]) {
        assert.ok(unread.some((message) => message.toId === toId))
        assert.ok(messages.some((message) => message.toId === toId && message.dateRead))
      }
      const types = kindsOf(
        messages.filter(({ attachments }) => attachments.length > 0),
        ({ attachments }) => attachments[0]?.type ?? '',
      )
      assert.deepEqual(types, ['application/pdf', 'image/jpeg', 'image/png'])
      assert.ok(messages.some(({ attachments }) => attachments.length > 1))
      assert.ok(messages.some(({ resource }) => resource === 'packs'))
      const answers = messages.filter(
        ({ text, fromId }) => fromId === demoBuyerId && /DNI/.test(text),
      )
      assert.equal(answers[0]?.status, 'available')
    }
  },
)

test('people write by day, wherever they live', () => {
  let byNight = 0
  const messages = all.flatMap(({ conversation }) => conversation.messages)
  for (const { dateCreated, siteId } of messages) {
    const { utc_hours: utcHours } = demoFiles().sites[siteId as DemoSite]
    const hour = new Date(dateCreated.getTime() + utcHours * hourMs).getUTCHours()
    if (hour >= 1 && hour < 7) byNight++
  }
  assert.ok(byNight < messages.length / 50, `${byNight} of ${messages.length}`)
})

test('a twelfth of the sales of a large world is talked about, on every site', () => {
  const drawn = large.slice(named)
  const share = drawn.filter(({ conversation }) => conversation).length / drawn.length
  assert.ok(share > 0.05 && share < 0.09, String(share))
  const sites = new Set(saidIn(hours[0] as Date, drawn).map(({ order }) => order.siteId))
  assert.deepEqual([...sites].sort(), ['MCO', 'MLA', 'MLB', 'MLC', 'MLM', 'MLU'])
})

test('the same seed and moment make the same conversations, and no message has another’s id', () => {
  const now = hours[0] as Date
  assert.deepEqual(
    ordersOf(3, now, 400).map(({ conversation }) => conversation),
    ordersOf(3, now, 400).map(({ conversation }) => conversation),
  )
  const ids = saidIn(now, large).flatMap(({ conversation }) => [
    ...conversation.messages.map(({ id }) => id),
    ...conversation.files.map(({ attachment }) => attachment.id),
  ])
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(
    ids.every((id) => /^[0-9a-f]{32}$|^[1-9][0-9]*_[0-9a-f-]{36}\.(jpg|png|pdf|txt)$/.test(id)),
  )
})
