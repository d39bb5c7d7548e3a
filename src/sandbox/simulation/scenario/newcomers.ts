import { sites } from '../../../kernel/sites.ts'
import { type Listing, noVariation } from '../../../listings/listing.ts'
import type { DemoSite } from '../../demo/ids.ts'
import { createBuyer, type DemoBuyer } from '../../demo/users.ts'
import type { SeededRandom } from '../../random.ts'

/** New users and listings of a simulation. Names combine common first and last names by chance; nobody real is meant. */

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

/** Ids between those of the demo data and the first one that Feria issues. */
const firstUser = 110_000_000
const idRange = 80_000_000
const firstItem = 110_000_000

/** Returns the new buyer of a simulated sale. Deterministic by seed and number. */
export function newBuyer(
  site: DemoSite,
  { seed, number, random }: { seed: number; number: number; random: SeededRandom },
): DemoBuyer {
  const { language } = sites[site]
  const [first, last] = [random.pick(firstNames[language]), random.pick(lastNames[language])]
  const id = firstUser + numberOf(seed, number)
  const plain = (text: string) => text.normalize('NFD').replace(/[^A-Za-z]/g, '')
  const nickname = `${plain(first)}_${plain(last)}_${id % 100_000}`.toUpperCase()
  return createBuyer({ id, serial: id % 1_000, site, nickname, first, last })
}

const endings = {
  es: ['edición limitada', 'oferta de la semana', 'últimas unidades', 'recién llegado'],
  pt: ['edição limitada', 'oferta da semana', 'últimas unidades', 'recém-chegado'],
} as const

/** Returns a new listing that resembles an existing one. */
export function newListing(
  like: Listing,
  { seed, number, random }: { seed: number; number: number; random: SeededRandom },
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

/** Spreads ids, so that neighboring seeds do not collide. */
function numberOf(seed: number, number: number): number {
  return (seed * 7_919 + number) % idRange
}
