import { timestamp } from '../../kernel/clock.ts'
import { settingsOf } from './settings.ts'
import type { Category } from './tree.ts'

/** The data of a category's body that is not in the tree. */
export interface CategoryViewContext {
  /** Returns the number of listings in a category and all below it. */
  countOf(category: Category): number
  /** The base address of pictures, without a trailing slash. */
  pictureBaseUrl: string
  /** The date of categories without one of their own. */
  dateCreated: Date
  siteId: Parameters<typeof settingsOf>[0]['siteId']
  hasAttributes(category: Category): boolean
}

const named = ({ id, name }: Category) => ({ id, name })

/** Renders the body of a category. `path_from_root` ends with the category itself. Items are listed in leaves only, so
 * the settings depend on whether the category has children. */
export function categoryView(category: Category, context: CategoryViewContext): object {
  const { id, name, source, children, path, domainId } = category
  const isParent = children.length > 0
  const hasAttributes = context.hasAttributes(category)
  return {
    id,
    name,
    picture: `${context.pictureBaseUrl}/${id}.svg`,
    permalink: null,
    total_items_in_this_category: context.countOf(category),
    path_from_root: path.map(named),
    children_categories: children.map((child) => ({
      ...named(child),
      total_items_in_this_category: context.countOf(child),
    })),
    attribute_types: hasAttributes ? 'attributes' : 'none',
    settings: settingsOf({
      vertical: source.vertical,
      siteId: context.siteId,
      isParent,
      domainId,
      overrides: source.settings,
    }),
    meta_categ_id: null,
    attributable: hasAttributes,
    date_created: timestamp(source.dateCreated ?? context.dateCreated),
  }
}
