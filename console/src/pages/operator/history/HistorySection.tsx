import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { OperatorChange } from './OperatorChange.tsx'
import { eventTranslations, translations } from './translations.ts'
import type { HistoryPage } from './types.ts'

/** The history of a user or a conversation, page by page: what happened, and what operators changed. */
export function HistorySection({ path }: { path: string }) {
  const t = useTranslations(translations)
  const historyPath = `${path}/history`
  const query = useInfiniteQuery({
    queryKey: ['operator', historyPath],
    queryFn: ({ pageParam, signal }) =>
      callApi<HistoryPage>('GET', historyPath, {
        authScheme: 'operator',
        query: { limit: 20, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const results = query.data?.pages.flatMap((page) => page.results) ?? []
  return (
    <Section lead={t('historyLead')} title={t('history')}>
      {query.error && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingState lines={6} />}
      {query.isSuccess && results.length === 0 && (
        <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
      )}
      {results.length > 0 && (
        <Stack gap="md">
          <ol className="timeline">
            {results.map((result) => (
              <HistoryItem
                key={`${result.at} ${result.audit?.id ?? `${result.kind} ${result.resource} ${JSON.stringify(result.details)}`}`}
                result={result}
              />
            ))}
          </ol>
          {query.hasNextPage && (
            <Group justify="center">
              <Button
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
                size="xs"
                variant="default"
              >
                {t('earlier')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  )
}

function HistoryItem({ result }: { result: HistoryPage['results'][number] }) {
  const eventName = useTranslations(eventTranslations)
  const { moment } = useFormats()
  const { at, kind, resource, details, audit } = result
  return (
    <li>
      <time className="quiet" dateTime={at}>
        {moment(at)}
      </time>
      {audit ? (
        <OperatorChange entry={audit} />
      ) : (
        <div>
          <Text fw={600} span>
            {eventName(kind)}
          </Text>{' '}
          <span className="mono quiet">{resource}</span>
          {Object.entries(details)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => (
              <Text className="mono" key={name} size="sm">
                {name}: {String(value)}
              </Text>
            ))}
        </div>
      )}
    </li>
  )
}
