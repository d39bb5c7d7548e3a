import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { foldText } from '../../src/predictor/title/tokenize.ts'
import type { ShopName } from './shops.ts'

/** 3: exactly what is meant; 2: acceptable; 1: related only; 0: wrong. */
export interface Judgment {
  /** Number of the query. */
  query: number
  /** Hash of the title: the titles themselves may not be passed on. */
  title: string
  /** The grades of both judges. */
  grades: readonly [number, number]
}

export interface ShopperQuery {
  number: number
  shop: ShopName
  text: string
  /** head, brand, property, synonym, typo or long. */
  kind: string
  /** What the shopper wants, and what would not do. */
  intent: string
}

export const queriesFile = new URL('./queries.tsv', import.meta.url)
export const judgmentsFile = new URL('./judgments.tsv', import.meta.url)

export const readQueries = (): ShopperQuery[] =>
  readRows(queriesFile).map(([number, shop, text = '', kind = '', intent = '']) => {
    return { number: Number(number), shop: shop as ShopName, text, kind, intent }
  })

export const readJudgments = (): Judgment[] =>
  readRows(judgmentsFile).map(([query, title = '', first, second]) => {
    return { query: Number(query), title, grades: [Number(first), Number(second)] }
  })

/** Returns the rows of a file of tab-separated values, without its head. */
export function readRows(file: URL | string): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t'))
}

/** Returns 16 hexadecimal digits. Titles that differ only in case and accents have the same hash. */
export const titleHash = (title: string): string =>
  createHash('sha256').update(foldText(title)).digest('hex').slice(0, 16)
