import { fold, wordsIn } from './parts.ts'

/** What the words so far call, and with which further ones they call something else. */
interface Call {
  /** What is called so, by the ids of the `Runs`. */
  told: Map<number, unknown> | undefined
  /** By the id of the next word. */
  longer: Map<number, Call> | undefined
}

/** A word that something is called by. */
interface CallWord {
  id: number
  /** What it calls as the first. */
  begins: Call | undefined
}

/** A word of a title, as far as `Calls` know it. */
export interface InCalls {
  written: string
  /** Theirs to fill in; and as of which of their editions it is. */
  word: CallWord | undefined
  asOf: object | undefined
}

/** A call in a title, and between which of its words it stands. */
export interface CallIn {
  /** What is called so: for `Runs` to look into. */
  told: ReadonlyMap<number, unknown>
  from: number
  to: number
}

/** All that may be called in titles: a title is searched once, whoever asks what it calls. */
export class Calls {
  readonly #words = new Map<string, CallWord>()
  /** Another one with every new word. */
  #edition: object = {}
  #runs = 0

  /** For one more who is asked. */
  newId(): number {
    return this.#runs++
  }

  /** What is called so, for those who say it to add to. A number alone may be anything; so may a single
   * letter: undefined. */
  toldBy(name: string): Map<number, unknown> | undefined {
    const words = wordsIn(fold(name))
    if (/^.?$|^[0-9]+$/.test(words.join(''))) return undefined
    const [first, ...others] = words.map((written) => this.#wordOf(written))
    if (!first) return undefined
    first.begins ??= newCall()
    let call = first.begins
    for (const { id } of others) {
      call.longer ??= new Map()
      let next = call.longer.get(id)
      if (!next) {
        next = newCall()
        call.longer.set(id, next)
      }
      call = next
    }
    call.told ??= new Map()
    return call.told
  }

  /** What the words of a title call, of all that is called by now; the longest call first. */
  in(words: readonly InCalls[]): CallIn[] {
    this.#know(words)
    const found: CallIn[] = []
    for (let from = 0; from < words.length; from++) {
      let call = words[from]?.word?.begins
      for (let to = from + 1; call !== undefined; to++) {
        const { told, longer } = call
        if (told !== undefined) found.push({ told, from, to })
        const next = longer && words[to]?.word
        call = next && longer.get(next.id)
      }
    }
    if (found.length > 1) found.sort((a, b) => b.to - b.from - (a.to - a.from))
    return found
  }

  #know(words: readonly InCalls[]): void {
    for (const word of words) {
      if (word.asOf === this.#edition) continue
      word.word = this.#words.get(word.written)
      word.asOf = this.#edition
    }
  }

  #wordOf(written: string): CallWord {
    let word = this.#words.get(written)
    if (!word) {
      word = { id: this.#words.size, begins: undefined }
      this.#words.set(written, word)
      this.#edition = {}
    }
    return word
  }
}

const newCall = (): Call => ({ told: undefined, longer: undefined })

/** What is called by one or more words, to be found by what a title calls. */
export class Runs<T> {
  readonly #calls: Calls
  readonly #id: number

  constructor(calls: Calls) {
    this.#calls = calls
    this.#id = calls.newId()
  }

  /** What is called so; `first` where nothing is yet. */
  add(call: string, first: T): T {
    const told = this.#calls.toldBy(call)
    const known = told?.get(this.#id) as T | undefined
    if (known !== undefined) return known
    told?.set(this.#id, first)
    return first
  }

  get({ told }: CallIn): T | undefined {
    return told.get(this.#id) as T | undefined
  }
}
