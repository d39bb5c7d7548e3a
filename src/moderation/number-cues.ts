import { type NumberKind, wordTables } from './lists/word-tables.ts'
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
  const { linkingWords, possessives } = wordTables()
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

function numberKindOfWord(form: string): NumberKind | undefined {
  const { numberKindByWord, numberKindByBeginning } = wordTables()
  return (
    numberKindByWord.get(form) ??
    numberKindByBeginning.find(([beginning]) => form.startsWith(beginning))?.[1]
  )
}
