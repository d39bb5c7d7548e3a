import { Button, Text } from '@mantine/core'
import type { OperatorChange } from '../api/client.ts'
import { useFormats } from '../i18n/format.ts'
import { useTranslations } from '../i18n/text.ts'
import { translations } from './translations.ts'

/** Says who changed what since the page was loaded. `reload` loads the present state. */
export function Conflict({
  changes,
  reload,
}: {
  changes: readonly OperatorChange[]
  reload?: (() => void) | undefined
}) {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  return (
    <div className="note" data-tone="bad" role="alert">
      <Text fw={650}>{t('changedMeanwhile')}</Text>
      <Text>{t('nothingSaved')}</Text>
      {changes.length === 0 ? (
        <Text mt={4}>{t('changedByOthers')}</Text>
      ) : (
        <ul>
          {changes.map((change) => (
            <li key={change.id}>
              {moment(change.date)}, {change.actor_name ?? change.actor}:{' '}
              <span className="mono">{change.operation}</span>
              {fieldsOf(change).length > 0 && ` (${fieldsOf(change).join(', ')})`}
            </li>
          ))}
        </ul>
      )}
      {reload && (
        <Button mt="sm" onClick={reload} size="xs" variant="default">
          {t('loadPresent')}
        </Button>
      )}
    </div>
  )
}

/** Returns the names of the fields that a change concerns. */
function fieldsOf({ before, after, personal }: OperatorChange): string[] {
  const names = Object.keys({ ...before, ...after })
  return [...new Set([...names, ...personal.flatMap(({ fields }) => fields)])]
}
