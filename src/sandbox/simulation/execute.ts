import { servedCatalogOf } from '../../catalog/open.ts'
import { changeFeedback, giveFeedback, replyToFeedback } from '../../feedback/commands.ts'
import type { Caller } from '../../http/caller.ts'
import { tokenScopes } from '../../http/scopes.ts'
import { saveUsers } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { commitListing } from '../../listings/commands.ts'
import type { Listing } from '../../listings/listing.ts'
import { findListing } from '../../listings/store.ts'
import { sendOption } from '../../messages/guide/commands.ts'
import { ruleOf } from '../../messages/guide/matrix.ts'
import { templatesOf } from '../../messages/guide/templates.ts'
import { sendMessage } from '../../messages/send/commands.ts'
import type { Checkout, PaymentBody } from '../../orders/commands/bodies.ts'
import { putClaim } from '../../orders/commands/claims.ts'
import { changeOrder, createOrder, recordPayment } from '../../orders/commands/commands.ts'
import { changeShipment } from '../../orders/commands/shipping.ts'
import type { Context } from '../../platform/context.ts'
import { answer, ask } from '../../questions/commands.ts'
import { type Action, atMoment, type Counted, type Step } from './scenario/action.ts'
import type { SimulatedSale } from './scenario/simulated-sale.ts'
import type { MadeSoFar, Unfolding } from './store.ts'

/** A story, where it is, and which simulation tells it. */
export interface Playing {
  simulationId: string
  story: SimulatedSale
  unfolding: Unfolding
}

/** What came of a step. */
export interface Performed {
  made: MadeSoFar
  counted: readonly Counted[]
  /** Nothing can come of the rest. */
  isOver: boolean
}

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

/** One that has something to do. */
interface ActionContext {
  ctx: Context
  playing: Playing
  made: MadeSoFar
  /** Under which a step that is repeated is known again. */
  key: string
}

/**
 * Does what is next in a story, by the rooms' own commands. What they refuse, because somebody else has
 * changed what it was about, is counted and the story goes on without it, unless it was the purchase.
 */
export async function execute(ctx: Context, playing: Playing, step: Step): Promise<Performed> {
  const { unfolding, simulationId } = playing
  const now = ctx.now()
  const action = atMoment(step.action, { told: step.at, now, begun: unfolding.begunAt })
  const { made } = unfolding
  const key = `simulation ${simulationId} ${unfolding.number} ${unfolding.step}`
  const scene = { ctx, playing, made, key }
  try {
    return { made: await done(scene, action), counted: [counts[action.kind]], isOver: false }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    if (action.kind === 'order' && error.code === 'stock_exhausted') {
      const counted = await restocked(scene, action)
      if (counted) return { made: await done(scene, action), counted, isOver: false }
    }
    const note = { simulation: simulationId, story: unfolding.number, action: action.kind }
    ctx.log.debug({ ...note, refused: error.message }, 'a simulated step was refused')
    return { made, counted: ['refused'], isOver: action.kind === 'order' }
  }
}

const counts: Readonly<Record<Action['kind'], Counted>> = {
  user: 'users',
  listing: 'listings',
  question: 'questions',
  answer: 'answers',
  order: 'orders',
  payment: 'payments',
  change: 'changes',
  shipment: 'shipments',
  claim: 'claims',
  rating: 'ratings',
  second_rating: 'ratings',
  reply: 'ratings',
  message: 'messages',
  option: 'messages',
}

async function done(scene: ActionContext, action: Action): Promise<MadeSoFar> {
  const { ctx, made, key } = scene
  switch (action.kind) {
    case 'user':
      await saveUsers(ctx.db, [action.user], ctx.now())
      return made
    case 'listing':
      await list(ctx, action.listing)
      return made
    case 'question':
      return { ...made, questionId: await asks(scene, action) }
    case 'answer':
      return answers(scene, action)
    case 'order':
      return checksOut(scene, action)
    case 'payment':
      return pays(scene, action)
    case 'change':
      await changeOrder(ctx, { orderId: orderOf(made, action), patch: action.patch })
      return made
    case 'shipment':
      await changeShipment(ctx, { id: made.shipmentId, patch: action.patch })
      return made
    case 'claim': {
      const body = { order_id: orderOf(made, { index: 0 }), ...action.body }
      await putClaim(ctx, { id: made.claimId, body })
      return made
    }
    case 'rating':
    case 'second_rating':
    case 'reply':
      return rates(scene, action)
    case 'message':
    case 'option':
      await writes(scene, action)
      return made
    default:
      throw new Error(`nobody knows how to do ${key}: ${action satisfies never}`)
  }
}

function list(ctx: Context, listing: Listing): Promise<unknown> {
  const { catalog } = servedCatalogOf(ctx)
  const at = ctx.now()
  return ctx.db.transaction((tx) => commitListing(tx, { listing, at, catalog }))
}

async function asks(
  { ctx, playing }: ActionContext,
  { itemId, text }: ActionOf<'question'>,
): Promise<number> {
  const { id } = await ask(ctx, { itemId, fromId: playing.story.buyerId, text })
  return id
}

/** Whoever answers for the seller may have been quicker. */
async function answers(
  { ctx, playing, made }: ActionContext,
  { text }: ActionOf<'answer'>,
): Promise<MadeSoFar> {
  const { questionId: id } = made
  if (id !== undefined) await answer(ctx, { id, userId: playing.story.sellerId, text })
  return made
}

async function checksOut(
  { ctx, playing, made, key }: ActionContext,
  { index, checkout }: ActionOf<'order'>,
): Promise<MadeSoFar> {
  const { shipping, pack_id: packId, ...rest } = checkout
  const named: Checkout = {
    ...rest,
    ...(packId == null ? {} : { pack_id: made.packId }),
    ...(shipping ? { shipping: { ...shipping, id: made.shipmentId } } : {}),
  }
  const { id } = await createOrder(ctx, { checkout: named, key })
  ctx.log.debug({ simulation: playing.simulationId, order: id }, 'a simulated sale')
  return { ...made, orders: { ...made.orders, [index]: id } }
}

/** The seller has more of what is sold out; undefined where there is no telling what that is. */
async function restocked(
  { ctx }: ActionContext,
  { checkout }: ActionOf<'order'>,
): Promise<readonly Counted[] | undefined> {
  const more = 100
  for (const { item_id, quantity } of checkout.lines) {
    const listing = await findListing(ctx.db, item_id)
    if (!listing) return undefined
    const stock = listing.stock.map((each) => ({
      ...each,
      availableQuantity:
        each.availableQuantity < quantity ? quantity + more : each.availableQuantity,
    }))
    await list(ctx, { ...listing, stock })
  }
  return ['restocked', 'orders']
}

async function pays(
  { ctx, made, key }: ActionContext,
  { index, place, news }: ActionOf<'payment'>,
): Promise<MadeSoFar> {
  const known = made.payments[`${index}/${place}`]
  const payment = { ...news, ...(known === undefined ? {} : { id: known }) } as PaymentBody
  const orderId = orderOf(made, { index })
  const { paymentId } = await recordPayment(ctx, { orderId, payment, key })
  return { ...made, payments: { ...made.payments, [`${index}/${place}`]: paymentId } }
}

async function rates(
  { ctx, playing, made }: ActionContext,
  action: ActionOf<'rating' | 'second_rating' | 'reply'>,
): Promise<MadeSoFar> {
  const { sellerId, buyerId } = playing.story
  const [author, other] = action.role === 'sale' ? [sellerId, buyerId] : [buyerId, sellerId]
  const place = `${action.index}/${action.role}`
  const id = made.ratings[place]
  if (action.kind === 'rating') {
    const orderId = orderOf(made, action)
    const given = await giveFeedback(ctx, { orderId, caller: callerOf(author), said: action.said })
    return { ...made, ratings: { ...made.ratings, [place]: given } }
  }
  if (id === undefined) throw new Failure('feedback_not_found')
  if (action.kind === 'reply')
    await replyToFeedback(ctx, { id, userId: other, reply: action.reply })
  else await changeFeedback(ctx, { id, userId: author, asked: action.said })
  return made
}

async function writes(
  { ctx, playing: { story }, made }: ActionContext,
  action: ActionOf<'message' | 'option'>,
): Promise<void> {
  const { sellerId, buyerId, site } = story
  // Orders of a pack are talked of under its number.
  const packId = Object.keys(made.orders).length > 1 ? made.packId : orderOf(made, { index: 0 })
  const place = { packId, sellerId }
  if (action.kind === 'option') {
    const [template] = templatesOf(action.option, site)
    const said =
      ruleOf(action.option).type === 'free_text'
        ? { text: action.text }
        : { template_id: template?.id ?? null }
    const asked = { option_id: action.option, ...said }
    await sendOption(ctx, { place, asked, caller: callerOf(sellerId) })
    return
  }
  const [fromId, toId] = action.by === 'seller' ? [sellerId, buyerId] : [buyerId, sellerId]
  const asked = { fromId, toId, text: action.text, attachmentIds: [] }
  await sendMessage(ctx, { place, asked, caller: callerOf(fromId) })
}

/** Somebody in front of a page of the marketplace's: through no application. */
function callerOf(userId: number): Caller {
  return { userId, applicationId: null, scopes: tokenScopes }
}

function orderOf({ orders }: MadeSoFar, { index }: { index: number }): number {
  const id = orders[index]
  if (id === undefined) throw new Failure('order_not_found')
  return id
}
