import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh, useGet } from '../../../api/queries.ts'
import type { AccessToken, Application } from '../../../api/types.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../design/States.tsx'
import { useText } from '../../../i18n/text.ts'
import { Made } from './Tokens.tsx'
import { translations } from './translations.ts'

/** Of an application of one's own, in one's own name. */
export function OwnToken() {
  const t = useText(translations)
  const [chosen, setChosen] = useState('')
  const query = { limit: 1_000 }
  const applicationsQuery = useGet<{ applications: Application[] }>('/applications', {
    authScheme: 'user',
    query,
  })
  const making = useMutation({
    mutationFn: (id: string) =>
      call<AccessToken>('POST', `/applications/${id}/tokens`, { authScheme: 'user', body: {} }),
    onSuccess: () => refresh('/applications'),
  })
  return (
    <Section lead={t('ownLead')} title={t('own')}>
      <Loaded lines={2} of={applicationsQuery}>
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
      </Loaded>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <Made token={making.data} />}
    </Section>
  )
}
