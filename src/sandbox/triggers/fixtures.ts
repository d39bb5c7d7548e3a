import type { Caller } from '../../http/caller.ts'
import { tokenScopes } from '../../http/scopes.ts'
import { saveAuthorization, saveUsers } from '../../identity/store.ts'
import { noPhone } from '../../identity/user.ts'
import { amountToNumber } from '../../kernel/money.ts'
import { sites } from '../../kernel/sites.ts'
import { commitListing } from '../../listings/commands/commands.ts'
import { type Listing, listingDefaults, noVariation } from '../../listings/listing.ts'
import { findListing } from '../../listings/store.ts'
import type { Checkout, OrderPatch, PaymentBody } from '../../orders/commands/bodies.ts'
import { createOrder, recordPayment, updateOrder } from '../../orders/commands/commands.ts'
import { updateShipment } from '../../orders/commands/shipping.ts'
import { type Order, totalAmount } from '../../orders/order.ts'
import { loadOrder, orderOwners } from '../../orders/store.ts'
import type { Context } from '../../platform/context.ts'
import type { ShipmentPatch } from '../../shipments/patch.ts'
import type { TriggerSite } from './names.ts'

/** Ids below those that Feria issues, and outside of the demo data. */
const people: Readonly<Record<TriggerSite, { seller: number; buyer: number }>> = {
  MLA: { seller: 199_000_001, buyer: 199_000_101 },
  MLB: { seller: 199_000_002, buyer: 199_000_102 },
  MLC: { seller: 199_000_003, buyer: 199_000_103 },
}

const stockQuantity = 1_000_000

/** Ids of what a trigger has made, by names such as `order_id` and `claim_id`. */
export type CreatedIds = Readonly<Record<string, number | string>>

/**
 * Fixtures of triggers: a seller and a buyer of a site who authorize an application, their listings and sales. All
 * changes go through the commands of the modules, so that applications are notified.
 */
export class TriggerFixtures {
  readonly ctx: Context
  readonly applicationId: number
  /** The site, unless the trigger works on one site only. */
  readonly site: TriggerSite
  readonly #steps: string[] = []
  #made: CreatedIds = {}

  constructor(ctx: Context, { applicationId, site }: { applicationId: number; site: TriggerSite }) {
    this.ctx = ctx
    this.applicationId = applicationId
    this.site = site
  }

  /** Descriptions of the steps so far. */
  get steps(): readonly string[] {
    return this.#steps
  }

  get createdIds(): CreatedIds {
    return this.#made
  }

  /** Records a step and the ids of what it made. */
  recordStep(step: string, createdIds: CreatedIds = {}): void {
    this.#steps.push(step)
    this.#made = { ...this.#made, ...createdIds }
  }

  /** Returns the text in the language of the site. */
  localize(es: string, pt: string, site: TriggerSite = this.site): string {
    return sites[site].language === 'pt' ? pt : es
  }

  /** Registers seller and buyer, and authorizes the application for both. */
  async prepareUsers(site: TriggerSite = this.site): Promise<{ seller: number; buyer: number }> {
    const { db, now } = this.ctx
    const { seller, buyer } = people[site]
    const at = now()
    const nicknames = [
      [seller, `TIENDA_DE_ENSAYO_${site}`],
      [buyer, `COMPRADOR_DE_ENSAYO_${site}`],
    ] as const
    const users = nicknames.map(([id, nickname]) => ({
      id,
      nickname,
      siteId: site,
      email: null,
      firstName: null,
      lastName: null,
      phone: noPhone,
      alternativePhone: noPhone,
      status: 'active' as const,
      billingInfo: { doc_type: null, doc_number: null },
    }))
    await saveUsers(db, users, at)
    const { applicationId } = this
    for (const { id: userId } of users) {
      await saveAuthorization(db, { userId, applicationId, scopes: tokenScopes }, at)
    }
    this.#made = { ...this.#made, seller_id: seller, buyer_id: buyer }
    return { seller, buyer }
  }

  /** Returns a user who calls through the application. */
  callerOf(userId: number): Caller {
    return { userId, applicationId: this.applicationId, scopes: tokenScopes }
  }

  /** Returns the listing of the seller of a site. Registers it if it is not active or out of stock. */
  async prepareListing(site: TriggerSite = this.site, vertical?: 'real_estate'): Promise<Listing> {
    const { seller } = await this.prepareUsers(site)
    const item = itemOf(site, seller, vertical)
    const existing = await findListing(this.ctx.db, item.id)
    const isOnSale =
      existing?.status === 'active' && (existing.stock[0]?.availableQuantity ?? 0) > 0
    if (!isOnSale) await this.saveListing(item)
    this.#made = { ...this.#made, item_id: item.id }
    return isOnSale ? existing : item
  }

  saveListing(listing: Listing): Promise<unknown> {
    const { catalog } = this.ctx.catalog.served
    const at = this.ctx.now()
    const { factors } = this.ctx.config.search
    return this.ctx.db.transaction((tx) => commitListing(tx, { listing, at, catalog, factors }))
  }

  /** Makes a sale of one unit between seller and buyer of a site. */
  async createSale(
    patchOrder: Partial<Checkout> = {},
    site: TriggerSite = this.site,
  ): Promise<Order> {
    const item = await this.prepareListing(site)
    const { buyer } = people[site]
    const checkout: Checkout = {
      buyer_id: buyer,
      currency_id: item.currencyId as Checkout['currency_id'],
      lines: [{ item_id: item.id, quantity: 1 }],
      shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 0 },
      ...patchOrder,
    }
    const { id } = await createOrder(this.ctx, { checkout, key: undefined })
    const readOrder = await this.order(id)
    const { shipmentId } = readOrder
    this.recordStep('a buyer checks out', {
      order_id: id,
      ...(shipmentId === null ? {} : { shipment_id: shipmentId }),
    })
    return readOrder
  }

  /** Loads the current state of an order. */
  async order(id: number): Promise<Order> {
    const owner = await orderOwners.find(this.ctx.db, id)
    const order = owner && (await loadOrder(this.ctx.db, { ...owner, id }))
    if (!order) throw new Error(`order ${id} does not exist`)
    return order
  }

  /** Records a payment, by default of the whole amount, or an update of an existing one. Returns its id. */
  async pay(order: Order, step: string, news: PaymentBody): Promise<number> {
    const defaults =
      news.id === undefined ? { transaction_amount: amountToNumber(totalAmount(order)) } : {}
    const payment = { ...defaults, ...news }
    const { paymentId } = await recordPayment(this.ctx, {
      orderId: order.id,
      payment,
      key: undefined,
    })
    this.recordStep(step, { payment_id: paymentId })
    return paymentId
  }

  async changes({ id: orderId }: Order, step: string, patch: OrderPatch): Promise<void> {
    await updateOrder(this.ctx, { orderId, patch, mayChangePayment: true })
    this.recordStep(step)
  }

  async patchShipment({ shipmentId }: Order, step: string, patch: ShipmentPatch): Promise<void> {
    if (shipmentId === null) throw new Error('a sale without a shipment')
    await updateShipment(this.ctx, { id: shipmentId, patch })
    this.recordStep(step)
  }

  /** Returns a random id for resources whose ids the operator chooses. */
  randomId(): number {
    return 1e12 + Math.floor(this.ctx.random.fraction() * 8e12)
  }
}

/** Returns the listing that triggers sell, or the real estate that they ask about. */
function itemOf(site: TriggerSite, sellerId: number, vertical?: 'real_estate'): Listing {
  const isPortuguese = sites[site].language === 'pt'
  const plain = isPortuguese ? 'Garrafa térmica de ensaio' : 'Termo de ensayo'
  return {
    ...listingDefaults,
    id: `${site}${vertical ? 199_000_002 : 199_000_001}`,
    sellerId,
    siteId: site,
    title: vertical ? 'Departamento de ensayo' : plain,
    categoryId: `${site}1000`,
    ...(vertical ? { vertical } : {}),
    currencyId: sites[site].currency,
    price: '1000',
    status: 'active',
    condition: 'new',
    listingTypeId: 'gold_special',
    warranty: null,
    sellerCustomField: null,
    sellerSku: null,
    manufacturingDays: null,
    stock: [
      {
        variationId: noVariation,
        availableQuantity: stockQuantity,
        attributes: [],
        sellerSku: null,
      },
    ],
  }
}
