import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { IdText, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import { parseOrderId } from '../routes.ts'
import { notifiedResourcesOf, orderEventKinds, orderHistoryOf } from './history.ts'
import { listRecordedChanges, loadOrderWithRelated } from './read-model.ts'

const maxChanges = 200

const getHistory = route({
  method: 'GET',
  url: '/operator/orders/:order_id/history',
  scope: 'operator',
  tag: 'Operator: orders',
  summary: 'Get the history of an order',
  description: `Returns what happened to an order, to explain it to a user. \`events\` come from the order, its payments, its shipment, its claims and its ratings, the oldest first. \`changes\` are the source of notifications, the newest first: at most ${maxChanges}, kept for two days. An unknown order answers 404 \`order_not_found\`.`,
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
    }),
  },
  async handle({ db }, { params }) {
    const related = await loadOrderWithRelated(db, parseOrderId(params.order_id))
    if (!related) throw new Failure('order_not_found')
    const resources = notifiedResourcesOf(related)
    const { sellerId } = related.order
    const changes = await listRecordedChanges(db, { sellerId, resources, limit: maxChanges })
    return ok({
      resources,
      events: orderHistoryOf(related).map((event) => ({ ...event, at: timestamp(event.at) })),
      changes: changes.map((change) => ({ ...change, at: timestamp(change.at) })),
    })
  },
})

export const orderHistoryAdminRoutes: Route[] = [getHistory]
