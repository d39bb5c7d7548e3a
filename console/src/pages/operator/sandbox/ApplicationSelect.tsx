import { NativeSelect } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import type { ApplicationList } from '../../../api/types.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** One of the applications, or none: that is all of them, or what `none` says. */
export function ApplicationSelect({
  value,
  pick,
  none,
}: {
  value: string
  pick: (id: string) => void
  none?: string
}) {
  const t = useTranslations(translations)
  const { data } = useApiQuery<ApplicationList>('/operator/applications', {
    authScheme: 'operator',
    query: { limit: 200 },
  })
  return (
    <NativeSelect
      data={[
        { value: '', label: none ?? t('allApplications') },
        ...(data?.applications ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      label={t('application')}
      onChange={({ currentTarget }) => pick(currentTarget.value)}
      value={value}
    />
  )
}
