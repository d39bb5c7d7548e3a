import { rateOrder, replyToFeedback, updateFeedback } from '../../feedback/commands.ts'
import type { Caller } from '../../http/caller.ts'
import { tokenScopes } from '../../http/scopes.ts'
import { saveUsers } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { commitListing } from '../../listings/commands/commands.ts'
import type { Listing } from '../../listings/listing.ts'
import { findListing } from '../../listings/store.ts'
import { sendOption } from '../../messages/guide/commands.ts'
import { templatesOf } from '../../messages/guide/templates.ts'
import { optionRuleOf } from '../../messages/option-rules.ts'
import { sendMessage } from '../../messages/send/commands.ts'
import type { Checkout, PaymentBody } from '../../orders/commands/bodies.ts'
import { upsertClaim } from '../../orders/commands/claims.ts'
import { createOrder, recordPayment, updateOrder } from '../../orders/commands/commands.ts'
import { updateShipment } from '../../orders/commands/shipping.ts'
import type { Context } from '../../platform/context.ts'
import { submitAnswer, submitQuestion } from '../../questions/commands.ts'
import {
  type SimulatedAction,
  type SimulatedStep,
  type SimulationCount,
  shiftTimestamps,
} from './scenario/action.ts'
import type { SimulatedSale } from './scenario/simulated-sale.ts'
import type { SaleProgress, SaleResourceIds } from './store.ts'

/** A simulated sale with its progress and simulation. */
export interface RunningSale {
  simulationId: string
  sale: SimulatedSale
  progress: SaleProgress
}

/** The result of a step. */
export interface StepResult {
  made: SaleResourceIds
  counted: readonly SimulationCount[]
  /** The remaining steps cannot succeed. */
  isOver: boolean
}

type ActionOf<Kind extends SimulatedAction['kind']> = Extract<SimulatedAction, { kind: Kind }>

/** What the execution of an action needs. */
interface ActionContext {
  ctx: Context
  playing: RunningSale
  resourceIds: SaleResourceIds
  /** Idempotency key of the step. */
  key: string
}

/**
 * Executes a step of a simulated sale by the commands of the modules. A refusal, for example because somebody changed
 * the order, is counted, and the sale goes on. Only a refused purchase ends it.
 */
export async function execute(
  ctx: Context,
  playing: RunningSale,
  step: SimulatedStep,
): Promise<StepResult> {
  const { progress, simulationId } = playing
  const now = ctx.now()
  const action = shiftTimestamps(step.action, {
    scenarioTime: step.at,
    now,
    startedAt: progress.begunAt,
  })
  const { made: resourceIds } = progress
  const key = `simulation ${simulationId} ${progress.number} ${progress.step}`
  const context = { ctx, playing, resourceIds, key }
  try {
    return {
      made: await executeAction(context, action),
      counted: [counts[action.kind]],
      isOver: false,
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    if (action.kind === 'order' && error.code === 'stock_exhausted') {
      const counted = await restock(context, action)
      if (counted) return { made: await executeAction(context, action), counted, isOver: false }
    }
    const fields = { simulation: simulationId, sale: progress.number, action: action.kind }
    ctx.log.debug({ ...fields, refused: error.message }, 'a simulated step was refused')
    return { made: resourceIds, counted: ['refused'], isOver: action.kind === 'order' }
  }
}

const counts: Readonly<Record<SimulatedAction['kind'], SimulationCount>> = {
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

/** Executes an action of a scenario through the commands of its module. Returns the ids of what was made so far. */
async function executeAction(
  context: ActionContext,
  action: SimulatedAction,
): Promise<SaleResourceIds> {
  const { ctx, resourceIds, key } = context
  switch (action.kind) {
    case 'user':
      await saveUsers(ctx.db, [action.user], ctx.now())
      return resourceIds
    case 'listing':
      await saveListing(ctx, action.listing)
      return resourceIds
    case 'question':
      return { ...resourceIds, questionId: await askQuestion(context, action) }
    case 'answer':
      return answerQuestion(context, action)
    case 'order':
      return checkOut(context, action)
    case 'payment':
      return pay(context, action)
    case 'change':
      await updateOrder(ctx, {
        orderId: orderOf(resourceIds, action),
        patch: action.patch,
        mayChangePayment: true,
      })
      return resourceIds
    case 'shipment':
      await updateShipment(ctx, { id: resourceIds.shipmentId, patch: action.patch })
      return resourceIds
    case 'claim': {
      const body = { order_id: orderOf(resourceIds, { index: 0 }), ...action.body }
      await upsertClaim(ctx, { id: resourceIds.claimId, body })
      return resourceIds
    }
    case 'rating':
    case 'second_rating':
    case 'reply':
      return rate(context, action)
    case 'message':
    case 'option':
      await write(context, action)
      return resourceIds
    default:
      throw new Error(`unknown action of ${key}: ${action satisfies never}`)
  }
}

function saveListing(ctx: Context, listing: Listing): Promise<unknown> {
  const { catalog } = ctx.catalog.served
  const at = ctx.now()
  const { factors } = ctx.config.search
  return ctx.db.transaction((tx) => commitListing(tx, { listing, at, catalog, factors }))
}

async function askQuestion(
  { ctx, playing }: ActionContext,
  { itemId, text }: ActionOf<'question'>,
): Promise<number> {
  const { id } = await submitQuestion(ctx, { itemId, fromId: playing.sale.buyerId, text })
  return id
}

async function answerQuestion(
  { ctx, playing, resourceIds }: ActionContext,
  { text }: ActionOf<'answer'>,
): Promise<SaleResourceIds> {
  const { questionId: id } = resourceIds
  if (id !== undefined) await submitAnswer(ctx, { id, userId: playing.sale.sellerId, text })
  return resourceIds
}

async function checkOut(
  { ctx, playing, resourceIds, key }: ActionContext,
  { index, checkout }: ActionOf<'order'>,
): Promise<SaleResourceIds> {
  const { shipping, pack_id: packId, ...rest } = checkout
  const withIds: Checkout = {
    ...rest,
    ...(packId == null ? {} : { pack_id: resourceIds.packId }),
    ...(shipping ? { shipping: { ...shipping, id: resourceIds.shipmentId } } : {}),
  }
  const { id } = await createOrder(ctx, { checkout: withIds, key })
  ctx.log.debug({ simulation: playing.simulationId, order: id }, 'a simulated sale')
  return { ...resourceIds, orders: { ...resourceIds.orders, [index]: id } }
}

/** Restocks the listings of a checkout. Returns undefined if one of them does not exist. */
async function restock(
  { ctx }: ActionContext,
  { checkout }: ActionOf<'order'>,
): Promise<readonly SimulationCount[] | undefined> {
  const reserve = 100
  for (const { item_id, quantity } of checkout.lines) {
    const listing = await findListing(ctx.db, item_id)
    if (!listing) return undefined
    const stock = listing.stock.map((variation) => ({
      ...variation,
      availableQuantity:
        variation.availableQuantity < quantity ? quantity + reserve : variation.availableQuantity,
    }))
    await saveListing(ctx, { ...listing, stock })
  }
  return ['restocked', 'orders']
}

async function pay(
  { ctx, resourceIds, key }: ActionContext,
  { index, paymentIndex, news }: ActionOf<'payment'>,
): Promise<SaleResourceIds> {
  const id = resourceIds.payments[`${index}/${paymentIndex}`]
  const payment = { ...news, ...(id === undefined ? {} : { id }) } as PaymentBody
  const orderId = orderOf(resourceIds, { index })
  const { paymentId } = await recordPayment(ctx, { orderId, payment, key })
  return {
    ...resourceIds,
    payments: { ...resourceIds.payments, [`${index}/${paymentIndex}`]: paymentId },
  }
}

/** Gives, changes or answers a rating of an order. `role` is that of the author. */
async function rate(
  { ctx, playing, resourceIds }: ActionContext,
  action: ActionOf<'rating' | 'second_rating' | 'reply'>,
): Promise<SaleResourceIds> {
  const { sellerId, buyerId } = playing.sale
  const [author, other] = action.role === 'sale' ? [sellerId, buyerId] : [buyerId, sellerId]
  const ratingKey = `${action.index}/${action.role}`
  const id = resourceIds.ratings[ratingKey]
  if (action.kind === 'rating') {
    const orderId = orderOf(resourceIds, action)
    const ratingId = await rateOrder(ctx, {
      orderId,
      caller: callerOf(author),
      body: action.rating,
    })
    return { ...resourceIds, ratings: { ...resourceIds.ratings, [ratingKey]: ratingId } }
  }
  if (id === undefined) throw new Failure('feedback_not_found')
  if (action.kind === 'reply')
    await replyToFeedback(ctx, { id, userId: other, reply: action.reply })
  else await updateFeedback(ctx, { id, userId: author, changes: action.rating })
  return resourceIds
}

/** Sends a message of a scenario, or an option of the action guide with its first template. */
async function write(
  { ctx, playing: { sale }, resourceIds }: ActionContext,
  action: ActionOf<'message' | 'option'>,
): Promise<void> {
  const { sellerId, buyerId, site } = sale
  // Several orders of a pack share its conversation.
  const packId =
    Object.keys(resourceIds.orders).length > 1
      ? resourceIds.packId
      : orderOf(resourceIds, { index: 0 })
  const conversation = { packId, sellerId }
  if (action.kind === 'option') {
    const [template] = templatesOf(action.option, site)
    const content =
      optionRuleOf(action.option).type === 'free_text'
        ? { text: action.text }
        : { template_id: template?.id ?? null }
    const option = { option_id: action.option, ...content }
    await sendOption(ctx, { key: conversation, input: option, caller: callerOf(sellerId) })
    return
  }
  const [fromId, toId] = action.by === 'seller' ? [sellerId, buyerId] : [buyerId, sellerId]
  const message = { fromId, toId, text: action.text, attachmentIds: [] }
  await sendMessage(ctx, { key: conversation, input: message, caller: callerOf(fromId) })
}

/** Returns a user of the marketplace's own pages, without an application. */
function callerOf(userId: number): Caller {
  return { userId, applicationId: null, scopes: tokenScopes }
}

function orderOf({ orders }: SaleResourceIds, { index }: { index: number }): number {
  const id = orders[index]
  if (id === undefined) throw new Failure('order_not_found')
  return id
}
