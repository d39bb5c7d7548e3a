import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'
import type { Figure } from '../run.ts'
import type { LabeledTitle } from './predict.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const draws = 5

/** How often the first proposal is right where the first word of five letters or more, mostly what the thing
 * is called, is written wrong: one of its letters, but the first, is missing, doubled up with some other,
 * another, or in the place of the next. The mean of draws. */
export function measureTypos(
  titles: readonly LabeledTitle[],
  { rankOf, short }: { rankOf: (title: LabeledTitle) => number; short: boolean },
): Figure {
  let [right, total] = [0, 0]
  for (let draw = 0; draw < (short ? 1 : draws); draw++) {
    const random = seededRandom(draw)
    for (const title of titles) {
      const words = title.text.split(' ')
      const at = words.findIndex((word) => /^\p{L}{5,}$/u.test(word))
      if (at < 0) continue
      words[at] = misspell(words[at] as string, random)
      if (rankOf({ ...title, text: words.join(' ') }) === 0) right++
      total++
    }
  }
  return { name: 'predict.slips.top1', value: (100 * right) / total, unit: `% of ${total}` }
}

function misspell(word: string, random: SeededRandom): string {
  const at = random.between(1, word.length - 2)
  const [before, letter, next] = [word.slice(0, at), word[at], word[at + 1]]
  const [behind, other] = [word.slice(at + 1), random.pick([...letters])]
  const ways = [
    before + behind,
    before + other + letter + behind,
    before + other + behind,
    before + next + letter + behind.slice(1),
  ]
  return random.pick(ways.filter((way) => way !== word))
}
