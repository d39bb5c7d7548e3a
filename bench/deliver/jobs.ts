/** What is to be delivered in one measurement: number `n` goes to application `n % urls.length`. */
export interface DeliveryJobs {
  urls: readonly string[]
  /** Number of the first resource: no two measurements share one. */
  first: number
  count: number
}

export const jobResource = ({ first }: DeliveryJobs, n: number) => `/orders/${first + n}`

export function jobUrl({ urls }: DeliveryJobs, n: number): string {
  return urls[n % urls.length] as string
}

/** The body of a notification (contract 6.1), as those who do without the program send it. */
export function notificationBody(
  notification: { resource: string; userId: number; applicationId: number },
  at: Date,
): string {
  const time = at.toISOString()
  return JSON.stringify({
    resource: notification.resource,
    user_id: notification.userId,
    topic: 'orders_v2',
    application_id: notification.applicationId,
    attempts: 1,
    sent: time,
    received: time,
  })
}

export function jobNotificationBody(jobs: DeliveryJobs, n: number, at: Date): string {
  const [userId, applicationId] = [1_000_000 + (n % 1_000), 7_000_000 + (n % jobs.urls.length)]
  return notificationBody({ resource: jobResource(jobs, n), userId, applicationId }, at)
}
