import type { ItemAttribute, Listing } from './listing.ts'

/** A doubtful value that does not keep an item from being listed. */
export interface Warning {
  code: string
  field: string
  message: string
}

/** Attributes that hold a product identifier: GTIN and its variants. */
const productIdentifierIds = new Set(['GTIN', 'EAN', 'UPC', 'JAN'])

/** Returns the values of a listing that its seller should check. */
export function warningsOf({
  attributes,
  stock,
}: Pick<Listing, 'attributes' | 'stock'>): Warning[] {
  return [
    ...warningsIn('attributes', attributes),
    ...stock.flatMap((variation, index) =>
      warningsIn(`variations[${index}].attributes`, variation.details?.attributes ?? []),
    ),
  ]
}

function warningsIn(field: string, attributes: readonly ItemAttribute[]): Warning[] {
  return attributes.flatMap(({ id, value_name: value }, index) => {
    if (!productIdentifierIds.has(id) || isGtin(value)) return []
    const path = `${field}[${index}].value_name`
    const expected = 'expected 8, 12, 13 or 14 digits, the last of them their check digit'
    return [
      {
        code: 'item.attributes.invalid_product_identifier',
        field: path,
        message: `${path}: ${expected}`,
      },
    ]
  })
}

/**
 * Returns whether a text is a GTIN: weighted by 1 and 3 in turn from the right, its digits sum to a multiple of ten.
 */
function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const sum = [...text]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
