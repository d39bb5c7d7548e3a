import type { Output } from '../frame/output.ts'
import type { ConformResult } from './run.ts'

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const
const colors = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/** Prints a result with its differences. Without `all`, prints only failures. */
export function printResult(
  result: ConformResult,
  { out, all }: { out: Output; all: boolean },
): void {
  const { outcome, says, request, why, isOpen } = result
  if (out.isJson) {
    out.printResult(result, () => [])
    return
  }
  if (outcome !== 'failed' && !all) return
  const mark = out.paint(colors[outcome], marks[outcome])
  out.print(`  ${mark}  ${says}${isOpen ? '  (not fixed by the contract)' : ''}`)
  if (outcome === 'passed') return
  if (outcome === 'failed') out.print(`        ${request}`)
  for (const line of why) out.print(`        ${line}`)
}

/** Counts results by outcome. */
export function countByOutcome(results: readonly ConformResult[]) {
  const countOf = (outcome: ConformResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return { passed: countOf('passed'), failed: countOf('failed'), skipped: countOf('skipped') }
}

export function printSection(
  { section, title }: { section: string; title: string },
  { out, results }: { out: Output; results: readonly ConformResult[] },
): void {
  const { passed, failed, skipped } = countByOutcome(results)
  const counts = `${passed} ok, ${failed} failed, ${skipped} skipped`
  out.print(`  ${out.paint(failed > 0 ? 'red' : 'dim', `${section} ${title}: ${counts}`)}`)
}

/** Prints the reasons of skipped checks, and the counts in a form that programs can read. */
export function printTotals(results: readonly ConformResult[], out: Output): void {
  const counts = countByOutcome(results)
  if (out.isJson) {
    out.printResult({ checks: results.length, ...counts }, () => [])
    return
  }
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  for (const [reason, results] of Map.groupBy(skipped, (result) => result.why[0] ?? '')) {
    out.print(`skipped ${results.length}: ${reason}`)
  }
  out.print(`figure conform.checks ${results.length}`)
  out.print(`figure conform.skipped ${counts.skipped}`)
  out.print(`figure conform.failed ${counts.failed}`)
}
