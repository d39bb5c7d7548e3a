import { everyRule, requireSite, type SiteRule, siteInQuery, siteRule } from '../http/site-rule.ts'
import { parseId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import { findItemSite } from '../listings/store-read.ts'
import { findMessageSite } from '../messages/site-rules.ts'
import { findClaimById, findShipmentById, findSiteOfOrder } from '../orders/site-rules.ts'
import { paymentOwners } from '../orders/store.ts'
import type { Db } from '../platform/database/database.ts'
import { unknownEntry } from './run.ts'

/** Returns the rule for an export of one site that goes on after an entry of it. `findSite` finds the site of an entry by
 * its id. */
function exportRule(findSite: (db: Db, id: string) => Promise<SiteId | undefined>): SiteRule {
  const afterEntry = siteRule<{ query: { after?: string } }>(
    'entry after',
    async ({ ctx: { db }, query: { after }, sites }) => {
      if (after !== undefined) requireSite(sites, await findSite(db, after), unknownEntry())
    },
  )
  return everyRule(siteInQuery, afterEntry)
}

/** Finds the site of an entry whose id is a number. */
const byNumber =
  (findSite: (db: Db, id: number) => Promise<SiteId | undefined>) =>
  async (db: Db, text: string): Promise<SiteId | undefined> => {
    const id = parseId(text)
    return id === undefined ? undefined : findSite(db, id)
  }

export const siteOfOrderExport = exportRule(byNumber(findSiteOfOrder))
export const siteOfPaymentExport = exportRule(
  byNumber(async (db, id) => {
    const owner = await paymentOwners.find(db, id)
    return owner && findSiteOfOrder(db, owner.orderId)
  }),
)
export const siteOfShipmentExport = exportRule(
  byNumber(async (db, id) => (await findShipmentById(db, id))?.siteId),
)
export const siteOfClaimExport = exportRule(
  byNumber(async (db, id) => (await findClaimById(db, id))?.siteId),
)
export const siteOfListingExport = exportRule(findItemSite)
export const siteOfMessageExport = exportRule(findMessageSite)
