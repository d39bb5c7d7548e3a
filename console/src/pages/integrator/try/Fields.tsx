import { Fieldset, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { InlineCodeText } from '../../../design/InlineCodeText.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import type { Parameter } from './operations.ts'
import { translations } from './translations.ts'

const locations = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
] as const

/** A field for every parameter of an operation. */
export function ParameterFields({
  parameters,
  values,
  set,
}: {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, string>>
  set: (name: string, value: string) => void
}) {
  const t = useTranslations(translations)
  return locations.map(([location, legend]) => {
    const here = parameters.filter((each) => each.in === location)
    if (here.length === 0) return null
    return (
      <Fieldset key={location} legend={t(legend)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {here.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              set={(value) => set(parameter.name, value)}
              value={values[parameter.name] ?? ''}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    )
  })
}

function ParameterField({
  parameter: { name, required, description, choices },
  value,
  set,
}: {
  parameter: Parameter
  value: string
  set: (value: string) => void
}) {
  const common = {
    description: description && (
      <span lang="en">
        <InlineCodeText text={description} />
      </span>
    ),
    label: name,
    required,
    value,
  }
  if (choices.length > 0) {
    return (
      <NativeSelect
        {...common}
        data={['', ...choices]}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    )
  }
  return <TextInput {...common} onChange={({ currentTarget }) => set(currentTarget.value)} />
}
