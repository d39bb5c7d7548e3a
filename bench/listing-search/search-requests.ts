import { foldText } from '../../src/predictor/title/tokenize.ts'
import type { SeededRandom } from '../../src/sandbox/random.ts'
import type { ListingGenerator } from './listing-generator.ts'

/** What people ask for: words of listings that are there, as often as listings have them. */

type Listing = ReturnType<ListingGenerator['listing']>['listing']

interface SearchRequestInput {
  listing: Listing
  random: SeededRandom
  /** A category in which a listing lies, at some level. */
  ancestorOf(categoryId: string): string
}

const wordsOf = ({ title }: Listing) =>
  foldText(title)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)

const sampleWords = (words: readonly string[], many: number, random: SeededRandom) =>
  [...words].sort(() => random.fraction() - 0.5).slice(0, many)

export function misspell(word: string, random: SeededRandom): string {
  const at = random.between(1, word.length - 2)
  const letters = [...word]
  const [one, next] = [letters[at] as string, letters[at + 1] as string]
  if (random.chance(0.4)) letters.splice(at, 1)
  else if (random.chance(0.5)) letters.splice(at, 2, next, one)
  else letters[at] = random.pick([...'aeioulnrs'])
  return letters.join('')
}

const oneWord = ({ listing, random }: SearchRequestInput) => random.pick(wordsOf(listing))

export const searchRequestMakers: Readonly<
  Record<string, (input: SearchRequestInput) => Record<string, string>>
> = {
  'one word': (input) => ({ q: oneWord(input) }),
  'three words': ({ listing, random }) => ({
    q: sampleWords(wordsOf(listing), 3, random).join(' '),
  }),
  'a slip': ({ listing, random }) => {
    const long = wordsOf(listing).filter((word) => /^[a-z]{5,}$/.test(word))
    return { q: long.length > 0 ? misspell(random.pick(long), random) : 'zapatila' }
  },
  'while typing': (input) => {
    const [first = '', ...rest] = sampleWords(
      wordsOf(input.listing),
      input.random.between(1, 3),
      input.random,
    )
    return { q: [...rest, first.slice(0, input.random.between(1, first.length))].join(' ') }
  },
  'one letter': ({ random }) => ({ q: random.pick([...'abcdefghijklmnopqrstuvwxyz']) }),
  'a small word': ({ random }) => ({
    q: random.pick(['de', 'para', 'con', 'nuevo', 'novo', 'y']),
  }),
  'a category': ({ listing, ancestorOf }) => ({ category: ancestorOf(listing.categoryId) }),
  'one word, prices': (input) => {
    const price = Number(input.listing.price)
    const [from, to] = [price * 0.7, price * 1.6].map((each) => String(Math.round(each)))
    return {
      q: oneWord(input),
      price: input.random.pick([`${from}-${to}`, `*-${to}`, `${from}-*`]),
    }
  },
  'one word, by price': (input) => ({
    q: oneWord(input),
    sort: input.random.pick(['price_asc', 'price_desc']),
  }),
  'a category, filters': ({ listing, ancestorOf, random }) => ({
    category: ancestorOf(listing.categoryId),
    ...random.pick<Record<string, string>>([
      { condition: 'used' },
      { shipping: 'free' },
      { price: `*-${Math.round(Number(listing.price))}` },
      { BRAND: listing.attributes[0]?.value_id ?? 'NONE' },
      { seller_id: String(listing.sellerId) },
    ]),
  }),
  'page 20': (input) => ({
    ...(input.random.chance(0.5)
      ? { q: input.random.pick(['negro', 'azul', 'blanco', 'preto', 'rojo', 'kit', 'set']) }
      : { category: input.ancestorOf(input.listing.categoryId) }),
    offset: '950',
  }),
}
