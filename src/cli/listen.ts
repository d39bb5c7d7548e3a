import { setTimeout as sleep } from 'node:timers/promises'
import { makeSend, type Outcome, type Send } from '../platform/outbound/outbound.ts'
import { demoApplication } from '../sandbox/demo/world.ts'
import { applicationOfToken, type Client, clientOf, Refused, type ServerOptions } from './client.ts'
import { TlsFailure } from './connection.ts'
import type { Output } from './frame/output.ts'

/** One notification as the server hands it out. */
interface Heard {
  seq: number
  topic: string
  resource: string
  user_id: number
  headers: Record<string, string>
  body: string
}

interface ListenSettings {
  client: Client
  forwardTo: string
  applicationId: number
  name: string
  /** Undefined for every topic. */
  topics: readonly string[] | undefined
  since: string | undefined
  out: Output
}

export interface ListenOptions extends ServerOptions {
  'forward-to': string
  application?: number
  topics?: readonly string[]
  name?: string
  since?: string
}

const waitSeconds = 20
const answerMs = 20_000
const longestPauseMs = 10_000
/** A connection that died without a word shows by this, after a laptop has slept. */
const mostMs = (waitSeconds + 10) * 1_000
const lastWordMs = 2_000

/**
 * `feria listen`: forwards an application's notifications to an address that only this machine may
 * know, as its callback would have had them. How far it came is kept by the server under a name, so
 * nothing is lost while this program, the server or the address is away.
 */
export async function listenCommand(options: ListenOptions, out: Output): Promise<never> {
  const asked = listenSettingsOf(options, out)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
  const { send, close } = makeSend({ allowPrivateAddresses: true })
  try {
    await new Listening(asked, send, stop.signal).run()
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    await close()
  }
  // Requests that were let go of would else keep the process for a while.
  process.exit(0)
}

function listenSettingsOf(options: ListenOptions, out: Output): ListenSettings {
  return {
    client: clientOf(options),
    forwardTo: options['forward-to'],
    applicationId: options.application ?? applicationOfToken(options.token) ?? demoApplication.id,
    name: options.name ?? 'cli',
    topics: options.topics,
    since: options.since,
    out,
  }
}

class Listening {
  readonly #asked: ListenSettings
  readonly #send: Send
  readonly #signal: AbortSignal
  readonly #stopped: Promise<never>
  readonly #url: string

  constructor(asked: ListenSettings, send: Send, signal: AbortSignal) {
    this.#asked = asked
    this.#send = send
    this.#signal = signal
    this.#stopped = new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    this.#stopped.catch(() => {})
    const { client, applicationId, name } = asked
    const listener = encodeURIComponent(name)
    this.#url = `${client.prefix}/applications/${applicationId}/listeners/${listener}`
  }

  async run(): Promise<void> {
    const { since, forwardTo, applicationId, name, out } = this.#asked
    await this.#ask('PUT', this.#url, {})
    if (since !== undefined) await this.#ask('POST', `${this.#url}/rewind`, { since })
    if (!out.isJson) {
      out.say(
        `Feria listens: application ${applicationId} as "${name}", forwarding to ${forwardTo}`,
      )
    }
    while (!this.#signal.aborted) {
      const path = `${this.#url}/notifications?wait=${waitSeconds}`
      const { notifications, skipped, up_to: upTo } = await this.#ask('GET', path)
      if (skipped > 0) out.note(`${skipped} notifications were too old to be kept`)
      for (const heard of notifications as Heard[]) await this.#forward(heard)
      // What is too old to be kept is not asked for again.
      if (notifications.length === 0 && skipped > 0) await this.#acknowledge(upTo)
    }
  }

  /** Brings one home, however long it takes; a topic that is not asked for is passed over. */
  async #forward(heard: Heard): Promise<void> {
    const { forwardTo, topics: wanted } = this.#asked
    if (!wanted || wanted.includes(heard.topic)) {
      for (let tries = 0; ; tries++) {
        this.#signal.throwIfAborted()
        const { headers, body } = heard
        const request = { url: forwardTo, headers, body, timeoutMs: answerMs }
        const outcome = await Promise.race([this.#send(request), this.#stopped])
        this.#print(heard, outcome)
        if (outcome.kind === 'answered') break
        await this.#pause(tries)
      }
    }
    await this.#acknowledge(heard.seq)
  }

  /** Also when stopping: what was brought home is not brought again. */
  async #acknowledge(seq: number): Promise<void> {
    const path = `${this.#url}/ack`
    if (!this.#signal.aborted) return void (await this.#ask('POST', path, { seq }))
    const signal = AbortSignal.timeout(lastWordMs)
    await this.#asked.client.call('POST', path, { body: { seq }, signal })
  }

  /** Asks the server until it answers; it may be away for as long as it likes. */
  async #ask(method: string, path: string, body?: object) {
    const { client, out } = this.#asked
    for (let tries = 0; ; tries++) {
      try {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(mostMs)])
        return await client.call(method, path, { signal, ...(body ? { body } : {}) })
      } catch (error) {
        if (this.#signal.aborted || error instanceof TlsFailure) throw error
        if (error instanceof Refused) {
          if (error.status !== 404 || method === 'PUT') throw error
          // Somebody has removed the listener, or emptied the database: begin anew.
          await this.#ask('PUT', this.#url, {})
          if (method === 'POST') return undefined
        }
        if (tries === 0) out.note(`waiting for ${client.address}`)
        await this.#pause(tries)
      }
    }
  }

  /** Waits longer every time, and not as long as others do. */
  async #pause(tries: number): Promise<void> {
    const most = Math.min(longestPauseMs, 100 * 2 ** Math.min(tries, 10))
    await sleep(most * (0.5 + Math.random() / 2), undefined, { signal: this.#signal })
  }

  #print({ seq, topic, resource, user_id }: Heard, outcome: Outcome): void {
    const time = new Date().toISOString()
    const status = outcome.kind === 'answered' ? outcome.status : null
    const came = status ?? ('why' in outcome ? outcome.why : outcome.kind)
    const ms = outcome.reqTimeMs
    this.#asked.out.show(
      { time, seq, topic, resource, user_id, status, outcome: outcome.kind, ms },
      () => `${time.slice(11, 19)}  ${topic.padEnd(14)}  ${resource}  ${came}  ${ms} ms`,
    )
  }
}
