import { type Static, Type } from 'typebox'
import { guideOptions } from '../../kernel/guide-options.ts'
import { Bounded, OrNull } from '../../kernel/schema.ts'

const OptionId = Type.Enum([...guideOptions])
const Cap = Type.Integer({ minimum: 0, description: 'how often the option may still be used' })

const TemplateAnswer = Type.Object({
  id: Type.String({ description: '`TEMPLATE___<OPTION_ID>___<n>`' }),
  texts: Type.Optional(
    Type.Record(Type.String(), Type.Object({ html: Type.String() }), {
      description: 'by site, where there is something to fill in',
    }),
  ),
  vars: OrNull(Type.Array(Type.Object({ id: Type.String(), type: Type.Enum(['NUMBER']) }))),
})

/** Contract 2.9. */
export const OptionsAnswer = Type.Object({
  options: Type.Array(
    Type.Object({
      id: OptionId,
      internal_description: Type.String(),
      enabled: Type.Boolean({ description: 'whether sending it would work now' }),
      type: Type.Enum(['template', 'free_text']),
      templates: OrNull(Type.Array(TemplateAnswer)),
      actionable: Type.Boolean(),
      char_limit: Type.Optional(Type.Integer({ description: 'of free text only' })),
      child_options: Type.Null(),
      cap_available: Cap,
    }),
  ),
})

export const CapsAnswer = Type.Array(Type.Object({ option_id: OptionId, cap_available: Cap }))

/** What is asked to be sent (contract 4.1). Fields that the option has no use for are passed over. */
export const OptionBody = Type.Object({
  option_id: Bounded(1_000, `one of ${guideOptions.join(', ')}`),
  template_id: Type.Optional(OrNull(Bounded(1_000, 'of a template option'))),
  text: Type.Optional(OrNull(Bounded(200_000, 'of a free text option: at most 350 characters'))),
  vars: Type.Optional(
    OrNull(
      Type.Array(Type.Object({ id: Bounded(1_000), value: Type.Number() }), {
        maxItems: 20,
        description: 'the hours of a promise: 0 to 23, INIT before LIMIT',
      }),
    ),
  ),
})
export type OptionBody = Static<typeof OptionBody>
