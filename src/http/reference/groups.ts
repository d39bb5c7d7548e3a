/** A group of operations in the reference. */
export interface Group {
  description: string
}

/** The groups of the reference, by the `tag` of their operations. */
export const groups: Readonly<Record<string, Group>> = {
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
    description: 'Read and send messages between seller and buyer after a sale.',
  },
  'Action guide': {
    description: 'Begin a conversation with a buyer by one of the allowed options.',
  },
  Items: {
    description: 'List, change, find and read items on sale.',
  },
  Questions: {
    description: 'Ask and answer questions about items.',
  },
  'Sites and categories': {
    description: 'Read the catalog: sites, categories, attributes and category predictions.',
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
    description: 'Create and manage the applications that you own.',
  },
  Notifications: {
    description: 'Read, explain, retry and replay the notifications of an application.',
  },
  'Notifications: listening': {
    description: 'Receive notifications without a callback URL.',
  },
  'Operator: deliveries': {
    description: 'Inspect and control the delivery of notifications.',
  },
  'Operator: users and applications': {
    description: 'Create and manage users, applications, authorizations and tokens.',
  },
  'Operator: listings': { description: 'Manage listings.' },
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
    description: 'Import, check and switch versions of the catalog.',
  },
  'Operator: import': {
    description: 'Import users, listings and orders from another system.',
  },
  'Operator: sandbox': {
    description: 'Move time, trigger events and simulate faults. Only in a sandbox.',
  },
  Health: { description: 'Check the service and read its metrics.' },
}

/** Returns the group of a tag. A test keeps the list complete. */
export const groupOf = (tag: string): Group => groups[tag] ?? { description: '' }
