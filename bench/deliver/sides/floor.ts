import { bodyOf, type Jobs, urlOf } from '../jobs.ts'
import { post, type Setting, serveSide } from './serve.ts'

/** The floor: a loop that posts, and keeps nothing. */
let jobs: Jobs
let setting: Setting

serveSide({
  async prepare(...given) {
    ;[jobs, setting] = given
  },
  async go() {
    let next = 0
    const loop = async () => {
      while (next < jobs.count) {
        const n = next++
        await post(urlOf(jobs, n), bodyOf(jobs, n, new Date()))
      }
    }
    await Promise.all(Array.from({ length: setting['atOnce'] ?? 1 }, loop))
  },
})
