import type { CheckResult } from '../../conform/result.ts'
import type { Output } from '../frame/output.ts'

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const
const colors = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/** Prints a result with its differences. Without `all`, prints only failures. */
export function printResult(
  result: CheckResult,
  { out, all }: { out: Output; all: boolean },
): void {
  const { section, outcome, says, request, isOpen } = result
  const why = reasonsOf(result)
  if (out.isJson) {
    out.printResult({ section, says, request, isOpen, outcome, why }, () => [])
    return
  }
  if (outcome !== 'failed' && !all) return
  const mark = out.paint(colors[outcome], marks[outcome])
  out.print(`  ${mark}  ${says}${isOpen ? '  (not fixed by the contract)' : ''}`)
  if (outcome === 'passed') return
  if (outcome === 'failed') out.print(`        ${request}`)
  for (const line of why) out.print(`        ${line}`)
}

/** Returns how the answer differs, or what a skipped check lacks and which option adds it. */
function reasonsOf({ differences, lacks }: CheckResult): readonly string[] {
  switch (lacks?.kind) {
    case undefined:
      return differences
    case 'permission':
      return ['it creates or changes something: use --write']
    case 'token':
      return [`there is no token of a ${lacks.role}: use --${lacks.role}-token or --operator-token`]
    case 'value':
      return [lacks.name === 'application' ? `${lacks.reason}: use --application` : lacks.reason]
  }
}

/** Counts results by outcome. */
export function countByOutcome(results: readonly CheckResult[]) {
  const countOf = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return { passed: countOf('passed'), failed: countOf('failed'), skipped: countOf('skipped') }
}

export function printSection(
  { section, title }: { section: string; title: string },
  { out, results }: { out: Output; results: readonly CheckResult[] },
): void {
  const { passed, failed, skipped } = countByOutcome(results)
  const counts = `${passed} ok, ${failed} failed, ${skipped} skipped`
  out.print(`  ${out.paint(failed > 0 ? 'red' : 'dim', `${section} ${title}: ${counts}`)}`)
}

/** Prints the reasons of skipped checks, and the counts in a form that programs can read. */
export function printTotals(results: readonly CheckResult[], out: Output): void {
  const counts = countByOutcome(results)
  if (out.isJson) {
    out.printResult({ checks: results.length, ...counts }, () => [])
    return
  }
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  for (const [reason, results] of Map.groupBy(skipped, (result) => reasonsOf(result)[0] ?? '')) {
    out.print(`skipped ${results.length}: ${reason}`)
  }
  out.print(`figure conform.checks ${results.length}`)
  out.print(`figure conform.skipped ${counts.skipped}`)
  out.print(`figure conform.failed ${counts.failed}`)
}
