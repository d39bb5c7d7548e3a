import { moderate } from '../src/moderation/moderate.ts'
import { type LabeledMessage, readLabeledMessages } from './moderation/labelled.ts'
import type { Figure } from './run.ts'

/**
 * How well and how fast messages are moderated: counted on the half of the labelled messages that the
 * rules were not tuned on. Speed is that of one core: processor time of this process, whatever else
 * the machine does; the slowest are by the clock.
 */
export async function moderation({ short }: { short: boolean }): Promise<Figure[]> {
  const messages = readLabeledMessages('held-out')
  const counts = countReasons(messages)
  for (const [reason, { expected, found, correct }] of counts) {
    const told = `precision ${shareOf(correct, found)}, recall ${shareOf(correct, expected)}`
    process.stdout.write(`${reason}: ${expected} messages, ${told}\n`)
  }
  const clean = counts.get('clean') ?? { expected: 0, found: 0, correct: 0 }
  const refusable = messages.length - clean.expected
  const caught = [...counts].reduce((all, [, { correct }]) => all + correct, 0) - clean.correct
  const passed = messages.filter(isMissed).length
  process.stdout.write(`refused for another reason: ${refusable - caught - passed}\n`)
  const speed = measure(messages, short ? 3 : 10)
  return [
    {
      name: 'moderation.precision_clean',
      value: clean.correct / clean.found,
      unit: 'of those passed',
    },
    {
      name: 'moderation.passed_clean',
      value: clean.correct / clean.expected,
      unit: 'of the clean',
    },
    { name: 'moderation.recall', value: caught / refusable, unit: 'of those to refuse' },
    { name: 'moderation.per_second', value: speed.perSecond, unit: 'messages/s a core' },
    { name: 'moderation.p99_us', value: speed.p99, unit: 'µs' },
  ]
}

interface ReasonCounts {
  expected: number
  found: number
  correct: number
}

function countReasons(messages: readonly LabeledMessage[]): Map<string, ReasonCounts> {
  const counts = new Map<string, ReasonCounts>()
  const of = (reason: string) => {
    const known = counts.get(reason) ?? { expected: 0, found: 0, correct: 0 }
    counts.set(reason, known)
    return known
  }
  for (const { text, context, expected } of messages) {
    const found = moderate(text, context)?.reason ?? 'clean'
    of(expected).expected++
    of(found).found++
    if (found === expected) of(found).correct++
  }
  return counts
}

function isMissed({ text, context, expected }: LabeledMessage): boolean {
  return expected !== 'clean' && moderate(text, context) === undefined
}

/** The clean half and the rest in turn, as they stand: more work than a marketplace's ordinary day. */
function measure(messages: readonly LabeledMessage[], seconds: number) {
  const run = () => {
    for (const { text, context } of messages) moderate(text, context)
  }
  for (let warm = performance.now(); performance.now() - warm < seconds * 400; ) run()
  const began = performance.now()
  const before = process.cpuUsage()
  let judged = 0
  while (performance.now() - began < seconds * 500) {
    run()
    judged += messages.length
  }
  const { user, system } = process.cpuUsage(before)
  const times: number[] = []
  for (let from = performance.now(); performance.now() - from < seconds * 300; ) {
    for (const { text, context } of messages) {
      const start = performance.now()
      moderate(text, context)
      times.push((performance.now() - start) * 1000)
    }
  }
  times.sort((a, b) => a - b)
  return {
    perSecond: judged / ((user + system) / 1e6),
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? 'none' : (part / whole).toFixed(3)
}
