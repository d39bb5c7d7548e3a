import { Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { makeStorableCheck } from '../../http/check.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { Bounded } from '../../kernel/schema.ts'
import { SentOptionAnswer } from '../schemas.ts'
import type { ConversationKey } from '../store.ts'
import { sentOptionView } from '../view.ts'
import { loadActionGuide, sendOption } from './commands.ts'
import { capsView, optionsView } from './options.ts'
import { CapsAnswer, OptionBody, OptionsAnswer } from './schemas.ts'

const tag = 'Action guide'
const PackParams = Type.Object({ pack_id: Type.String() })
const PostSale = Type.Object({ tag: Type.Optional(Bounded(1_000, '`post_sale`')) })

/** The errors of a pack whose conversation the caller cannot begin by the guide. */
const packRefusals = {
  blocked_by_excepted_case: '',
  pack_denied: '2000006181551917',
  pack_is_blocked: '',
  blocked_by_conversation_use_message_api: '',
}

const getOptions = route({
  method: 'GET',
  url: '/messages/action_guide/packs/:pack_id',
  scope: 'read',
  tag,
  summary: 'List the options of the action guide',
  description:
    'Returns the options by which you, the seller, may begin a conversation about a pack, each with its templates and how often it may still be used. They depend on the site and the shipping mode. Use the order id as `pack_id` when the order has no pack. 400 `bad_request` with the cause `blocked_by_excepted_case`: the pack needs no guide, send a message instead. 403 `forbidden`: the pack is not yours, or its conversation is blocked or open already.',
  refuses: packRefusals,
  params: PackParams,
  query: PostSale,
  failures: 'guide',
  answers: { 200: OptionsAnswer },
  async handle(ctx, { params, caller }) {
    return ok(optionsView(await loadActionGuide(ctx, conversationKeyOf(params, caller))))
  },
})

const getCaps = route({
  method: 'GET',
  url: '/messages/action_guide/packs/:pack_id/caps_available',
  scope: 'read',
  tag,
  summary: 'Get the remaining uses of each option',
  description:
    'Returns the remaining uses of each option of the action guide for a pack. 400 `bad_request` and 403 `forbidden` as in `GET /messages/action_guide/packs/{pack_id}`.',
  refuses: packRefusals,
  params: PackParams,
  query: PostSale,
  failures: 'guide',
  answers: { 200: CapsAnswer },
  async handle(ctx, { params, caller }) {
    return ok(capsView(await loadActionGuide(ctx, conversationKeyOf(params, caller))))
  },
})

const postOption = route({
  method: 'POST',
  url: '/messages/action_guide/packs/:pack_id/option',
  scope: 'write',
  tag,
  summary: 'Send an option of the action guide',
  description:
    'Sends the buyer a template, or your own text for a free-text option. The token must belong to an application. A message that moderation holds back is returned too, with `status` `moderated`, and does not use up the option. 400 `bad_request`: the text, the template or its variables are invalid. 403 `limit_exceeded`: the option is used up. 404 `not_found`: the pack does not have this option. 409 `conflict`: another request is sending an option for this sale, try again. 403 `forbidden`: the pack is not yours, or its conversation is blocked or open already.',
  refuses: {
    ...packRefusals,
    invalid_text: '',
    invalid_template: 'TEMPLATE___REQUEST_VARIANTS___9',
    option_used_up: 'REQUEST_VARIANTS',
    invalid_option: '',
    guide_is_locked: '',
  },
  params: PackParams,
  query: PostSale,
  body: OptionBody,
  checksBodyItself: true,
  needsApplication: true,
  failures: 'guide',
  answers: { 201: SentOptionAnswer },
  async handle(ctx, { params, body, caller }) {
    const key = conversationKeyOf(params, caller)
    const input = optionOf(body)
    const { message, toName } = await sendOption(ctx, { key: key, input: input, caller })
    return created(sentOptionView(message, { toName }))
  },
})

const check = makeStorableCheck(OptionBody)

/** Text that cannot be stored passes here: `invalid_text` refuses it later, with its fixed message. */
function optionOf(body: unknown): OptionBody {
  if (body === undefined || body === null) throw new Failure('json_body_required')
  return check(body) as OptionBody
}

/** Only the seller uses the guide, so the caller is the seller of the key. */
function conversationKeyOf(params: { pack_id: string }, { userId }: Caller): ConversationKey {
  const packId = parseId(params.pack_id)
  if (packId === undefined) throw new Failure('pack_denied', params.pack_id)
  return { sellerId: userId, packId }
}

export const guideRoutes: Route[] = [getOptions, getCaps, postOption]
