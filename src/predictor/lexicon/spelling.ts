import type { SlicedWork } from '../../kernel/slices.ts'

/** Sounds of letters that Spanish and Portuguese spell in several ways. H is mute except in ch, which Portuguese speaks
 * like x before a vowel. B sounds like v. */
const sounds: Readonly<Record<string, string>> = {
  ph: 'f',
  h: '',
  v: 'b',
  ll: 'i',
  y: 'i',
  ch: 'x',
  ce: 'se',
  ci: 'si',
  z: 's',
  x: 's',
  c: 'k',
  q: 'k',
  que: 'ke',
  qui: 'ki',
  ge: 'je',
  gi: 'ji',
}
const spellingPattern = /ch|ph|h|v|ll|y|c[ei]|z|x(?![aeiou])|c|qu[ei]|q|g[ei]/g

function soundOf(word: string): string {
  return word
    .replace(spellingPattern, (letters) => sounds[letters] as string)
    .replace(/(.)\1+/g, '$1')
}

/** Words that may be misspelled. Shorter ones resemble too many others; those with digits are models. */
const correctablePattern = /^[a-z]{5,20}$/
/** Shorter sounds must be equal. */
const minSoundLength = 5

/**
 * Corrects misspellings: words that are written as they sound, or with one letter added, missing, replaced, or two
 * swapped. The first letter must sound right.
 */
export class SpellingCorrector {
  readonly #words: readonly string[]
  readonly #sounds: string[] = []
  /** A hash table with linear probing: words, counted from 1, by the hashes of their sound and of the sound without each
   * one letter. 0 is a free slot. */
  readonly #slots: Int32Array

  private constructor(words: readonly string[]) {
    this.#words = words
    const most = words.reduce((sum, { length }) => sum + length, 0)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)))
  }

  /** Builds the table of these words in steps. Of two equally near words, the earlier one wins. */
  static *build(words: Iterable<string>): SlicedWork<SpellingCorrector> {
    const slips = new SpellingCorrector([...words].filter((word) => correctablePattern.test(word)))
    for (const [index, word] of slips.#words.entries()) {
      yield
      slips.#add(index, soundOf(word))
    }
    return slips
  }

  /** Returns the word that was probably meant, or undefined. */
  correct(word: string): string | undefined {
    if (!correctablePattern.test(word)) return undefined
    const sound = soundOf(word)
    const lettersToMiss = sound.length < minSoundLength ? 1 : sound.length
    let nearest = this.#words.length
    for (let without = 0; without < lettersToMiss; without++) {
      for (let at = this.#slotOf(sound, without); this.#slots[at] !== 0; at = this.#after(at)) {
        const index = (this.#slots[at] as number) - 1
        const other = this.#sounds[index] as string
        if (other === sound) return this.#words[index]
        if (index < nearest && isOneEditApart(sound, other)) nearest = index
      }
    }
    return this.#words[nearest]
  }

  #add(index: number, sound: string): void {
    this.#sounds.push(sound)
    for (let without = 0; without < sound.length; without++) {
      let at = this.#slotOf(sound, without)
      while (this.#slots[at] !== 0) at = this.#after(at)
      this.#slots[at] = index + 1
    }
  }

  /** Returns the slot of a sound without one letter. The first letter always counts, so 0 means without none. */
  #slotOf(sound: string, without: number): number {
    let hash = sound.charCodeAt(0)
    for (let n = 1; n < sound.length; n++) {
      if (n !== without) hash = Math.imul(hash ^ sound.charCodeAt(n), 0x01000193)
    }
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }

  #after(at: number): number {
    return (at + 1) & (this.#slots.length - 1)
  }
}

/** Returns whether two sounds differ by one letter, or by two swapped ones, but not in the first. */
function isOneEditApart(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.min(one.length, other.length) < minSoundLength) return false
  let from = 1
  while (from < one.length && one[from] === other[from]) from++
  let [end, otherEnd] = [one.length, other.length]
  while (end > from && otherEnd > from && one[end - 1] === other[otherEnd - 1]) {
    end--
    otherEnd--
  }
  const [left, right] = [one.slice(from, end), other.slice(from, otherEnd)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && left === `${right[1]}${right[0]}`
}
