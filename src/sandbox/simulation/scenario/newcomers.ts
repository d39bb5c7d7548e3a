import { sites } from '../../../kernel/sites.ts'
import { type Listing, noVariation } from '../../../listings/listing.ts'
import { buyerNamed, type DemoBuyer } from '../../demo/people.ts'
import type { DemoSite } from '../../demo/places.ts'
import type { Random } from '../../demo/random.ts'

/** People and things that were not there before. Names are common ones of the country's language, put
 * together by chance: nobody is meant. */

const firstNames = {
  es: [
    'Abril',
    'Agustina',
    'Bruno',
    'Camila',
    'Diego',
    'Elena',
    'Emilia',
    'Facundo',
    'Gabriela',
    'Ignacio',
    'Inés',
    'Joaquín',
    'Lorena',
    'Lucía',
    'Manuel',
    'Marcos',
    'Matilde',
    'Nicolás',
    'Olivia',
    'Pilar',
    'Ramiro',
    'Rosario',
    'Sebastián',
    'Teresa',
    'Valeria',
    'Ximena',
  ],
  pt: [
    'Adriana',
    'Alice',
    'Bernardo',
    'Bruna',
    'Carlos',
    'Cecília',
    'Daniel',
    'Elisa',
    'Felipe',
    'Gustavo',
    'Helena',
    'Igor',
    'Isabela',
    'Júlia',
    'Larissa',
    'Lucas',
    'Marina',
    'Mateus',
    'Natália',
    'Paulo',
    'Rafaela',
    'Rodrigo',
    'Sofia',
    'Tatiana',
    'Vinícius',
    'Yasmin',
  ],
} as const

const lastNames = {
  es: [
    'Acosta',
    'Bravo',
    'Cáceres',
    'Domínguez',
    'Escobar',
    'Figueroa',
    'Godoy',
    'Herrera',
    'Ibáñez',
    'Juárez',
    'Lagos',
    'Maldonado',
    'Navarro',
    'Ortega',
    'Paredes',
    'Quiroz',
    'Ramos',
    'Salazar',
    'Toledo',
    'Urrutia',
    'Vera',
    'Zúñiga',
  ],
  pt: [
    'Almeida',
    'Batista',
    'Carvalho',
    'Dias',
    'Esteves',
    'Farias',
    'Guimarães',
    'Lacerda',
    'Macedo',
    'Neves',
    'Oliveira',
    'Pacheco',
    'Queiroz',
    'Ramalho',
    'Sampaio',
    'Tavares',
    'Uchoa',
    'Vasconcelos',
    'Xavier',
    'Zanetti',
  ],
} as const

/** Below the first number that Feria gives out, and behind those of the demo world. */
const firstUser = 110_000_000
const mostUsers = 80_000_000
const firstItem = 110_000_000

/** The buyer who comes with a story: the same for the same seed and number. */
export function newBuyer(
  site: DemoSite,
  { seed, number, random }: { seed: number; number: number; random: Random },
): DemoBuyer {
  const { language } = sites[site]
  const [first, last] = [random.pick(firstNames[language]), random.pick(lastNames[language])]
  const id = firstUser + numberOf(seed, number)
  const plain = (text: string) => text.normalize('NFD').replace(/[^A-Za-z]/g, '')
  const nickname = `${plain(first)}_${plain(last)}_${id % 100_000}`.toUpperCase()
  return buyerNamed({ id, serial: id % 1_000, site, nickname, first, last })
}

const endings = {
  es: ['edición limitada', 'oferta de la semana', 'últimas unidades', 'recién llegado'],
  pt: ['edição limitada', 'oferta da semana', 'últimas unidades', 'recém-chegado'],
} as const

/** One more listing of a seller, much like one that is there. */
export function newListing(
  like: Listing,
  { seed, number, random }: { seed: number; number: number; random: Random },
): Listing {
  const { language } = sites[like.siteId]
  return {
    ...like,
    id: `${like.siteId}${firstItem + numberOf(seed, number)}`,
    title: `${like.title}, ${random.pick(endings[language])}`,
    pictures: [],
    sellerCustomField: null,
    stock: [
      {
        variationId: noVariation,
        attributes: [],
        sellerSku: null,
        availableQuantity: random.between(20, 120),
      },
    ],
  }
}

/** Far apart for seeds that lie side by side. */
function numberOf(seed: number, number: number): number {
  return (seed * 7_919 + number) % mostUsers
}
