import type { Output } from '../frame/output.ts'
import type { Result } from './run.ts'

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const
const colors = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/** Prints a result with its differences. Without `all`, prints only failures. */
export function printResult(result: Result, { out, all }: { out: Output; all: boolean }): void {
  const { outcome, says, request, why, isOpen } = result
  if (out.isJson) {
    out.show(result, () => [])
    return
  }
  if (outcome !== 'failed' && !all) return
  const mark = out.paint(colors[outcome], marks[outcome])
  out.say(`  ${mark}  ${says}${isOpen ? '  (not fixed by the contract)' : ''}`)
  if (outcome === 'passed') return
  if (outcome === 'failed') out.say(`        ${request}`)
  for (const line of why) out.say(`        ${line}`)
}

/** Counts results by outcome. */
export function countsOf(results: readonly Result[]) {
  const countOf = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return { passed: countOf('passed'), failed: countOf('failed'), skipped: countOf('skipped') }
}

export function printSection(
  { section, title }: { section: string; title: string },
  { out, results }: { out: Output; results: readonly Result[] },
): void {
  const { passed, failed, skipped } = countsOf(results)
  const counts = `${passed} ok, ${failed} failed, ${skipped} skipped`
  out.say(`  ${out.paint(failed > 0 ? 'red' : 'dim', `${section} ${title}: ${counts}`)}`)
}

/** Prints the reasons of skipped checks, and the counts in a form that programs can read. */
export function printTotals(results: readonly Result[], out: Output): void {
  const counts = countsOf(results)
  if (out.isJson) {
    out.show({ checks: results.length, ...counts }, () => [])
    return
  }
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  for (const [reason, results] of Map.groupBy(skipped, (result) => result.why[0] ?? '')) {
    out.say(`skipped ${results.length}: ${reason}`)
  }
  out.say(`figure conform.checks ${results.length}`)
  out.say(`figure conform.skipped ${counts.skipped}`)
  out.say(`figure conform.failed ${counts.failed}`)
}
