import { isHttpUrl } from '../../http/check.ts'
import type { Breach } from '../../kernel/failure.ts'
import type { Picture } from '../listing.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing } from './breach.ts'

/** The pictures of an item, and how its variations name them. */
export interface ItemPictures {
  pictures: readonly Picture[]
  breaches: readonly Breach[]
  /** The id of a picture by what a seller calls it: an id or an address. */
  idOf(said: string): string | undefined
}

/**
 * Reads the pictures of an item. One is said by its address, or by the id that it has in this item. An address
 * that only a variation says is a picture of the item too.
 */
export function readPictures(
  { pictures: said, variations = [] }: Pick<ItemBody, 'pictures' | 'variations'>,
  { had = [], makeId }: { had: readonly Picture[] | undefined; makeId: () => string },
): ItemPictures {
  const breaches: Breach[] = []
  const idBy = new Map<string, string>()
  const name = (picture: Picture, ...names: (string | undefined)[]) => {
    for (const each of [picture.id, picture.url, ...names]) {
      if (each !== undefined && !idBy.has(each)) idBy.set(each, picture.id)
    }
  }
  const byId = new Map(had.map((picture) => [picture.id, picture]))
  const byUrl = new Map(had.map((picture) => [picture.url, picture]))
  const own = said?.map(({ id, url, source }, index): Picture => {
    const address = source ?? url
    const known = byId.get(id ?? '') ?? byUrl.get(address ?? '')
    const isKnown = known && (address ?? known.url) === known.url
    if (!isKnown && address === undefined) {
      breaches.push(missing(`pictures[${index}].source`, 'an address'))
    }
    const picture = isKnown ? known : { id: makeId(), url: address ?? '' }
    name(picture, id)
    return picture
  })
  const pictures = [...(own ?? had)]
  if (own && breaches.length === 0) {
    const twin = own.findIndex(({ url }, index) => own.findIndex((p) => p.url === url) < index)
    if (twin >= 0) breaches.push(invalid(`pictures[${twin}]`, 'a picture that is not there before'))
  }
  for (const picture of pictures) name(picture)
  for (const each of variations.flatMap(({ picture_ids = [] }) => picture_ids)) {
    if (idBy.has(each) || !isHttpUrl(each)) continue
    const picture = { id: makeId(), url: each }
    pictures.push(picture)
    name(picture)
  }
  return {
    pictures: own || pictures.length > had.length ? pictures : had,
    breaches,
    idOf: (id) => idBy.get(id),
  }
}
