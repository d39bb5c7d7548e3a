import { type SiteId, sites } from '../../kernel/sites.ts'
import type { Address } from '../../shipments/bodies.ts'

/** The sites of the demo data. */
export const demoSites = ['MLA', 'MLB', 'MLM', 'MCO', 'MLC', 'MLU'] as const satisfies SiteId[]
export type DemoSite = (typeof demoSites)[number]

interface City {
  city: string
  /** Subdivision code of ISO 3166-2. */
  stateId: string
  state: string
  zip: string
  areaCode: string
}

interface Country {
  /** Offset of local time from UTC, without daylight saving time. */
  utcHours: number
  docType: string
  /** Numbers that are not assigned to anybody. */
  docNumber: (serial: string) => string
  /** Numbers with 555 are reserved for fiction. */
  phone: (serial: string) => string
  cities: readonly City[]
  streets: readonly string[]
  neighborhoods: readonly string[]
}

const town = (stateId: string, state: string, city: string, zip: string, areaCode: string) => ({
  city,
  stateId,
  state,
  zip,
  areaCode,
})

const countries: Record<DemoSite, Country> = {
  MLA: {
    utcHours: -3,
    docType: 'DNI',
    docNumber: (serial) => `99000${serial}`,
    phone: (serial) => `5555-0${serial}`,
    cities: [
      town('AR-C', 'Capital Federal', 'Buenos Aires', '1406', '11'),
      town('AR-B', 'Buenos Aires', 'La Plata', '1900', '221'),
      town('AR-X', 'Córdoba', 'Córdoba', '5000', '351'),
      town('AR-S', 'Santa Fe', 'Rosario', '2000', '341'),
      town('AR-M', 'Mendoza', 'Godoy Cruz', '5501', '261'),
    ],
    streets: ['Calle de los Ceibos', 'Avenida del Molino', 'Pasaje La Calandria', 'Calle 9'],
    neighborhoods: ['Barrio Norte', 'Villa del Parque', 'Centro'],
  },
  MLB: {
    utcHours: -3,
    docType: 'CPF',
    docNumber: (serial) => `00000000${serial}`,
    phone: (serial) => `95555-0${serial}`,
    cities: [
      town('BR-SP', 'São Paulo', 'São Paulo', '01000-000', '11'),
      town('BR-RJ', 'Rio de Janeiro', 'Niterói', '24000-000', '21'),
      town('BR-MG', 'Minas Gerais', 'Belo Horizonte', '30000-000', '31'),
      town('BR-PR', 'Paraná', 'Curitiba', '80000-000', '41'),
    ],
    streets: ['Rua dos Ipês', 'Avenida das Palmeiras', 'Travessa do Sabiá', 'Rua da Feira'],
    neighborhoods: ['Jardim das Flores', 'Centro', 'Vila Nova'],
  },
  MLM: {
    utcHours: -6,
    docType: 'RFC',
    docNumber: (serial) => `XAXX010101${serial}`,
    phone: (serial) => `5555-0${serial}`,
    cities: [
      town('MX-CMX', 'Ciudad de México', 'Coyoacán', '04000', '55'),
      town('MX-JAL', 'Jalisco', 'Guadalajara', '44100', '33'),
      town('MX-NLE', 'Nuevo León', 'Monterrey', '64000', '81'),
      town('MX-PUE', 'Puebla', 'Puebla', '72000', '222'),
    ],
    streets: ['Calle de las Jacarandas', 'Avenida del Mercado', 'Calle Colibrí', 'Cerrada del Sol'],
    neighborhoods: ['Colonia Centro', 'Colonia Las Flores', 'Colonia del Valle'],
  },
  MCO: {
    utcHours: -5,
    docType: 'CC',
    docNumber: (serial) => `9900000${serial}`,
    phone: (serial) => `555 0${serial}`,
    cities: [
      town('CO-DC', 'Bogotá D.C.', 'Bogotá', '110111', '601'),
      town('CO-ANT', 'Antioquia', 'Medellín', '050001', '604'),
      town('CO-VAC', 'Valle del Cauca', 'Cali', '760001', '602'),
    ],
    streets: ['Calle 10', 'Carrera 43', 'Avenida de los Cedros', 'Transversal 5'],
    neighborhoods: ['La Floresta', 'Centro', 'El Prado'],
  },
  MLC: {
    utcHours: -4,
    docType: 'RUT',
    docNumber: (serial) => `99.000.${serial}-K`,
    phone: (serial) => `2555 0${serial}`,
    cities: [
      town('CL-RM', 'Región Metropolitana', 'Santiago', '8320000', '2'),
      town('CL-VS', 'Valparaíso', 'Viña del Mar', '2520000', '32'),
      town('CL-BI', 'Biobío', 'Concepción', '4030000', '41'),
    ],
    streets: ['Calle Los Aromos', 'Avenida El Roble', 'Pasaje La Tenca', 'Camino del Puerto'],
    neighborhoods: ['Centro', 'Barrio Estación', 'Villa Las Lomas'],
  },
  MLU: {
    utcHours: -3,
    docType: 'CI',
    docNumber: (serial) => `9.900.${serial}-0`,
    phone: (serial) => `2555 0${serial}`,
    cities: [
      town('UY-MO', 'Montevideo', 'Montevideo', '11100', '2'),
      town('UY-CA', 'Canelones', 'Las Piedras', '90200', '2'),
      town('UY-MA', 'Maldonado', 'Punta del Este', '20100', '42'),
    ],
    streets: ['Calle de la Rambla', 'Avenida del Parque', 'Calle Los Teros', 'Camino del Arroyo'],
    neighborhoods: ['Centro', 'Cordón', 'Barrio del Puerto'],
  },
}

export const countryOf = (site: DemoSite): Country => countries[site]

/** Returns the town of the user with this serial number. */
export function cityOf(site: DemoSite, serial: number): City {
  const { cities } = countries[site]
  return cities[serial % cities.length] as City
}

/** Returns the address of a seller or, with a name, of a buyer. */
export function addressOf(
  site: DemoSite,
  who: { serial: number; name?: string; phone?: string },
): Address {
  const { streets, neighborhoods } = countries[site]
  const { city, stateId, state, zip } = cityOf(site, who.serial)
  const street = streets[who.serial % streets.length] as string
  const number = String(100 + ((who.serial * 137) % 4_800))
  const { country, name } = sites[site]
  return {
    id: 1_000_000_000 + who.serial,
    address_line: `${street} ${number}`,
    street_name: street,
    street_number: number,
    comment: who.serial % 4 === 0 ? (site === 'MLB' ? 'Apto 32' : 'Piso 3, timbre B') : null,
    zip_code: zip,
    city: { id: null, name: city },
    state: { id: stateId, name: state },
    country: { id: country, name },
    neighborhood: { id: null, name: neighborhoods[who.serial % neighborhoods.length] as string },
    municipality: { id: null, name: null },
    types: [who.name ? 'default_buying_address' : 'default_selling_address'],
    ...(who.name ? { receiver_name: who.name, delivery_preference: 'residential' } : {}),
    ...(who.phone ? { receiver_phone: who.phone } : {}),
  }
}
