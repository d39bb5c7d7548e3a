/** What is to be delivered in one measurement: number `n` goes to application `n % urls.length`. */
export interface Jobs {
  urls: readonly string[]
  /** Number of the first resource: no two measurements share one. */
  first: number
  count: number
}

export const resourceOf = ({ first }: Jobs, n: number) => `/orders/${first + n}`

export function urlOf({ urls }: Jobs, n: number): string {
  return urls[n % urls.length] as string
}

/** The body of a notification (contract 6.1), as those who do without the program send it. */
export function bodyOf(jobs: Jobs, n: number, sent: Date): string {
  const time = sent.toISOString()
  return JSON.stringify({
    resource: resourceOf(jobs, n),
    user_id: 1_000_000 + (n % 1_000),
    topic: 'orders_v2',
    application_id: 7_000_000 + (n % jobs.urls.length),
    attempts: 1,
    sent: time,
    received: time,
  })
}
