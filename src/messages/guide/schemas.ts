import { type Static, Type } from 'typebox'
import { guideOptions } from '../../kernel/guide-options.ts'
import { Bounded, OrNull } from '../../kernel/schema.ts'

const OptionId = Type.Enum([...guideOptions])
const Cap = Type.Integer({
  minimum: 0,
  description: 'How often the option may still be used. 0: not any more.',
})

const TemplateAnswer = Type.Object({
  id: Type.String({ description: '`TEMPLATE___<OPTION_ID>___<n>`' }),
  texts: Type.Optional(
    Type.Record(Type.String(), Type.Object({ html: Type.String() }), {
      description: 'The text by site. Only on templates with variables.',
    }),
  ),
  vars: OrNull(Type.Array(Type.Object({ id: Type.String(), type: Type.Enum(['NUMBER']) }))),
})

export const OptionsAnswer = Type.Object({
  options: Type.Array(
    Type.Object({
      id: OptionId,
      internal_description: Type.String(),
      enabled: Type.Boolean({ description: 'Whether you can send the option now.' }),
      type: Type.Enum(['template', 'free_text']),
      templates: OrNull(Type.Array(TemplateAnswer)),
      actionable: Type.Boolean(),
      char_limit: Type.Optional(
        Type.Integer({ description: 'Maximum length of the text. Only on free-text options.' }),
      ),
      child_options: Type.Null(),
      cap_available: Cap,
    }),
  ),
})

export const CapsAnswer = Type.Array(
  Type.Object({
    option_id: { ...OptionId, description: 'Id of the option of the action guide.' },
    cap_available: Cap,
  }),
)

/** The body that sends an option. Fields that the option does not use are ignored. */
export const OptionBody = Type.Object({
  option_id: Bounded(1_000, `One of ${guideOptions.join(', ')}.`),
  template_id: Type.Optional(OrNull(Bounded(1_000, 'Required for a template option.'))),
  text: Type.Optional(
    OrNull(Bounded(200_000, 'Required for a free-text option. At most 350 characters.')),
  ),
  vars: Type.Optional(
    OrNull(
      Type.Array(Type.Object({ id: Bounded(1_000), value: Type.Number() }), {
        maxItems: 20,
        description:
          'Variables of the template: the hours of a delivery promise, 0 to 23, INIT before LIMIT.',
      }),
    ),
  ),
})
export type OptionBody = Static<typeof OptionBody>
