/** A group of operations in the reference. */
export interface OperationGroup {
  description: string
}

/** The groups of the reference, by the `tag` of their operations. */
export const groups: Readonly<Record<string, OperationGroup>> = {
  Orders: {
    description: 'Read and search orders, with their payments, discounts, notes and packs.',
  },
  Shipments: {
    description: 'Read the shipments of orders and their history.',
  },
  Feedback: {
    description: 'Rate orders and reply to ratings.',
  },
  Claims: { description: 'Read claims about orders.' },
  Messages: {
    description:
      'Read and send messages between seller and buyer after a sale. They write about a pack: the orders of one checkout that are shipped together.',
  },
  'Action guide': {
    description:
      'Begin a conversation with a buyer by one of the allowed options. An option has templates, or is a free-text option, whose text the seller writes.',
  },
  Items: {
    description: 'List, change, find and read items on sale.',
  },
  Questions: {
    description: 'Ask and answer questions about items.',
  },
  'Sites and categories': {
    description:
      'Read the catalog: country sites, categories, attributes and category predictions. A domain is the product type of a category.',
  },
  Currencies: { description: 'Read currencies and conversion rates.' },
  'Signing in': {
    description: 'The pages on which a user signs in and authorizes applications.',
  },
  Tokens: {
    description: 'Get and revoke access tokens with OAuth 2.0.',
  },
  'Users and applications': {
    description:
      'Read users, manage the applications that they have authorized, create test users.',
  },
  'Your applications': {
    description:
      'Create and manage the applications that you own. Use a token that names no application: one that the operator issued without `application_id`, or one of the console.',
  },
  Notifications: {
    description:
      'Read, explain, retry and replay the notifications of an application. The feed lists them, the delivery queue sends them, and a replay sends those of a time span again.',
  },
  'Notifications: listening': {
    description:
      'Receive notifications without a callback URL. A listener asks for them by name, and its cursor is the sequence number up to which it has acknowledged.',
  },
  'Operator: deliveries': {
    description:
      'Inspect and control the delivery of notifications. The delivery queue of an application sends them in order, and a replay sends those of a time span again.',
  },
  'Operator: users and applications': {
    description: 'Create and manage users, applications, authorizations and tokens.',
  },
  'Operator: personal data': {
    description: 'Export the personal data of a user, and erase it.',
  },
  'Operator: listings': { description: 'Manage listings.' },
  'Operator: jobs': {
    description:
      'Start long work and follow it: changes of many listings, and filing anew. A job does its work step by step in the background, survives restarts and can be cancelled.',
  },
  'Operator: questions': { description: 'Manage questions.' },
  'Operator: invoices': { description: 'Manage invoices.' },
  'Operator: orders': {
    description: 'Create orders, move them through their states and follow their history.',
  },
  'Operator: shipments': {
    description: 'Move shipments through their states.',
  },
  'Operator: claims': { description: 'Open and move claims.' },
  'Operator: messages': {
    description: 'Read conversations and act on them.',
  },
  'Operator: moderation': {
    description: 'Manage the words that messages may not contain.',
  },
  'Operator: currencies': { description: 'Set conversion rates.' },
  'Operator: catalog': {
    description: 'Import, check and switch versions of the catalog, with aliases of categories.',
  },
  'Operator: import': {
    description: 'Import users, listings and orders from another system.',
  },
  'Operator: audit log': {
    description: 'Read and export what operators changed, when and why.',
  },
  'Operator: exports': {
    description: 'Download orders, payments, listings and others whole, and read reports.',
  },
  'Operator: sandbox': {
    description:
      'Move time, trigger events and simulate faults. Only in a sandbox. A snapshot is a saved sandbox.',
  },
  'Operator: accounts': {
    description:
      'Sign in as an operator, and manage accounts, roles, sessions and API keys. A role is a set of permissions, and each operation of the operator takes one of them.',
  },
  Health: { description: 'Check the service and read its metrics.' },
}

/** Returns the group of a tag. A test keeps the list complete. */
export const groupOf = (tag: string): OperationGroup => groups[tag] ?? { description: '' }
