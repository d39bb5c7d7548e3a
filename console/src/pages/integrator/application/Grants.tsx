import { Button, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import type { Grant, GrantList } from '../../../api/types.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { ScopeNames } from '../ScopeNames.tsx'
import { useCurrentApplication } from './application.ts'
import { translations } from './translations.ts'

/** Who lets the application act in their name. */
export default function Grants() {
  const t = useTranslations(translations)
  const { application, authScheme, paths } = useCurrentApplication()
  const grantsQuery = useInfiniteQuery({
    queryKey: [authScheme, paths.grants],
    queryFn: ({ pageParam, signal }) =>
      callApi<GrantList>('GET', paths.grants, {
        authScheme,
        query: { offset: pageParam, limit: 50 },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ paging: { total, offset, limit } }) =>
      offset + limit < total ? offset + limit : null,
  })
  const rows = grantsQuery.data?.pages.flatMap(({ grants }) => grants)
  const redirect = application.redirect_uris[0] ?? 'https://app.example/callback'
  const asks = new URLSearchParams({
    response_type: 'code',
    client_id: String(application.id),
    redirect_uri: redirect,
    state: 'x',
  })
  return (
    <Section flush lead={t('grantsLead')} title={t('grants')}>
      {grantsQuery.error && (
        <ErrorState error={grantsQuery.error} retry={() => void grantsQuery.refetch()} />
      )}
      {!rows && !grantsQuery.error && <LoadingState />}
      {rows?.length === 0 && (
        <EmptyState command={`${location.origin}/authorization?${asks}`} title={t('noGrants')}>
          {t('noGrantsLead')}
        </EmptyState>
      )}
      {rows && rows.length > 0 && <GrantTable rows={rows} />}
      {grantsQuery.hasNextPage && (
        <Group justify="center" pb="lg">
          <Button onClick={() => void grantsQuery.fetchNextPage()} variant="default">
            {t('more')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

function GrantTable({ rows }: { rows: readonly Grant[] }) {
  const t = useTranslations(translations)
  const format = useFormats()
  return (
    <DataTable
      caption={t('grants')}
      columns={[
        {
          key: 'user',
          title: t('user'),
          render: ({ user_id }) => <span className="mono">{user_id}</span>,
        },
        {
          key: 'scopes',
          title: t('scopes'),
          render: ({ scopes }) => <ScopeNames of={scopes} />,
        },
        {
          key: 'since',
          title: t('since'),
          render: ({ date_created }) => format.moment(date_created),
        },
      ]}
      keyOf={({ user_id }) => user_id}
      rows={rows}
    />
  )
}
