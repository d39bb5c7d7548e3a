import { Type } from 'typebox'
import { type Answer, created, ok, type Route, route } from '../http/route.ts'
import { findUser } from '../identity/store.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { OrNull, Text } from '../kernel/schema.ts'
import { ratings } from '../orders/order.ts'
import { orderIdOf, ownedOrder } from '../orders/routes.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { changeFeedback, giveFeedback, replyToFeedback } from './commands.ts'
import { authorOf, isReadable, reasons } from './feedback.ts'
import { type FeedbackOwner, feedbackOwners, findDeadline, listFeedback } from './store.ts'
import { FeedbackAnswer, feedbackView } from './view.ts'

const tag = 'Feedback'
const ofOrder = Type.Object({ order_id: Type.String() })
const ofOne = Type.Object({ feedback_id: Type.String() })

/** Under 160 characters (wire 2). */
const RatingMessage = Text(159)

const said = {
  // Whatever else comes is refused in words of its own (contract 7.5), and so is nothing.
  fulfilled: Type.Optional(Type.Union([Type.Boolean(), Type.Unknown()])),
  rating: Type.Enum([...ratings]),
  message: RatingMessage,
  reason: Type.Optional(OrNull(Type.Enum([...reasons]))),
  restock_item: Type.Optional(Type.Boolean()),
}

const postFeedback = route({
  method: 'POST',
  url: '/orders/:order_id/feedback',
  scope: 'write',
  tag,
  summary: 'Rate the other party of an order: the seller its `sale`, the buyer the `purchase`',
  description:
    'Contract 4.6. Once for each party. `reason` is required when `fulfilled` is false; `restock_item` is the seller’s: the pieces go back into stock. Refusals: contract 7.5.',
  params: ofOrder,
  async permit(ctx, { params, caller }) {
    await ownedOrder(ctx, { userId: caller.userId, id: orderIdOf(params.order_id) })
  },
  body: Type.Object(said),
  answers: { 201: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const orderId = orderIdOf(params.order_id)
    const { sellerId } = await ownedOrder(ctx, { userId: caller.userId, id: orderId })
    const id = await giveFeedback(ctx, { orderId, caller, said: body })
    return created(await feedbackFor(ctx, { sellerId, orderId }, { id, userId: caller.userId }))
  },
})

const getOfOrder = route({
  method: 'GET',
  url: '/orders/:order_id/feedback',
  scope: 'read',
  tag,
  summary: 'Both ratings of an order',
  description:
    'Each is null until it is given; the other party’s also until both have rated or the order’s `expiration_date` has passed.',
  params: ofOrder,
  answers: {
    200: Type.Object({ sale: OrNull(FeedbackAnswer), purchase: OrNull(FeedbackAnswer) }),
  },
  async handle(ctx, { params, caller }) {
    const orderId = orderIdOf(params.order_id)
    const { sellerId } = await ownedOrder(ctx, { userId: caller.userId, id: orderId })
    const readable = await readableOf(ctx, { sellerId, orderId }, caller.userId)
    const viewOf = (role: string) => readable.find((each) => each.role === role)?.view ?? null
    return ok({ sale: viewOf('sale'), purchase: viewOf('purchase') })
  },
})

const getFeedback = route({
  method: 'GET',
  url: '/feedback/:feedback_id',
  scope: 'read',
  tag,
  summary: 'One rating, for its author, and for the other party once it is shown',
  params: ofOne,
  answers: { 200: FeedbackAnswer },
  handle: (ctx, { params, caller }) => answerOne(ctx, touchedBy(params, caller)),
})

const putFeedback = route({
  method: 'PUT',
  url: '/feedback/:feedback_id',
  scope: 'write',
  tag,
  summary: 'Change a rating, for its author',
  description:
    'What is not named stays. Until it has a reply or the order’s `expiration_date` has passed.',
  params: ofOne,
  permit: (ctx, { params, caller }) => permitAs('author', ctx, touchedBy(params, caller)),
  body: Type.Partial(Type.Object(said)),
  answers: { 200: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const touched = touchedBy(params, caller)
    await changeFeedback(ctx, { ...touched, asked: body })
    return answerOne(ctx, touched)
  },
})

const postReply = route({
  method: 'POST',
  url: '/feedback/:feedback_id/reply',
  scope: 'write',
  tag,
  summary: 'Reply to a rating, for whom it is about',
  description: 'Contract 7.5 and 8: once, within 14 days of the rating.',
  params: ofOne,
  permit: (ctx, { params, caller }) => permitAs('receiver', ctx, touchedBy(params, caller)),
  body: Type.Object({ reply: RatingMessage }),
  answers: { 201: FeedbackAnswer },
  async handle(ctx, { params, body, caller }) {
    const touched = touchedBy(params, caller)
    await replyToFeedback(ctx, { ...touched, reply: body.reply })
    return { ...(await answerOne(ctx, touched)), status: 201 }
  },
})

interface Touched {
  id: number
  userId: number
}

function touchedBy(params: { feedback_id: string }, { userId }: { userId: number }): Touched {
  return { id: pathId('feedback_id', params.feedback_id), userId }
}

async function answerOne(ctx: Context, touched: Touched): Promise<Answer> {
  const owner = await feedbackOwners.find(ctx.reads, touched.id)
  if (!owner) throw new Failure('feedback_not_found')
  return ok(await feedbackFor(ctx, owner, touched))
}

/** Checks that the rating is by this user, or about this user and shown. Throws `feedback_not_found`. */
async function permitAs(
  party: 'author' | 'receiver',
  ctx: Context,
  touched: Touched,
): Promise<void> {
  const owner = await feedbackOwners.find(ctx.reads, touched.id)
  if (!owner) throw new Failure('feedback_not_found')
  const isAuthor = authorOf(await readableFor(ctx, owner, touched)) === touched.userId
  if (isAuthor !== (party === 'author')) throw new Failure('feedback_not_found')
}

/** One rating as this user may read it. Throws `feedback_not_found`. */
async function feedbackFor(ctx: Context, owner: FeedbackOwner, touched: Touched): Promise<object> {
  return (await readableFor(ctx, owner, touched)).view
}

async function readableFor(ctx: Context, owner: FeedbackOwner, { id, userId }: Touched) {
  const found = (await readableOf(ctx, owner, userId, id)).find((each) => each.id === id)
  if (!found) throw new Failure('feedback_not_found')
  return found
}

/** The ratings of an order that this user may read now. `id` is of one that is there. */
async function readableOf(
  { reads, now }: Context,
  owner: FeedbackOwner,
  userId: number,
  id?: number,
) {
  const [given = [], expirationDate] = await Promise.all([
    untilVisible(async () => {
      const all = await listFeedback(reads, owner)
      return id === undefined || all.some((each) => each.id === id) ? all : undefined
    }),
    findDeadline(reads, owner),
  ])
  const [one] = given
  if (!one || !expirationDate) return []
  const parties = await Promise.all([one.sellerId, one.buyerId].map((id) => findUser(reads, id)))
  const users = parties.filter((user) => user !== undefined)
  return given
    .filter((each) => isReadable(each, userId, { expirationDate, now: now() }))
    .map((each) => ({ ...each, view: feedbackView(each, { users, expirationDate }) }))
}

export const feedbackRoutes: Route[] = [
  postFeedback,
  getOfOrder,
  getFeedback,
  putFeedback,
  postReply,
]
