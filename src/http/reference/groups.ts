import type { FailureCode } from '../../kernel/failure.ts'

/** A group of operations in the reference. */
export interface Group {
  description: string
  /** Errors of the group, besides those that every operation has. */
  refuses: readonly FailureCode[]
}

/** The errors of sending a message, which have an error body of their own. */
export const refusesSending: readonly FailureCode[] = [
  'from_required',
  'sender_denied',
  'receiver_denied',
  'conversation_blocked',
  'guide_required',
  'unsupported_text',
  'message_too_long',
]

/** The groups of the reference, by the `tag` of their operations. */
export const groups: Readonly<Record<string, Group>> = {
  Orders: {
    description: 'Read and search orders, with their payments, discounts, notes and packs.',
    refuses: ['order_not_found', 'invalid_order_id', 'not_owned_order'],
  },
  Shipments: {
    description: 'Read the shipments of orders and their history.',
    refuses: ['not_found_shipping_id'],
  },
  Feedback: {
    description: 'Rate orders and reply to ratings.',
    refuses: ['feedback_not_found', 'invalid_fulfilled', 'reply_time_expired'],
  },
  Claims: { description: 'Read claims about orders.', refuses: ['not_found'] },
  Messages: {
    description: 'Read and send messages between seller and buyer after a sale.',
    refuses: ['message_denied', 'unknown_message', 'invalid_limit', 'not_found'],
  },
  'Action guide': {
    description: 'Begin a conversation with a buyer by one of the allowed options.',
    refuses: ['pack_denied', 'blocked_by_excepted_case', 'invalid_option', 'option_used_up'],
  },
  Items: {
    description: 'List, change, find and read items on sale.',
    refuses: ['not_found', 'validation_error', 'not_owned_item'],
  },
  Questions: {
    description: 'Ask and answer questions about items.',
    refuses: ['not_found', 'not_unanswered_question', 'not_owned_question'],
  },
  'Sites and categories': {
    description: 'Read the catalog: sites, categories, attributes and category predictions.',
    refuses: ['not_found'],
  },
  Currencies: { description: 'Read currencies and conversion rates.', refuses: ['not_found'] },
  'Signing in': {
    description: 'The pages on which a user signs in and authorizes applications.',
    refuses: [],
  },
  Tokens: {
    description: 'Get and revoke access tokens with OAuth 2.0.',
    refuses: ['invalid_grant', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
  },
  'Users and applications': {
    description:
      'Read users, manage the applications that they have authorized, create test users.',
    refuses: ['not_found', 'test_users_exhausted'],
  },
  'Your applications': {
    description: 'Create and manage the applications that you own.',
    refuses: ['applications_exhausted'],
  },
  Notifications: {
    description: 'Read, explain, retry and replay the notifications of an application.',
    refuses: ['feed_without_application', 'no_callback', 'replay_ended'],
  },
  'Notifications: listening': {
    description: 'Receive notifications without a callback URL.',
    refuses: ['not_found'],
  },
  'Operator: deliveries': {
    description: 'Inspect and control the delivery of notifications.',
    refuses: ['not_found'],
  },
  'Operator: users and applications': {
    description: 'Create and manage users, applications, authorizations and tokens.',
    refuses: ['not_found'],
  },
  'Operator: listings': { description: 'Manage listings.', refuses: ['not_found'] },
  'Operator: questions': { description: 'Manage questions.', refuses: ['not_found'] },
  'Operator: invoices': { description: 'Manage invoices.', refuses: ['not_found'] },
  'Operator: orders': {
    description: 'Create orders, move them through their states and follow their history.',
    refuses: ['order_not_found', 'status_not_reachable', 'stock_exhausted', 'id_taken'],
  },
  'Operator: shipments': {
    description: 'Move shipments through their states.',
    refuses: ['not_found'],
  },
  'Operator: claims': { description: 'Open and move claims.', refuses: ['not_found'] },
  'Operator: messages': {
    description: 'Read conversations and act on them.',
    refuses: ['not_found'],
  },
  'Operator: moderation': {
    description: 'Manage the words that messages may not contain.',
    refuses: ['not_found'],
  },
  'Operator: currencies': { description: 'Set conversion rates.', refuses: ['not_found'] },
  'Operator: catalog': {
    description: 'Import, check and switch versions of the catalog.',
    refuses: ['not_found'],
  },
  'Operator: import': {
    description: 'Import users, listings and orders from another system.',
    refuses: [],
  },
  'Operator: sandbox': {
    description: 'Move time, trigger events and simulate faults. Only in a sandbox.',
    refuses: ['sandbox_only'],
  },
  Health: { description: 'Check the service and read its metrics.', refuses: [] },
}

/** Returns the group of a tag. A test keeps the list complete. */
export const groupOf = (tag: string): Group => groups[tag] ?? { description: '', refuses: [] }
