import { readFileSync } from 'node:fs'
import type { SiteId } from '../../src/kernel/sites.ts'
import type { ModerationContext } from '../../src/moderation/decision.ts'
import type { ModerationReason } from '../../src/moderation/reason.ts'
import { noTerms } from '../../src/moderation/terms.ts'

/** A message, and what somebody who read it says of it. */
export interface LabeledMessage {
  text: string
  context: ModerationContext
  expected: ModerationReason | 'clean'
}

/** The two halves: rules are tuned on one and only counted on the other. */
export function readLabeledMessages(part: 'tuning' | 'held-out'): LabeledMessage[] {
  const file = new URL(`./${part}.tsv`, import.meta.url)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [siteId, writer, expected, flag, text = '', ...more] = line.split('\t')
      if (text === '' || more.length > 0) throw new Error(`${part}.tsv: not five columns: ${line}`)
      return {
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
