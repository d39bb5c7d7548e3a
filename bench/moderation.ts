import { moderate } from '../src/moderation/moderate.ts'
import {
  type BenchmarkPart,
  type LabeledMessage,
  readLabeledMessages,
} from './moderation/labelled.ts'
import type { Figure } from './run.ts'

/**
 * How well and how fast messages are moderated. Two sets are counted that nothing was tuned on: `independent-test`,
 * messages by writers who saw neither rules nor training messages, labeled by two others, and `held-out`, older ones by
 * the authors of the rules. Intervals are those of Wilson for 95 %. Speed is that of one core: processor time of this
 * process, whatever else the machine does; the slowest are by the clock.
 */
export async function moderation({ short }: { short: boolean }): Promise<Figure[]> {
  const figures = [
    ...figuresOf('moderation', judgeAll('independent-test')),
    ...figuresOf('moderation.held_out', judgeAll('held-out')),
  ]
  const speed = measure(readLabeledMessages('held-out'), short ? 3 : 10)
  return [
    ...figures,
    { name: 'moderation.per_second', value: speed.perSecond, unit: 'messages/s a core' },
    { name: 'moderation.p99_us', value: speed.p99, unit: 'µs' },
  ]
}

interface Judgements {
  /** How many messages of each label there are, and how many were judged as it says. */
  byLabel: ReadonlyMap<string, { count: number; correct: number }>
  passed: number
}

/** Judges a part of the benchmark and prints its figures by label. */
function judgeAll(part: BenchmarkPart): Judgements {
  const byLabel = new Map<string, { count: number; correct: number }>()
  let passed = 0
  for (const { text, context, expected } of readLabeledMessages(part)) {
    const judged = moderate(text, context)?.reason ?? 'clean'
    const ofLabel = byLabel.get(expected) ?? { count: 0, correct: 0 }
    byLabel.set(expected, ofLabel)
    ofLabel.count++
    if (judged === expected) ofLabel.correct++
    if (judged === 'clean') passed++
  }
  process.stdout.write(`${part}\n`)
  for (const [label, { count, correct }] of byLabel) {
    process.stdout.write(`  ${label}: ${shareOf(correct, count)}\n`)
  }
  return { byLabel, passed }
}

function figuresOf(name: string, { byLabel, passed }: Judgements): Figure[] {
  const clean = byLabel.get('clean') ?? { count: 0, correct: 0 }
  const refused = { count: -clean.count, correct: -clean.correct }
  for (const { count, correct } of byLabel.values()) {
    refused.count += count
    refused.correct += correct
  }
  process.stdout.write(
    `  held back of the clean: ${shareOf(clean.count - clean.correct, clean.count)}\n`,
  )
  process.stdout.write(`  clean of those that pass: ${shareOf(clean.correct, passed)}\n`)
  process.stdout.write(`  held back for their reason: ${shareOf(refused.correct, refused.count)}\n`)
  return [
    { name: `${name}.precision_clean`, value: clean.correct / passed, unit: 'of those passed' },
    { name: `${name}.passed_clean`, value: clean.correct / clean.count, unit: 'of the clean' },
    { name: `${name}.recall`, value: refused.correct / refused.count, unit: 'of those to refuse' },
  ]
}

/** Formats a share with its 95 % interval: `48 of 54, 0.89 (0.78 to 0.95)`. */
function shareOf(part: number, whole: number): string {
  const [low, high] = wilsonInterval(part, whole)
  const share = (part / whole).toFixed(3)
  return `${part} of ${whole}, ${share} (${low.toFixed(3)} to ${high.toFixed(3)})`
}

/** Returns the 95 % confidence interval of a share by Wilson's score, which holds for few cases, too. */
function wilsonInterval(part: number, whole: number): [number, number] {
  const z = 1.96
  const share = part / whole
  const middle = share + (z * z) / (2 * whole)
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole))
  const divisor = 1 + (z * z) / whole
  return [(middle - spread) / divisor, (middle + spread) / divisor]
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
