import { type Static, Type } from 'typebox'
import { badField } from '../kernel/failure.ts'
import { CommaSeparated, Id, Text } from '../kernel/schema.ts'
import { type QuestionStatus, questionStatuses } from './question.ts'

export const sortFields = ['item_id', 'from_id', 'date_created', 'seller_id'] as const
export type SortField = (typeof sortFields)[number]

export interface QuestionSort {
  field: SortField
  isDescending: boolean
}

const defaultLimit = 50
const maxLimit = 100
/** Maximum of `offset` and `limit` together. */
const maxDepth = 10_000

export const QuestionSearchQuery = Type.Object({
  seller_id: Type.Optional({ ...Id, description: 'Only questions on the items of this seller.' }),
  seller: Type.Optional({ ...Id, description: 'Another name of `seller_id`.' }),
  item: Type.Optional({ ...Text(40), description: 'Only questions on this item, by its id.' }),
  item_id: Type.Optional({ ...Text(40), description: 'Another name of `item`.' }),
  from: Type.Optional({
    ...Id,
    description: 'Only questions of this user, by id.',
    examples: [207040551],
  }),
  status: Type.Optional(
    CommaSeparated(500, `One or more of ${questionStatuses.join(', ')}, separated by commas.`),
  ),
  sort: Type.Optional(
    CommaSeparated(
      500,
      `One or more of ${sortFields.join(', ')}, each with _asc or _desc, separated by commas. Default: date_created_desc.`,
    ),
  ),
  sort_fields: Type.Optional(
    CommaSeparated(500, `Older form of sort: one or more of ${sortFields.join(', ')}.`),
  ),
  sort_types: Type.Optional(
    CommaSeparated(500, 'ASC or DESC for each of sort_fields, or one for all of them.'),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      description: `Questions per page. Default: ${defaultLimit}.`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: maxDepth, description: 'Questions to skip. Default: 0.' }),
  ),
})

export interface QuestionSearchInput {
  sellerId: number | null
  itemId: string | null
  fromId: number | null
  statuses: readonly QuestionStatus[] | null
  /** At least one. */
  sorts: readonly QuestionSort[]
  limit: number
  offset: number
}

/** Returns the search of a query. Throws a `bad_request` that names the first wrong parameter. */
export function parseQuestionSearch(
  query: Static<typeof QuestionSearchQuery>,
): QuestionSearchInput {
  const { limit = defaultLimit, offset = 0 } = query
  if (limit + offset > maxDepth) {
    throw badField(
      'offset',
      `at most ${maxDepth} together with limit: narrow by item, from or status`,
    )
  }
  return {
    sellerId: query.seller_id ?? query.seller ?? null,
    itemId: query.item ?? query.item_id ?? null,
    fromId: query.from ?? null,
    statuses: query.status === undefined ? null : query.status.split(',').map(statusOf),
    sorts: sortsOf(query),
    limit,
    offset,
  }
}

function statusOf(text: string): QuestionStatus {
  const status = questionStatuses.find((name) => name === text.trim().toUpperCase())
  if (!status) throw badField('status', `one of ${questionStatuses.join(', ')}`)
  return status
}

/** Returns the sorts of a query: those of `sort`, else of the older `sort_fields` and `sort_types`, else the newest
 * first. Where `sort_types` has fewer parts than `sort_fields`, its last one holds for the rest. The default is ASC. */
function sortsOf(query: Static<typeof QuestionSearchQuery>): QuestionSort[] {
  if (query.sort !== undefined) return query.sort.split(',').map(sortOf)
  if (query.sort_fields === undefined) return [{ field: 'date_created', isDescending: true }]
  const types = query.sort_types?.split(',').map(isDescending) ?? [false]
  return query.sort_fields.split(',').map((text, index) => ({
    field: fieldOf('sort_fields', text),
    isDescending: types[index] ?? types.at(-1) ?? false,
  }))
}

/** Parses one part of `sort`, such as `date_created_desc`. It ascends without a direction. */
function sortOf(text: string): QuestionSort {
  const [, name = '', direction] = /^(.*?)(_asc|_desc)?$/.exec(text.trim().toLowerCase()) ?? []
  return { field: fieldOf('sort', name), isDescending: direction === '_desc' }
}

function fieldOf(parameter: string, text: string): SortField {
  const field = sortFields.find((name) => name === text.trim())
  if (!field) throw badField(parameter, `one of ${sortFields.join(', ')}`)
  return field
}

/** Parses one part of `sort_types`, in any case. Throws a `bad_request` for anything but ASC and DESC. */
function isDescending(text: string): boolean {
  const type = text.trim().toUpperCase()
  if (type !== 'ASC' && type !== 'DESC') throw badField('sort_types', 'ASC or DESC')
  return type === 'DESC'
}
