import { isHttpUrl } from '../../http/check.ts'
import type { FieldError } from '../../kernel/failure.ts'
import type { Picture } from '../listing.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing } from './breach.ts'

/** The pictures of an item, and how its variations refer to them. */
export interface ItemPictures {
  pictures: readonly Picture[]
  breaches: readonly FieldError[]
  /** Returns the id of a picture by its id or address. */
  idOf(reference: string): string | undefined
}

/**
 * Reads the pictures of an item. Each has an address, or the id of a picture that the item already has. An address that
 * only a variation names becomes a picture of the item too.
 */
export function readPictures(
  { pictures: bodies, variations = [] }: Pick<ItemBody, 'pictures' | 'variations'>,
  { before = [], makeId }: { before: readonly Picture[] | undefined; makeId: () => string },
): ItemPictures {
  const breaches: FieldError[] = []
  const idByReference = new Map<string, string>()
  const addReferences = (picture: Picture, ...names: (string | undefined)[]) => {
    for (const reference of [picture.id, picture.url, ...names]) {
      if (reference !== undefined && !idByReference.has(reference))
        idByReference.set(reference, picture.id)
    }
  }
  const byId = new Map(before.map((picture) => [picture.id, picture]))
  const byUrl = new Map(before.map((picture) => [picture.url, picture]))
  const newPictures = bodies?.map(({ id, url, source }, index): Picture => {
    const address = source ?? url
    const existing = byId.get(id ?? '') ?? byUrl.get(address ?? '')
    const isExisting = existing && (address ?? existing.url) === existing.url
    if (!isExisting && address === undefined) {
      breaches.push(missing(`pictures[${index}].source`, 'an address'))
    }
    const picture = isExisting ? existing : { id: makeId(), url: address ?? '' }
    addReferences(picture, id)
    return picture
  })
  const pictures = [...(newPictures ?? before)]
  if (newPictures && breaches.length === 0) {
    const duplicate = newPictures.findIndex(
      ({ url }, index) => newPictures.findIndex((p) => p.url === url) < index,
    )
    if (duplicate >= 0)
      breaches.push(invalid(`pictures[${duplicate}]`, 'a picture that is not there before'))
  }
  for (const picture of pictures) addReferences(picture)
  for (const reference of variations.flatMap(({ picture_ids = [] }) => picture_ids)) {
    if (idByReference.has(reference) || !isHttpUrl(reference)) continue
    const picture = { id: makeId(), url: reference }
    pictures.push(picture)
    addReferences(picture)
  }
  return {
    pictures: newPictures || pictures.length > before.length ? pictures : before,
    breaches,
    idOf: (id) => idByReference.get(id),
  }
}
