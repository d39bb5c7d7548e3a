import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'

/** Who trades in the market of the benchmarks, and with what. */

export interface MarketSeller {
  id: number
  orders: number
  listings: readonly MarketItem[]
}

export interface MarketItem {
  id: string
  title: string
  /** In cents. */
  price: number
}

export interface SyntheticMarket {
  sellers: readonly MarketSeller[]
  /** How many buyers there are, and by whom each order, in the order of time, is bought and sold. */
  buyerCount: number
  buyerOf: Uint32Array
  sellerOf: Uint32Array
}

export const firstIds = {
  seller: 110_000_001,
  buyer: 120_000_001,
  order: 1_900_000_000_000_001,
  pack: 1_800_000_000_000_001,
  shipment: 30_000_000_001,
  payment: 80_000_000_001,
  claim: 5_100_000_001,
  item: 500_000_001,
}

/** A third of all orders is one seller's, a third a hundred sellers', the rest everybody else's:
 * with 3,000,000 orders 1,000,000, a hundred times 10,000, and some thousands of 30 to 1,000. */
export function generateMarket(orders: number, seed: number): SyntheticMarket {
  const random = seededRandom(seed)
  const big = Math.floor(orders / 3)
  const middle = Math.max(1, Math.floor(orders / 300))
  const sizes = [big, ...Array.from({ length: 100 }, () => middle)]
  let remaining = orders - big - 100 * middle
  while (remaining > 0) {
    const size = Math.min(
      remaining,
      Math.ceil((30 / (random.fraction() + 0.03)) * Math.min(1, middle / 1_000)),
    )
    sizes.push(size)
    remaining -= size
  }
  const vocabulary = wordsOf(random)
  let item = firstIds.item
  const sellers = sizes.map((size, index) => {
    const count = index === 0 ? 2_000 : index <= 100 ? 200 : Math.max(3, Math.ceil(size / 20))
    const listings = Array.from({ length: count }, () => generateItem(item++, vocabulary, random))
    return { id: firstIds.seller + index, orders: size, listings }
  })
  const { of: buyerOf, count } = assignBuyers(orders, random)
  return { sellers, buyerCount: count, buyerOf, sellerOf: shuffledOrders(sizes, orders, random) }
}

/** Everybody as often as they have orders, in any order. */
function shuffledOrders(
  sizes: readonly number[],
  orders: number,
  random: SeededRandom,
): Uint32Array {
  const who = new Uint32Array(orders)
  let at = 0
  for (const [index, size] of sizes.entries()) {
    who.fill(index, at, at + size)
    at += size
  }
  return shuffle(who, random)
}

function shuffle(who: Uint32Array, random: SeededRandom): Uint32Array {
  for (let index = who.length - 1; index > 0; index--) {
    const other = Math.floor(random.fraction() * (index + 1))
    const swapped = who[index] as number
    who[index] = who[other] as number
    who[other] = swapped
  }
  return who
}

/** Most buyers have bought once or a few times, few up to 500 times. */
function assignBuyers(orders: number, random: SeededRandom): { of: Uint32Array; count: number } {
  const of = new Uint32Array(orders)
  let count = 0
  for (let at = 0; at < orders; count++) {
    const size = Math.min(500, Math.max(1, Math.floor(3 * random.fraction() ** -0.75 - 2)))
    of.fill(count, at, Math.min(orders, at + size))
    at += size
  }
  return { of: shuffle(of, random), count }
}

/** What stands first is asked for most: by the square, the first tenth makes a third. */
export function skewedIndex(length: number, random: SeededRandom): number {
  return Math.floor(random.fraction() ** 2 * length)
}

const syllables =
  'ba be bo ca ce co da de do fa fi fo ga go la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va ve vi'.split(
    ' ',
  )

function coinName(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => random.pick(syllables)).join('')
}

interface Vocabulary {
  things: readonly string[]
  sorts: readonly string[]
  names: readonly string[]
}

function wordsOf(random: SeededRandom): Vocabulary {
  const coin = (count: number, length: number) => [
    ...new Set(Array.from({ length: count }, () => coinName(random, length))),
  ]
  return { things: coin(150, 3), sorts: coin(100, 2), names: coin(4_000, 4) }
}

function generateItem(number: number, words: Vocabulary, random: SeededRandom): MarketItem {
  const { things, sorts, names } = words
  const pick = (list: readonly string[]) => list[skewedIndex(list.length, random)] as string
  const size = random.between(1, 60)
  const title = `${pick(things)} ${pick(sorts)} de ${pick(sorts)} ${size} cm ${pick(names)} ${pick(names)}`
  return { id: `MLA${number}`, title, price: random.between(60_000, 9_000_000) }
}

const commonNames =
  'MARIA JUAN LUCIA PEDRO SOFIA DIEGO CARLA BRUNO ELENA MATEO MARTA JULIA PABLO NORA HUGO LAURA OSCAR IRENE TOMAS CLARA'.split(
    ' ',
  )

/** Some names are everybody's, most are somebody's own. */
export function buyerNickname(index: number): string {
  const random = seededRandom(77, index)
  const first = random.chance(0.3) ? random.pick(commonNames) : coinName(random, 2).toUpperCase()
  return `${first}_${coinName(random, random.between(2, 3)).toUpperCase()}${index % 1_000}`
}
