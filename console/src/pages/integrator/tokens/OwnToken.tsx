import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import type { AccessToken, ApplicationList } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { CreatedToken } from './Tokens.tsx'
import { translations } from './translations.ts'

/** Of an application of one's own, in one's own name. */
export function OwnTokenForm() {
  const t = useTranslations(translations)
  const [chosen, setChosen] = useState('')
  const query = { limit: 1_000 }
  const applicationsQuery = useApiQuery<ApplicationList>('/applications', {
    authScheme: 'user',
    query,
  })
  const making = useMutation({
    mutationFn: (id: string) =>
      callApi<AccessToken>('POST', `/applications/${id}/tokens`, { authScheme: 'user', body: {} }),
    onSuccess: () => invalidatePaths('/applications'),
  })
  return (
    <Section lead={t('ownLead')} title={t('own')}>
      <QueryContent lines={2} of={applicationsQuery}>
        {({ applications: [first, ...others] }) =>
          first ? (
            <Group align="flex-end">
              <NativeSelect
                data={[first, ...others].map(({ id, name }) => ({
                  value: String(id),
                  label: name,
                }))}
                label={t('application')}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                value={chosen || String(first.id)}
              />
              <Button
                loading={making.isPending}
                onClick={() => making.mutate(chosen || String(first.id))}
              >
                {t('make')}
              </Button>
            </Group>
          ) : (
            <Text>{t('noApplication')}</Text>
          )
        }
      </QueryContent>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <CreatedToken token={making.data} />}
    </Section>
  )
}
