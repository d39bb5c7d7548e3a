import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { findUserIdsOnSites } from '../../identity/store.ts'
import { hourMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, IdText, OrNull, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import { notifiedResourcesOf } from '../../orders/history/history.ts'
import { loadOrderWithRelated } from '../../orders/history/read-model.ts'
import { parseOrderId } from '../../orders/routes.ts'
import { siteOfOrder } from '../../orders/site-rules.ts'
import type { Db } from '../../platform/database/database.ts'
import { attemptOutcomes } from '../attempt.ts'
import { findLatestAttempts } from '../feed/store.ts'
import {
  type AuthorizedApplication,
  listAuthorizedApplications,
  listNotificationsOfResources,
  type OrderNotificationsInput,
} from './read-model.ts'

const maxApplications = 20
const maxPerApplication = 100
/** How many of the newest notifications of each application are searched. */
const depth = 5_000

const OrderNotification = Type.Object({
  application_id: Id,
  application_name: Type.String(),
  _id: Type.String(),
  topic: Type.Enum([...topics]),
  resource: Type.String(),
  user_id: Id,
  received: { ...Timestamp, description: 'When the change was recorded' },
  attempts: Type.Integer({ description: '0 before the first attempt' }),
  sent: OrNull(Timestamp),
  outcome: OrNull(
    Type.Enum([...attemptOutcomes], { description: 'outcome of the latest attempt' }),
  ),
  http_code: OrNull(Type.Integer()),
})

const getNotifications = route({
  method: 'GET',
  url: '/operator/orders/:order_id/notifications',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteOfOrder,
  tag: 'Operator: orders',
  summary: 'List the notifications of an order',
  description: `Returns notifications of the order, its payments, its shipment and its claims, newest first, at most ${maxPerApplication} per application. It covers up to ${maxApplications} applications that the seller or buyer authorizes now, and the newest ${depth} notifications of each since the order was created. To see why one did not arrive, call \`/operator/applications/{application_id}/notifications/explain\`. Answers 404 \`order_not_found\` for an unknown order.`,
  refuses: { order_not_found: '' },
  params: Type.Object({ order_id: IdText }),
  answers: {
    200: Type.Object({
      applications: Type.Array(Type.Object({ id: Id, name: Type.String() })),
      notifications: Type.Array(OrderNotification),
    }),
  },
  async handle({ db }, { params, sites }) {
    const related = await loadOrderWithRelated(db, parseOrderId(params.order_id))
    if (!related) throw new Failure('order_not_found')
    const { sellerId, buyerId, dateCreated } = related.order
    const parties = [sellerId, buyerId]
    // Which applications a user has authorized concerns the site of the user, not of the order.
    const userIds = sites
      ? await findUserIdsOnSites(db, { ids: parties, sites: [...sites] })
      : parties
    const applications = await listAuthorizedApplications(db, userIds, maxApplications)
    const input = {
      userIds,
      depth,
      limit: maxPerApplication,
      resources: notifiedResourcesOf(related),
      // The clocks of processes differ: allow an hour.
      since: new Date(dateCreated.getTime() - hourMs),
    }
    const notifications = await Promise.all(
      applications.map((application) => notificationsOfApplication(db, application, input)),
    )
    const newest = notifications.flat().sort((a, b) => (a.received < b.received ? 1 : -1))
    return ok({
      applications: applications.map(({ id, name }) => ({ id, name })),
      notifications: newest,
    })
  },
})

/** Lists an application's notifications about an order, each with its latest attempt. Those before their first attempt
 * are included, with 0 attempts. */
async function notificationsOfApplication(
  db: Db,
  { id: applicationId, name }: AuthorizedApplication,
  input: Omit<OrderNotificationsInput, 'applicationId'>,
) {
  const notifications = await listNotificationsOfResources(db, { ...input, applicationId })
  const seqs = notifications.map(({ seq }) => seq)
  const attempts = await findLatestAttempts(db, { applicationId, seqs, since: input.since })
  return notifications.map((notification) => {
    const attempt = attempts.get(notification.seq)
    return {
      application_id: applicationId,
      application_name: name,
      _id: notification.id,
      topic: notification.topic,
      resource: notification.resource,
      user_id: notification.userId,
      received: timestamp(notification.received),
      attempts: attempt?.attempt ?? 0,
      sent: timestamp(attempt?.sent ?? null),
      outcome: attempt?.outcome ?? null,
      http_code: attempt?.httpCode ?? null,
    }
  })
}

export const orderNotificationsAdminRoutes: Route[] = [getNotifications]
