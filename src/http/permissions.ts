/**
 * The permissions of operators, each with what it allows. Each operation of the operator requires one of them
 * (`Route.permission`), and a role is a set of them.
 */
export const permissionDescriptions = {
  'orders:read': 'Read orders and shipments',
  'orders:write':
    'Create orders with all their amounts, change and cancel them, and change shipments. Later, what was paid takes finance:write too',
  'finance:read': 'Read reports of sales and refunds, and currency rates',
  'finance:write':
    'Record payments and invoices, and set currency rates. With orders:write, also change taxes of orders and set statuses that say what was paid',
  'claims:read': 'Read claims',
  'claims:write': 'Open and change claims',
  'messages:read': 'Read conversations and their files',
  'messages:write': 'Block and open conversations',
  'questions:read': 'Read questions',
  'questions:write': 'Change and delete questions',
  'moderation:read':
    'Read rules, terms and decisions of moderation, with the contact data that was found in texts',
  'moderation:write': 'Change rules and terms of moderation, and release messages',
  'listings:read': 'Read listings and how the search ranks them',
  'listings:write': 'Create and change listings, their pictures and quotations',
  'catalog:read': 'Read catalog versions and synonyms',
  'catalog:write': 'Import and activate catalog versions, and change synonyms',
  'users:read': 'Read users',
  'users:write': 'Create and change users, and end their authorizations and tokens',
  'exports:download':
    'Download orders, payments, shipments and claims whole, with the persons in them',
  'personal-data:export': 'Export everything about a user, all users and all messages',
  'personal-data:erase': 'Erase the personal data of users',
  'users:credentials':
    'Set passwords of users, issue their tokens and authorize applications for them',
  'applications:read': 'Read applications and their grants',
  'applications:write': 'Create and change applications and their secrets',
  'deliveries:read': 'Read notifications and delivery queues',
  'deliveries:write': 'Change delivery queues, and retry and replay notifications',
  'imports:write': 'Import history',
  'jobs:read': 'Read jobs. Their files take the permission of the same work too',
  'jobs:write': 'Start, cancel and retry jobs. Each takes the permission of the same work too',
  'metrics:read': 'Read metrics',
  'audit:read': 'Read and export the audit log',
  'accounts:manage': 'Manage accounts and roles of operators, and switch the operator token',
  'keys:manage': 'Create, rotate and revoke API keys',
  'sandbox:read': 'Read the state of a sandbox',
  'sandbox:write': 'Change the clock, the faults and the data of a sandbox',
} as const

export type OperatorPermission = keyof typeof permissionDescriptions

/** All permissions, in the order of the documentation. */
export const operatorPermissions = Object.keys(permissionDescriptions) as OperatorPermission[]

export function isOperatorPermission(text: string): text is OperatorPermission {
  return Object.hasOwn(permissionDescriptions, text)
}
