import { fold, wordsIn } from './parts.ts'

/** What the words so far call, and with which further ones they call something else. */
interface Call {
  /** What is called so, by the ids of the `Runs` that have it. */
  called: Map<number, unknown> | undefined
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
export interface CallingWord {
  written: string
  /** What they know of it, and as of which of their editions: for them to fill in. */
  word: CallWord | undefined
  asOf: object | undefined
}

/** A call in a title, and between which of its words it stands. */
export interface CallIn {
  /** What is called so: for `Runs` to look into. */
  called: ReadonlyMap<number, unknown>
  from: number
  to: number
}

/** All that may be called in titles: a title is searched once, whoever asks what it calls. */
export class Calls {
  readonly #words = new Map<string, CallWord>()
  /** Another one with every new word. */
  #edition: object = {}
  #runs = 0

  /** For one more `Runs`. */
  newId(): number {
    return this.#runs++
  }

  /** What is called so by now, for `Runs` to add to. A number alone may be anything; so may a single letter:
   * undefined. */
  calledBy(name: string): Map<number, unknown> | undefined {
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
    call.called ??= new Map()
    return call.called
  }

  /** What the words of a title call, of all that is called by now; the longest call first. */
  in(words: readonly CallingWord[]): CallIn[] {
    this.#know(words)
    const found: CallIn[] = []
    for (let from = 0; from < words.length; from++) {
      let call = words[from]?.word?.begins
      for (let to = from + 1; call !== undefined; to++) {
        const { called, longer } = call
        if (called !== undefined) found.push({ called, from, to })
        const next = longer && words[to]?.word
        call = next && longer.get(next.id)
      }
    }
    if (found.length > 1) found.sort((a, b) => b.to - b.from - (a.to - a.from))
    return found
  }

  #know(words: readonly CallingWord[]): void {
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

const newCall = (): Call => ({ called: undefined, longer: undefined })

/** What is called by one or more words, to be found by what a title calls. */
export class Runs<T> {
  readonly #calls: Calls
  readonly #id: number

  constructor(calls: Calls) {
    this.#calls = calls
    this.#id = calls.newId()
  }

  /** Keeps what is called so, unless it is something else already; returns what is kept. Nothing is called by
   * a number or a letter alone. */
  add(call: string, what: T): T {
    const called = this.#calls.calledBy(call)
    const known = called?.get(this.#id) as T | undefined
    if (known !== undefined) return known
    called?.set(this.#id, what)
    return what
  }

  get({ called }: CallIn): T | undefined {
    return called.get(this.#id) as T | undefined
  }
}
