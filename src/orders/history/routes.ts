import { Type } from 'typebox'
import { valuesInHistory } from '../../audit/history.ts'
import { listEntriesOf } from '../../audit/store.ts'
import { AuditEntryAnswer, renderEntriesFor } from '../../audit/view.ts'
import { ok, type Route, route } from '../../http/route.ts'
import type { AuditTarget } from '../../kernel/audit.ts'
import { dayMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { IdText, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import { parseOrderId } from '../routes.ts'
import { siteOfOrder } from '../site-rules.ts'
import {
  notifiedResourcesOf,
  type OrderWithRelated,
  orderEventKinds,
  orderHistoryOf,
} from './history.ts'
import { listRecordedChanges, loadOrderWithRelated } from './read-model.ts'

const maxChanges = 200
const maxEntries = 100

const getHistory = route({
  method: 'GET',
  url: '/operator/orders/:order_id/history',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteOfOrder,
  tag: 'Operator: orders',
  summary: 'Get the history of an order',
  description: `Returns what happened to an order, to explain it to a user. \`events\` come from the order, its payments, its shipment, its claims and its ratings, the oldest first. \`changes\` are the source of notifications, the newest first: at most ${maxChanges}, kept for two days. \`audit\` are the entries of the audit log about the order, its shipment, its claims and its conversation, the newest first: at most ${maxEntries}. ${valuesInHistory} An unknown order answers 404 \`order_not_found\`.`,
  refuses: { order_not_found: '' },
  params: Type.Object({ order_id: IdText }),
  answers: {
    200: Type.Object({
      resources: Type.Array(Type.String({ description: 'A path in notifications' })),
      events: Type.Array(
        Type.Object({
          at: Timestamp,
          kind: Type.Enum([...orderEventKinds]),
          resource: Type.String(),
          details: Type.Object({}),
        }),
      ),
      changes: Type.Array(
        Type.Object({ at: Timestamp, topic: Type.Enum([...topics]), resource: Type.String() }),
      ),
      audit: Type.Array(AuditEntryAnswer, { description: 'What operators changed, and who' }),
    }),
  },
  async handle({ db }, { params, permissions, operationPermissions }) {
    const related = await loadOrderWithRelated(db, parseOrderId(params.order_id))
    if (!related) throw new Failure('order_not_found')
    const resources = notifiedResourcesOf(related)
    const { sellerId } = related.order
    const [changes, entries] = await Promise.all([
      listRecordedChanges(db, { sellerId, resources, limit: maxChanges }),
      listEntriesOf(db, auditTargetsOf(related), {
        // Earlier days have no entries about the order. The entry of its creation is a moment older than the order.
        from: new Date(related.order.dateCreated.getTime() - dayMs),
        limit: maxEntries,
      }),
    ])
    return ok({
      resources,
      events: orderHistoryOf(related).map((event) => ({ ...event, at: timestamp(event.at) })),
      changes: changes.map((change) => ({ ...change, at: timestamp(change.at) })),
      audit: await renderEntriesFor(db, entries, { permissions, operationPermissions }),
    })
  },
})

/** Returns the targets in the audit log that belong to an order. */
function auditTargetsOf({ order, shipment, claims }: OrderWithRelated): AuditTarget[] {
  return [
    { kind: 'order', id: String(order.id) },
    ...(shipment ? [{ kind: 'shipment' as const, id: String(shipment.id) }] : []),
    ...claims.map(({ id }) => ({ kind: 'claim' as const, id: String(id) })),
    { kind: 'conversation', id: `${order.packId ?? order.id}/${order.sellerId}` },
  ]
}

export const orderHistoryAdminRoutes: Route[] = [getHistory]
