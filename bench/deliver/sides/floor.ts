import { type DeliveryJobs, jobNotificationBody, jobUrl } from '../jobs.ts'
import { postBody, type SideSetting, serveSide } from './serve.ts'

/** The floor: a loop that posts, and keeps nothing. */
let jobs: DeliveryJobs
let setting: SideSetting

serveSide({
  async prepare(...args) {
    ;[jobs, setting] = args
  },
  async begin() {
    let next = 0
    const loop = async () => {
      while (next < jobs.count) {
        const n = next++
        await postBody(jobUrl(jobs, n), jobNotificationBody(jobs, n, new Date()))
      }
    }
    await Promise.all(Array.from({ length: setting['atOnce'] ?? 1 }, loop))
  },
})
