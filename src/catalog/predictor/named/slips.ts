import type { Steps } from '../../tree/slices.ts'

/** What Spanish and Portuguese write in several ways, as it is heard: h is mute but in ch, which Portuguese
 * says like x before a vowel; b is v. */
const heard: Readonly<Record<string, string>> = {
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
const written = /ch|ph|h|v|ll|y|c[ei]|z|x(?![aeiou])|c|qu[ei]|q|g[ei]/g

function soundOf(word: string): string {
  return word.replace(written, (letters) => heard[letters] as string).replace(/(.)\1+/g, '$1')
}

/** Shorter ones have too many that are like them; with digits they are models. */
const mayBeWrong = /^[a-z]{5,20}$/
/** Shorter sounds have to be the same. */
const shortestSlip = 5

/**
 * Finds the word that somebody meant who wrote it as it sounds, or with one letter too many, too few,
 * another, or two in the wrong order. The first letter has to sound right.
 */
export class Slips {
  readonly #words: readonly string[]
  readonly #sounds: string[] = []
  /** Words, counted from 1, by the hash of their sound and of each that is left of it without one letter: in
   * the first slot behind that which is empty, 0. */
  readonly #slots: Int32Array

  private constructor(words: readonly string[]) {
    this.#words = words
    const most = words.reduce((sum, { length }) => sum + length, 0)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)))
  }

  /** Of `words` those that may be meant; of two that are as near the earlier one is. */
  static *among(words: Iterable<string>): Steps<Slips> {
    const slips = new Slips([...words].filter((word) => mayBeWrong.test(word)))
    for (const [index, word] of slips.#words.entries()) {
      yield
      slips.#add(index, soundOf(word))
    }
    return slips
  }

  /** The word that is meant. */
  meantBy(word: string): string | undefined {
    if (!mayBeWrong.test(word)) return undefined
    const sound = soundOf(word)
    const lettersToMiss = sound.length < shortestSlip ? 1 : sound.length
    let nearest = this.#words.length
    for (let without = 0; without < lettersToMiss; without++) {
      for (let at = this.#slotOf(sound, without); this.#slots[at] !== 0; at = this.#after(at)) {
        const index = (this.#slots[at] as number) - 1
        const other = this.#sounds[index] as string
        if (other === sound) return this.#words[index]
        if (index < nearest && isNear(sound, other)) nearest = index
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

  /** `without` which of its letters: the first always counts, so that 0 is all of them. */
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

/** Whether one letter makes the difference, or two that have changed places, but not the first. */
function isNear(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.min(one.length, other.length) < shortestSlip) return false
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
