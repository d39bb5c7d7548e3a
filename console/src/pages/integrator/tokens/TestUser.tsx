import { Button, Group, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import type { CreatedTestUser } from '../../../api/types.ts'
import { Secret } from '../../../design/CopyButton.tsx'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { useSiteOptions } from '../../operator/sites.ts'
import { translations } from './translations.ts'

/** An account to try things out with. */
export function TestUserForm() {
  const t = useTranslations(translations)
  const { user } = useSession()
  const [site, setSite] = useState(user?.siteId ?? 'MLA')
  const sites = useSiteOptions()
  const making = useMutation({
    mutationFn: () =>
      callApi<CreatedTestUser>('POST', '/users/test_user', {
        authScheme: 'user',
        body: { site_id: site },
      }),
  })
  const { data } = making
  return (
    <Section lead={t('testLead')} title={t('test')}>
      <Group align="flex-end">
        <NativeSelect
          data={sites}
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
