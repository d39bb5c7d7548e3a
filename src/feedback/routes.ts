import { Type } from 'typebox'
import { created, ok, type Route, type RouteResponse, route } from '../http/route.ts'
import { findUser } from '../identity/store.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { OrNull, Text } from '../kernel/schema.ts'
import { ratings } from '../orders/order.ts'
import { findOwnedOrder, parseOrderId, partyErrors, partyRefusals } from '../orders/routes.ts'
import { findExpirationDate } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { rateOrder, replyToFeedback, updateFeedback } from './commands.ts'
import { authorOf, isReadable, reasons } from './feedback.ts'
import { type FeedbackOwner, feedbackOwners, listFeedback } from './store.ts'
import { FeedbackAnswer, feedbackView } from './view.ts'

const tag = 'Feedback'
const orderParams = Type.Object({ order_id: Type.String() })
const feedbackParams = Type.Object({ feedback_id: Type.String() })

const RatingMessage = Text(159)

const ratingFields = {
  // The schema accepts any value, because a wrong or missing one has an error of its own: `invalid_fulfilled`.
  fulfilled: Type.Optional(Type.Union([Type.Boolean(), Type.Unknown()])),
  rating: Type.Enum([...ratings]),
  message: RatingMessage,
  reason: Type.Optional(
    OrNull(
      Type.Enum([...reasons], {
        description:
          'Why the sale was not carried out. Required when `fulfilled` is false, ignored otherwise',
      }),
    ),
  ),
  restock_item: Type.Optional(Type.Boolean()),
}

const postFeedback = route({
  method: 'POST',
  url: '/orders/:order_id/feedback',
  scope: 'write',
  tag,
  summary: 'Rate an order',
  description: `Rates the other party of an order, once: the seller rates the \`sale\`, the buyer the \`purchase\`. \`message\` has at most 159 characters, and \`reason\` is required when \`fulfilled\` is false. A seller may send \`restock_item\` to return the units to stock. Errors: 400 \`invalid_fulfilled\`, 400 \`feedback_already_exists\`, and 400 \`not_fulfilled_feedback_in_order_expired\` after the order’s \`expiration_date\`. ${partyErrors}`,
  refuses: {
    ...partyRefusals,
    invalid_fulfilled: '',
    feedback_already_exists: '',
    not_fulfilled_feedback_in_order_expired: '',
  },
  params: orderParams,
  async permit(ctx, { params, caller }) {
    await findOwnedOrder(ctx, { userId: caller.userId, id: parseOrderId(params.order_id) })
  },
  body: Type.Object(ratingFields),
  answers: { 201: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const orderId = parseOrderId(params.order_id)
    const { sellerId } = await findOwnedOrder(ctx, { userId: caller.userId, id: orderId })
    const id = await rateOrder(ctx, { orderId, caller, body })
    return created(await feedbackFor(ctx, { sellerId, orderId }, { id, userId: caller.userId }))
  },
})

const getOrderFeedback = route({
  method: 'GET',
  url: '/orders/:order_id/feedback',
  scope: 'read',
  tag,
  summary: 'Get the ratings of an order',
  description: `Returns both ratings of an order to its seller or its buyer. A rating is null until it is given. The other party’s rating is hidden, and null, until both have rated or the order’s \`expiration_date\` has passed. ${partyErrors}`,
  refuses: partyRefusals,
  params: orderParams,
  answers: {
    200: Type.Object({ sale: OrNull(FeedbackAnswer), purchase: OrNull(FeedbackAnswer) }),
  },
  async handle(ctx, { params, caller }) {
    const orderId = parseOrderId(params.order_id)
    const { sellerId } = await findOwnedOrder(ctx, { userId: caller.userId, id: orderId })
    const readable = await listReadable(ctx, { sellerId, orderId }, caller.userId)
    const viewOf = (role: string) => readable.find((rating) => rating.role === role)?.view ?? null
    return ok({ sale: viewOf('sale'), purchase: viewOf('purchase') })
  },
})

const getFeedback = route({
  method: 'GET',
  url: '/feedback/:feedback_id',
  scope: 'read',
  tag,
  summary: 'Get a rating',
  description:
    'Returns a rating to its author, and to the other party once both have rated or the order’s `expiration_date` has passed. Until then, and to other users, the answer is 404 `feedback_not_found`.',
  refuses: { feedback_not_found: '' },
  params: feedbackParams,
  answers: { 200: FeedbackAnswer },
  handle: (ctx, { params, caller }) => answerOne(ctx, requestOf(params, caller)),
})

const putFeedback = route({
  method: 'PUT',
  url: '/feedback/:feedback_id',
  scope: 'write',
  tag,
  summary: 'Update a rating',
  description:
    'Changes a rating that you gave; fields that you leave out stay. After a reply, or after the order’s `expiration_date`, the answer is 400 `feedback_not_modifiable`. Errors: 404 `feedback_not_found` for a rating that you did not give, 400 `invalid_fulfilled` for false without a reason.',
  refuses: {
    feedback_not_found: '',
    invalid_fulfilled: '',
    feedback_not_modifiable: '',
  },
  params: feedbackParams,
  permit: (ctx, { params, caller }) => permitAs('author', ctx, requestOf(params, caller)),
  body: Type.Partial(Type.Object(ratingFields)),
  answers: { 200: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const request = requestOf(params, caller)
    await updateFeedback(ctx, { ...request, changes: body })
    return answerOne(ctx, request)
  },
})

const postReply = route({
  method: 'POST',
  url: '/feedback/:feedback_id/reply',
  scope: 'write',
  tag,
  summary: 'Reply to a rating',
  description:
    'Adds your reply to a rating about you, once, within 14 days of the rating. `reply` has at most 159 characters. Errors: 404 `feedback_not_found`, also while the rating is hidden, 400 `reply_already_exists`, 400 `reply_time_expired`.',
  refuses: { feedback_not_found: '', reply_already_exists: '', reply_time_expired: '' },
  params: feedbackParams,
  permit: (ctx, { params, caller }) => permitAs('receiver', ctx, requestOf(params, caller)),
  body: Type.Object({ reply: RatingMessage }),
  answers: { 201: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const request = requestOf(params, caller)
    await replyToFeedback(ctx, { ...request, reply: body.reply })
    return { ...(await answerOne(ctx, request)), status: 201 }
  },
})

interface FeedbackRequest {
  id: number
  userId: number
}

function requestOf(
  params: { feedback_id: string },
  { userId }: { userId: number },
): FeedbackRequest {
  return { id: pathId('feedback_id', params.feedback_id), userId }
}

async function answerOne(ctx: Context, request: FeedbackRequest): Promise<RouteResponse> {
  const owner = await feedbackOwners.find(ctx.reads, request.id)
  if (!owner) throw new Failure('feedback_not_found')
  return ok(await feedbackFor(ctx, owner, request))
}

/** Checks that this user is the author of a rating, or receives it and may see it. Throws `feedback_not_found`. */
async function permitAs(
  party: 'author' | 'receiver',
  ctx: Context,
  request: FeedbackRequest,
): Promise<void> {
  const owner = await feedbackOwners.find(ctx.reads, request.id)
  if (!owner) throw new Failure('feedback_not_found')
  const isAuthor = authorOf(await readableFor(ctx, owner, request)) === request.userId
  if (isAuthor !== (party === 'author')) throw new Failure('feedback_not_found')
}

/** Returns the view of a rating that this user may read. Throws `feedback_not_found`. */
async function feedbackFor(
  ctx: Context,
  owner: FeedbackOwner,
  request: FeedbackRequest,
): Promise<object> {
  return (await readableFor(ctx, owner, request)).view
}

async function readableFor(ctx: Context, owner: FeedbackOwner, { id, userId }: FeedbackRequest) {
  const readable = await listReadable(ctx, owner, userId, id)
  const rating = readable.find((candidate) => candidate.id === id)
  if (!rating) throw new Failure('feedback_not_found')
  return rating
}

/** Lists the ratings of an order that this user may read now. `id` is a rating that certainly exists: a connection that
 * does not see it yet is asked again. */
async function listReadable(
  { reads, now }: Context,
  owner: FeedbackOwner,
  userId: number,
  id?: number,
) {
  const [ratings = [], expirationDate] = await Promise.all([
    untilVisible(async () => {
      const visible = await listFeedback(reads, owner)
      return id === undefined || visible.some((rating) => rating.id === id) ? visible : undefined
    }),
    findExpirationDate(reads, owner),
  ])
  const [first] = ratings
  if (!first || !expirationDate) return []
  const partyIds = [first.sellerId, first.buyerId]
  const parties = await Promise.all(partyIds.map((partyId) => findUser(reads, partyId)))
  const users = parties.filter((user) => user !== undefined)
  return ratings
    .filter((rating) => isReadable(rating, userId, { expirationDate, now: now() }))
    .map((rating) => ({ ...rating, view: feedbackView(rating, { users, expirationDate }) }))
}

export const feedbackRoutes: Route[] = [
  postFeedback,
  getOrderFeedback,
  getFeedback,
  putFeedback,
  postReply,
]
