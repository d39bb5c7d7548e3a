import { Text } from '@mantine/core'
import { useTranslations } from '../../../i18n/text.ts'
import { AuditLink } from '../accounts/AuditLink.tsx'
import type { AuditEntry } from '../audit/types.ts'
import { changedFieldsOf } from './changed-fields.ts'
import { translations } from './translations.ts'

/** What an operator changed: who, by which operation, why, and which fields. */
export function OperatorChange({ entry }: { entry: AuditEntry }) {
  const t = useTranslations(translations)
  const { actor, actor_name, operation, target, reason, personal } = entry
  const name = actor_name ?? (actor === 'token' ? t('token') : actor)
  return (
    <div>
      <Text fw={600} span title={actor}>
        {t('changedBy', { actor: name })}
      </Text>{' '}
      <span className="mono quiet">{operation}</span>
      {reason !== null && <Text size="sm">{t('reason', { reason })}</Text>}
      {changedFieldsOf(entry).map(({ field, before, after }) => (
        <Text className="mono" key={field} size="sm">
          {field}: {before ?? t('nothing')} → {after ?? t('nothing')}
        </Text>
      ))}
      {personal
        .filter(({ erased }) => erased)
        .map(({ user_id }) => (
          <Text className="quiet" key={user_id} size="sm">
            {t('erased', { user: String(user_id) })}
          </Text>
        ))}
      {target && (
        <Text size="sm">
          <AuditLink filter={{ target: `${target.kind}:${target.id}` }} text={t('auditLog')} />
        </Text>
      )}
    </div>
  )
}
