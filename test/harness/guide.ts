import assert from 'node:assert/strict'
import type { ShippingMode } from '../../src/kernel/shipping-modes.ts'
import type { SiteId } from '../../src/kernel/sites.ts'
import { untouched } from '../../src/messages/conversation.ts'
import type { OptionFacts } from '../../src/messages/guide/options.ts'
import type { Sale, SaleShipment } from '../../src/messages/sale.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { LogisticType } from '../../src/shipments/shipment.ts'
import type { Answered, Client } from './client.ts'
import { sell } from './sale.ts'

export const usualCaps = readConfig({}).messages.guideCaps

export interface GuidedSale {
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
export function guideFacts(given: GuidedSale = {}): OptionFacts {
  const { site = 'MLA', isMadeToOrder = false, spent = {} } = given
  const sold = new Date('2026-03-10T12:00:00.000Z')
  const sale: Sale = {
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
    shipment: shipmentOf(given),
  }
  const now = new Date(given.now ?? '2026-03-10T15:00:00.000Z')
  return { sale, thread: { ...untouched, spent }, caps: usualCaps, now }
}

function shipmentOf(given: GuidedSale): SaleShipment | null {
  const { type = 'drop_off', mode = 'me2', promisedAt = null } = given
  if (type === null && mode === 'me2') return null
  return {
    id: 77,
    logisticType: type,
    status: 'shipped',
    promisedAt: promisedAt === null ? null : new Date(promisedAt),
  }
}

/** A paid sale that its seller delivers by themselves, on a promised day. */
export async function sellFlex(client: Client, date: string | null) {
  const shipping = { mode: 'me2', logistic_type: 'self_service', cost: 0 }
  return sell(client, {
    shipping: { ...shipping, ...(date ? { estimated_delivery_time: { date } } : {}) },
  })
}

const pathOf = (packId: number | string, rest = '') =>
  `/messages/action_guide/packs/${packId}${rest}?tag=post_sale`

export const optionsOf = (client: Client, token: string, packId: number | string) =>
  client.get(pathOf(packId), token)

export const capsOf = (client: Client, token: string, packId: number | string) =>
  client.get(pathOf(packId, '/caps_available'), token)

/** Sends an option: a template's text, or the words that are given. */
export function useOption(
  client: Client,
  token: string,
  {
    packId,
    option,
    ...more
  }: { packId: number | string; option: string; [field: string]: unknown },
): Promise<Answered> {
  const isFree = option === 'OTHER' || option === 'SEND_INVOICE_LINK'
  const usual = isFree ? { text: 'Hola, ¿todo bien?' } : { template_id: templateId(option) }
  const body = { option_id: option, ...usual, ...more }
  return client.call('POST', pathOf(packId, '/option'), { token, body })
}

export const templateId = (option: string) => `TEMPLATE___${option}___1`

/** The hours of a promise. */
export function hours(initial: unknown, final: unknown): { id: string; value: unknown }[] {
  const id = templateId('DELIVERY_PROMISE')
  return [
    { id: `${id}___VAR___INIT`, value: initial },
    { id: `${id}___VAR___LIMIT`, value: final },
  ]
}

/** Status, `error`, `cause`, `message`. */
export type Refusal = [status: number, error: string, cause: string, message: string]

/** The words of the refusals. */
export const refusals = {
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
} as const satisfies Record<string, Refusal>

export const usedUp = (option: string): Refusal => [
  ...([403, 'limit_exceeded', 'option_used_up'] as const),
  `You are not allowed to execute the option ${option} again`,
]
export const denied = (packId: number | string): Refusal => [
  ...([403, 'forbidden', 'pack_denied'] as const),
  `You are not allowed to access the information of the pack ${packId}`,
]
export const wrong = (message: string): Refusal => [400, 'bad_request', 'bad_request', message]

export function holdRefused(answered: Answered, [status, error, cause, message]: Refusal): void {
  assert.deepEqual(answered.body, { cause, error, message, status, status_code: status })
  assert.equal(answered.status, status)
}
