import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestClient, TestResponse } from '../../harness/client.ts'
import type { ChaosMarket, ChaosSeller } from './market.ts'

/** A write, as the client that made it remembers it. Times are those of `performance.now()`. */
export interface TrackedWrite {
  kind: 'order' | 'question' | 'price'
  seller: ChaosSeller
  /** What makes it recognizable: its idempotency key, its text, its price. */
  marker: string
  sentAt: number
  /** When its success was answered; undefined where nobody knows what became of it. */
  acknowledgedAt?: number
  /** The resource that it is notified as. */
  resource?: string
}

const answerBoundMs = 15_000
const pauseMs = 200

/** Answers that leave open whether the write was done: the client may repeat it where that is safe. */
const isUndecided = ({ status, headers }: TestResponse) =>
  status === 429 || (status === 503 && headers.has('retry-after'))

/**
 * Writes through the HTTP interface at a steady rate: orders, which carry an idempotency key and are repeated until
 * they are answered; questions, which are never repeated; prices, each higher than the one before.
 */
export class WriteGenerator {
  readonly writes: TrackedWrite[] = []
  /** Answers that no fault of the surroundings explains. */
  readonly unexpectedAnswers: string[] = []
  readonly #market: ChaosMarket
  readonly #clients: () => readonly TestClient[]
  readonly #prices = new Map<ChaosSeller, number>()
  readonly #busyPrices = new Set<ChaosSeller>()
  readonly #open = new Set<Promise<void>>()
  #count = 0
  #isOver = false

  /** `clients` are those of the processes that can be reached now. */
  constructor(market: ChaosMarket, clients: () => readonly TestClient[]) {
    this.#market = market
    this.#clients = clients
  }

  /** Writes until `settle`. */
  async run(perSecond: number): Promise<void> {
    const began = performance.now()
    for (let n = 0; !this.#isOver; n++) {
      // A client that waits for hundreds of answers would wait no longer for more of them.
      if (this.#open.size < 256) this.#begin()
      const dueIn = began + ((n + 1) * 1_000) / perSecond - performance.now()
      if (dueIn > 0) await sleep(dueIn)
    }
  }

  #begin(): void {
    const writing = this.write().then(
      () => {},
      (error: unknown) => void this.unexpectedAnswers.push(String(error)),
    )
    this.#open.add(writing)
    void writing.finally(() => this.#open.delete(writing))
  }

  /** Makes the next write; resolves when its outcome is known, or is known to stay open. */
  async write(): Promise<TrackedWrite> {
    const { sellers } = this.#market
    const n = this.#count++
    const seller = sellers[n % sellers.length] as ChaosSeller
    const turn = Math.floor(n / sellers.length) % 3
    if (turn === 0) return this.#order(seller)
    return turn === 1 || this.#busyPrices.has(seller) ? this.#question(seller) : this.#price(seller)
  }

  /** Ends writing, repeats of orders too; resolves when nothing is under way. */
  async drain(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#open)
  }

  async #order(seller: ChaosSeller): Promise<TrackedWrite> {
    const write = this.#remember('order', seller, randomUUID())
    const lines = [{ item_id: seller.itemId, quantity: 1 }]
    const body = { buyer_id: this.#market.buyer.id, currency_id: 'ARS', lines }
    for (;;) {
      const answer = await this.#send((client) =>
        client.operator('POST', '/operator/orders', body, { 'idempotency-key': write.marker }),
      )
      if (answer && !isUndecided(answer)) {
        const id = this.#accepted(answer, 201)?.id
        return acknowledge(write, id === undefined ? undefined : `/orders/${id}`)
      }
      if (this.#isOver) return write
      await sleep(pauseMs)
    }
  }

  async #question(seller: ChaosSeller): Promise<TrackedWrite> {
    const write = this.#remember('question', seller, randomUUID())
    const body = { item_id: seller.itemId, text: `Hay stock? ${write.marker}` }
    const { token } = this.#market.buyer
    const answer = await this.#send((client) => client.send('POST', '/questions', { token, body }))
    if (!answer || isUndecided(answer)) return write
    return acknowledge(write, `/questions/${this.#accepted(answer, 201)?.id}`)
  }

  /** One at a time for each seller, so that the highest price is the last one. */
  async #price(seller: ChaosSeller): Promise<TrackedWrite> {
    const price = (this.#prices.get(seller) ?? 100) + 1
    this.#prices.set(seller, price)
    this.#busyPrices.add(seller)
    const write = this.#remember('price', seller, String(price))
    const { token, itemId } = seller
    const answer = await this.#send((client) =>
      client.send('PUT', `/items/${itemId}`, { token, body: { price } }),
    ).finally(() => this.#busyPrices.delete(seller))
    if (!answer || isUndecided(answer)) return write
    this.#accepted(answer, 200)
    return acknowledge(write, `/items/${itemId}`)
  }

  #remember(kind: TrackedWrite['kind'], seller: ChaosSeller, mark: string): TrackedWrite {
    const write: TrackedWrite = { kind, seller, marker: mark, sentAt: performance.now() }
    this.writes.push(write)
    return write
  }

  /** The answer of some process; undefined where the connection broke. */
  async #send(
    ask: (client: TestClient) => Promise<TestResponse>,
  ): Promise<TestResponse | undefined> {
    const clients = this.#clients()
    const client = clients[Math.floor(Math.random() * clients.length)]
    if (!client) return undefined
    const late = sleep(answerBoundMs, undefined, { ref: false })
    return Promise.race([
      ask(client).catch((error: Error) => {
        if (error.name === 'AssertionError') this.unexpectedAnswers.push(error.message)
        return undefined
      }),
      late,
    ])
  }

  #accepted(answer: TestResponse, status: number) {
    if (answer.status !== status)
      this.unexpectedAnswers.push(`${answer.status} ${answer.text.slice(0, 300)}`)
    return answer.body
  }
}

function acknowledge(write: TrackedWrite, resource: string | undefined): TrackedWrite {
  return Object.assign(write, { acknowledgedAt: performance.now(), resource })
}
