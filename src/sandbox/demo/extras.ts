import { dayMs, hourMs } from '../../kernel/clock.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { type Listing, listingDefaults, noVariation } from '../../listings/listing.ts'
import type { PictureError } from '../../listings/pictures/store.ts'
import type { Quotation } from '../../listings/quotations/quotation.ts'
import type { Invoice } from '../../orders/invoices/store.ts'
import {
  applyQuestionUpdate,
  createQuestion,
  type Question,
  withAnswer,
} from '../../questions/question.ts'
import { listingsById, mainListingId } from './listings.ts'
import { demoQuestions } from './questions.ts'
import { buyersOf, demoBuyerId, demoSellers } from './users.ts'

/** First ids, below those that Feria issues. */
export const firstDemoQuestionId = 19_900_000_001
export const demoQuotationId = 8_800_000_001
export const demoInvoiceId = 7_700_000_001

/** Demo data besides users, listings and sales. */
export interface DemoExtras {
  /** Real estate, which is not bought in the marketplace. */
  listings: readonly Listing[]
  questions: readonly Question[]
  quotation: DatedRecord<Quotation>
  invoice: DatedRecord<Invoice>
  pictureError: DatedRecord<PictureError>
}

interface DatedRecord<T> {
  record: T
  at: Date
}

/** Returns the first seller of a site. On MLA, that is the demo seller. */
export function firstSellerOf(site: SiteId): number {
  const first = demoSellers.find((seller) => seller.site === site)
  if (!first) throw new Error(`no seller on ${site}`)
  return first.user.id
}

const flat: Listing = {
  ...listingDefaults,
  id: 'MLC100000901',
  sellerId: firstSellerOf('MLC'),
  siteId: 'MLC',
  title: 'Departamento nuevo de 2 dormitorios con terraza, entrega en blanco',
  categoryId: 'MLC30900',
  vertical: 'real_estate',
  currencyId: 'CLP',
  price: '98500000',
  status: 'active',
  condition: 'new',
  listingTypeId: 'gold_special',
  warranty: null,
  sellerCustomField: 'TORRE-B-504',
  sellerSku: null,
  manufacturingDays: null,
  stock: [
    { variationId: noVariation, availableQuantity: 12, attributes: [], sellerSku: 'TORRE-B' },
  ],
}

/** Returns the data. The same time gives the same data. */
export function createDemoExtras(now: Date): DemoExtras {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const listing = listingsById.get(mainListingId)
  const [picture] = listing?.pictures ?? []
  if (!listing || !picture) throw new Error('the main listing has a picture')
  return {
    listings: [flat],
    questions: demoQuestions.map((question, index) => questionOf(question, { index, ago })),
    quotation: { record: quotation(), at: ago(5 * hourMs) },
    invoice: { record: invoice(ago(2 * dayMs)), at: ago(2 * dayMs) },
    pictureError: {
      at: ago(dayMs),
      record: {
        pictureId: picture.id,
        sellerId: listing.sellerId,
        itemId: listing.id,
        source: picture.url,
        message: '{error_code=response_code, meta={responseCode=403, responseMessage=Forbidden}}',
      },
    },
  }
}

/** Returns a question of the demo data, answered or moderated as described. */
function questionOf(
  { item, by, text, answer, status, hoursAgo }: (typeof demoQuestions)[number],
  { index, ago }: { index: number; ago: (ms: number) => Date },
): Question {
  const listing = [...listingsById.values(), flat].find(({ id }) => id === item)
  if (!listing) throw new Error(`there is no listing ${item}`)
  const fromId = by === 'demo buyer' ? demoBuyerId : buyersOf(siteOf(listing))[by]?.user.id
  if (fromId === undefined) throw new Error(`there is no buyer for a question about ${item}`)
  const id = firstDemoQuestionId + index
  const at = ago(hoursAgo * hourMs)
  const question = createQuestion({ ...listing, status: 'active' }, { id, fromId, text, now: at })
  const later = new Date(at.getTime() + hourMs / 2)
  if (answer !== undefined) {
    return withAnswer(question, { text: answer, listing: { status: 'active' }, now: later })
  }
  if (status === undefined) return question
  const deletedFromListing = status === 'DELETED'
  return { ...applyQuestionUpdate(question, { status, deletedFromListing }), lastUpdated: later }
}

function siteOf(listing: Listing): 'MLA' | 'MLB' | 'MLC' {
  return listing.siteId as 'MLA' | 'MLB' | 'MLC'
}

/** Returns the quotation of the demo data. */
function quotation(): Quotation {
  const [asker] = buyersOf('MLC')
  return {
    id: demoQuotationId,
    sellerId: flat.sellerId,
    itemId: flat.id,
    userId: asker?.user.id ?? null,
    status: 'pending',
    price: Number(flat.price),
    currencyId: flat.currencyId,
    contact: { name: asker?.user.firstName ?? null, email: asker?.user.email ?? null, phone: null },
    comments: '¿El valor incluye estacionamiento y bodega?',
    expirationDate: null,
  }
}

function invoice(at: Date): Invoice {
  return {
    id: demoInvoiceId,
    userId: firstSellerOf('MLB'),
    orderId: null,
    status: 'authorized',
    number: 1204,
    series: 1,
    key: '35260311222333000181550010000012041000012049',
    amount: 172.9,
    issuedDate: at.toISOString(),
  }
}
