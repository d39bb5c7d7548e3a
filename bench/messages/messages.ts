import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createContext } from '../../src/app/context.ts'
import { issueToken } from '../../src/identity/tokens.ts'
import { minuteMs } from '../../src/kernel/clock.ts'
import type { SiteId } from '../../src/kernel/sites.ts'
import { importedModeration, type Message } from '../../src/messages/message.ts'
import { copyMessages } from '../../src/messages/store-copy.ts'
import { messageView } from '../../src/messages/view.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { Lifecycle } from '../../src/platform/lifecycle.ts'
import { makeLog } from '../../src/platform/log.ts'
import { demoApplication } from '../../src/sandbox/demo/ids.ts'
import { prepareDemoData, seedOrders } from '../../src/sandbox/demo/load.ts'
import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'
import { type BenchRequest, compareInTurn } from '../compare-in-turn.ts'
import { openConnection, startDatabase } from '../database.ts'
import { mainFile, makeFolder, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import { randomMessageText } from './message-text.ts'

const longestConversation = 1_000

/**
 * Pages of ten out of conversations of 1 to 1,000 messages, and messages that are sent, judged, told
 * and read, each against the same bytes and rows with nothing around them.
 */
export async function messages({ short }: { short: boolean }): Promise<Figure[]> {
  const load = short
    ? { seconds: 1, rounds: 1, all: 5_000, orders: 500 }
    : { seconds: 10, rounds: 3, all: 1_000_000, orders: 20_000 }
  const { seconds, rounds } = load
  const folder = makeFolder()
  const database = await startDatabase({
    dataDirectory: folder.path,
    // As is advised for a server of its own; with less, both sides mostly measure the page cache.
    sharedBuffersMb: short ? 128 : Math.floor(totalmem() / 4 / 2 ** 20),
  })
  try {
    const conversations = await prepare(database.url, load)
    const env = { DATABASE_URL: database.url, FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' }
    const floorFile = fileURLToPath(new URL('./floor.ts', import.meta.url))
    const floor = await startServer([floorFile], env)
    const program = await startServer([mainFile, 'serve'], {
      ...env,
      DATABASE_POOL: '16',
      FERIA_RATE_PER_MINUTE: '100000000',
    })
    const random = seededRandom(5)
    try {
      await checkSameBytes(floor.address, program.address, conversations)
      const reading = await compareInTurn({
        name: 'reading',
        seconds,
        rounds,
        connections: 32,
        floor: { address: floor.address, next: () => pageOf(random.pick(conversations)) },
        program: { address: program.address, next: () => pageOf(random.pick(conversations)) },
      })
      const open = conversations.filter(({ isOpen }) => isOpen)
      const sending = await compareInTurn({
        name: 'sending',
        seconds,
        rounds,
        connections: 16,
        floor: { address: floor.address, next: alternating(open, random, floorSteps) },
        program: { address: program.address, next: alternating(open, random, steps) },
      })
      return [
        { name: 'messages.read_floor', value: reading.floor, unit: 'pages/s' },
        { name: 'messages.read_program', value: reading.program, unit: 'pages/s' },
        { name: 'messages.read_ratio', value: reading.ratio, unit: 'of the floor' },
        { name: 'messages.send_floor', value: sending.floor / 2, unit: 'messages/s' },
        { name: 'messages.send_program', value: sending.program / 2, unit: 'messages/s' },
        { name: 'messages.send_ratio', value: sending.ratio, unit: 'of the floor' },
      ]
    } finally {
      await program.stop()
      await floor.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface BenchConversation {
  sellerId: number
  buyerId: number
  packId: number
  siteId: SiteId
  sellerToken: string
  buyerToken: string
  /** Whether both parties may write. */
  isOpen: boolean
}

const pathOf = ({ packId, sellerId }: BenchConversation) =>
  `/messages/packs/${packId}/sellers/${sellerId}`
const pageOf = (conversation: BenchConversation): BenchRequest => ({
  path: pathOf(conversation),
  token: conversation.sellerToken,
})

function alternating(
  conversations: readonly BenchConversation[],
  random: SeededRandom,
  [write, read]: readonly [RequestMaker, RequestMaker],
): () => BenchRequest {
  let drawn: [BenchConversation, boolean] | undefined
  return () => {
    const waiting = drawn
    if (waiting) {
      drawn = undefined
      return read(...waiting, random)
    }
    const fresh: [BenchConversation, boolean] = [random.pick(conversations), random.chance(0.5)]
    drawn = fresh
    return write(...fresh, random)
  }
}

type RequestMaker = (
  conversation: BenchConversation,
  fromSeller: boolean,
  random: SeededRandom,
) => BenchRequest

function partiesOf(
  { sellerId, buyerId }: BenchConversation,
  fromSeller: boolean,
): [from: number, to: number] {
  return fromSeller ? [sellerId, buyerId] : [buyerId, sellerId]
}

const steps: readonly [RequestMaker, RequestMaker] = [
  (conversation, fromSeller, random) => {
    const [from, to] = partiesOf(conversation, fromSeller)
    const message = {
      from: { user_id: from },
      to: { user_id: to },
      text: randomMessageText(random),
    }
    const token = fromSeller ? conversation.sellerToken : conversation.buyerToken
    return { path: pathOf(conversation), token, body: JSON.stringify(message) }
  },
  (conversation, fromSeller) => ({
    path: pathOf(conversation),
    token: fromSeller ? conversation.buyerToken : conversation.sellerToken,
  }),
]

const floorSteps: readonly [RequestMaker, RequestMaker] = [
  (conversation, fromSeller, random) => {
    const [from, to] = partiesOf(conversation, fromSeller)
    const message = messageOf(conversation, { fromSeller, random, at: new Date() })
    const { text, moderation, siteId } = message
    const details = JSON.stringify({ siteId, moderation, attachments: [] })
    const body = JSON.stringify(messageView(message))
    const { sellerId: seller, packId: pack, buyerId: buyer } = conversation
    return {
      path: '/send',
      body: JSON.stringify({ seller, pack, from, to, buyer, text, details, body }),
    }
  },
  (conversation, fromSeller) => {
    const [, reader] = partiesOf(conversation, fromSeller)
    return {
      path: '/read',
      body: JSON.stringify({ seller: conversation.sellerId, pack: conversation.packId, reader }),
    }
  },
]

/** Fills the database with orders, and most of them with conversations, every message read. */
async function prepare(
  url: string,
  { all, orders }: { all: number; orders: number },
): Promise<BenchConversation[]> {
  await migrate(url)
  const config = readConfig({ FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'warn' })
  const log = makeLog('warn')
  const lifecycle = new Lifecycle(5_000, log)
  const ctx = await createContext({ config, databaseUrl: url, log }, lifecycle)
  const client = await openConnection(url)
  try {
    await prepareDemoData(ctx, () => {})
    await seedOrders(ctx, { orders, seed: 7, progress: () => {} })
    // What the demo data says already is in nobody's way, but is not counted either.
    await client.query('truncate messages, conversations, message_owner, unread_messages')
    const { rows } = await client.query(`
      select o.seller_id, o.buyer_id, coalesce(o.pack_id, o.id) as pack_id, min(o.site_id) as site_id,
        bool_and(o.status in ('paid', 'confirmed') and not o.is_disputed
          and s.logistic_type is distinct from 'fulfillment'
          and o.date_created > now() - interval '1 year'
          and not exists (select from users u where u.id in (o.seller_id, o.buyer_id)
            and u.status = 'deactivated')) as is_open
      from orders o left join shipments s on s.seller_id = o.seller_id and s.id = o.shipment_id
      group by 1, 2, 3 order by 3`)
    const conversations = await withTokens(ctx, rows)
    await fillConversations(ctx, { conversations, all })
    // Not the tables that fill up only now: a plan made for an empty one reads all of it.
    await client.query('vacuum analyze orders, shipments, users, messages, conversations')
    return conversations
  } finally {
    await client.end()
    await lifecycle.close()
  }
}

async function withTokens(
  ctx: Context,
  rows: readonly Record<string, string>[],
): Promise<BenchConversation[]> {
  const tokens = new Map<number, string>()
  const tokenFor = async (userId: number) => {
    const scopes = ['read', 'write'] as const
    const owner = { userId, applicationId: demoApplication.id, scopes, lifeSeconds: 86_400 }
    const token = tokens.get(userId) ?? (await issueToken(ctx, owner))
    tokens.set(userId, token)
    return token
  }
  const conversations: BenchConversation[] = []
  for (const row of rows) {
    const [sellerId, buyerId] = [Number(row['seller_id']), Number(row['buyer_id'])]
    conversations.push({
      sellerId,
      buyerId,
      packId: Number(row['pack_id']),
      siteId: row['site_id'] as SiteId,
      sellerToken: await tokenFor(sellerId),
      buyerToken: await tokenFor(buyerId),
      isOpen: Boolean(row['is_open']),
    })
  }
  return conversations
}

/** Conversations of very different lengths: half the messages are in a tenth of them. */
async function fillConversations(
  { db, now }: Context,
  { conversations, all }: { conversations: readonly BenchConversation[]; all: number },
): Promise<void> {
  const random = seededRandom(3)
  const shares = conversations.map(() => random.fraction() ** 4)
  const scale = all / shares.reduce((sum, each) => sum + each, 0)
  const end = now().getTime()
  let batch: Message[] = []
  const flush = async () => {
    const copied = batch
    batch = []
    await db.bulk((tx) => copyMessages(tx, copied))
  }
  for (const [index, conversation] of conversations.entries()) {
    const length = Math.min(longestConversation, Math.ceil((shares[index] ?? 0) * scale))
    for (let n = 0; n < length; n++) {
      const at = new Date(end - (length - n) * minuteMs)
      // The buyer begins, so that both may write.
      batch.push(messageOf(conversation, { fromSeller: n % 2 === 1, random, at }))
    }
    if (batch.length > 5_000) await flush()
  }
  await flush()
}

function messageOf(
  conversation: BenchConversation,
  { fromSeller, random, at }: { fromSeller: boolean; random: SeededRandom; at: Date },
): Message {
  const [fromId, toId] = partiesOf(conversation, fromSeller)
  const { sellerId, buyerId, packId, siteId } = conversation
  return {
    sellerId,
    buyerId,
    packId,
    siteId,
    fromId,
    toId,
    resource: 'orders',
    subject: null,
    id: randomBytes(16).toString('hex'),
    applicationId: demoApplication.id,
    text: randomMessageText(random),
    status: 'available',
    moderation: importedModeration,
    attachments: [],
    isFirst: false,
    optionId: null,
    dateCreated: at,
    dateAvailable: at,
    dateNotified: at,
    dateRead: at,
  }
}

async function checkSameBytes(
  floor: string,
  program: string,
  conversations: BenchConversation[],
): Promise<void> {
  for (const conversation of conversations.slice(0, 200)) {
    const [floorResponse, programResponse] = await Promise.all([
      fetch(floor + pathOf(conversation)),
      fetch(program + pathOf(conversation), {
        headers: { authorization: `Bearer ${conversation.sellerToken}` },
      }),
    ])
    assert.equal(programResponse.status, 200)
    const { messages } = (await programResponse.json()) as { messages: object[] }
    assert.deepEqual({ messages }, await floorResponse.json(), pathOf(conversation))
  }
}
