import type { SiteId } from '../kernel/sites.ts'

/** The identity documents and addresses of a country. */
interface CountryFormats {
  /** Documents of persons and companies. */
  documents: readonly string[]
  /** The name of its regions. */
  region: string
  /** The pattern of its postal codes. Null if it has none. */
  postalCode: string | null
}

// biome-ignore format: a table, one site a line
export const countryFormats: Readonly<Record<SiteId, CountryFormats>> = {
  MLU: { documents: ['CI', 'RUT', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{5}$' },
  MSV: { documents: ['DUI', 'NIT', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{4}$' },
  MLV: { documents: ['CI', 'RIF', 'PASSPORT'], region: 'estado', postalCode: '^[0-9]{4}$' },
  MPA: { documents: ['CIP', 'RUC', 'PASSPORT'], region: 'provincia', postalCode: null },
  MGT: { documents: ['DPI', 'NIT', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{5}$' },
  MRD: { documents: ['CED', 'RNC', 'PASSPORT'], region: 'provincia', postalCode: '^[0-9]{5}$' },
  MBO: { documents: ['CI', 'NIT', 'PASSPORT'], region: 'departamento', postalCode: null },
  MCO: { documents: ['CC', 'CE', 'NIT', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{6}$' },
  MLB: { documents: ['CPF', 'CNPJ'], region: 'estado', postalCode: '^[0-9]{5}-?[0-9]{3}$' },
  MEC: { documents: ['CI', 'RUC', 'PASSPORT'], region: 'provincia', postalCode: '^[0-9]{6}$' },
  MHN: { documents: ['DNI', 'RTN', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{5}$' },
  MPE: { documents: ['DNI', 'CE', 'RUC', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{5}$' },
  MLA: { documents: ['DNI', 'CUIT', 'CUIL', 'PASSPORT'], region: 'provincia', postalCode: '^([A-Z][0-9]{4}[A-Z]{3}|[0-9]{4})$' },
  MLC: { documents: ['RUT', 'PASSPORT'], region: 'región', postalCode: '^[0-9]{7}$' },
  MCU: { documents: ['CI', 'NIT', 'PASSPORT'], region: 'provincia', postalCode: '^[0-9]{5}$' },
  MLM: { documents: ['RFC', 'CURP', 'PASSPORT'], region: 'estado', postalCode: '^[0-9]{5}$' },
  MCR: { documents: ['CI', 'DIMEX', 'CJ', 'PASSPORT'], region: 'provincia', postalCode: '^[0-9]{5}$' },
  MPY: { documents: ['CI', 'RUC', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{4,6}$' },
  MPT: { documents: ['CC', 'NIF', 'PASSPORT'], region: 'distrito', postalCode: '^[0-9]{4}-[0-9]{3}$' },
  MNI: { documents: ['CI', 'RUC', 'PASSPORT'], region: 'departamento', postalCode: '^[0-9]{5}$' },
}
