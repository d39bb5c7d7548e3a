import { foldText, splitWords } from './tokenize.ts'

/** A node of the trie of names: the values of the words so far, and the nodes of longer names. */
interface NameNode {
  /** The values of this name, by the id of their `NameMap`. */
  values: Map<number, unknown> | undefined
  /** Longer names by the id of the next word. */
  next: Map<number, NameNode> | undefined
}

/** A word of some name. */
interface NameWord {
  id: number
  /** The node of names that begin with it. */
  begins: NameNode | undefined
}

/** A word of a title, with a cache for `NameTrie`. */
export interface TitleToken {
  written: string
  /** The word in the trie, if known. */
  word: NameWord | undefined
  /** The edition of the trie for which `word` holds. */
  asOf: object | undefined
}

/** A name in a title, between the words `from` and `to`. */
export interface NameMatch {
  /** The values of the name. Read them by `Runs.get`. */
  values: ReadonlyMap<number, unknown>
  from: number
  to: number
}

/** The trie of all names that titles are searched for. A title is searched once for all `NameMap`. */
export class NameTrie {
  readonly #words = new Map<string, NameWord>()
  /** A new object with every new word, so that cached words are looked up again. */
  #edition: object = {}
  #runs = 0

  /** Returns an id for a new `NameMap`. */
  newId(): number {
    return this.#runs++
  }

  /** Returns the values of a name, to which `NameMap` adds. Undefined for a single number or letter, which is ambiguous. */
  valuesOf(name: string): Map<number, unknown> | undefined {
    const words = splitWords(foldText(name))
    if (/^.?$|^[0-9]+$/.test(words.join(''))) return undefined
    const [first, ...others] = words.map((written) => this.#wordOf(written))
    if (!first) return undefined
    first.begins ??= newNameNode()
    let call = first.begins
    for (const { id } of others) {
      call.next ??= new Map()
      let next = call.next.get(id)
      if (!next) {
        next = newNameNode()
        call.next.set(id, next)
      }
      call = next
    }
    call.values ??= new Map()
    return call.values
  }

  /** Returns the names in a title, the longest first. */
  matchesIn(words: readonly TitleToken[]): NameMatch[] {
    this.#lookUp(words)
    const names: NameMatch[] = []
    for (let from = 0; from < words.length; from++) {
      let call = words[from]?.word?.begins
      for (let to = from + 1; call !== undefined; to++) {
        const { values, next: longer } = call
        if (values !== undefined) names.push({ values: values, from, to })
        const next = longer && words[to]?.word
        call = next && longer.get(next.id)
      }
    }
    if (names.length > 1) names.sort((a, b) => b.to - b.from - (a.to - a.from))
    return names
  }

  #lookUp(words: readonly TitleToken[]): void {
    for (const word of words) {
      if (word.asOf === this.#edition) continue
      word.word = this.#words.get(word.written)
      word.asOf = this.#edition
    }
  }

  #wordOf(written: string): NameWord {
    let word = this.#words.get(written)
    if (!word) {
      word = { id: this.#words.size, begins: undefined }
      this.#words.set(written, word)
      this.#edition = {}
    }
    return word
  }
}

const newNameNode = (): NameNode => ({ values: undefined, next: undefined })

/** Values by names of one or more words, which are found in titles by `Calls.in`. */
export class NameMap<T> {
  readonly #calls: NameTrie
  readonly #id: number

  constructor(calls: NameTrie) {
    this.#calls = calls
    this.#id = calls.newId()
  }

  /** Adds a value, unless the name has one. Returns the value of the name. A single number or letter is ignored. */
  add(name: string, value: T): T {
    const values = this.#calls.valuesOf(name)
    const existing = values?.get(this.#id) as T | undefined
    if (existing !== undefined) return existing
    values?.set(this.#id, value)
    return value
  }

  get({ values }: NameMatch): T | undefined {
    return values.get(this.#id) as T | undefined
  }
}
