import type { Output } from '../frame/output.ts'
import type { Result } from './run.ts'

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const
const colours = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/** One result, with what differs below it; `all` tells those that passed or were skipped too. */
export function printResult(result: Result, { out, all }: { out: Output; all: boolean }): void {
  const { outcome, says, request, why, isOpen } = result
  if (out.isJson) {
    out.show(result, () => [])
    return
  }
  if (outcome !== 'failed' && !all) return
  const mark = out.paint(colours[outcome], marks[outcome])
  out.say(`  ${mark}  ${says}${isOpen ? '  (left open by the contract)' : ''}`)
  if (outcome === 'passed') return
  if (outcome === 'failed') out.say(`        ${request}`)
  for (const line of why) out.say(`        ${line}`)
}

/** How many of these passed, failed and were skipped. */
export function countsOf(results: readonly Result[]) {
  const of = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
}

export function printSection(
  { section, title }: { section: string; title: string },
  { out, results }: { out: Output; results: readonly Result[] },
): void {
  const { passed, failed, skipped } = countsOf(results)
  const counts = `${passed} ok, ${failed} failed, ${skipped} skipped`
  out.say(`  ${out.paint(failed > 0 ? 'red' : 'dim', `${section} ${title}: ${counts}`)}`)
}

/** The last lines: the counts, for people and for programs that read lines. */
export function printTotals(results: readonly Result[], out: Output): void {
  const counts = countsOf(results)
  if (out.isJson) {
    out.show({ checks: results.length, ...counts }, () => [])
    return
  }
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  for (const [why, of] of Map.groupBy(skipped, (result) => result.why[0] ?? '')) {
    out.say(`skipped ${of.length}: ${why}`)
  }
  out.say(`figure conform.checks ${results.length}`)
  out.say(`figure conform.skipped ${counts.skipped}`)
  out.say(`figure conform.failed ${counts.failed}`)
}
