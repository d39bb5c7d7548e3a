import { fold, wordsIn } from './parts.ts'

/** A node of the trie of names: the values of the words so far, and the nodes of longer names. */
interface Call {
  /** The values of this name, by the id of their `Runs`. */
  called: Map<number, unknown> | undefined
  /** Longer names by the id of the next word. */
  longer: Map<number, Call> | undefined
}

/** A word of some name. */
interface CallWord {
  id: number
  /** The node of names that begin with it. */
  begins: Call | undefined
}

/** A word of a title, with a cache for `Calls`. */
export interface CallingWord {
  written: string
  /** The word in the trie, if known. */
  word: CallWord | undefined
  /** The edition of the trie for which `word` holds. */
  asOf: object | undefined
}

/** A name in a title, between the words `from` and `to`. */
export interface CallIn {
  /** The values of the name. Read them by `Runs.get`. */
  called: ReadonlyMap<number, unknown>
  from: number
  to: number
}

/** The trie of all names that titles are searched for. A title is searched once for all `Runs`. */
export class Calls {
  readonly #words = new Map<string, CallWord>()
  /** A new object with every new word, so that cached words are looked up again. */
  #edition: object = {}
  #runs = 0

  /** Returns an id for a new `Runs`. */
  newId(): number {
    return this.#runs++
  }

  /** Returns the values of a name, to which `Runs` adds. Undefined for a single number or letter, which is ambiguous. */
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

  /** Returns the names in a title, the longest first. */
  in(words: readonly CallingWord[]): CallIn[] {
    this.#lookUp(words)
    const names: CallIn[] = []
    for (let from = 0; from < words.length; from++) {
      let call = words[from]?.word?.begins
      for (let to = from + 1; call !== undefined; to++) {
        const { called, longer } = call
        if (called !== undefined) names.push({ called, from, to })
        const next = longer && words[to]?.word
        call = next && longer.get(next.id)
      }
    }
    if (names.length > 1) names.sort((a, b) => b.to - b.from - (a.to - a.from))
    return names
  }

  #lookUp(words: readonly CallingWord[]): void {
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

/** Values by names of one or more words, which are found in titles by `Calls.in`. */
export class Runs<T> {
  readonly #calls: Calls
  readonly #id: number

  constructor(calls: Calls) {
    this.#calls = calls
    this.#id = calls.newId()
  }

  /** Adds a value, unless the name has one. Returns the value of the name. A single number or letter is ignored. */
  add(name: string, value: T): T {
    const values = this.#calls.calledBy(name)
    const existing = values?.get(this.#id) as T | undefined
    if (existing !== undefined) return existing
    values?.set(this.#id, value)
    return value
  }

  get({ called }: CallIn): T | undefined {
    return called.get(this.#id) as T | undefined
  }
}
