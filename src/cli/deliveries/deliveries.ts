import { readConfig } from '../../platform/config.ts'
import { demoApplication } from '../../sandbox/demo/world.ts'
import {
  applicationOfToken,
  clientOf,
  type Json,
  type ServerOptions,
  withQuery,
} from '../client.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { columns, type Output } from '../frame/output.ts'

/** Whose deliveries: said, read off the access token, or those of the demo world. */
export type OfApplication = ServerOptions & { application?: number }

/** Throws `UsageFailure` where nobody says which and there may be no demo world. */
export function applicationOf({ application, token, server }: OfApplication): number {
  const id = application ?? applicationOfToken(token)
  if (id !== undefined) return id
  if (server === undefined && readConfig(process.env).mode === 'sandbox') return demoApplication.id
  throw new UsageFailure('--application is missing. feria applications list shows which there are.')
}

type List = OfApplication & {
  topic?: string
  resource?: string
  user?: number
  outcome?: string
  since?: string
  until?: string
  missed?: true
  limit?: number
}

const usualLimit = 20
const mostOnPage = 1_000

/** `feria deliveries list`: the feed, newest first. */
export async function listDeliveries(options: List, out: Output): Promise<undefined> {
  const { topic, resource, user, outcome, since, until, limit = usualLimit } = options
  const filters = { topic, resource, user_id: user, outcome, from: since, to: until }
  let left = limit
  let head = true
  for await (const { messages, notes } of pagesOf(options, filters, limit)) {
    for (const note of head && !out.isJson ? (notes ?? []) : []) {
      out.note(`${note.at}  ${note.kind}  ${JSON.stringify(note.details)}`)
    }
    head = false
    const page: Json[] = messages.slice(0, left)
    left -= page.length
    for (const each of page) out.show(each, () => lineOf(each))
    if (left === 0) return
  }
  if (left === limit) out.note('Nothing was delivered that fits.')
}

/** Pages of the feed until its end; a page may have nothing on it and others behind it. */
async function* pagesOf(
  options: List,
  filters: Record<string, string | number | undefined>,
  limit: number,
): AsyncGenerator<Json> {
  const client = clientOf(options)
  const feed = options.missed ? '/missed_feeds' : '/myfeeds'
  const id = applicationOf(options)
  const isOperator = client.prefix === '/operator'
  const path = isOperator ? `/operator/applications/${id}${feed}` : feed
  const asked = { ...filters, ...(isOperator ? {} : { app_id: id }) }
  let cursor: string | undefined
  do {
    const page = { ...asked, limit: Math.min(limit, mostOnPage), cursor }
    const answer: Json = await client.call('GET', withQuery(path, page))
    yield answer
    cursor = answer.next_cursor ?? undefined
  } while (cursor !== undefined)
}

function lineOf({ sent, topic, resource, attempts, outcome, response }: Json): string {
  const came = response.http_code ?? outcome
  const tried = attempts > 1 ? `  attempt ${attempts}` : ''
  return `${sent}  ${topic.padEnd(14)}  ${resource}  ${came}  ${response.req_time} ms${tried}`
}

type Show = OfApplication & { resource: string; topic?: string }

/** `feria deliveries show RESOURCE`: its newest one, with what was sent and what was answered. */
export async function showDelivery(options: Show, out: Output): Promise<undefined> {
  const { resource, topic } = options
  for await (const { messages } of pagesOf(options, { resource, topic }, 1)) {
    const [found] = messages
    if (found) return out.show(found, () => whole(found))
  }
  throw new CommandFailure(
    `Nothing of ${resource} was delivered. Why not: feria deliveries explain ${resource}`,
  )
}

function whole(of: Json): string[] {
  const { request, response } = of
  const headers = (known: object) =>
    Object.entries(known).map(([name, value]) => `  ${name}: ${value}`)
  return [
    lineOf(of),
    `notification ${of._id} of user ${of.user_id}, received ${of.received}`,
    '',
    `POST ${request.url}`,
    ...headers(request.headers),
    `  ${request.data}`,
    '',
    response.http_code === null ? `no answer (${of.outcome})` : `answered ${response.http_code}`,
    ...headers(response.headers),
    ...(response.body ? [`  ${response.body}`] : []),
  ]
}

type Explain = OfApplication & { resource: string; topic?: string; user?: number }

/** `feria deliveries explain RESOURCE`: why it did or did not arrive. */
export async function explainDelivery(options: Explain, out: Output): Promise<undefined> {
  const { resource, topic, user } = options
  const client = clientOf(options)
  const path = `${client.prefix}/applications/${applicationOf(options)}/notifications/explain`
  const query = { resource, topic, user_id: user }
  const answer = await client.call('GET', withQuery(path, query))
  out.show(answer, () =>
    columns(
      answer.explained.map(({ received, topic, outcome, says }: Json) => [
        received ?? '-',
        topic ?? '-',
        outcome,
        says,
      ]),
    ),
  )
}

type QueueOptions = ServerOptions & { application: number }

const queuePath = (id: number) => `/operator/applications/${id}/queue`

/** `feria deliveries lane ID`: where the deliveries of an application stand. */
export async function showQueue(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  printQueue(await clientOf(options).call('GET', queuePath(application)), out)
}

/** `feria deliveries pause ID`. */
export async function pauseQueue(
  { application, ...options }: QueueOptions,
  out: Output,
): Promise<undefined> {
  const body = { state: 'paused' }
  printQueue(await clientOf(options).call('PATCH', queuePath(application), { body }), out)
}

/** `feria deliveries resume ID [--with …]`. */
export async function resumeQueue(
  { application, with: resume, ...options }: QueueOptions & { with?: string },
  out: Output,
): Promise<undefined> {
  const body = { state: 'open', ...(resume === undefined ? {} : { resume }) }
  printQueue(await clientOf(options).call('PATCH', queuePath(application), { body }), out)
}

function printQueue(queue: Json, out: Output): void {
  const rate = queue.rate_per_second === null ? '' : `, ${queue.rate_per_second} a second`
  out.show(queue, () => [
    `application ${queue.application_id}: ${queue.state}, ${queue.health}`,
    ...columns([
      ['  callback', queue.callback_url ?? 'none'],
      ['  waiting', `${queue.waiting} for their first attempt`],
      [
        '  parked',
        `${queue.parked} for another one${queue.retry_due ? `, next ${queue.retry_due}` : ''}`,
      ],
      ['  lost', String(queue.lost)],
      ['  under way', `${queue.in_flight} at once${rate}`],
      ...(queue.failing_since ? [['  failing since', queue.failing_since]] : []),
      ...queue.notes.map((note: Json) => [`  ${note.kind}`, note.at]),
    ]),
  ])
}
