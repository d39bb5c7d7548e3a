import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SiteId } from '../../src/kernel/sites.ts'
import type { ModerationContext } from '../../src/moderation/decision.ts'
import type { ModerationReason } from '../../src/moderation/reason.ts'
import { noTerms } from '../../src/moderation/terms.ts'

/** A message, and what somebody who read it says of it. */
export interface LabeledMessage {
  text: string
  context: ModerationContext
  expected: ModerationReason | 'clean'
  isHard: boolean
}

/** The parts of the benchmark: what may be tuned on, and what is only counted. */
export type BenchmarkPart = 'tuning' | 'held-out' | 'independent-dev' | 'independent-test'

export function readLabeledMessages(part: BenchmarkPart): LabeledMessage[] {
  return readLabeledFile(fileURLToPath(new URL(`./${part}.tsv`, import.meta.url)))
}

/**
 * Reads a file of labeled messages, a line each: site, writer, label, flag, and the text. Some files have a column more
 * before the text: whether the message is `hard` or `easy` to judge. Throws for a line of another form.
 */
export function readLabeledFile(path: string): LabeledMessage[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const columns = line.split('\t')
      const [siteId, writer, expected, flag, difficulty = ''] = columns
      const text = columns.at(-1) ?? ''
      if (columns.length < 5 || columns.length > 6 || text === '') {
        throw new Error(`${path}: neither five nor six columns: ${line}`)
      }
      return {
        isHard: columns.length === 6 && difficulty === 'hard',
        text: parseEscapes(text),
        context: {
          siteId: siteId as SiteId,
          writer: writer as ModerationContext['writer'],
          terms: noTerms,
          billingAsked: flag === 'billing',
        },
        expected: expected as LabeledMessage['expected'],
      }
    })
}

function parseEscapes(text: string): string {
  return text
    .replaceAll('\\n', '\n')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
}
