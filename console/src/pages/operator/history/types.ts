import type { ResponseBody } from '../../../api/types.ts'

type UserHistory = ResponseBody<'/operator/users/{id}/history', 'get'>
type ConversationHistory = ResponseBody<
  '/operator/conversations/packs/{pack_id}/sellers/{seller_id}/history',
  'get'
>

/** What a history can tell, whatever it is about. */
export type HistoryKind = (UserHistory | ConversationHistory)['results'][number]['kind']

export type HistoryPage = Omit<UserHistory, 'results'> & {
  results: (Omit<UserHistory['results'][number], 'kind'> & { kind: HistoryKind })[]
}
