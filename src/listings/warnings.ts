import type { Listing, VariationAttribute } from './listing.ts'

/** What an item is listed with though it is doubtful. */
export interface Warning {
  code: string
  field: string
  message: string
}

/** Attributes that hold a number of a product: GTIN and its kinds. */
const productNumbers = new Set(['GTIN', 'EAN', 'UPC', 'JAN'])

/** What of a listing its seller should look at again. */
export function warningsOf({
  attributes,
  stock,
}: Pick<Listing, 'attributes' | 'stock'>): Warning[] {
  return [
    ...warningsIn('attributes', attributes),
    ...stock.flatMap((each, index) =>
      warningsIn(`variations[${index}].attributes`, each.details?.attributes ?? []),
    ),
  ]
}

function warningsIn(field: string, attributes: readonly VariationAttribute[]): Warning[] {
  return attributes.flatMap(({ id, value_name: value }, index) => {
    if (!productNumbers.has(id) || isProductNumber(value)) return []
    const place = `${field}[${index}].value_name`
    const expected = 'expected 8, 12, 13 or 14 digits, the last of them their check digit'
    return [
      {
        code: 'item.attributes.invalid_product_identifier',
        field: place,
        message: `${place}: ${expected}`,
      },
    ]
  })
}

/** Whether a text is a GTIN: from the right, its digits weighed by 1 and 3 in turn come to a multiple of ten. */
export function isProductNumber(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const sum = [...text]
    .reverse()
    .reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
