import { foldText, splitWords } from './tokenize.ts'

/** Finds names of one or more words in a title, such as brands and attribute values, by the folded words as written.
 * Names of all kinds are in one trie, so a title is walked once. Each kind has a `NameMap`, which keeps its values
 * under an id of its own. Example: *Heladera Gafa no frost 374 lts* has the type of appliance *Heladera* from word 0 to
 * 1, and the brand *Gafa* from 1 to 2. The name *Gafas* would not match: stems do not count here. */

/** A node of the trie of names: the values of the words so far, and the nodes of longer names. */
interface NameNode {
  /** The values of this name, by the id of their `NameMap`. Undefined if only longer names pass through the node. */
  values: Map<number, unknown> | undefined
  /** The nodes of longer names, by the id of the next word. */
  next: Map<number, NameNode> | undefined
}

/** A word of some name. */
interface NameWord {
  /** Its number in this trie, from 0. It is not the word number of the lexicon. */
  id: number
  /** The node of the names that begin with it. Undefined if it only continues names. */
  begins: NameNode | undefined
}

/** A word of a title, with a cache for `NameTrie`. `TitleReader` shares these objects among titles. */
export interface TitleToken {
  /** The folded word. */
  written: string
  /** The word in the trie. Undefined if no name has it. */
  word: NameWord | undefined
  /** The edition of the trie for which `word` holds. Undefined before the first look-up. */
  asOf: object | undefined
}

/** A name in a title. */
export interface NameMatch {
  /** The values of the name, by the id of their `NameMap`. Read them by `NameMap.get`. */
  values: ReadonlyMap<number, unknown>
  /** The index of its first word in the tokens of the title. `to` is the index after its last. */
  from: number
  to: number
}

/** The trie of all names that titles are searched for. A title is searched once for every `NameMap`. */
export class NameTrie {
  /** The words of all names, by their folded text. */
  readonly #words = new Map<string, NameWord>()
  /** A new object with every new word, so that cached words are looked up again. */
  #edition: object = {}
  #runs = 0

  /** Returns an id for a new `NameMap`. */
  newId(): number {
    return this.#runs++
  }

  /** Returns the values of a name, to which `NameMap` adds. Enters a new name into the trie. Undefined for a single
   * letter or a number, which are ambiguous, and for a text without words. */
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

  /** Returns the names in a title, including names within longer ones: those of most words first, and of equally long
   * ones the first in the title. */
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

  /** Sets `word` of each token, unless the cache holds for this trie as it is now. */
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

/** The names of one kind with a value each, such as the brands of a domain. `NameTrie.matchesIn` finds them in
 * titles. */
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

  /** Returns the value of a name in a title. Undefined if the name is only in other maps. */
  get({ values }: NameMatch): T | undefined {
    return values.get(this.#id) as T | undefined
  }
}
