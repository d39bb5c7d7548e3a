import { accessChecks } from './access.ts'
import { catalogChecks } from './catalog.ts'
import type { ConformCheck } from './check.ts'
import { feedChecks } from './feed.ts'
import { guideChecks } from './guide.ts'
import { messageChecks } from './messages.ts'
import { orderSearchChecks } from './order-search.ts'
import { orderChecks } from './orders.ts'
import { otherResourceChecks } from './other-resources.ts'
import { requestChecks } from './requests.ts'

/** All checks. */
export const checks: readonly ConformCheck[] = [
  ...guideChecks,
  ...messageChecks,
  ...orderChecks,
  ...orderSearchChecks,
  ...catalogChecks,
  ...feedChecks,
  ...otherResourceChecks,
  ...accessChecks,
  ...requestChecks,
]

/** Titles of the sections of the contract. */
const titles: Readonly<Record<string, string>> = {
  '2.1': 'Site',
  '2.2': 'Order',
  '2.3': 'Order item',
  '2.4': 'Payment',
  '2.5': 'Order search result',
  '2.6': 'Order products',
  '2.7': 'Order discounts',
  '2.8': 'Currency conversion',
  '2.9': 'Action-guide option',
  '2.11': 'Message, legacy format',
  '2.12': 'Conversation and paging',
  '2.13': 'Category',
  '2.14': 'Category attribute',
  '2.15': 'Domain discovery',
  '2.16': 'Top value',
  '3.2': 'Message status',
  '3.3': 'Conversation and allowance',
  '4.1': 'Action guide',
  '4.2': 'Messages',
  '4.3': 'Orders',
  '4.4': 'Sites and categories',
  '4.5': 'Notification feed',
  '4.6': 'Other resources',
  '5.1': 'Public resources',
  '5.2': 'Private resources',
  '5.3': 'Access to an order',
  '5.4': 'The application of a token',
  '6.1': 'Payload',
  '6.2': 'Topics',
  '7.1': 'Refusals of the action guide',
  '7.2': 'Refusals of reading messages',
  '7.3': 'Refusals of creating messages',
  '7.4': 'Refusals of attachments',
  '7.5': 'Refusals of orders',
  '8': 'Limits',
  '9': 'Versioning',
  '10': 'Requests of existing clients',
}

export const titleOf = (section: string): string => titles[section] ?? ''
