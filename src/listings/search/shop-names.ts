import { findUsersByNicknames } from '../../identity/store.ts'
import { fold } from '../../kernel/text.ts'
import type { Db } from '../../platform/database/database.ts'
import { stopWords } from '../../predictor/title/words.ts'

/** Words of a query that are the nickname of sellers. */
export interface NamedShop {
  /** Folded words. */
  words: readonly string[]
  sellers: readonly { id: number; nickname: string }[]
}

/** Limits of the words that are looked up: of a query, and of a nickname. */
const maxQueryWords = 8
const maxNameWords = 5
const minNameLength = 3
const separators = [' ', '_', '-', '.', '']

/** Returns the runs of words that may be nicknames, the longest first, each with the ways to write it. */
function possibleShopNames(text: string): { words: string[]; nicknames: string[] }[] {
  const words = (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxQueryWords)
  const runs: { words: string[]; nicknames: string[] }[] = []
  for (let length = Math.min(maxNameWords, words.length); length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length)
      if (run.join('').length < minNameLength || run.every((word) => stopWords.has(word))) continue
      const joints = length === 1 ? [''] : separators
      runs.push({ words: run, nicknames: joints.map((joint) => run.join(joint)) })
    }
  }
  return runs
}

/** Returns the shops that a query names: the sellers with the longest nickname in it. */
export async function findNamedShop(db: Db, text: string): Promise<NamedShop | undefined> {
  const runs = possibleShopNames(text)
  const users = await findUsersByNicknames(
    db,
    runs.flatMap(({ nicknames }) => nicknames),
  )
  for (const { words, nicknames } of runs) {
    const sellers = users
      .filter(({ folded }) => nicknames.includes(folded))
      .map(({ id, nickname }) => ({ id, nickname }))
    if (sellers.length > 0) return { words, sellers }
  }
  return undefined
}
