import assert from 'node:assert/strict'
import type { ShippingMode } from '../../src/kernel/shipping-modes.ts'
import type { SiteId } from '../../src/kernel/sites.ts'
import { emptyConversation } from '../../src/messages/conversation.ts'
import type { ActionGuideFacts } from '../../src/messages/guide/options.ts'
import type { ConversationSale, SaleShipment } from '../../src/messages/sale.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { LogisticType } from '../../src/shipments/shipment.ts'
import type { TestClient, TestResponse } from './client.ts'
import { placeOrder } from './market.ts'

export const defaultGuideCaps = readConfig({}).messages.guideCaps

export interface GuideScenario {
  site?: SiteId
  /** Null for a sale without a shipment. */
  type?: LogisticType | null
  mode?: ShippingMode
  promisedAt?: string | null
  isMadeToOrder?: boolean
  spent?: Record<string, number>
  now?: string
}

/** What the guide goes by, for a paid sale that is said in a few words. */
export function guideFacts(scenario: GuideScenario = {}): ActionGuideFacts {
  const { site = 'MLA', isMadeToOrder = false, spent = {} } = scenario
  const sold = new Date('2026-03-10T12:00:00.000Z')
  const sale: ConversationSale = {
    sellerId: 10,
    buyerId: 20,
    packId: 1,
    siteId: site,
    isDeserted: false,
    orders: [
      {
        id: 1,
        status: 'paid',
        dateCreated: sold,
        lastUpdated: sold,
        cancelGroup: null,
        isFraudRisk: false,
        isRefunded: false,
        isMadeToOrder,
        mediations: [],
        isClassified: false,
      },
    ],
    shipment: shipmentOf(scenario),
  }
  const now = new Date(scenario.now ?? '2026-03-10T15:00:00.000Z')
  return { sale, thread: { ...emptyConversation, spent }, caps: defaultGuideCaps, now }
}

function shipmentOf(scenario: GuideScenario): SaleShipment | null {
  const { type = 'drop_off', mode = 'me2', promisedAt = null } = scenario
  if (type === null && mode === 'me2') return null
  return {
    id: 77,
    logisticType: type,
    status: 'shipped',
    promisedAt: promisedAt === null ? null : new Date(promisedAt),
  }
}

/** A paid sale that its seller delivers by themselves, on a promised day. */
export async function placeFlexOrder(client: TestClient, date: string | null) {
  const shipping = { mode: 'me2', logistic_type: 'self_service', cost: 0 }
  return placeOrder(client, {
    shipping: { ...shipping, ...(date ? { estimated_delivery_time: { date } } : {}) },
  })
}

const guidePath = (packId: number | string, rest = '') =>
  `/messages/action_guide/packs/${packId}${rest}?tag=post_sale`

export const getGuideOptions = (client: TestClient, token: string, packId: number | string) =>
  client.get(guidePath(packId), token)

export const getGuideCaps = (client: TestClient, token: string, packId: number | string) =>
  client.get(guidePath(packId, '/caps_available'), token)

/** Sends an option: a template's text, or the words that are given. */
export function sendGuideOption(
  client: TestClient,
  token: string,
  {
    packId,
    option,
    ...more
  }: { packId: number | string; option: string; [field: string]: unknown },
): Promise<TestResponse> {
  const isFree = option === 'OTHER' || option === 'SEND_INVOICE_LINK'
  const usual = isFree ? { text: 'Hola, ¿todo bien?' } : { template_id: templateId(option) }
  const body = { option_id: option, ...usual, ...more }
  return client.send('POST', guidePath(packId, '/option'), { token, body })
}

export const templateId = (option: string) => `TEMPLATE___${option}___1`

/** The hours of a promise. */
export function promisedHours(initial: unknown, final: unknown): { id: string; value: unknown }[] {
  const id = templateId('DELIVERY_PROMISE')
  return [
    { id: `${id}___VAR___INIT`, value: initial },
    { id: `${id}___VAR___LIMIT`, value: final },
  ]
}

/** Status, `error`, `cause`, `message`. */
export type ExpectedRefusal = [status: number, error: string, cause: string, message: string]

/** The words of the refusals. */
export const guideRefusals = {
  excepted: [
    ...([400, 'bad_request', 'blocked_by_excepted_case'] as const),
    'This pack belongs to an excepted case, it is requested to use the messaging resource.',
  ],
  over: [
    ...([400, 'bad_request', 'promise_in_the_past'] as const),
    'The promise of delivery of the shipping contained in the pack is from a date before today',
  ],
  text: [400, 'bad_request', 'invalid_text', 'The text is invalid'],
  blocked: [
    ...([403, 'forbidden', 'pack_is_blocked'] as const),
    'This package has the conversation blocked, please check blocked messages',
  ],
  open: [
    ...([403, 'forbidden', 'blocked_by_conversation_use_message_api'] as const),
    'The conversation is blocked',
  ],
  option: [404, 'not_found', 'invalid_option', 'The option selected is not valid'],
  locked: [
    ...([409, 'conflict', 'guide_is_locked'] as const),
    'There is another request locking this operation',
  ],
  defect: [
    ...([500, 'internal_server_error', 'internal_server_error'] as const),
    'Internal server error',
  ],
} as const satisfies Record<string, ExpectedRefusal>

export const optionUsedUpRefusal = (option: string): ExpectedRefusal => [
  ...([403, 'limit_exceeded', 'option_used_up'] as const),
  `You are not allowed to execute the option ${option} again`,
]
export const packDeniedRefusal = (packId: number | string): ExpectedRefusal => [
  ...([403, 'forbidden', 'pack_denied'] as const),
  `You are not allowed to access the information of the pack ${packId}`,
]
export const badRequestRefusal = (message: string): ExpectedRefusal => [
  400,
  'bad_request',
  'bad_request',
  message,
]

export function assertRefused(
  response: TestResponse,
  [status, error, cause, message]: ExpectedRefusal,
): void {
  assert.deepEqual(response.body, { cause, error, message, status, status_code: status })
  assert.equal(response.status, status)
}
