import { amountToNumber } from '../../kernel/money.ts'
import { sendMessage } from '../../messages/send/commands.ts'
import type { OrderPatch } from '../../orders/commands/bodies.ts'
import { upsertClaim } from '../../orders/commands/claims.ts'
import { type Order, totalAmount } from '../../orders/order.ts'
import { changeCatalog } from './catalog.ts'
import type { TriggerFixtures } from './fixtures.ts'
import type { ScenarioName } from './names.ts'
import type { Trigger } from './trigger.ts'

/** Cancels a sale: the order ends, the payment is refunded, and the shipment is cancelled. */
async function cancelSale(
  fixtures: TriggerFixtures,
  order: Order,
  { paymentId, why }: { paymentId: number; why: NonNullable<OrderPatch['cancel_detail']> },
): Promise<void> {
  await fixtures.changes(order, 'the order is cancelled', {
    status: 'cancelled',
    cancel_detail: why,
  })
  await fixtures.pay(order, 'the money goes back', {
    id: paymentId,
    status: 'refunded',
    status_detail: 'refunded',
    transaction_amount_refunded: amountToNumber(totalAmount(order)),
  })
  await fixtures.patchShipment(order, 'the shipment is cancelled', { status: 'cancelled' })
}

const fraudAlert: OrderPatch = { tags: { add: ['fraud_risk_detected'] } }

export const scenarioTriggers: Readonly<Record<ScenarioName, Trigger>> = {
  fraud_alert: {
    description: 'a paid sale gets the tag fraud_risk_detected: do not ship, cancel',
    async run(fixtures) {
      const order = await fixtures.createSale()
      await fixtures.pay(order, 'the buyer pays', { status: 'approved' })
      await fixtures.changes(order, 'a risk of fraud is found', fraudAlert)
      return { topic: 'orders_v2', resource: `/orders/${order.id}` }
    },
  },
  fraud_after_payment: {
    description: 'a paid sale is found to be fraud, and the platform cancels it',
    async run(fixtures) {
      const order = await fixtures.createSale()
      const paymentId = await fixtures.pay(order, 'the buyer pays', { status: 'approved' })
      await fixtures.changes(order, 'a risk of fraud is found', fraudAlert)
      const description = fixtures.localize(
        'Pago con riesgo de fraude',
        'Pagamento com risco de fraude',
      )
      const why = { code: 'fraud_detected', requested_by: 'platform', description } as const
      await cancelSale(fixtures, order, { paymentId, why: { group: 'fraud', ...why } })
      return { topic: 'orders_v2', resource: `/orders/${order.id}` }
    },
  },
  partial_payment: {
    description: 'half of a sale is paid: the order is partially_paid',
    async run(fixtures) {
      const order = await fixtures.createSale({ status: 'payment_required' })
      await fixtures.pay(order, 'the buyer pays half of it', {
        status: 'approved',
        transaction_amount: amountToNumber(totalAmount(order)) / 2,
      })
      return { topic: 'orders', resource: `/orders/${order.id}` }
    },
  },
  cancelled_after_label: {
    description: 'a buyer cancels after the label of the parcel was printed',
    async run(fixtures) {
      const order = await fixtures.createSale()
      const paymentId = await fixtures.pay(order, 'the buyer pays', { status: 'approved' })
      await fixtures.patchShipment(order, 'the label can be printed', {
        status: 'ready_to_ship',
        substatus: 'ready_to_print',
      })
      await fixtures.patchShipment(order, 'the label is printed', { substatus: 'printed' })
      const description = fixtures.localize('El comprador se arrepintió', 'O comprador desistiu')
      const why = { code: 'buyer_regret', requested_by: 'buyer', description } as const
      await cancelSale(fixtures, order, { paymentId, why: { group: 'buyer', ...why } })
      return { topic: 'orders_v2', resource: `/orders/${order.id}` }
    },
  },
  claim_opened_and_closed: {
    description: 'a buyer opens a claim, and it is settled',
    async run(fixtures) {
      const order = await fixtures.createSale()
      await fixtures.pay(order, 'the buyer pays', { status: 'approved' })
      const id = await fixtures.ctx.ids.next('claim')
      const opened = { order_id: order.id, type: 'mediations', reason_id: 'PNR3430' } as const
      await upsertClaim(fixtures.ctx, { id, body: opened })
      fixtures.recordStep('the buyer opens a claim', { claim_id: id })
      const closed = {
        status: 'closed',
        resolution: {
          reason: 'worked_out_between_parties',
          benefited: ['complainant', 'respondent'] as ('complainant' | 'respondent')[],
          closed_by: 'complainant',
        },
      } as const
      await upsertClaim(fixtures.ctx, { id, body: closed })
      fixtures.recordStep('the claim is closed')
      return { topic: 'claims', resource: `/v1/claims/${id}` }
    },
  },
  message_moderated: {
    description: 'moderation rejects a message of a buyer: the seller is not notified',
    async run(fixtures) {
      const {
        id: packId,
        sellerId,
        buyerId,
      } = await fixtures.createSale({
        shipping: { mode: 'custom', cost: 0 },
      })
      const text = fixtures.localize(
        'Hola, escribime a ensayo@example.com y lo arreglamos por afuera',
        'Olá, escreva para ensaio@example.com e combinamos por fora',
      )
      const { id, status } = await sendMessage(fixtures.ctx, {
        key: { packId, sellerId },
        input: { fromId: buyerId, toId: sellerId, text, attachmentIds: [] },
        caller: fixtures.callerOf(buyerId),
      })
      fixtures.recordStep(`the buyer writes, and the message is ${status}`, {
        message_id: id,
        pack_id: packId,
      })
      return { topic: null, resource: `/messages/${id}` }
    },
  },
  catalog_change: {
    description: 'another catalog is put in force, in which one category has another name',
    run: changeCatalog,
  },
}
