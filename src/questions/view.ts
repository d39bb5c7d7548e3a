import { Type } from 'typebox'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { type Question, questionStatuses, questionVisibility } from './question.ts'
import { type QuestionSearchInput, sortFields } from './search.ts'

export const QuestionAnswer = Type.Object({
  id: Id,
  item_id: Type.String(),
  seller_id: Id,
  status: Type.Enum([...questionStatuses]),
  text: Type.String(),
  date_created: Timestamp,
  last_updated: Timestamp,
  deleted_from_listing: Type.Boolean(),
  hold: Type.Boolean(),
  answer: OrNull(
    Type.Object({ text: Type.String(), status: Type.String(), date_created: Timestamp }),
  ),
  from: OrNull(Type.Object({ id: Id })),
})

/** Returns a question as `reader` sees it. Only its parties and the operator see who asked. */
export function questionView(question: Question, reader: number | 'operator'): object {
  const isParty = reader === 'operator' || questionVisibility(question, reader) === 'all'
  return {
    id: question.id,
    item_id: question.itemId,
    seller_id: question.sellerId,
    status: question.status,
    text: question.text,
    date_created: timestamp(question.dateCreated),
    last_updated: timestamp(question.lastUpdated),
    deleted_from_listing: question.deletedFromListing,
    hold: question.hold,
    answer: question.answer,
    from: isParty ? { id: question.fromId } : null,
  }
}

export const QuestionSearchAnswer = Type.Object({
  total: Type.Integer(),
  limit: Type.Integer(),
  questions: Type.Array(QuestionAnswer),
  filters: Type.Object({}),
  available_filters: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      values: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  available_sorts: Type.Array(Type.String()),
})

const availableFilters = [
  { id: 'from', name: 'From user id', type: 'number' },
  { id: 'seller', name: 'Seller id', type: 'number' },
  { id: 'item', name: 'Item id', type: 'text' },
  { id: 'status', name: 'Status', type: 'text', values: questionStatuses },
]

/** Returns a page of a search with the filters that were applied. */
export function questionSearchView(
  { total, questions }: { total: number; questions: readonly Question[] },
  { search, reader }: { search: QuestionSearchInput; reader: number },
): object {
  const { limit, offset, sellerId, itemId, fromId, statuses, sorts } = search
  return {
    total,
    limit,
    questions: questions.map((question) => questionView(question, reader)),
    filters: {
      limit,
      offset,
      api_version: '4',
      is_admin: false,
      sorts: sorts.map(({ field, isDescending }) => `${field}_${isDescending ? 'desc' : 'asc'}`),
      caller: reader,
      ...(itemId === null ? {} : { item: itemId }),
      ...(sellerId === null ? {} : { seller: sellerId }),
      ...(fromId === null ? {} : { from: fromId }),
      ...(statuses === null ? {} : { status: statuses.join(',') }),
    },
    available_filters: availableFilters,
    available_sorts: sortFields,
  }
}
