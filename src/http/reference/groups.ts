import type { FailureCode } from '../../kernel/failure.ts'

/** Where the operations of one group stand in the contract, and how they refuse. */
export interface Group {
  /** A sentence: which sections, or that the contract leaves it open. */
  section: string
  /** Refusals of its own, besides those that every operation has. */
  refuses: readonly FailureCode[]
}

/** How creating a message is refused, in a body of its own (contract 7.3). */
export const refusesSending: readonly FailureCode[] = [
  ...(['from_required', 'sender_denied', 'receiver_denied', 'conversation_blocked'] as const),
  ...(['guide_required', 'unsupported_text', 'message_too_long'] as const),
]

const open = 'The contract names it and leaves it open (4.6).'
const own = 'Feria’s own: the contract leaves it to the operator.'
const ofOperator: Group = { section: own, refuses: ['not_found'] }

/** Every group of the reference page. */
export const groups: Readonly<Record<string, Group>> = {
  Orders: {
    section: 'Contract 2.2 to 2.8, 4.3, 7.5.',
    refuses: ['order_not_found', 'invalid_order_id', 'not_owned_order'],
  },
  Shipments: { section: 'Contract 4.3, 6.2.', refuses: ['not_found_shipping_id'] },
  Feedback: {
    section: `Contract 2.2, 7.5, 8. ${open}`,
    refuses: ['feedback_not_found', 'invalid_fulfilled', 'reply_time_expired'],
  },
  Claims: { section: 'Contract 6.2.', refuses: ['not_found'] },
  Messages: {
    section: 'Contract 2.10 to 2.12, 4.2, 7.2 to 7.4.',
    refuses: ['message_denied', 'unknown_message', 'invalid_limit', 'not_found'],
  },
  'Action guide': {
    section: 'Contract 2.9, 3.3, 4.1, 7.1.',
    refuses: ['pack_denied', 'blocked_by_excepted_case', 'invalid_option', 'option_used_up'],
  },
  Items: {
    section: `Contract 6.2, 8. ${open}`,
    refuses: ['not_found', 'validation_error', 'not_owned_item'],
  },
  Questions: {
    section: `Contract 6.2. ${open}`,
    refuses: ['not_found', 'not_unanswered_question', 'not_owned_question'],
  },
  'Sites and categories': { section: 'Contract 2.13 to 2.16, 4.4.', refuses: ['not_found'] },
  Currencies: { section: 'Contract 2.8, 4.3.', refuses: ['not_found'] },
  'Signing in': { section: 'The contract leaves it open (5.5).', refuses: [] },
  Tokens: {
    section: 'The contract leaves it open (5.5).',
    refuses: ['invalid_grant', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
  },
  'Users and applications': {
    section: 'The contract leaves it open (4.6, 5.5).',
    refuses: ['not_found', 'test_users_exhausted'],
  },
  'Applications of one’s own': {
    section: 'Feria’s own: the contract leaves it to the operator.',
    refuses: ['applications_exhausted'],
  },
  Notifications: {
    section: 'Contract 4.5, 6.',
    refuses: ['feed_without_application', 'no_callback', 'replay_ended'],
  },
  'Notifications: listening': {
    section: 'Feria’s own: the contract sends to callbacks only (6).',
    refuses: ['not_found'],
  },
  'Operator: deliveries': ofOperator,
  'Operator: users and applications': ofOperator,
  'Operator: listings': ofOperator,
  'Operator: questions': ofOperator,
  'Operator: invoices': ofOperator,
  'Operator: orders': {
    section: `${own} The order follows 2.2, 3.1.`,
    refuses: ['order_not_found', 'status_not_reachable', 'stock_exhausted', 'id_taken'],
  },
  'Operator: shipments': ofOperator,
  'Operator: claims': ofOperator,
  'Operator: messages': ofOperator,
  'Operator: moderation': ofOperator,
  'Operator: currencies': ofOperator,
  'Operator: catalogue': ofOperator,
  'Operator: import': { section: own, refuses: [] },
  'Operator: sandbox': { section: own, refuses: ['sandbox_only'] },
  Health: { section: 'Feria’s own: not in the contract.', refuses: [] },
}

/** Where a group that is not listed yet stands; a test holds the list complete. */
export const groupOf = (tag: string): Group => groups[tag] ?? { section: '', refuses: [] }
