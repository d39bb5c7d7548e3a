import { Anchor, Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { callApi } from '../../api/client.ts'
import { applicationsPath } from '../../api/paths.ts'
import type { Application, ApplicationList } from '../../api/types.ts'
import { useAuthScheme, useBasePath } from '../../app/auth-schemes.ts'
import { DataTable } from '../../design/DataTable.tsx'
import { Icon } from '../../design/icons.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../design/States.tsx'
import { useFormats } from '../../i18n/format.ts'
import { useTranslations } from '../../i18n/text.ts'
import { translations } from './translations.ts'

/** The applications that one owns, or all of them for the operator. */
export default function Applications() {
  const t = useTranslations(translations)
  const authScheme = useAuthScheme()
  const applicationsQuery = useInfiniteQuery({
    queryKey: [authScheme, applicationsPath(authScheme)],
    queryFn: ({ pageParam, signal }) =>
      callApi<ApplicationList>('GET', applicationsPath(authScheme), {
        authScheme,
        query: { limit: 50, after: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next_after }) => next_after,
  })
  const make = authScheme === 'user' && (
    <Button component={Link} leftSection={<Icon name="plus" size={18} />} to="/applications/new">
      {t('make')}
    </Button>
  )
  const rows = applicationsQuery.data?.pages.flatMap(({ applications }) => applications)
  const isEmpty = rows?.length === 0
  return (
    <Page
      actions={!isEmpty && make}
      lead={t(authScheme === 'operator' ? 'leadAll' : 'lead')}
      title={t(authScheme === 'operator' ? 'allApplications' : 'applications')}
    >
      {applicationsQuery.error && (
        <ErrorState
          error={applicationsQuery.error}
          retry={() => void applicationsQuery.refetch()}
        />
      )}
      <section className="surface">
        {!rows && !applicationsQuery.error && <LoadingState />}
        {isEmpty && (
          <EmptyState action={make} title={t(authScheme === 'operator' ? 'noneAll' : 'none')}>
            {authScheme === 'user' && t('noneLead')}
          </EmptyState>
        )}
        {rows && !isEmpty && <ApplicationTable rows={rows} />}
      </section>
      {applicationsQuery.hasNextPage && (
        <Group justify="center">
          <Button
            loading={applicationsQuery.isFetchingNextPage}
            onClick={() => void applicationsQuery.fetchNextPage()}
            variant="default"
          >
            {t('more')}
          </Button>
        </Group>
      )}
    </Page>
  )
}

function ApplicationTable({ rows }: { rows: readonly Application[] }) {
  const t = useTranslations(translations)
  const format = useFormats()
  const authScheme = useAuthScheme()
  const base = useBasePath()
  const navigate = useNavigate()
  return (
    <DataTable
      caption={t('applications')}
      columns={[
        {
          key: 'name',
          title: t('name'),
          render: ({ id, name }) => (
            <Anchor
              component={Link}
              fw={600}
              onClick={(event) => event.stopPropagation()}
              to={`${base}/applications/${id}`}
            >
              {name}
            </Anchor>
          ),
        },
        {
          key: 'id',
          keepsLine: true,
          title: t('id'),
          render: ({ id }) => <span className="mono">{id}</span>,
        },
        {
          key: 'callback',
          title: t('callback'),
          render: ({ callback_url }) =>
            callback_url ? (
              <UrlText url={callback_url} />
            ) : (
              <span className="quiet">{t('noCallback')}</span>
            ),
        },
        { key: 'topics', title: t('topics'), render: ({ topics }) => format.number(topics.length) },
        ...(authScheme === 'operator'
          ? [
              {
                key: 'owner',
                keepsLine: true,
                title: t('owner'),
                render: ({ owner_id }: Application) => (
                  <span className="mono">{owner_id ?? '–'}</span>
                ),
              },
            ]
          : []),
        {
          key: 'changed',
          keepsLine: true,
          title: t('changed'),
          render: ({ last_updated }) => (
            <Text component="span" size="sm">
              {format.moment(last_updated)}
            </Text>
          ),
        },
      ]}
      keyOf={({ id }) => String(id)}
      open={({ id }) => void navigate({ to: `${base}/applications/${id}` })}
      rows={rows}
    />
  )
}

/** A URL that breaks after its slashes where it needs more than one line. */
function UrlText({ url }: { url: string }) {
  const segments = url.split(/(?<=[^/:]\/)/)
  return (
    <span className="mono" title={url}>
      {segments.map((segment, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: segments repeat and keep their order
        <Fragment key={n}>
          {segment}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}
