import {
  linkingWordList,
  type NumberKind,
  numberCues,
  possessiveList,
} from './lists/number-cues.ts'
import type { NormalizedText } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'
import type { NormalizedWord } from './text/words.ts'

/** How many words, linking ones aside, may be between a number and the word that tells its kind. */
const leadReach = 4

/** Returns what the words around a number or an address say that it is. */
export function numberKindOf(
  { words }: NormalizedText,
  { from, to }: TextSpan,
): NumberKind | undefined {
  const nextIndex = words.findIndex((word) => word.from >= from)
  const first = nextIndex === -1 ? words.length : nextIndex
  let distance = 0
  for (let at = first - 1; at >= 0 && distance < leadReach; at--) {
    const word = words[at] as NormalizedWord
    if (words[at + 1]?.stop) break
    const lead = numberKindOfWord(word.form)
    if (lead) return lead
    if (/^n(ume)?ros?$/.test(word.form) && possessives.has(words[at - 1]?.form ?? ''))
      return 'phone'
    if (!linkingWords.has(word.form) && !/^\d/.test(word.form)) distance++
  }
  const after = words
    .slice(first, first + 24)
    .filter((word) => word.from >= to)
    .slice(0, 4)
  for (const [index, word] of after.entries()) {
    if (index > 0 && word.stop) break
    if (numberKindOfWord(word.form) === 'phone') return 'phone'
  }
  return undefined
}

const linkingWords = new Set(linkingWordList.trim().split(/\s+/))
const possessives = new Set(possessiveList.trim().split(/\s+/))
const exact = new Map<string, NumberKind>()
const beginnings: [beginning: string, lead: NumberKind][] = []
for (const [lead, text] of Object.entries(numberCues)) {
  for (const word of text.trim().split(/\s+/)) {
    if (word.endsWith('*')) beginnings.push([word.slice(0, -1), lead as NumberKind])
    else exact.set(word, lead as NumberKind)
  }
}

function numberKindOfWord(form: string): NumberKind | undefined {
  return exact.get(form) ?? beginnings.find(([beginning]) => form.startsWith(beginning))?.[1]
}
