import type { FastifyInstance } from 'fastify'
import { createContext } from '../../src/app/context.ts'
import { openServer } from '../../src/app/servers.ts'
import { recordChanges } from '../../src/changes/record.ts'
import type { Topic } from '../../src/kernel/topics.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { Lifecycle } from '../../src/platform/lifecycle.ts'
import { makeLog } from '../../src/platform/log.ts'
import { type DeliveryJobs, jobResource } from './jobs.ts'

export const operatorToken = 'the-operator-token-of-the-benchmark'

/** How every program of a benchmark is run; all else is as usual. */
export const benchProgramEnv = {
  FERIA_MODE: 'sandbox',
  FERIA_DEMO: 'off',
  FERIA_OPERATOR_TOKEN: operatorToken,
}

/** Some applications, each authorised by sellers of its own. */
export interface Subscribers {
  applicationIds: number[]
  /** Seller `n` has authorised application `n % applicationIds.length`, and nobody else. */
  sellerIds: number[]
}

const minSellers = 20
const changesAtOnce = 50
const transactionsAtOnce = 8

/** The side of the program on which things happen: whoever sells, and what is recorded of it. */
export class BenchSandbox {
  readonly ctx: Context
  readonly #lifecycle: Lifecycle
  readonly #server: FastifyInstance

  private constructor(ctx: Context, lifecycle: Lifecycle, server: FastifyInstance) {
    this.ctx = ctx
    this.#lifecycle = lifecycle
    this.#server = server
  }

  /** On a database that is migrated. */
  static async open(databaseUrl: string): Promise<BenchSandbox> {
    const config = readConfig({ ...benchProgramEnv, FERIA_LOG_LEVEL: 'warn' })
    const log = makeLog('warn')
    const lifecycle = new Lifecycle(5_000, log)
    const ctx = await createContext({ config, databaseUrl, log }, lifecycle)
    return new BenchSandbox(ctx, lifecycle, await openServer(ctx))
  }

  async #ask(method: 'PUT' | 'POST' | 'PATCH', path: string, body: object): Promise<string> {
    const answer = await this.#server.inject({
      method,
      url: `/operator/${path}`,
      headers: { authorization: `Bearer ${operatorToken}` },
      payload: body,
    })
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer.body
  }

  async put(path: string, body: object): Promise<void> {
    await this.#ask('PUT', path, body)
  }

  async patch(path: string, body: object): Promise<void> {
    await this.#ask('PATCH', path, body)
  }

  /** An access token of this user for this application. */
  async createToken(user_id: number, application_id: number): Promise<string> {
    const tokenRequest = { user_id, application_id, expires_in: 86_400 }
    return JSON.parse(await this.#ask('POST', 'tokens', tokenRequest)).access_token
  }

  /** Registers an application for each callback; `from` is its number among all there have been. */
  async registerSubscribers(
    callbacks: readonly string[],
    from = 0,
    topics: readonly Topic[] = ['orders_v2'],
  ): Promise<Subscribers> {
    const subscribers: Subscribers = { applicationIds: [], sellerIds: [] }
    for (const [n, callback_url] of callbacks.entries()) {
      const id = 7_000_000 + from + n
      await this.put(`applications/${id}`, { name: `Application ${id}`, topics, callback_url })
      subscribers.applicationIds.push(id)
    }
    const sellers = Math.ceil(minSellers / callbacks.length) * callbacks.length
    for (let n = 0; n < sellers; n++) {
      const id = 1_000_000 + from + n
      await this.put(`users/${id}`, { site_id: 'MLA', nickname: `SELLER_${id}` })
      const application = subscribers.applicationIds[n % callbacks.length]
      await this.put(`authorizations/${application}/${id}`, {})
      subscribers.sellerIds.push(id)
    }
    return subscribers
  }

  /** Takes an application's callback away. */
  async removeCallback(id: number): Promise<void> {
    const name = `Application ${id}`
    await this.put(`applications/${id}`, { name, topics: ['orders_v2'], callback_url: null })
  }

  /** Records that all of these happened; `n` concerns application `n % urls.length`. */
  async recordJobs(jobs: DeliveryJobs, { sellerIds }: Subscribers): Promise<void> {
    const { db, now } = this.ctx
    let next = 0
    const recorder = async () => {
      while (next < jobs.count) {
        const from = next
        next += changesAtOnce
        const length = Math.min(changesAtOnce, jobs.count - from)
        const changes = Array.from({ length }, (_, index) =>
          changeOfJob(jobs, { n: from + index, sellerIds, at: now() }),
        )
        await db.transaction((tx) => recordChanges(tx, changes))
      }
    }
    await Promise.all(Array.from({ length: transactionsAtOnce }, recorder))
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.#lifecycle.close()
  }
}

export function changeOfJob(
  jobs: DeliveryJobs,
  { n, sellerIds, at }: { n: number; sellerIds: readonly number[]; at: Date },
) {
  const sellerId = sellerIds[n % sellerIds.length] as number
  // The buyer has authorised nobody.
  const userIds = [sellerId, 9_000_000 + (n % 1_000)]
  return { topic: 'orders_v2' as const, resource: jobResource(jobs, n), userIds, sellerId, at }
}
