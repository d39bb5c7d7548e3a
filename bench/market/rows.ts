import { Writable } from 'node:stream'
import type pg from 'pg'
import { orderRatingVersion } from '../../src/feedback/view.ts'
import { facetGroupIdOf, facetsOf } from '../../src/orders/facets.ts'
import { totalAmount } from '../../src/orders/order.ts'
import { paidAmount } from '../../src/orders/payment.ts'
import { copyOrders } from '../../src/orders/store.ts'
import { type CopyValue, copyRows } from '../../src/platform/database/copy.ts'
import type { BulkTx } from '../../src/platform/database/database.ts'
import { copyShipments } from '../../src/shipments/store.ts'
import {
  placeholders,
  placeholderTextsOf,
  type TextTemplate,
  textTemplateOf,
} from './placeholders.ts'
import {
  type RenderedSale,
  renderSale,
  type SaleTemplate,
  saleTemplates,
} from './sale-templates.ts'

/** Everything that is written of one story's orders: a line of COPY for each row of each table. */
export interface OrderTemplate {
  saleTemplate: SaleTemplate
  lines: 1 | 2
  kind: string
  facets: string
  rows: readonly { table: string; stencil: TextTemplate }[]
  columns: ReadonlyMap<string, readonly string[]>
  /** Which moment closed it, and which was its last; null while it is open. */
  closedAt: number | null
  lastMoment: number
  expiresAfterMs: number
  /** What is paid beyond the total, in cents; shipping less coupon. */
  paidBeyond: number
}

/** The rows of every story, of one line and of two, made by the real store functions. */
export async function makeOrderTemplates(): Promise<OrderTemplate[]> {
  const templates: OrderTemplate[] = []
  for (const saleTemplate of saleTemplates) {
    for (const lines of [1, 2] as const)
      templates.push(await makeOrderTemplate(saleTemplate, lines))
  }
  return templates
}

async function makeOrderTemplate(saleTemplate: SaleTemplate, lines: 1 | 2): Promise<OrderTemplate> {
  const columns = new Map<string, readonly string[]>()
  const sale = renderSale(saleTemplate, lines)
  const { order } = sale
  const replaced = placeholderTextsOf(order)
  const rows: { table: string; stencil: TextTemplate }[] = []
  const tx = recordingTransaction((table, of, text) => {
    if (table === 'order_count_changes') return
    columns.set(table, of)
    for (const line of text.split('\n').slice(0, -1)) {
      rows.push({ table, stencil: textTemplateOf(`${line}\n`, replaced) })
    }
  })
  await copyShipments(
    tx,
    [sale.shipment].filter((shipment) => shipment !== undefined),
  )
  await copyOrders(tx, [order])
  await copyParts(tx, sale)
  const moments = placeholders.moments.map(({ value }) => value.getTime())
  const beyond = Number(paidAmount(order.payments).minus(totalAmount(order)).times(100))
  return {
    saleTemplate,
    lines,
    columns,
    kind: facetGroupIdOf(facetsOf(order)),
    facets: JSON.stringify(facetsOf(order)),
    rows,
    closedAt: order.dateClosed && moments.indexOf(order.dateClosed.getTime()),
    lastMoment: moments.indexOf(order.lastUpdated.getTime()),
    expiresAfterMs: order.expirationDate.getTime() - order.dateCreated.getTime(),
    paidBeyond: Math.abs(beyond) < 1e6 ? beyond : 0,
  }
}

/** A transaction that writes nothing: it shows the text of each row that would be copied. */
function recordingTransaction(
  see: (table: string, columns: readonly string[], text: string) => void,
): BulkTx {
  const copy = async (
    into: { table: string; columns: readonly string[] },
    rows: Iterable<readonly CopyValue[]>,
  ) => {
    let text = ''
    const sink = new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    })
    const client = { query: () => sink } as unknown as pg.ClientBase
    await copyRows(client, into, rows)
    see(into.table, into.columns, text)
  }
  const rows = async () => []
  return { copy, rows, row: async () => undefined, hint() {}, publish() {} } as unknown as BulkTx
}

/** What the rooms of ratings and claims keep of it, and whose its pack is. */
async function copyParts(tx: BulkTx, { order }: RenderedSale): Promise<void> {
  const { id, sellerId, buyerId, packId, parts } = order
  const at = order.lastUpdated
  if (packId !== null) {
    await tx.copy({ table: 'pack_owner', columns: ['pack_id', 'buyer_id'] }, [[packId, buyerId]])
  }
  const { sale, purchase, isFreed } = parts.feedback
  for (const [role, rating] of Object.entries({ sale, purchase })) {
    if (!rating) continue
    // A payment's number with a digit before it is nobody else's.
    const feedbackId = Number(`${role === 'sale' ? 1 : 2}${placeholders.payment.value}`)
    const part = { id: feedbackId, date_created: at.toISOString(), ...rating, status: 'active' }
    await tx.copy({ table: 'feedback_owner', columns: feedbackOwnerColumns }, [
      [feedbackId, sellerId, id, role],
    ])
    await tx.copy({ table: 'feedback', columns: feedbackColumns }, [
      [
        sellerId,
        id,
        role,
        feedbackId,
        rating.fulfilled,
        rating.rating,
        isFreed ? at : null,
        {},
        JSON.stringify(part),
        orderRatingVersion,
        at,
        at,
      ],
    ])
  }
  for (const claim of parts.mediations) {
    await tx.copy({ table: 'claim_owner', columns: ['claim_id', 'seller_id', 'buyer_id'] }, [
      [claim.id, sellerId, buyerId],
    ])
    await tx.copy({ table: 'claims', columns: claimColumns }, [
      [sellerId, claim.id, buyerId, id, 'mediations', claim.stage, claim.status, {}, at, at],
    ])
  }
}

const feedbackOwnerColumns = ['feedback_id', 'seller_id', 'order_id', 'role']
const feedbackColumns = [
  'seller_id',
  'order_id',
  'role',
  'id',
  'fulfilled',
  'rating',
  'visibility_date',
  'details',
  'as_part',
  'text_version',
  'date_created',
  'last_updated',
]
const claimColumns = [
  'seller_id',
  'id',
  'buyer_id',
  'order_id',
  'type',
  'stage',
  'status',
  'details',
  'date_created',
  'last_updated',
]
