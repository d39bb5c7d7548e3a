import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { openFloorPool } from '../../floor-pool.ts'
import { type DeliveryJobs, jobResource, jobUrl, notificationBody } from '../jobs.ts'

/**
 * What whoever builds a sender on a job queue writes around it, so that it does what the program does:
 * knows who is to be told of a change, signs, posts with fetch, keeps what was sent and answered.
 */

/** What happened, as the one whom it happened to tells the queue. */
export interface ChangeEvent {
  resource: string
  userId: number
}

/** One notification for one application. */
export interface OutboundDelivery {
  id: string
  url: string
  secret: string
  body: string
}

/** A delivery made, whole. */
export interface CompletedDelivery {
  id: string
  url: string
  sent: string
  requestHeaders: Record<string, string>
  requestBody: string
  tookMs: number
  status: number
  responseHeaders: Record<string, string>
  responseBody: string
}

/** As many users as there are sellers beside the program, each of one application. */
const usersOf = ({ urls }: DeliveryJobs) => Math.ceil(20 / urls.length) * urls.length
const userOf = (jobs: DeliveryJobs, n: number) => jobs.first + (n % usersOf(jobs))

export function changeEventOf(jobs: DeliveryJobs, n: number): ChangeEvent {
  return { resource: jobResource(jobs, n), userId: userOf(jobs, n) }
}

/** Subscriptions and history, in the PostgreSQL that the program works in as well. */
export class SenderStore {
  readonly #pool = openFloorPool(10)

  async open(jobs: DeliveryJobs): Promise<void> {
    await this.#pool.query(`
      create table if not exists sender_subscriptions (
        user_id bigint, application_id bigint, url text, secret text,
        primary key (user_id, application_id));
      create table if not exists sender_attempts (
        id text, attempt smallint, sent timestamptz, url text, request_headers text,
        request_body text, took_ms int, status smallint, response_headers text, response_body text,
        primary key (id, attempt))`)
    const users = Array.from(
      { length: usersOf(jobs) },
      (_, n) => [userOf(jobs, n), n % jobs.urls.length, jobUrl(jobs, n)] as const,
    )
    await this.#pool.query(
      `insert into sender_subscriptions
        select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
        on conflict do nothing`,
      [
        users.map(([user]) => user),
        users.map(([, application]) => application),
        users.map(([, , url]) => url),
        users.map(() => randomBytes(32).toString('base64')),
      ],
    )
  }

  /** What is to be sent, to whom, because of these. */
  async deliveriesOf(happenings: readonly ChangeEvent[]): Promise<OutboundDelivery[]> {
    const { rows } = await this.#pool.query({
      name: 'subscriptions',
      text: `select user_id, application_id, url, secret from sender_subscriptions
        where user_id = any($1::bigint[])`,
      values: [[...new Set(happenings.map(({ userId }) => userId))]],
    })
    const byUser = Map.groupBy(rows, ({ user_id }) => Number(user_id))
    return happenings.flatMap(({ resource, userId }) =>
      (byUser.get(userId) ?? []).map(({ application_id, url, secret }) => {
        const about = { resource, userId, applicationId: Number(application_id) }
        const body = notificationBody(about, new Date())
        return { id: randomUUID(), url, secret, body }
      }),
    )
  }

  /** Keeps what was made, in one statement. */
  async saveDeliveries(deliveries: readonly CompletedDelivery[]): Promise<void> {
    await this.#pool.query({
      name: 'attempts',
      text: `insert into sender_attempts
        select * from json_to_recordset($1) as r (id text, attempt smallint, sent timestamptz,
          url text, request_headers text, request_body text, took_ms int, status smallint,
          response_headers text, response_body text)`,
      values: [
        JSON.stringify(
          deliveries.map((delivery) => ({
            id: delivery.id,
            attempt: 1,
            sent: delivery.sent,
            url: delivery.url,
            request_headers: JSON.stringify(delivery.requestHeaders),
            request_body: delivery.requestBody,
            took_ms: delivery.tookMs,
            status: delivery.status,
            response_headers: JSON.stringify(delivery.responseHeaders),
            response_body: delivery.responseBody,
          })),
        ),
      ],
    })
  }
}

/** Signs and posts one, as Standard Webhooks has it; throws unless it is answered with 200. */
export async function sendSigned({
  id,
  url,
  secret,
  body,
}: OutboundDelivery): Promise<CompletedDelivery> {
  const began = performance.now()
  const now = new Date()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  const requestHeaders = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const answer = await fetch(url, {
    method: 'POST',
    headers: requestHeaders,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })
  const responseBody = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return {
    id,
    url,
    sent: now.toISOString(),
    requestHeaders,
    requestBody: body,
    tookMs: Math.round(performance.now() - began),
    status: answer.status,
    responseHeaders: Object.fromEntries(answer.headers),
    responseBody,
  }
}
