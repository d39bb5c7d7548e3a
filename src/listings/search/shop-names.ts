import { findUsersByNicknames } from '../../identity/store.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { fold } from '../../kernel/text.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Dictionary } from './words/dictionary.ts'
import { isDenied, type QueryWord } from './words/words.ts'

/** Words of a query that are the nickname of sellers. */
export interface NamedShop {
  /** The words of the query that the nickname has. */
  own: readonly QueryWord[]
  /** The other words. */
  others: readonly QueryWord[]
  sellers: readonly { id: number; nickname: string }[]
}

/** Limits of the words that are looked up: of a query, and of a nickname in it. */
const maxQueryWords = 8
const maxNameWords = 5
const minNameLength = 3
const separators = [' ', '_', '-', '.', '']

interface PossibleName {
  words: ReadonlySet<string>
  /** The ways to write it. */
  nicknames: readonly string[]
}

/** Returns what may be a nickname: the whole text as it is, then each run of words, the longest first. */
function possibleNames(text: string): PossibleName[] {
  const folded = fold(text.trim())
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? []
  const names: PossibleName[] = [{ words: new Set(words), nicknames: [folded] }]
  const few = words.slice(0, maxQueryWords)
  for (let length = Math.min(maxNameWords, few.length); length > 0; length--) {
    for (let at = 0; at + length <= few.length; at++) {
      const run = few.slice(at, at + length)
      if (run.join('').length < minNameLength) continue
      const joints = length === 1 ? [''] : separators
      names.push({ words: new Set(run), nicknames: joints.map((joint) => run.join(joint)) })
    }
  }
  return names
}

/**
 * Returns the shop that a query names: the sellers of a site with the longest nickname in it. A nickname of words that
 * goods have as well, such as *Shampoo*, counts only if it is the whole query, or if none of the goods has all of its
 * words and one of them names no category. Otherwise, a seller could call itself what all shoppers search for.
 */
export async function findNamedShop(
  db: Db,
  {
    siteId,
    text,
    words,
    dictionary,
    categoriesOf,
    isListed,
  }: {
    siteId: SiteId
    text: string
    words: readonly QueryWord[]
    dictionary: Dictionary
    categoriesOf: (text: string) => readonly number[]
    /** Returns whether a listing has all of these words. */
    isListed: (words: readonly QueryWord[]) => Promise<boolean>
  },
): Promise<NamedShop | undefined> {
  const names = possibleNames(text)
  const nicknames = names.flatMap((name) => name.nicknames)
  const users = await findUsersByNicknames(db, siteId, nicknames)
  for (const name of users.length > 0 ? names : []) {
    const sellers = users
      .filter(({ folded }) => name.nicknames.includes(folded))
      .map(({ id, nickname }) => ({ id, nickname }))
    if (sellers.length === 0) continue
    const own = words.filter(({ typed }) => name.words.has(typed))
    const others = words.filter(({ typed }) => !name.words.has(typed))
    if (own.every(({ stem }) => isDenied(stem))) continue
    const isOnlyName =
      others.length === 0 ||
      own.some(({ stem }) => !dictionary.has(stem)) ||
      (own.some(({ typed }) => categoriesOf(typed).length === 0) &&
        own.length > 1 &&
        !(await isListed(own)))
    if (isOnlyName) return { own, others, sellers }
  }
  return undefined
}
