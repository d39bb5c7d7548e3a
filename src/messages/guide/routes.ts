import { Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { checkStorable } from '../../http/check.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { Bounded } from '../../kernel/schema.ts'
import { SentAnswer } from '../schemas.ts'
import type { ConversationKey } from '../store.ts'
import { sentView } from '../view.ts'
import { guideOf, sendOption } from './commands.ts'
import { capsView, optionsView } from './options.ts'
import { CapsAnswer, OptionBody, OptionsAnswer } from './schemas.ts'

const tag = 'Action guide'
const ofPack = Type.Object({ pack_id: Type.String() })
const PostSale = Type.Object({ tag: Type.Optional(Bounded(1_000, '`post_sale`')) })

const getOptions = route({
  method: 'GET',
  url: '/messages/action_guide/packs/:pack_id',
  scope: 'read',
  tag,
  summary: 'The reasons for which a seller may begin a conversation',
  description:
    'Contract 4.1. `pack_id` is the order’s number where it has no pack. Which options there are depends on the site and the shipping mode. Refusals: contract 7.1.',
  params: ofPack,
  query: PostSale,
  failures: 'guide',
  answers: { 200: OptionsAnswer },
  async handle(ctx, { params, caller }) {
    return ok(optionsView(await guideOf(ctx, conversationKeyOf(params, caller))))
  },
})

const getCaps = route({
  method: 'GET',
  url: '/messages/action_guide/packs/:pack_id/caps_available',
  scope: 'read',
  tag,
  summary: 'How often each option may still be used',
  description: 'Contract 4.1. Refusals: contract 7.1.',
  params: ofPack,
  query: PostSale,
  failures: 'guide',
  answers: { 200: CapsAnswer },
  async handle(ctx, { params, caller }) {
    return ok(capsView(await guideOf(ctx, conversationKeyOf(params, caller))))
  },
})

const postOption = route({
  method: 'POST',
  url: '/messages/action_guide/packs/:pack_id/option',
  scope: 'write',
  tag,
  summary: 'Write to the buyer for one of these reasons',
  description:
    'Contract 4.1. What is held back by moderation is answered too, as `moderated`, and uses nothing up. Of two calls at once on one sale the second is refused with 409. Refusals: contract 7.1.',
  params: ofPack,
  query: PostSale,
  body: OptionBody,
  unchecked: true,
  needsApplication: true,
  failures: 'guide',
  answers: { 201: SentAnswer },
  async handle(ctx, { params, body, caller }) {
    const place = conversationKeyOf(params, caller)
    const asked = optionOf(body)
    const { message, toName } = await sendOption(ctx, { place, asked, caller })
    return created(sentView(message, { toName }))
  },
})

const check = checkStorable(OptionBody)

/** What cannot be stored is refused with the text (`invalid_text`), in the contract's words. */
function optionOf(body: unknown): OptionBody {
  if (body === undefined || body === null) throw new Failure('json_body_required')
  return check(body) as OptionBody
}

/** The guide is the seller's: nobody else has packs here. */
function conversationKeyOf(params: { pack_id: string }, { userId }: Caller): ConversationKey {
  const packId = parseId(params.pack_id)
  if (packId === undefined) throw new Failure('pack_denied', params.pack_id)
  return { sellerId: userId, packId }
}

export const guideRoutes: Route[] = [getOptions, getCaps, postOption]
