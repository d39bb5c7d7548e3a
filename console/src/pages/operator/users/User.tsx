import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callApi, type Versioned } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus } from '../components.tsx'
import { HistorySection } from '../history/HistorySection.tsx'
import { translations } from './translations.ts'
import type { User as UserBody } from './types.ts'
import { UserForm } from './UserForm.tsx'

export default function UserPage() {
  const t = useTranslations(translations)
  const { userId = '' } = useParams({ strict: false }) as { userId?: string }
  const path = `/operator/users/${userId}`
  const query = useApiQuery<Versioned<UserBody>>(path, { authScheme: 'operator', readsEtag: true })
  const user = query.data
  return (
    <Page
      actions={
        <>
          <Button component={Link} to={`/operator/orders?seller=${userId}`} variant="default">
            {t('sales')}
          </Button>
          <Button component={Link} to={`/operator/orders?buyer=${userId}`} variant="default">
            {t('purchases')}
          </Button>
          <Button
            component={Link}
            to={`/operator/conversations?seller=${userId}`}
            variant="default"
          >
            {t('conversations')}
          </Button>
        </>
      }
      lead={<CopyableText text={userId} />}
      title={user?.nickname ?? t('user')}
    >
      {query.error ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <QueryContent of={query}>
            {(loaded) => (
              <>
                <Section>
                  <DefinitionList
                    of={[
                      [t('status'), <NamedStatus key="status" kind="user" of={loaded.status} />],
                      [t('site'), loaded.site_id],
                      [
                        t('name'),
                        [loaded.first_name, loaded.last_name].filter(Boolean).join(' ') || '–',
                      ],
                      [t('email'), loaded.email ?? '–'],
                    ]}
                  />
                </Section>
                <Section lead={t('changeLead')} title={t('change')}>
                  <UserForm
                    done={() => {}}
                    key={JSON.stringify({ ...loaded, etag: undefined })}
                    user={loaded}
                  />
                </Section>
              </>
            )}
          </QueryContent>
          <PasswordForm id={userId} />
          <HistorySection path={path} />
          <PublicProfile id={userId} />
        </>
      )}
    </Page>
  )
}

function PasswordForm({ id }: { id: string }) {
  const t = useTranslations(translations)
  const [password, setPassword] = useState('')
  const set = useMutation({
    mutationFn: () =>
      callApi('PUT', `/operator/users/${id}/password`, {
        authScheme: 'operator',
        body: { password },
      }),
    onSuccess: () => {
      setPassword('')
      return invalidatePaths(`/operator/users/${id}`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  return (
    <Section lead={t('passwordLead')} title={t('password')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group align="flex-end">
            <PasswordInput
              autoComplete="new-password"
              label={t('newPassword')}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              required
              style={{ flex: '1 1 16rem' }}
              value={password}
            />
            <Button loading={set.isPending} type="submit" variant="default">
              {t('setPassword')}
            </Button>
          </Group>
          <div aria-live="polite">{set.isSuccess && <Text>{t('passwordSet')}</Text>}</div>
          {set.error && <ErrorState error={set.error} />}
        </Stack>
      </form>
    </Section>
  )
}

/** What anybody reads of a user: the reputation is in it. */
function PublicProfile({ id }: { id: string }) {
  const t = useTranslations(translations)
  const query = useApiQuery<unknown>(`/users/${id}`)
  return (
    <Section lead={t('othersLead')} title={t('others')}>
      <QueryContent of={query}>
        {(body) => <JsonBlock label={t('others')} value={body} />}
      </QueryContent>
    </Section>
  )
}
