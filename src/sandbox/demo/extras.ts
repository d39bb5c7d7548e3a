import { hourMs } from '../../kernel/clock.ts'
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
import { type DemoFiles, demoFiles } from './data.ts'
import { type DemoSite, demoBuyerId, firstDemoIds, mainListingId } from './ids.ts'
import { listingsById } from './listings.ts'
import { buyersOf, firstSellerOf } from './users.ts'

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

/** Returns the data. The same time gives the same data. */
export function createExtras(now: Date): DemoExtras {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const { listings, questions } = demoFiles()
  const { real_estate, invoice, picture_error } = listings
  const flat = realEstateListing()
  const listing = listingsById().get(mainListingId)
  const [picture] = listing?.pictures ?? []
  if (!listing || !picture) throw new Error('the main listing has a picture')
  const invoicedAt = hoursAgo(invoice.hours_ago)
  return {
    listings: [flat],
    questions: questions.map((question, index) => questionOf(question, { index, flat, hoursAgo })),
    quotation: {
      record: quotationOf(flat, real_estate.quotation.comments),
      at: hoursAgo(real_estate.quotation.hours_ago),
    },
    invoice: {
      record: {
        id: firstDemoIds.invoice,
        userId: firstSellerOf(invoice.site),
        orderId: null,
        status: 'authorized',
        number: invoice.number,
        series: invoice.series,
        key: invoice.key,
        amount: invoice.amount,
        issuedDate: invoicedAt.toISOString(),
      },
      at: invoicedAt,
    },
    pictureError: {
      at: hoursAgo(picture_error.hours_ago),
      record: {
        pictureId: picture.id,
        sellerId: listing.sellerId,
        itemId: listing.id,
        source: picture.url,
        message: picture_error.message,
      },
    },
  }
}

function realEstateListing(): Listing {
  const { id, site, title, category, currency, price, custom_field, sku, quantity } =
    demoFiles().listings.real_estate
  return {
    ...listingDefaults,
    id,
    sellerId: firstSellerOf(site),
    siteId: site,
    title,
    categoryId: category,
    vertical: 'real_estate',
    currencyId: currency as Listing['currencyId'],
    price,
    status: 'active',
    condition: 'new',
    listingTypeId: 'gold_special',
    warranty: null,
    sellerCustomField: custom_field,
    sellerSku: null,
    manufacturingDays: null,
    stock: [
      { variationId: noVariation, availableQuantity: quantity, attributes: [], sellerSku: sku },
    ],
  }
}

/** Returns a question of the demo data, answered or moderated as described. */
function questionOf(
  { item, by, text, answer, status, hours_ago }: DemoFiles['questions'][number],
  { index, flat, hoursAgo }: { index: number; flat: Listing; hoursAgo: (hours: number) => Date },
): Question {
  const listing = [...listingsById().values(), flat].find(({ id }) => id === item)
  if (!listing) throw new Error(`demo/questions.json, at ${index}: there is no listing ${item}`)
  const site = listing.siteId as DemoSite
  const fromId = by === 'demo buyer' ? demoBuyerId : buyersOf(site)[by]?.user.id
  if (fromId === undefined) throw new Error(`demo/questions.json, at ${index}: no buyer ${by}`)
  const id = firstDemoIds.question + index
  const at = hoursAgo(hours_ago)
  const question = createQuestion({ ...listing, status: 'active' }, { id, fromId, text, now: at })
  const later = new Date(at.getTime() + hourMs / 2)
  if (answer !== undefined) {
    return withAnswer(question, { text: answer, listing: { status: 'active' }, now: later })
  }
  if (status === undefined) return question
  const deletedFromListing = status === 'DELETED'
  return { ...applyQuestionUpdate(question, { status, deletedFromListing }), lastUpdated: later }
}

function quotationOf(flat: Listing, comments: string): Quotation {
  const [asker] = buyersOf(flat.siteId as DemoSite)
  return {
    id: firstDemoIds.quotation,
    sellerId: flat.sellerId,
    itemId: flat.id,
    userId: asker?.user.id ?? null,
    status: 'pending',
    price: Number(flat.price),
    currencyId: flat.currencyId,
    contact: { name: asker?.user.firstName ?? null, email: asker?.user.email ?? null, phone: null },
    comments,
    expirationDate: null,
  }
}
