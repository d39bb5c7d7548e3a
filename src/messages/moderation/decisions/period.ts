import { Type } from 'typebox'
import { dayMs, parseTimestamp } from '../../../kernel/clock.ts'
import { badField } from '../../../kernel/failure.ts'
import { Site, Timestamp } from '../../../kernel/schema.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import type { DecisionPeriod } from './store.ts'

const defaultDays = 30

/** Query parameters of a site and a period. */
export const periodQuery = {
  site_id: Type.Optional({ ...Site, description: 'Only messages of this site. Default: all.' }),
  from: Type.Optional({
    ...Timestamp,
    description: `Messages sent at this time or later. Default: ${defaultDays} days before \`to\`.`,
  }),
  to: Type.Optional({ ...Timestamp, description: 'Messages sent before this time. Default: now.' }),
}

/** Returns the period of a request. Throws `bad_request` when it ends before it begins. */
export function periodOf(
  query: {
    site_id?: SiteId | undefined
    from?: string | undefined
    to?: string | undefined
  },
  now: Date,
): DecisionPeriod {
  // A message of this very millisecond counts.
  const to = parseTimestamp(query.to ?? '') ?? new Date(now.getTime() + 1)
  const from = parseTimestamp(query.from ?? '') ?? new Date(to.getTime() - defaultDays * dayMs)
  if (from > to) throw badField('from', 'a time before `to`')
  return { siteId: query.site_id ?? null, from, to }
}
