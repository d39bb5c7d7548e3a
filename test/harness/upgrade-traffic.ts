import { ApiClient } from '../../src/cli/client/client.ts'
import { sandboxOperatorToken } from '../../src/platform/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { assertApiMatchesDatabase } from './api-matches-database.ts'
import type { Program } from './program.ts'

const seller = 7
const buyer = 8
const applicationId = 77

const item = {
  seller_id: seller,
  site_id: 'MLA',
  title: 'Pava',
  category_id: 'MLA1580',
  currency_id: 'ARS',
  price: 10,
  available_quantity: 1_000_000,
}

/**
 * Sales, changes, reads and searches, each by whoever is in rotation, without a pause: orders are paid, shipped, rated,
 * disputed and canceled, items and users change, questions are asked.
 */
export class Traffic {
  programs: Program[]
  answeredCount = 0
  readonly soldCount = new Set<number>()
  readonly #failed: string[] = []
  #stopping = false
  #rotation = 0
  #token = ''
  #asker = ''

  readonly #callbackUrl: string | null

  constructor(programs: Program[], callbackUrl: string | null) {
    this.programs = programs
    this.#callbackUrl = callbackUrl
  }

  async open(): Promise<void> {
    for (const [id, nickname] of [
      [seller, 'TIENDA'],
      [buyer, 'COMPRA'],
    ]) {
      await this.#ask('PUT', `/operator/users/${id}`, { site_id: 'MLA', nickname })
    }
    const application = { name: 'Mine', callback_url: this.#callbackUrl, topics: ['orders_v2'] }
    await this.#ask('PUT', `/operator/applications/${applicationId}`, application)
    await this.#ask('PUT', `/operator/authorizations/${applicationId}/${seller}`, {})
    await this.#ask('PUT', '/operator/items/MLA1', item)
    this.#token = await this.#tokenOf({ user_id: seller, application_id: applicationId })
    this.#asker = await this.#tokenOf({ user_id: buyer, application_id: null })
  }

  async #tokenOf(body: object): Promise<string> {
    return (await this.#ask('POST', '/operator/tokens', body)).access_token
  }

  run(): Promise<unknown> {
    this.#stopping = false
    return Promise.all(Array.from({ length: 4 }, () => this.#work()))
  }

  async end(running: Promise<unknown>): Promise<string[]> {
    this.#stopping = true
    await running
    return this.#failed
  }

  /** Moves the clock of all processes ahead. */
  async advance(time: string): Promise<void> {
    await this.#ask('POST', '/operator/clock', { advance: time })
  }

  /** Fails unless every process in rotation reads what is stored. No traffic runs meanwhile. */
  async assertApiMatchesDatabase(db: Database): Promise<void> {
    for (const { address } of this.programs) {
      const reader = { address, token: this.#token }
      await assertApiMatchesDatabase(db, reader, { sellerId: seller, word: 'pava' })
    }
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const number = this.answeredCount
      const lines = [{ item_id: 'MLA1', quantity: 1 }]
      const shipping = { mode: 'me2', logistic_type: 'drop_off', cost: 350 }
      const sale = { buyer_id: buyer, currency_id: 'ARS', lines, shipping }
      const { id, shipping: parcel } = await this.#ask('POST', '/operator/orders', sale)
      if (id) this.soldCount.add(id)
      await this.#ask('PATCH', `/operator/orders/${id}`, { comments: `${number}` })
      await this.#nextTask(number % 5, { id, parcel })
      const { comments } = await this.#ask('GET', `/orders/${id}`, undefined, this.#token)
      if (comments === undefined || comments === null) this.#failed.push(`${id} lost its comments`)
      await this.#ask('GET', `/orders/search?seller=${seller}&limit=5`, undefined, this.#token)
      await this.#ask('GET', '/sites/MLA/categories')
    }
  }

  /** One of several ways that a sale may go. */
  async #nextTask(way: number, { id, parcel }: { id: number; parcel: { id: number } }) {
    const order = `/operator/orders/${id}`
    if (way > 0) {
      const payment = { status: 'approved', transaction_amount: 10 }
      await this.#ask('POST', `${order}/payments`, payment)
    }
    if (way === 1) await this.#ask('PATCH', order, { status: 'manually_cancelled' })
    if (way === 2)
      await this.#ask('PATCH', `/operator/shipments/${parcel?.id}`, { status: 'shipped' })
    if (way === 3) await this.#ask('PUT', `/operator/claims/${id}`, { order_id: id })
    if (way === 4) {
      const feedback = { fulfilled: true, rating: 'positive', message: 'Bien' }
      await this.#ask('POST', `/orders/${id}/feedback`, feedback, this.#token)
      await this.#ask('PUT', '/operator/items/MLA1', { ...item, title: `Pava ${id}` })
      const user = { site_id: 'MLA', nickname: 'COMPRA', first_name: `B${id}` }
      await this.#ask('PUT', `/operator/users/${buyer}`, user)
      await this.#ask('POST', '/questions', { item_id: 'MLA1', text: `${id}?` }, this.#asker)
    }
  }

  async #ask(method: string, path: string, body?: object, token = sandboxOperatorToken) {
    const program = this.programs[this.#rotation++ % this.programs.length]
    try {
      // Not held to the schemas of this version, because some of the programs are older.
      const client = new ApiClient(program?.address ?? '', token, '')
      const answer = await client.send(method, path, { token, body })
      if (![200, 201].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`)
      this.answeredCount++
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return answer.body as any
    } catch (error) {
      this.#failed.push(`${method} ${path}: ${(error as Error).message}`)
      return {}
    }
  }
}
