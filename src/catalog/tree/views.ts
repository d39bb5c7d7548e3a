import { timestamp } from '../../kernel/clock.ts'
import { settingsOf } from './settings.ts'
import type { Category } from './tree.ts'

/** What a category's body has that is not in the tree. */
export interface Around {
  /** Listings in a category and all below it. */
  countOf(category: Category): number
  /** Where pictures of categories are shown, without a slash at the end. */
  pictures: string
  /** Of categories that do not say when they came to be. */
  dateCreated: Date
  siteId: Parameters<typeof settingsOf>[0]['siteId']
  hasAttributes(category: Category): boolean
}

const named = ({ id, name }: Category) => ({ id, name })

/** A category (contract 2.13). */
export function categoryView(category: Category, around: Around): object {
  const { id, name, source, children, path, domainId } = category
  const isParent = children.length > 0
  const hasAttributes = around.hasAttributes(category)
  return {
    id,
    name,
    picture: `${around.pictures}/${id}.svg`,
    permalink: null,
    total_items_in_this_category: around.countOf(category),
    path_from_root: path.map(named),
    children_categories: children.map((child) => ({
      ...named(child),
      total_items_in_this_category: around.countOf(child),
    })),
    attribute_types: hasAttributes ? 'attributes' : 'none',
    settings: settingsOf({
      vertical: source.vertical,
      siteId: around.siteId,
      isParent,
      domainId,
      given: source.settings,
    }),
    meta_categ_id: null,
    attributable: hasAttributes,
    date_created: timestamp(source.dateCreated ?? around.dateCreated),
  }
}
