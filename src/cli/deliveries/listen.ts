import { setTimeout as sleep } from 'node:timers/promises'
import type { ResponseBody } from 'feria/client'
import { makeSend, type Send, type SendOutcome } from '../../platform/outbound/outbound.ts'
import { demoApplication } from '../../sandbox/demo/ids.ts'
import {
  type ApiClient,
  applicationOfToken,
  openClient,
  RequestRefused,
  type ServerOptions,
} from '../client/client.ts'
import { TlsFailure } from '../client/connection.ts'
import type { Output } from '../frame/output.ts'

type ListenerPath = `${ApiClient['prefix']}/applications/{application_id}/listeners/{name}`
/** A notification as the server returns it to a listener. */
type ListenedNotification = ResponseBody<
  `${ListenerPath}/notifications`,
  'get'
>['notifications'][number]

interface ListenSettings {
  client: ApiClient
  /** Undefined: notifications are only printed. */
  forwardTo: string | undefined
  applicationId: number
  name: string
  /** Undefined: every topic. */
  topics: readonly string[] | undefined
  since: string | undefined
  out: Output
}

export interface ListenOptions extends ServerOptions {
  'forward-to'?: string
  application?: number
  topics?: readonly string[]
  name?: string
  since?: string
}

const waitSeconds = 20
const receiverTimeoutMs = 20_000
const longestPauseMs = 10_000
/** Bounds a request to the server: after a laptop slept, its connection may be dead without an error. */
const requestTimeoutMs = (waitSeconds + 10) * 1_000
const lastAcknowledgeMs = 2_000

/**
 * `feria listen`: prints an application's notifications, and forwards them to a local address with the headers and bytes
 * that a callback would receive. The server keeps the position under a name, so nothing is lost while this program, the
 * server or the address is down.
 */
export async function listenCommand(options: ListenOptions, out: Output): Promise<never> {
  const settings = listenSettingsOf(options, out)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
  const { send, close } = makeSend({ allowPrivateAddresses: true })
  try {
    await new NotificationForwarder(settings, send, stop.signal).run()
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    await close()
  }
  // Abandoned requests would keep the process alive for a while.
  process.exit(0)
}

function listenSettingsOf(options: ListenOptions, out: Output): ListenSettings {
  return {
    client: openClient(options),
    forwardTo: options['forward-to'],
    applicationId: options.application ?? applicationOfToken(options.token) ?? demoApplication.id,
    name: options.name ?? 'cli',
    topics: options.topics,
    since: options.since,
    out,
  }
}

class NotificationForwarder {
  readonly #settings: ListenSettings
  readonly #send: Send
  readonly #signal: AbortSignal
  readonly #stopped: Promise<never>
  readonly #path: ListenerPath
  readonly #listener: { application_id: number; name: string }

  constructor(settings: ListenSettings, send: Send, signal: AbortSignal) {
    this.#settings = settings
    this.#send = send
    this.#signal = signal
    this.#stopped = new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    this.#stopped.catch(() => {})
    const { client, applicationId, name } = settings
    this.#path = `${client.prefix}/applications/{application_id}/listeners/{name}`
    this.#listener = { application_id: applicationId, name }
  }

  /** Forwards notifications until the signal is aborted. Each is acknowledged once it was forwarded or printed. */
  async run(): Promise<void> {
    const { client, since, forwardTo, applicationId, name, out } = this.#settings
    await this.#register()
    if (since !== undefined) {
      await this.#untilAnswered((signal) =>
        client.call('POST', `${this.#path}/rewind`, {
          path: this.#listener,
          body: { since },
          signal,
        }),
      )
    }
    if (!out.isJson) {
      const destination = forwardTo === undefined ? '' : `, forwarding to ${forwardTo}`
      out.print(`Listening for application ${applicationId} as "${name}"${destination}`)
    }
    while (!this.#signal.aborted) {
      const page = await this.#untilAnswered((signal) =>
        client.call('GET', `${this.#path}/notifications`, {
          path: this.#listener,
          query: { wait: waitSeconds },
          signal,
        }),
      )
      if (page === 'gone') {
        await this.#pause(0)
        continue
      }
      const { notifications, skipped, up_to: upTo } = page
      if (skipped > 0)
        out.printNote(`${skipped} notifications were skipped: the server no longer keeps them`)
      for (const notification of notifications) await this.#forward(notification)
      // Otherwise the server would report the same skipped notifications again.
      if (notifications.length === 0 && skipped > 0) await this.#acknowledge(upTo)
    }
  }

  /** Forwards a notification, retrying until the receiver answers. Other topics are acknowledged unsent. */
  async #forward(notification: ListenedNotification): Promise<void> {
    const { forwardTo, topics: wanted } = this.#settings
    const isWanted = !wanted || wanted.includes(notification.topic)
    if (isWanted && forwardTo === undefined) this.#print(notification)
    if (isWanted && forwardTo !== undefined) {
      for (let tries = 0; ; tries++) {
        this.#signal.throwIfAborted()
        const { headers, body } = notification
        const request = { url: forwardTo, headers, body, timeoutMs: receiverTimeoutMs }
        const outcome = await Promise.race([this.#send(request), this.#stopped])
        this.#print(notification, outcome)
        if (outcome.kind === 'answered') break
        await this.#pause(tries)
      }
    }
    await this.#acknowledge(notification.seq)
  }

  /** Also acknowledges while stopping, so that the next run does not forward the notification again. */
  async #acknowledge(seq: number): Promise<void> {
    const acknowledge = (signal: AbortSignal) =>
      this.#settings.client.call('POST', `${this.#path}/ack`, {
        path: this.#listener,
        body: { seq },
        signal,
      })
    if (this.#signal.aborted) await acknowledge(AbortSignal.timeout(lastAcknowledgeMs))
    else await this.#untilAnswered(acknowledge)
  }

  /** Registers the listener, or finds it registered. */
  async #register(): Promise<void> {
    const register = (signal: AbortSignal) =>
      this.#settings.client.call('PUT', this.#path, { path: this.#listener, body: {}, signal })
    await this.#untilAnswered(register, { isRegistration: true })
  }

  /** Sends a request, and again until the server answers. Returns `gone` if the listener was gone: somebody removed it
   * or emptied the database. Then it is registered again, and the request was not repeated. */
  async #untilAnswered<T>(
    send: (signal: AbortSignal) => Promise<T>,
    { isRegistration = false } = {},
  ): Promise<T | 'gone'> {
    const { client, out } = this.#settings
    for (let tries = 0; ; tries++) {
      try {
        return await send(AbortSignal.any([this.#signal, AbortSignal.timeout(requestTimeoutMs)]))
      } catch (error) {
        if (this.#signal.aborted || error instanceof TlsFailure) throw error
        if (error instanceof RequestRefused) {
          if (error.status !== 404 || isRegistration) throw error
          await this.#register()
          return 'gone'
        }
        if (tries === 0) out.printNote(`waiting for ${client.address}`)
        await this.#pause(tries)
      }
    }
  }

  /** Exponential backoff with jitter, up to 10 s. */
  async #pause(tries: number): Promise<void> {
    const maximumMs = Math.min(longestPauseMs, 100 * 2 ** Math.min(tries, 10))
    await sleep(maximumMs * (0.5 + Math.random() / 2), undefined, { signal: this.#signal })
  }

  /** Prints a notification, with what came of forwarding it. */
  #print({ seq, topic, resource, user_id }: ListenedNotification, outcome?: SendOutcome): void {
    const time = new Date().toISOString()
    const line = `${time.slice(11, 19)}  ${topic.padEnd(14)}  ${resource}`
    const notification = { time, seq, topic, resource, user_id }
    if (outcome === undefined) {
      this.#settings.out.printResult(notification, () => `${line}  user ${user_id}`)
      return
    }
    const status = outcome.kind === 'answered' ? outcome.status : null
    const result = status ?? ('why' in outcome ? outcome.why : outcome.kind)
    const ms = outcome.reqTimeMs
    this.#settings.out.printResult(
      { ...notification, status, outcome: outcome.kind, ms },
      () => `${line}  ${result}  ${ms} ms`,
    )
  }
}
