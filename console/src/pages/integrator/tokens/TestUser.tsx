import { Button, Group, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { useSession } from '../../../api/session.ts'
import { Secret } from '../../../design/CopyButton.tsx'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useText } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

interface Made {
  id: number
  nickname: string
  password: string
}

/** An account to try things out with. */
export function TestUser() {
  const t = useText(translations)
  const { user } = useSession()
  const [site, setSite] = useState(user?.siteId ?? 'MLA')
  const sites = useGet<{ id: string; name: string }[]>('/sites')
  const making = useMutation({
    mutationFn: () =>
      call<Made>('POST', '/users/test_user', { authScheme: 'user', body: { site_id: site } }),
  })
  const { data } = making
  return (
    <Section lead={t('testLead')} title={t('test')}>
      <Group align="flex-end">
        <NativeSelect
          data={(sites.data ?? [{ id: site, name: site }]).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
          label={t('site')}
          onChange={({ currentTarget }) => setSite(currentTarget.value)}
          value={site}
        />
        <Button loading={making.isPending} onClick={() => making.mutate()} variant="default">
          {t('makeUser')}
        </Button>
      </Group>
      {making.error && <ErrorState error={making.error} />}
      {data && (
        <Secret name={t('made', { id: data.id, nickname: data.nickname })} text={data.password} />
      )}
    </Section>
  )
}
