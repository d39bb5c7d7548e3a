import { cityOf, type DemoSite } from '../addresses.ts'
import type { DemoSale } from '../sale.ts'

/** The answer to the billing template of each site, which asks for these data besides the name. */
const answers: Record<DemoSite, (billing: BillingData) => string> = {
  MLA: ({ document, home, zip }) => `DNI ${document}, ${home}, CP ${zip}`,
  MLM: ({ document, home, zip }) => `RFC ${document}, ${home}, CP ${zip}`,
  MCO: ({ document, home, zip, email, town }) =>
    `CC ${document}, ${email}, ${home}, código postal ${zip}, municipio ${town} (001), departamento 11`,
  MLU: ({ document }) => `cédula ${document}`,
  MLC: ({ document, home }) => `RUT ${document}, ${home}`,
  MLB: ({ document, home, zip }) => `CPF ${document}, ${home}, CEP ${zip}`,
}

interface BillingData {
  document: string
  email: string
  home: string
  town: string
  zip: string
}

/** Returns the buyer's answer to a request for billing data. */
export function billingWords({ buyer, seller: { site } }: DemoSale): string {
  const { firstName, lastName, email, billingInfo } = buyer.user
  const { address_line: home, zip_code: zip } = buyer.address
  const facts = {
    document: billingInfo.doc_number ?? '',
    email: email ?? '',
    home: home ?? '',
    town: cityOf(site, buyer.user.id).city,
    zip: zip ?? '',
  }
  return `${firstName} ${lastName}, ${answers[site](facts)}`
}
