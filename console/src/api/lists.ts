import type {
  Application,
  DeliveryQueue,
  FeedEntry,
  QueryOf,
  Replay,
  RequestBody,
  ResponseBody,
} from './types.ts'

/**
 * The closed lists of the interface, as far as pages go by them. The console imports nothing of the program but the
 * types of its interface, so these are copies. A list that lacks a value, or has one more, does not compile;
 * test/lists.test.ts holds the order of the values, too.
 */
type ValueOf<List extends AllOf<Union, List>, Union extends string> = List[number] & Union
type AllOf<Union extends string, List extends readonly string[]> = [Union] extends [List[number]]
  ? readonly Union[]
  : readonly Exclude<Union, List[number]>[]

type OrderSearchParameter = keyof QueryOf<'/operator/orders/search'>

/** Filters of the order search for which an answer lists the values with their counts. */
export const orderFilters = [
  'order.status',
  'shipping.status',
  'feedback.sale.rating',
  'feedback.purchase.rating',
  'feedback.sale.fulfilled',
  'feedback.purchase.fulfilled',
  'shipping.service_id',
  'shipping.substatus',
  'feedback.status',
  'tags',
  'mediations.stage',
  'mediations.status',
] as const
/** Parameters that are no such filter: the form has a field of their own for each. */
type OtherParameter =
  | 'seller'
  | 'buyer'
  | 'q'
  | 'item'
  | 'tags.not'
  | `order.date_${string}`
  | 'sort'
  | 'limit'
  | 'offset'
  | 'search_type'
  | 'scroll_id'
  | 'display'
export type OrderFilter = ValueOf<
  typeof orderFilters,
  Exclude<OrderSearchParameter, OtherParameter>
>

/** Dates that the order search filters by, each with `.from` and `.to`. */
export const orderDateFilters = [
  'order.date_created',
  'order.date_closed',
  'order.date_last_updated',
] as const
type DateFilterOf<Parameter> = Parameter extends `${infer Name}.from` ? Name : never
export type OrderDateFilter = ValueOf<typeof orderDateFilters, DateFilterOf<OrderSearchParameter>>

export const orderSorts = [
  'date_asc',
  'date_desc',
  'last_updated_asc',
  'last_updated_desc',
  'total_asc',
  'total_desc',
] as const

type Order = ResponseBody<'/operator/orders/{order_id}', 'get'>

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
export type Topic = ValueOf<typeof topics, Application['topics'][number]>

/** How an attempt to notify an application ended. */
export const attemptOutcomes = [
  'accepted',
  'not_200',
  'timeout',
  'unreachable',
  'refused_address',
] as const
export type AttemptOutcome = ValueOf<typeof attemptOutcomes, FeedEntry['outcome']>

/** What a token lets its bearer do. */
export const tokenScopes = ['read', 'write'] as const
export type TokenScope = ValueOf<
  typeof tokenScopes,
  NonNullable<RequestBody<'/operator/tokens', 'post'>['scopes']>[number]
>

/** What a user may grant beside that. */
export const grantScopes = ['offline_access'] as const

/** What an application may ask a user for. */
export const clientScopes = [...grantScopes, ...tokenScopes] as const
export type ClientScope = ValueOf<typeof clientScopes, Application['scopes'][number]>

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
export type OrderStatus = ValueOf<typeof orderStatuses, Order['status']>

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
export type PaymentStatus = ValueOf<typeof paymentStatuses, Order['payments'][number]['status']>

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
export type ShipmentStatus = ValueOf<
  typeof shipmentStatuses,
  NonNullable<Order['shipping']['status']>
>

export const userStatuses = ['active', 'deactivated'] as const
export type UserStatus = ValueOf<
  typeof userStatuses,
  ResponseBody<'/operator/users/{id}', 'get'>['status']
>

export const accountStatuses = ['invited', 'active', 'disabled'] as const
export type AccountStatus = ValueOf<
  typeof accountStatuses,
  ResponseBody<'/operator/accounts/{id}', 'get'>['status']
>

export const queueStates = ['open', 'paused', 'disabled'] as const
export type QueueState = ValueOf<typeof queueStates, DeliveryQueue['state']>

/** What may happen to the deliveries of an application as a whole. */
export const noteKinds = ['disabled', 'paused', 'resumed'] as const
export type NoteKind = ValueOf<typeof noteKinds, DeliveryQueue['notes'][number]['kind']>

/** How deliveries go on after a stop. */
export const resumeModes = ['catch_up', 'latest', 'skip'] as const
export type ResumeMode = ValueOf<
  typeof resumeModes,
  NonNullable<RequestBody<'/operator/applications/{application_id}/queue', 'patch'>['resume']>
>

export const replayStates = ['waiting', 'running', 'paused', 'finished', 'cancelled'] as const
export type ReplayState = ValueOf<typeof replayStates, Replay['state']>

export const simulationStates = ['running', 'finishing', 'finished', 'stopped'] as const
export type SimulationState = ValueOf<
  typeof simulationStates,
  ResponseBody<'/operator/sandbox/simulations/{simulation_id}', 'get'>['state']
>

/** What a job can export. */
export const exportedNames = [
  'orders',
  'payments',
  'shipments',
  'listings',
  'users',
  'claims',
  'messages',
  'audit_log',
] as const
export type ExportedName = (typeof exportedNames)[number]

export const jobStates = ['waiting', 'running', 'finished', 'failed', 'cancelled'] as const
export type JobState = ValueOf<
  typeof jobStates,
  ResponseBody<'/operator/jobs/{id}', 'get'>['state']
>

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
type TermBody = RequestBody<'/operator/moderation/terms', 'post'>
export type TermReason = ValueOf<
  typeof termReasons,
  Exclude<NonNullable<TermBody['reason']>, 'AUTOMATIC_MESSAGE'>
>

export const termKinds = ['word', 'domain', 'allowed_word', 'allowed_domain'] as const
export type TermKind = ValueOf<typeof termKinds, TermBody['kind']>

/** The parts of an order that an answer may lack. */
export const orderParts = ['buyer', 'feedback', 'mediations', 'seller', 'shipping'] as const
export type OrderPart = ValueOf<
  typeof orderParts,
  RequestBody<'/operator/faults', 'put'>['order_parts'][number]
>

/** What the sandbox may do to answers. */
export const answerFaultKinds = ['slow', 'reset', 'conflict', 'limit', 'failure', 'parts'] as const
export type AnswerFaultKind = ValueOf<
  typeof answerFaultKinds,
  RequestBody<'/operator/sandbox/answer-faults/{name}', 'put'>['kind']
>

/** What the sandbox may do to deliveries. */
export const receiverFaultKinds = [
  'delay',
  'reorder',
  'drop',
  'status',
  'timeout',
  'duplicate',
] as const
export type ReceiverFaultKind = ValueOf<
  typeof receiverFaultKinds,
  RequestBody<'/operator/sandbox/receiver-faults', 'put'>['kind']
>
