import type { SiteId } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import { readAllStoredExamples, readLastSellerId } from './store.ts'

/** Titles per statement. */
const pageSize = 2_000
/** Pages from the first seller on. A table that they do not exhaust is sampled from there on. */
const firstPages = 25
/** Pages that begin at evenly spaced sellers after those. */
const sampledPages = 25

/** Passes titles of the training examples of a site to `take`, page by page, and returns their number. It reads at most
 * 100,000 titles, of sellers from all parts of a larger table. */
export async function collectTitles(
  db: Db,
  siteId: SiteId,
  take: (titles: readonly string[]) => Promise<void>,
): Promise<number> {
  let count = 0
  const readPage = async (after: { sellerId: number; itemId: string }) => {
    const page = await readAllStoredExamples(db, { after, limit: pageSize })
    const titles = page.flatMap((example) => (example.siteId === siteId ? [example.title] : []))
    count += titles.length
    await take(titles)
    return page
  }
  let after = { sellerId: 0, itemId: '' }
  for (let n = 0; n < firstPages; n++) {
    const page = await readPage(after)
    if (page.length < pageSize) return count
    after = page.at(-1) ?? after
  }
  const lastSellerId = await readLastSellerId(db)
  const step = (lastSellerId - after.sellerId) / sampledPages
  for (let n = 0; n < sampledPages; n++) {
    await readPage(
      n === 0 ? after : { sellerId: Math.floor(after.sellerId + n * step), itemId: '' },
    )
  }
  return count
}
