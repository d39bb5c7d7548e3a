import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import type { AccessToken } from '../../../api/types.ts'
import { Secret } from '../../../design/CopyButton.tsx'
import { DefinitionList, Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { ScopeNames } from '../ScopeNames.tsx'
import { useCurrentApplication } from './application.ts'
import { QueuePanel } from './QueuePanel.tsx'
import { translations } from './translations.ts'

export default function ApplicationOverview() {
  const t = useTranslations(translations)
  const format = useFormats()
  const { application, base, authScheme } = useCurrentApplication()
  const { callback_url, topics, redirect_uris, scopes, owner_id, date_created } = application
  return (
    <Stack gap="lg">
      <QueuePanel />
      <Section
        actions={
          <Button component={Link} size="xs" to={`${base}/settings`} variant="default">
            {t('change')}
          </Button>
        }
        title={t('facts')}
      >
        <DefinitionList
          of={[
            [
              t('callback'),
              callback_url ? <span className="mono">{callback_url}</span> : t('noCallback'),
            ],
            [
              t('topics'),
              topics.length > 0 ? <span className="mono">{topics.join(', ')}</span> : t('noTopics'),
            ],
            [
              t('redirects'),
              redirect_uris.length > 0 ? (
                <Stack className="mono" gap={2}>
                  {redirect_uris.map((uri) => (
                    <span key={uri}>{uri}</span>
                  ))}
                </Stack>
              ) : (
                t('noneOf')
              ),
            ],
            [t('scopes'), <ScopeNames key="scopes" of={scopes} />],
            ...(authScheme === 'operator'
              ? [[t('owner'), <span className="mono">{owner_id ?? '–'}</span>] as const]
              : []),
            [t('created'), format.moment(date_created)],
          ]}
        />
      </Section>
      {authScheme === 'user' && <OwnToken />}
    </Stack>
  )
}

function OwnToken() {
  const t = useTranslations(translations)
  const { application } = useCurrentApplication()
  const path = `/applications/${application.id}`
  const making = useMutation({
    mutationFn: () =>
      callApi<AccessToken>('POST', `${path}/tokens`, { authScheme: 'user', body: {} }),
    onSuccess: () => invalidatePaths(`${path}/grants`),
  })
  return (
    <Section lead={t('ownLead')} title={t('own')}>
      <Group>
        <Button loading={making.isPending} onClick={() => making.mutate()} variant="default">
          {t('makeToken')}
        </Button>
      </Group>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <Secret name={t('token')} text={making.data.access_token} />}
    </Section>
  )
}
