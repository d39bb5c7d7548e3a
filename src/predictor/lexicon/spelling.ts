import type { SlicedWork } from '../../kernel/slices.ts'

/** Corrects words of a title that no phrase has, by the symmetric delete method: a table holds each known word under
 * its sound, and under the sound without each letter but the first. A misspelling is looked up in the same ways.
 * Example: *Eladera* for *Heladera* has the stem `elader`, and `helader` has that sound. *Heladra* sounds `eladr`,
 * which is `elader` without its second *e*. *Gafa* could not be corrected: its stem `gaf` is too short. */

/** One spelling for each sound that Spanish and Portuguese spell in several ways. B sounds like v, and h is mute. Ch
 * and x before a vowel become x, because Portuguese speaks both alike; another x sounds like s. */
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
/** The keys of `sounds`. The first alternative that fits counts, so *ch* and *c[ei]* stand before *c*. */
const spellingPattern = /ch|ph|h|v|ll|y|c[ei]|z|x(?![aeiou])|c|qu[ei]|q|g[ei]/g

/** Returns the sound of a stem: at most as many letters, none of them doubled. */
function soundOf(word: string): string {
  return word
    .replace(spellingPattern, (letters) => sounds[letters] as string)
    .replace(/(.)\1+/g, '$1')
}

/** Stems that may be misspelled. Shorter ones resemble too many others; those with digits are models. */
const correctablePattern = /^[a-z]{5,20}$/
/** Sounds of fewer letters are corrected only to a word with the same sound. */
const minSoundLength = 5

/**
 * Corrects misspellings: words that are written as they sound, or with one letter added, missing, replaced, or two
 * swapped. The first letter must sound right.
 */
export class SpellingCorrector {
  /** The stems that may be corrected to, the preferred ones first. */
  readonly words: readonly string[]
  /** The sounds by index of `words`. */
  readonly sounds: readonly string[]
  /** A hash table with linear probing. An entry is an index of `words` plus 1, or 0 for a free slot. A word has an
   * entry for its sound and one for each letter but the first that is left out. The length is a power of two. */
  readonly slots: Int32Array

  /** Takes the tables that `build` makes or a file holds. */
  constructor({ words, sounds, slots }: Pick<SpellingCorrector, 'words' | 'sounds' | 'slots'>) {
    this.words = words
    this.sounds = sounds
    this.slots = slots
  }

  /** Builds the tables of these stems in steps. Of two equally near words, the earlier one wins. */
  static *build(allWords: Iterable<string>): SlicedWork<SpellingCorrector> {
    const words = [...allWords].filter((word) => correctablePattern.test(word))
    // At most half of the slots are used: a word has as many entries as its sound has letters.
    const most = words.reduce((sum, { length }) => sum + length, 0)
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)))
    const sounds: string[] = []
    for (const word of words) {
      yield
      sounds.push(soundOf(word))
    }
    const slips = new SpellingCorrector({ words, sounds, slots })
    for (const [index, sound] of sounds.entries()) {
      yield
      slips.#add(index, sound)
    }
    return slips
  }

  /** Returns the stem that was probably meant: one with the same sound, else the earliest one that is an edit away.
   * Undefined if there is none. `word` is a stem. */
  correct(word: string): string | undefined {
    if (!correctablePattern.test(word)) return undefined
    const sound = soundOf(word)
    const lettersToMiss = sound.length < minSoundLength ? 1 : sound.length
    let nearest = this.words.length
    for (let without = 0; without < lettersToMiss; without++) {
      for (let at = this.#slotOf(sound, without); this.slots[at] !== 0; at = this.#after(at)) {
        const index = (this.slots[at] as number) - 1
        const other = this.sounds[index] as string
        if (other === sound) return this.words[index]
        if (index < nearest && isOneEditApart(sound, other)) nearest = index
      }
    }
    return this.words[nearest]
  }

  /** Enters a word into the slots of its sound. `index` is that in `words`. */
  #add(index: number, sound: string): void {
    for (let without = 0; without < sound.length; without++) {
      let at = this.#slotOf(sound, without)
      while (this.slots[at] !== 0) at = this.#after(at)
      this.slots[at] = index + 1
    }
  }

  /** Returns the first slot to try for a sound without its letter at `without`. The first letter is never left out, so
   * 0 stands for the whole sound. The hash is FNV-1a, with the first letter as its seed. */
  #slotOf(sound: string, without: number): number {
    let hash = sound.charCodeAt(0)
    for (let n = 1; n < sound.length; n++) {
      if (n !== without) hash = Math.imul(hash ^ sound.charCodeAt(n), 0x01000193)
    }
    return (hash ^ (hash >>> 15)) & (this.slots.length - 1)
  }

  /** Returns the next slot to try. */
  #after(at: number): number {
    return (at + 1) & (this.slots.length - 1)
  }
}

/** Returns whether two sounds differ by one letter, or by two swapped ones, but not in the first. Sounds of one slot
 * may be two edits apart, one letter left out of each, or only share a hash. */
function isOneEditApart(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.min(one.length, other.length) < minSoundLength) return false
  // What differs remains, after the common beginning and the common end.
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
