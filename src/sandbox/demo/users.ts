import { type BillingAddress, noPhone, type User } from '../../identity/user.ts'
import type { Address } from '../../shipments/bodies.ts'
import { addressOf, cityOf, countryOf, type DemoSite, demoSites } from './addresses.ts'

/** Demo users are invented: common names, addresses of example.com, and unassigned numbers. */

export interface DemoSeller {
  user: User
  site: DemoSite
  /** The share of demo sales of this seller, relative to the other weights. */
  weight: number
  address: Address
}

export interface DemoBuyer {
  user: User
  site: DemoSite
  address: Address
}

/** Both ids are below those that Feria issues, as are all ids of demo data. */
export const demoSellerId = 100_000_001
export const demoBuyerId = 100_000_101

const sellerRows: [
  site: DemoSite,
  weight: number,
  nickname: string,
  first: string,
  last: string,
][] = [
  ['MLA', 26, 'TIENDA_DEL_SUR', 'Mariana', 'Ledesma'],
  ['MLA', 8, 'BAZAR_LOS_TILOS', 'Hernán', 'Quiroga'],
  ['MLA', 4, 'CASA_CALANDRIA', 'Paula', 'Ferreyra'],
  ['MLA', 2, 'EL_RINCON_DE_TITO', 'Norberto', 'Salas'],
  ['MLB', 14, 'LOJA_DO_IPE', 'Renata', 'Barbosa'],
  ['MLB', 6, 'CASA_SABIA_UTILIDADES', 'Otávio', 'Nogueira'],
  ['MLM', 12, 'MERCADITO_COLIBRI', 'Ximena', 'Robles'],
  ['MLM', 5, 'LA_TIENDA_DE_LALO', 'Eduardo', 'Cervantes'],
  ['MCO', 7, 'ALMACEN_EL_FRAILEJON', 'Camila', 'Ospina'],
  ['MCO', 3, 'VARIEDADES_LA_CEIBA', 'Julián', 'Cardona'],
  ['MLC', 8, 'TODO_COPIHUE', 'Francisca', 'Fuentealba'],
  ['MLU', 5, 'LO_DE_LA_RAMBLA', 'Agustín', 'Silveira'],
]

const buyerRows: [site: DemoSite, nickname: string, first: string, last: string][] = [
  ['MLA', 'VALENTINA_COMPRA', 'Valentina', 'Ojeda'],
  ['MLA', 'NICO_RIVAS_CBA', 'Nicolás', 'Rivas'],
  ['MLA', 'FLOR_DE_CARDON', 'Florencia', 'Aguirre'],
  ['MLA', 'GASTON1987X', 'Gastón', 'Peralta'],
  ['MLA', 'LUPE_DECO', 'Guadalupe', 'Molina'],
  ['MLA', 'TOTO_HERRERO', 'Tomás', 'Herrero'],
  ['MLA', 'CARO_LECTORA', 'Carolina', 'Basualdo'],
  ['MLA', 'MATEYTORTA', 'Silvia', 'Villalba'],
  ['MLA', 'EZE_BICI', 'Ezequiel', 'Luna'],
  ['MLA', 'JULI_PATAGONIA', 'Julieta', 'Cabrera'],
  ['MLB', 'ANA_LUIZA_SP', 'Ana Luiza', 'Ribeiro'],
  ['MLB', 'THIAGO_CASA', 'Thiago', 'Moreira'],
  ['MLB', 'DUDA_NITEROI', 'Eduarda', 'Teixeira'],
  ['MLB', 'CAIO_FERRAMENTAS', 'Caio', 'Duarte'],
  ['MLB', 'BIA_ARTESANATO', 'Beatriz', 'Campos'],
  ['MLB', 'JOAO_PEDALA', 'João', 'Freitas'],
  ['MLM', 'DANY_COYO', 'Daniela', 'Villegas'],
  ['MLM', 'CHUY_HERRAMIENTAS', 'Jesús', 'Cantú'],
  ['MLM', 'SOFI_TAPATIA', 'Sofía', 'Navarro'],
  ['MLM', 'BETO_POBLANO', 'Alberto', 'Xolalpa'],
  ['MLM', 'ITZEL_HOGAR', 'Itzel', 'Márquez'],
  ['MCO', 'LAURA_BOG', 'Laura', 'Cifuentes'],
  ['MCO', 'SANTI_PAISA', 'Santiago', 'Zapata'],
  ['MCO', 'MONI_CALI', 'Mónica', 'Valencia'],
  ['MCO', 'ANDRES_MONTANA', 'Andrés', 'Pinzón'],
  ['MLC', 'CATA_RODADA', 'Catalina', 'Sepúlveda'],
  ['MLC', 'BENJA_PUERTO', 'Benjamín', 'Carrasco'],
  ['MLC', 'PANCHA_PENCO', 'Francisca', 'Inostroza'],
  ['MLU', 'MECHE_RAMBLA', 'Mercedes', 'Olivera'],
  ['MLU', 'DIEGO_CANARIO', 'Diego', 'Techera'],
]

export const demoSellers: readonly DemoSeller[] = sellerRows.map(
  ([site, weight, nickname, first, last], index) => ({
    site,
    weight,
    user: userOf({ id: demoSellerId + index, serial: index, site, nickname, first, last }),
    address: addressOf(site, { serial: index }),
  }),
)

export const demoBuyers: readonly DemoBuyer[] = buyerRows.map((row, index) => buyerOf(row, index))

function buyerOf(
  [site, nickname, first, last]: (typeof buyerRows)[number],
  index: number,
  changes: Partial<User> = {},
): DemoBuyer {
  const [serial, id] = [100 + index, demoBuyerId + index]
  const buyer = createBuyer({ id, serial, site, nickname, first, last })
  return { ...buyer, user: { ...buyer.user, ...changes } }
}

/** A buyer who closed the account after a purchase. */
export const deactivatedBuyer: DemoBuyer = buyerOf(
  ['MLA', 'ROCIO_SE_MUDA', 'Rocío', 'Benavídez'],
  buyerRows.length,
  { status: 'deactivated' },
)

const buyersBySite = new Map(
  demoSites.map((site) => [site, demoBuyers.filter((buyer) => buyer.site === site)]),
)

export function buyersOf(site: DemoSite): readonly DemoBuyer[] {
  return buyersBySite.get(site) ?? []
}

/** Returns a buyer. `serial`, up to 999, determines address and documents. */
export function createBuyer(who: {
  id: number
  serial: number
  site: DemoSite
  nickname: string
  first: string
  last: string
}): DemoBuyer {
  const { site, serial, first, last } = who
  const user = userOf(who)
  const phone = `${user.phone.area_code} ${user.phone.number}`
  return { site, user, address: addressOf(site, { serial, name: `${first} ${last}`, phone }) }
}

function billingAddressOf(site: DemoSite, serial: number): BillingAddress {
  const address = addressOf(site, { serial })
  return {
    street_name: address.street_name ?? null,
    street_number: address.street_number ?? null,
    zip_code: address.zip_code ?? null,
    city_name: address.city?.name ?? null,
    state_name: address.state?.name ?? null,
    comment: address.comment ?? null,
    country_id: address.country?.id ?? null,
  }
}

/** Returns a user of the demo data. Everything follows from the serial number, so that each run makes the same
 * users. */
function userOf(who: {
  id: number
  serial: number
  site: DemoSite
  nickname: string
  first: string
  last: string
}): User {
  const land = countryOf(who.site)
  const serial = String(who.serial).padStart(3, '0')
  return {
    id: who.id,
    siteId: who.site,
    nickname: who.nickname,
    email: `${who.nickname.toLowerCase().replaceAll('_', '.')}@example.com`,
    firstName: who.first,
    lastName: who.last,
    phone: {
      area_code: cityOf(who.site, who.serial).areaCode,
      number: land.phone(serial),
      extension: '',
      verified: who.serial % 3 !== 0,
    },
    alternativePhone: noPhone,
    billingInfo: {
      doc_type: land.docType,
      doc_number: land.docNumber(serial),
      // Some users have no billing address.
      ...(who.serial % 5 === 4 ? {} : { address: billingAddressOf(who.site, who.serial) }),
    },
  }
}
