import type { ResponseBody } from 'feria/client'
import { guideMessage, guideOptionsShape, guideRefusal, message, optionIds } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { hasLength, noneIs, responsePasses, someIs, valueIs } from './rules.ts'
import { oneOf, type Shape } from './shape.ts'

type Guide = ResponseBody<'/messages/action_guide/packs/{pack_id}', 'get'>
type Caps = ResponseBody<'/messages/action_guide/packs/{pack_id}/caps_available', 'get'>

const guide = '/messages/action_guide/packs'
const section = '4.1'
const refused = { section: '7.1', writes: true, body: guideRefusal } as const
const option = `POST ${guide}/{guide_pack}/option?tag=post_sale`
const caps: Shape = [{ option_id: oneOf(...optionIds), cap_available: 'a whole number' }]

/** Checks of the action guide. */
export const guideChecks: readonly ConformCheck[] = [
  {
    section,
    says: 'the options of a sale have their fields',
    gives: 200,
    body: guideOptionsShape,
    ask: `GET ${guide}/{guided}?tag=post_sale`,
    holds: [hasLength('options', { least: 1 })],
  },
  {
    section: '2.9',
    says: 'templates have ids, and free texts have a limit',
    gives: 200,
    ask: `GET ${guide}/{guided}?tag=post_sale`,
    holds: [
      responsePasses(
        'templates of options of that type, named for their option',
        ({ options }: Guide) =>
          options.every(({ id, type, templates }) =>
            type === 'template'
              ? templates?.every((template) => template.id.startsWith(`TEMPLATE___${id}___`))
              : templates === null,
          ),
      ),
      responsePasses('char_limit 350 of free words', ({ options }: Guide) =>
        options.every(({ type, char_limit }) =>
          type === 'free_text'
            ? char_limit === 350
            : char_limit === undefined || char_limit === null,
        ),
      ),
    ],
  },
  {
    section,
    says: 'the remaining uses of each option are read',
    gives: 200,
    body: caps,
    ask: `GET ${guide}/{guided}/caps_available?tag=post_sale`,
  },
  {
    section: '7.1',
    says: 'the options of other sellers are refused',
    as: 'stranger',
    gives: 403,
    ask: `GET ${guide}/{guided}?tag=post_sale`,
    body: guideRefusal,
  },
  {
    section,
    writes: true,
    says: 'drop_off offers to request variants',
    gives: 200,
    ask: `GET ${guide}/{guide_pack}?tag=post_sale`,
    body: guideOptionsShape,
    holds: [
      noneIs('options', 'id', 'DELIVERY_PROMISE'),
      someIs('options', 'id', 'REQUEST_VARIANTS'),
    ],
  },
  {
    section,
    writes: true,
    says: 'cross_docking offers to request variants',
    gives: 200,
    ask: `GET ${guide}/{cross_pack}?tag=post_sale`,
    body: guideOptionsShape,
    holds: [
      someIs('options', 'id', 'REQUEST_VARIANTS'),
      noneIs('options', 'id', 'DELIVERY_PROMISE'),
    ],
  },
  {
    section,
    writes: true,
    says: 'only self_service offers a delivery promise',
    gives: 200,
    ask: `GET ${guide}/{flex_pack}?tag=post_sale`,
    body: guideOptionsShape,
    holds: [
      someIs('options', 'id', 'DELIVERY_PROMISE'),
      noneIs('options', 'id', 'REQUEST_VARIANTS'),
    ],
  },
  {
    ...refused,
    says: 'a product made to order is an excepted case',
    gives: 400,
    ...{
      ask: `GET ${guide}/{made_pack}?tag=post_sale`,
      holds: [valueIs('cause', 'blocked_by_excepted_case')],
    },
  },
  {
    section,
    writes: true,
    says: 'the seller writes freely in an excepted case',
    gives: [200, 201],
    ask: 'POST /messages/packs/{made_pack}/sellers/{user}?tag=post_sale',
    body: message,
    send: { from: { user_id: '{user}' }, to: { user_id: '{buyer}' }, text: 'Lo estamos haciendo' },
  },
  {
    ...refused,
    says: 'an unknown option is refused',
    ask: option,
    gives: 404,
    send: { option_id: 'NONE' },
    holds: [valueIs('error', 'not_found')],
  },
  {
    ...refused,
    says: 'an unknown template is refused',
    ask: option,
    gives: 400,
    send: { option_id: 'REQUEST_VARIANTS', template_id: 'TEMPLATE___NONE___1' },
    holds: [valueIs('error', 'bad_request')],
  },
  {
    ...refused,
    says: 'a text of more than 350 characters is refused',
    ask: option,
    gives: 400,
    ...{
      send: { option_id: 'OTHER', text: 'a '.repeat(176) },
      holds: [valueIs('error', 'bad_request')],
    },
  },
  {
    ...{
      ...refused,
      says: 'an option in a sale of other users is refused',
      ask: option,
      as: 'stranger',
      gives: 403,
    },
    send: { option_id: 'OTHER', text: 'Hola' },
    holds: [valueIs('error', 'forbidden')],
  },
  {
    section,
    writes: true,
    says: 'a template is sent with its own text',
    ask: option,
    send: { option_id: 'REQUEST_VARIANTS', template_id: 'TEMPLATE___REQUEST_VARIANTS___1' },
    gives: [200, 201],
    body: guideMessage,
    holds: [valueIs('to.user_id', '{buyer}')],
  },
  {
    section,
    writes: true,
    says: 'a free text is sent unchanged',
    ask: option,
    send: { option_id: 'OTHER', text: 'Hola, ya sale' },
    gives: [200, 201],
    body: guideMessage,
    holds: [valueIs('text', 'Hola, ya sale')],
  },
  {
    ...{
      ...refused,
      section: '3.3',
      says: 'an option without remaining uses is refused',
      ask: option,
      gives: 403,
    },
    send: { option_id: 'OTHER', text: 'Y otra' },
    holds: [valueIs('error', 'limit_exceeded')],
  },
  {
    section: '3.3',
    writes: true,
    says: 'a used up option has 0 remaining uses',
    gives: 200,
    body: caps,
    ask: `GET ${guide}/{guide_pack}/caps_available?tag=post_sale`,
    holds: [responsePasses('no cap of OTHER', (body: Caps) => capOf(body) === 0)],
  },
  {
    ...{
      section,
      writes: true,
      says: 'a delivery promise has two hours',
      gives: [200, 201],
    },
    ask: `POST ${guide}/{flex_pack}/option?tag=post_sale`,
    send: {
      option_id: 'DELIVERY_PROMISE',
      template_id: 'TEMPLATE___DELIVERY_PROMISE___1',
      vars: [
        { id: 'TEMPLATE___DELIVERY_PROMISE___1___VAR___INIT', value: 12 },
        { id: 'TEMPLATE___DELIVERY_PROMISE___1___VAR___LIMIT', value: 20 },
      ],
    },
    body: guideMessage,
    holds: [valueIs('text', /12.*20/)],
  },
  {
    section: '3.3',
    writes: true,
    as: 'buyer',
    says: 'the buyer answers an option',
    gives: [200, 201],
    ask: 'POST /messages/packs/{guide_pack}/sellers/{user}?tag=post_sale',
    send: { from: { user_id: '{buyer}' }, to: { user_id: '{user}' }, text: 'Gracias' },
  },
  {
    section: '3.3',
    writes: true,
    says: 'after the answer, the seller writes freely',
    gives: [200, 201],
    ask: 'POST /messages/packs/{guide_pack}/sellers/{user}?tag=post_sale',
    send: { from: { user_id: '{user}' }, to: { user_id: '{buyer}' }, text: 'A vos' },
    body: message,
  },
  {
    ...refused,
    says: 'an option in an open conversation is refused',
    ask: option,
    gives: 403,
    send: { option_id: 'REQUEST_VARIANTS', template_id: 'TEMPLATE___REQUEST_VARIANTS___1' },
    holds: [valueIs('error', 'forbidden')],
  },
]

function capOf(caps: Caps): number | undefined {
  return caps.find(({ option_id }) => option_id === 'OTHER')?.cap_available
}
