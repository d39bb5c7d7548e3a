import type { NormalizedText } from '../text/normalize.ts'
import type { TextSpan } from '../text/span.ts'
import {
  extractFeatures,
  type MessageFeatures,
  type MessageSender,
  removeFeatures,
} from './features.ts'
import { type ClassifierModel, classes, type MessageClass } from './model.ts'

/** What the classifier makes of a message. */
export interface Classification {
  /** Probability that the message is clean or has a reason that does not hold for its sender, from 0 to 1. */
  clean: number
  /** The most probable reason to hold it back. */
  reason: Exclude<MessageClass, 'clean'>
  /** Probability of a reason or of `clean`; 0 for one that the classifier does not know. */
  probabilityOf(reason: string): number
  /** Returns the part of the folded text that speaks most for the reason. Call it before the next message. */
  explain(): TextSpan
}

const claimEvasion = classes.indexOf('EVASION_CLAIM_SELLER')
const personalData = classes.indexOf('PERSONAL_DATA')

/** Only a seller evades claims, and a buyer may send what an invoice needs. */
function isPossible(of: number, { writer, billingAsked }: MessageSender): boolean {
  if (of === claimEvasion) return writer === 'seller'
  return of !== personalData || !(billingAsked && writer === 'buyer')
}

export function classify(
  model: ClassifierModel,
  normalized: NormalizedText,
  {
    sender,
    rules,
    ignored,
  }: { sender: MessageSender; rules: Iterable<string>; ignored: readonly TextSpan[] },
): Classification {
  const features = extractFeatures(normalized, sender, rules)
  if (ignored.length > 0) removeFeatures(features, ignored)
  const probabilities = model.probabilities(features)
  let clean = probabilities[0] as number
  let best = 1
  for (let of = 1; of < classes.length; of++) {
    if (!isPossible(of, sender)) clean += probabilities[of] as number
    else if ((probabilities[of] as number) > (probabilities[best] as number)) best = of
  }
  return {
    clean,
    reason: classes[best] as Classification['reason'],
    probabilityOf: (of) => probabilities[classes.indexOf(of as MessageClass)] ?? 0,
    explain: () => strongestSpan(normalized, features, model.contributions(features, best)),
  }
}

/** How many words an explanation has at most. */
const longestExplanation = 6

/**
 * Returns the words whose features speak most for the reason: each feature gives its part to the characters that it
 * covers, and the best run of up to six words is returned.
 */
function strongestSpan(
  { text, words }: NormalizedText,
  features: MessageFeatures,
  contributions: Float64Array,
): TextSpan {
  // A difference array: what a feature adds from its start on is taken away at its end.
  const change = new Float64Array(text.length + 2)
  for (let index = 0; index < features.count; index++) {
    const from = features.from[index] as number
    const to = features.to[index] as number
    if (to <= from) continue
    const share = (contributions[index] as number) / (to - from)
    change[from] = (change[from] as number) + share
    change[to] = (change[to] as number) - share
  }
  const upTo = new Float64Array(text.length + 1)
  let level = 0
  for (let at = 0; at < text.length; at++) {
    level += change[at] as number
    upTo[at + 1] = (upTo[at] as number) + level
  }
  let strongest: TextSpan = { from: 0, to: text.length }
  let highest = Number.NEGATIVE_INFINITY
  for (let first = 0; first < words.length; first++) {
    for (let last = first; last < Math.min(words.length, first + longestExplanation); last++) {
      const from = words[first]?.from ?? 0
      const to = words[last]?.to ?? 0
      const sum = (upTo[to] as number) - (upTo[from] as number)
      if (sum <= highest) continue
      highest = sum
      strongest = { from, to }
    }
  }
  return strongest
}
