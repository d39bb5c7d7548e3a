import type { ResponseBody } from '../../../api/types.ts'

export type ConversationBody = ResponseBody<
  '/operator/conversations/packs/{pack_id}/sellers/{seller_id}',
  'get'
>
export type ConversationState = ConversationBody['status_for_seller']
export type Message = ConversationBody['messages'][number]
export type Attachment = NonNullable<Message['message_attachments']>[number]
export type ConversationList = ResponseBody<'/operator/conversations', 'get'>
export type ModeratedPage = ResponseBody<'/operator/messages/moderated', 'get'>
export type ModerationTermList = ResponseBody<'/operator/moderation/terms', 'get'>
export type ModerationVerdict = ResponseBody<'/operator/moderation/try', 'post'>
