/**
 * The closed lists of the interface, as far as pages go by them. The console imports nothing of the program,
 * so these are copies: test/lists.test.ts holds each of them equal to the program's own.
 */

/** Topics of notifications. */
export const topics = [
  'items',
  'orders',
  'created_orders',
  'orders_v2',
  'questions',
  'payments',
  'pictures',
  'messages',
  'shipments',
  'quotations',
  'invoices',
  'claims',
] as const

/** How an attempt to notify an application ended. */
export const attemptOutcomes = [
  'accepted',
  'not_200',
  'timeout',
  'unreachable',
  'refused_address',
] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** What a token lets its bearer do. */
export const tokenScopes = ['read', 'write'] as const

/** What a user may grant beside that. */
export const grantScopes = ['offline_access'] as const

/** What an application may ask a user for. */
export const clientScopes = [...grantScopes, ...tokenScopes] as const

export const orderStatuses = [
  'payment_required',
  'confirmed',
  'payment_in_process',
  'partially_paid',
  'paid',
  'partially_refunded',
  'pending_cancel',
  'cancelled',
  'manually_cancelled',
  'invalid',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const paymentStatuses = [
  'pending',
  'authorized',
  'in_process',
  'in_mediation',
  'approved',
  'rejected',
  'cancelled',
  'refunded',
  'charged_back',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const shipmentStatuses = [
  'to_be_agreed',
  'pending',
  'handling',
  'ready_to_ship',
  'shipped',
  'not_delivered',
  'delivered',
  'cancelled',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export const userStatuses = ['active', 'deactivated'] as const
export type UserStatus = (typeof userStatuses)[number]

export const queueStates = ['open', 'paused', 'disabled'] as const
export type QueueState = (typeof queueStates)[number]

/** What may happen to the deliveries of an application as a whole. */
export const noteKinds = ['disabled', 'paused', 'resumed'] as const

/** How deliveries go on after a stop. */
export const resumeModes = ['catch_up', 'latest', 'skip'] as const

export const replayStates = ['waiting', 'running', 'paused', 'finished', 'cancelled'] as const
export type ReplayState = (typeof replayStates)[number]

export const simulationStates = ['running', 'finishing', 'finished', 'stopped'] as const
export type SimulationState = (typeof simulationStates)[number]

/** Reasons for which the operator's own terms may hold a message. Copies are detected without a term. */
export const termReasons = [
  'OUT_OF_PLACE_LANGUAGE',
  'SOCIAL_NETWORK_LINK',
  'LINK_SHORT_URL',
  'PERSONAL_DATA',
  'LINK_PLATFORMPAY',
  'PLATFORM_LINKS_EXTERNALPAY',
  'EVASION_CLAIM_SELLER',
] as const

export const termKinds = ['word', 'domain', 'allowed_word', 'allowed_domain'] as const

/** The parts of an order that an answer may lack. */
export const orderParts = ['buyer', 'feedback', 'mediations', 'seller', 'shipping'] as const

/** What the sandbox may do to answers. */
export const answerFaultKinds = ['slow', 'reset', 'conflict', 'limit', 'failure', 'parts'] as const

/** What the sandbox may do to deliveries. */
export const receiverFaultKinds = [
  'delay',
  'reorder',
  'drop',
  'status',
  'timeout',
  'duplicate',
] as const
