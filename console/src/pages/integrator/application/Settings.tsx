import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, queryClient, queryKeyOf, useApiQuery } from '../../../api/queries.ts'
import type {
  Application,
  NewClientSecret,
  NewSigningSecret,
  SigningSecretList,
} from '../../../api/types.ts'
import { Secret } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { type ApplicationBody, ApplicationForm } from '../ApplicationForm.tsx'
import { useCurrentApplication } from './application.ts'
import { translations } from './translations.ts'

export default function ApplicationSettings() {
  const t = useTranslations(translations)
  const { application, authScheme, paths } = useCurrentApplication()
  const saving = useMutation({
    mutationFn: (body: ApplicationBody) =>
      callApi<Application>('PUT', paths.application, { authScheme, body }),
    onSuccess: async () => {
      await invalidatePaths(paths.application, paths.queue)
      await queryClient.refetchQueries({ queryKey: queryKeyOf(authScheme, paths.application) })
    },
  })
  return (
    <Stack gap="lg">
      <Section title={t('settings')}>
        <ApplicationForm
          action={t('save')}
          error={saving.error}
          from={applicationBodyOf(application)}
          isBusy={saving.isPending}
          submit={saving.mutate}
        />
        {saving.isSuccess && (
          <div className="note" data-tone="good" role="status">
            {t('saved')}
          </div>
        )}
      </Section>
      <ClientSecretSection />
      <SigningSecrets />
    </Stack>
  )
}

function applicationBodyOf(application: Application): ApplicationBody {
  const { name, callback_url, topics, redirect_uris, scopes, requires_pkce, is_public } =
    application
  return { name, callback_url, topics, redirect_uris, scopes, requires_pkce, is_public }
}

function ClientSecretSection() {
  const t = useTranslations(translations)
  const { authScheme, paths } = useCurrentApplication()
  const making = useMutation({
    mutationFn: () => callApi<NewClientSecret>('POST', paths.secret, { authScheme, body: {} }),
  })
  return (
    <Section lead={t('secretLead')} title={t('secret')}>
      <Group>
        <Button loading={making.isPending} onClick={() => making.mutate()} variant="default">
          {t('newSecret')}
        </Button>
      </Group>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <Secret name={t('secretOf')} text={making.data.secret} />}
    </Section>
  )
}

function SigningSecrets() {
  const t = useTranslations(translations)
  const format = useFormats()
  const { authScheme, paths } = useCurrentApplication()
  const query = useApiQuery<SigningSecretList>(paths.signing, { authScheme })
  const making = useMutation({
    mutationFn: () => callApi<NewSigningSecret>('POST', paths.signing, { authScheme, body: {} }),
    onSuccess: () => invalidatePaths(paths.signing),
  })
  return (
    <Section lead={t('signingLead')} title={t('signing')}>
      <QueryContent lines={2} of={query}>
        {({ secrets }) =>
          secrets.length === 0 ? (
            <Text className="quiet">{t('noSigning')}</Text>
          ) : (
            <DataTable
              caption={t('signing')}
              columns={[
                {
                  key: 'begins',
                  title: t('begins'),
                  render: ({ begins_with }) => <span className="mono">{begins_with}…</span>,
                },
                {
                  key: 'since',
                  title: t('since'),
                  render: ({ date_created }) => format.moment(date_created),
                },
                {
                  key: 'expires',
                  title: t('expires'),
                  render: ({ expires_at }) =>
                    expires_at ? format.moment(expires_at) : t('inForce'),
                },
              ]}
              keyOf={({ id }) => id}
              rows={secrets}
            />
          )
        }
      </QueryContent>
      <Group>
        <Button loading={making.isPending} onClick={() => making.mutate()} variant="default">
          {t('newSigning')}
        </Button>
      </Group>
      {making.error && <ErrorState error={making.error} />}
      {making.data && <Secret name={t('secretOf')} text={making.data.secret} />}
    </Section>
  )
}
