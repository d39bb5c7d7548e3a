import { type Lead, leads, linking, mine } from '../lists/leads.ts'
import type { NormalizedText } from '../reading/reading.ts'
import type { TextSpan } from '../reading/view.ts'
import type { Word } from '../reading/words.ts'

/** How many words, linking ones aside, may be between a number and the word that tells its kind. */
const leadReach = 4

/** Returns what the words around a number or an address say that it is. */
export function leadOf({ words }: NormalizedText, { from, to }: TextSpan): Lead | undefined {
  const nextIndex = words.findIndex((word) => word.from >= from)
  const first = nextIndex === -1 ? words.length : nextIndex
  let distance = 0
  for (let at = first - 1; at >= 0 && distance < leadReach; at--) {
    const word = words[at] as Word
    if (words[at + 1]?.stop) break
    const lead = leadOfWord(word.form)
    if (lead) return lead
    if (/^n(ume)?ros?$/.test(word.form) && mineWords.has(words[at - 1]?.form ?? '')) return 'phone'
    if (!linkingWords.has(word.form) && !/^\d/.test(word.form)) distance++
  }
  const after = words
    .slice(first, first + 24)
    .filter((word) => word.from >= to)
    .slice(0, 4)
  for (const [index, word] of after.entries()) {
    if (index > 0 && word.stop) break
    if (leadOfWord(word.form) === 'phone') return 'phone'
  }
  return undefined
}

const linkingWords = new Set(linking.trim().split(/\s+/))
const mineWords = new Set(mine.trim().split(/\s+/))
const exact = new Map<string, Lead>()
const beginnings: [beginning: string, lead: Lead][] = []
for (const [lead, text] of Object.entries(leads)) {
  for (const word of text.trim().split(/\s+/)) {
    if (word.endsWith('*')) beginnings.push([word.slice(0, -1), lead as Lead])
    else exact.set(word, lead as Lead)
  }
}

function leadOfWord(form: string): Lead | undefined {
  return exact.get(form) ?? beginnings.find(([beginning]) => form.startsWith(beginning))?.[1]
}
