import { startServer } from '../measure.ts'

const receiverFile = new URL('./receiver.ts', import.meta.url).pathname

/** One request that came to a callback. */
export interface ReceivedRequest {
  path: string
  /** The id that a delivery names in its headers, where it does. */
  id: string | null
  resource: string
  attempt: number
  /** On `monotonicMs`. */
  at: number
  /** What it was answered; 0: nothing. */
  status: number
}

/** The receiver's process, as the one who runs the benchmark sees it. */
export interface CallbackReceiver {
  pid: number
  /** One for each application, each of an origin of its own as far as there are ports. */
  urls: string[]
  count(): Promise<{ received: number; lastAt: number | null }>
  receivedRequests(from?: number): Promise<ReceivedRequest[]>
  clear(): Promise<void>
  /** What these callbacks answer from now on, or all that were never named; 0: nothing, ever. Every
   * `spared`th request of a callback is accepted all the same. */
  setResponseStatus(
    status: number,
    more?: { urls?: readonly string[]; spared?: number },
  ): Promise<void>
  /** Has this share of all requests, from 0 to 1, answered 500 instead of 200. */
  setFailureShare(share: number): Promise<void>
  /** Has these callbacks take so long to answer: some time in between, in milliseconds. */
  setDelay(urls: readonly string[], between: readonly [number, number]): Promise<void>
  stop(): Promise<void>
}

export async function openCallbackReceiver(
  applications: number,
  { ports = applications } = {},
): Promise<CallbackReceiver> {
  const server = await startServer([receiverFile], {})
  const ask = async (path: string) => {
    const answer = await fetch(server.address + path)
    if (!answer.ok) throw new Error(`the receiver answered ${answer.status} to ${path}`)
    return answer.text()
  }
  const open: number[] = JSON.parse(await ask(`/ports?count=${ports}`))
  const urls = Array.from(
    { length: applications },
    (_, n) => `http://127.0.0.1:${open[n % open.length]}/${n}`,
  )
  return {
    pid: server.pid,
    urls,
    count: async () => JSON.parse(await ask('/count')),
    async receivedRequests(from = 0) {
      const rows: [string, string | null, string, number, number, number][] = JSON.parse(
        await ask(`/told?from=${from}`),
      )
      return rows.map(([path, id, resource, attempt, at, status]) => ({
        path,
        id,
        resource,
        attempt,
        at,
        status,
      }))
    },
    clear: async () => void (await ask('/clear')),
    async setResponseStatus(status, { urls: named = [], spared = 0 } = {}) {
      await ask(`/answer?status=${status}&spared=${spared}${pathsOf(named)}`)
    },
    setFailureShare: async (share) => void (await ask(`/fail?share=${share}`)),
    async setDelay(named, [from, to]) {
      await ask(`/delay?from=${from}&to=${to}${pathsOf(named)}`)
    },
    stop: () => server.stop(),
  }
}

function pathsOf(urls: readonly string[]): string {
  return urls.map((url) => `&path=${encodeURIComponent(new URL(url).pathname)}`).join('')
}
