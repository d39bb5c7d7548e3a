import { type Client, Refused } from '../client.ts'

/** Below the numbers that Feria gives out, and none of the demo world's. */
const people = {
  MLA: { seller: 199_000_001, buyer: 199_000_101, currency: 'ARS' },
  MLB: { seller: 199_000_002, buyer: 199_000_102, currency: 'BRL' },
  MLC: { seller: 199_000_003, buyer: 199_000_103, currency: 'CLP' },
} as const
export type StageSite = keyof typeof people

const manyInStock = 1_000_000

export interface Item {
  id: string
  seller_id: number
  site_id: StageSite
  title: string
  category_id: string
  currency_id: string
  price: number
  available_quantity: number
  vertical?: string
}

/**
 * People and things for scenes: a seller and a buyer of a site who let the application act for them,
 * and what they sell and buy. All of it happens through the interface, as it does for everybody.
 */
export class Stage {
  readonly client: Client
  readonly applicationId: number
  readonly #say: (line: string) => void

  constructor(client: Client, applicationId: number, say: (line: string) => void) {
    this.client = client
    this.applicationId = applicationId
    this.#say = say
  }

  /** Asks as the operator, or as somebody with a token, and tells of it. */
  async does(what: string, method: string, path: string, body: object, token?: string) {
    const answer = await this.client.call(method, path, { body, ...(token ? { token } : {}) })
    this.#say(`  ${what}: ${method} ${path}`)
    return answer
  }

  /** Registers the two, and lets the application act for them. */
  async people(site: StageSite): Promise<{ seller: number; buyer: number }> {
    const { seller, buyer } = people[site]
    const named = [
      [seller, `TIENDA_DE_ENSAYO_${site}`],
      [buyer, `COMPRADOR_DE_ENSAYO_${site}`],
    ] as const
    for (const [id, nickname] of named) {
      await this.client.call('PUT', `/operator/users/${id}`, { body: { site_id: site, nickname } })
      const authorization = `/operator/authorizations/${this.applicationId}/${id}`
      await this.client.call('PUT', authorization, { body: {} })
    }
    return { seller, buyer }
  }

  /** A token of this user's, through the application. */
  async tokenOf(user_id: number): Promise<string> {
    const body = { user_id, application_id: this.applicationId }
    return (await this.client.call('POST', '/operator/tokens', { body })).access_token
  }

  /** What the seller of a site sells, registered unless it is there and there is enough of it. */
  async item(site: StageSite, vertical?: 'real_estate'): Promise<Item> {
    const { seller } = await this.people(site)
    const item = itemOf(site, seller, vertical)
    if ((await this.#leftOf(item)) < 1) await this.register(item)
    return item
  }

  register(item: Item): Promise<unknown> {
    const { id, ...body } = item
    return this.client.call('PUT', `/operator/items/${id}`, { body })
  }

  async #leftOf({ id, seller_id }: Item): Promise<number> {
    try {
      const path = `/operator/items/${id}?seller_id=${seller_id}`
      return (await this.client.call('GET', path)).stock[0].available_quantity
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return 0
      throw error
    }
  }

  /** The buyer of a site buys one from its seller. */
  async sale(site: StageSite, more: object = {}) {
    const item = await this.item(site)
    const { buyer, currency } = people[site]
    const body = {
      buyer_id: buyer,
      currency_id: currency,
      lines: [{ item_id: item.id, quantity: 1 }],
      shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 0 },
      ...more,
    }
    return this.does('a buyer checks out', 'POST', '/operator/orders', body)
  }
}

function itemOf(site: StageSite, seller: number, vertical?: 'real_estate'): Item {
  return {
    id: `${site}${vertical ? 199_000_002 : 199_000_001}`,
    seller_id: seller,
    site_id: site,
    title: vertical ? 'Departamento de ensayo' : 'Termo de ensayo',
    category_id: `${site}1000`,
    currency_id: people[site].currency,
    price: 1_000,
    available_quantity: manyInStock,
    ...(vertical ? { vertical } : {}),
  }
}
