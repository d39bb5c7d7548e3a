import { type DemoSite, townOf } from '../places.ts'
import type { Sale } from '../sale.ts'

/** What each site's template asks for, besides the name (contract 2.9). */
const wanted: Record<DemoSite, (of: Facts) => string> = {
  MLA: ({ document, home, zip }) => `DNI ${document}, ${home}, CP ${zip}`,
  MLM: ({ document, home, zip }) => `RFC ${document}, ${home}, CP ${zip}`,
  MCO: ({ document, home, zip, email, town }) =>
    `CC ${document}, ${email}, ${home}, código postal ${zip}, municipio ${town} (001), departamento 11`,
  MLU: ({ document }) => `cédula ${document}`,
  MLC: ({ document, home }) => `RUT ${document}, ${home}`,
  MLB: ({ document, home, zip }) => `CPF ${document}, ${home}, CEP ${zip}`,
}

interface Facts {
  document: string
  email: string
  home: string
  town: string
  zip: string
}

/** How the buyer of a sale answers when asked for what an invoice needs. */
export function billingWords({ buyer, seller: { site } }: Sale): string {
  const { firstName, lastName, email, billingInfo } = buyer.user
  const { address_line: home, zip_code: zip } = buyer.address
  const facts = {
    document: billingInfo.doc_number ?? '',
    email: email ?? '',
    home: home ?? '',
    town: townOf(site, buyer.user.id).city,
    zip: zip ?? '',
  }
  return `${firstName} ${lastName}, ${wanted[site](facts)}`
}
