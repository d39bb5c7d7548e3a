import assert from 'node:assert/strict'
import { percentile, residentBytes } from '../measure.ts'
import type { Figure } from '../run.ts'
import { openLatencyClient } from './latency.ts'
import { searchPathOf } from './sample-searches.ts'

/** Walks through everything that a seller has, a page after the other. */
export async function scanAll(
  { sellerId, token }: { sellerId: number; token: string },
  { address, pid }: { address: string; pid: number },
): Promise<Figure[]> {
  const caller = openLatencyClient(address)
  const params = { seller: String(sellerId), search_type: 'scan', limit: '100' }
  const timings: number[] = []
  const rests = [residentBytes(pid)]
  const seenIds = new Set<number>()
  let total = 0
  for (let scroll: string | undefined; ; ) {
    const path = searchPathOf({
      params: scroll === undefined ? params : { ...params, scroll_id: scroll },
    })
    const { text, ms } = await caller.get(path, token)
    const { results, paging, scroll_id } = JSON.parse(text)
    timings.push(ms)
    if (timings.length % 200 === 0) rests.push(residentBytes(pid))
    total = paging.total
    for (const { id } of results) seenIds.add(id)
    scroll = scroll_id
    if (results.length === 0 || !scroll) break
  }
  rests.push(residentBytes(pid))
  await caller.close()
  assert.equal(seenIds.size, total, 'a scan comes past every order once')
  const tenth = Math.ceil(timings.length / 10)
  const ends = [timings.slice(1, 1 + tenth), timings.slice(-1 - tenth, -1)] as const
  const [first, last] = [percentile(ends[0], 0.99), percentile(ends[1], 0.99)]
  const [before, most, after] = [rests[0] ?? 0, Math.max(...rests), rests.at(-1) ?? 0]
  process.stdout.write(
    `\nscan: ${total} orders in ${timings.length} pages; p50 and p99 of the first tenth ${ends
      .map((end) => [0.5, 0.99].map((share) => percentile(end, share).toFixed(2)).join(' and '))
      .join(' ms, of the last ')} ms; the process held ${[before, most, after]
      .map((bytes) => Math.round(bytes / 1e6))
      .join(', at most ')} MB\n`,
  )
  return [
    { name: 'order-search.scan', value: last / first, unit: 'p99 of the last tenth of the first' },
    { name: 'order-search.scan_mb', value: (after - before) / 1e6, unit: 'MB more after it' },
  ]
}
