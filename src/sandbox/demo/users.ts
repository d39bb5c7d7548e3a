import { type BillingAddress, noPhone, type User } from '../../identity/user.ts'
import { memoized } from '../../kernel/memoized.ts'
import { sites } from '../../kernel/sites.ts'
import type { Address } from '../../shipments/bodies.ts'
import { demoFiles } from './data.ts'
import { type DemoSite, demoBuyerId, demoSellerId, demoSites } from './ids.ts'

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

interface Person {
  id: number
  /** Up to 999. Address, documents and phone follow from it, so that each run makes the same users. */
  serial: number
  site: DemoSite
  nickname: string
  first: string
  last: string
}

export const demoSellers = memoized((): readonly DemoSeller[] =>
  demoFiles().users.sellers.map(({ weight, ...person }, serial) => ({
    site: person.site,
    weight,
    user: userOf({ id: demoSellerId + serial, serial, ...person }),
    address: addressOf(person.site, { serial }),
  })),
)

export const demoBuyers = memoized((): readonly DemoBuyer[] =>
  demoFiles().users.buyers.map((person, index) => buyerAt(index, person)),
)

/** A buyer who closed the account after a purchase. */
export const formerBuyer = memoized((): DemoBuyer => {
  const { buyers, former_buyer } = demoFiles().users
  const buyer = buyerAt(buyers.length, former_buyer)
  return { ...buyer, user: { ...buyer.user, status: 'deactivated' } }
})

const buyerAt = (index: number, person: Omit<Person, 'id' | 'serial'>) =>
  createBuyer({ id: demoBuyerId + index, serial: 100 + index, ...person })

const buyersBySite = memoized(
  () =>
    new Map(demoSites.map((site) => [site, demoBuyers().filter((buyer) => buyer.site === site)])),
)

export function buyersOf(site: DemoSite): readonly DemoBuyer[] {
  return buyersBySite().get(site) ?? []
}

/** Returns the first seller of a site. On MLA, that is the demo seller. */
export function firstSellerOf(site: DemoSite): number {
  const first = demoSellers().find((seller) => seller.site === site)
  if (!first) throw new Error(`no seller on ${site}`)
  return first.user.id
}

/** Returns a buyer with address and documents of the site. */
export function createBuyer(person: Person): DemoBuyer {
  const { site, serial, first, last } = person
  const user = userOf(person)
  const phone = `${user.phone.area_code} ${user.phone.number}`
  return { site, user, address: addressOf(site, { serial, name: `${first} ${last}`, phone }) }
}

/** Returns the city of the user with this serial number. */
export function cityOf(site: DemoSite, serial: number) {
  return elementAt(demoFiles().sites[site].cities, serial)
}

const elementAt = <T>(list: readonly T[], serial: number) => list[serial % list.length] as T

/** Returns the address of a seller or, with a name, of a buyer. */
function addressOf(
  site: DemoSite,
  who: { serial: number; name?: string; phone?: string },
): Address {
  const { streets, neighborhoods, door } = demoFiles().sites[site]
  const { city, state_id, state, zip } = cityOf(site, who.serial)
  const street = elementAt(streets, who.serial)
  const number = String(100 + ((who.serial * 137) % 4_800))
  const { country, name } = sites[site]
  return {
    id: 1_000_000_000 + who.serial,
    address_line: `${street} ${number}`,
    street_name: street,
    street_number: number,
    comment: who.serial % 4 === 0 ? door : null,
    zip_code: zip,
    city: { id: null, name: city },
    state: { id: state_id, name: state },
    country: { id: country, name },
    neighborhood: { id: null, name: elementAt(neighborhoods, who.serial) },
    municipality: { id: null, name: null },
    types: [who.name ? 'default_buying_address' : 'default_selling_address'],
    ...(who.name ? { receiver_name: who.name, delivery_preference: 'residential' } : {}),
    ...(who.phone ? { receiver_phone: who.phone } : {}),
  }
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

function userOf({ id, serial, site, nickname, first, last }: Person): User {
  const { document, phone } = demoFiles().sites[site]
  const withSerial = (pattern: string) =>
    pattern.replace('{serial}', String(serial).padStart(3, '0'))
  return {
    id,
    siteId: site,
    nickname,
    email: `${nickname.toLowerCase().replaceAll('_', '.')}@example.com`,
    firstName: first,
    lastName: last,
    phone: {
      area_code: cityOf(site, serial).area_code,
      number: withSerial(phone),
      extension: '',
      verified: serial % 3 !== 0,
    },
    alternativePhone: noPhone,
    billingInfo: {
      doc_type: document.type,
      doc_number: withSerial(document.number),
      // Some users have no billing address.
      ...(serial % 5 === 4 ? {} : { address: billingAddressOf(site, serial) }),
    },
  }
}
