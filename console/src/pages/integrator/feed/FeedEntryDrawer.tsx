import { Button, Group, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../../api/client.ts'
import { curlCommandOf } from '../../../api/curl.ts'
import { attemptOutcomes } from '../../../api/lists.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import type { FeedEntry } from '../../../api/types.ts'
import { CodeBlock, JsonBlock } from '../../../design/CodeBlock.tsx'
import { CopyableText, CopyButton } from '../../../design/CopyButton.tsx'
import { Icon } from '../../../design/icons.tsx'
import { DefinitionList } from '../../../design/Page.tsx'
import { SideDrawer } from '../../../design/SideDrawer.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from '../application/application.ts'
import { OutcomeBadge } from './outcome.tsx'
import { translations } from './translations.ts'

/** The request and response of one notification, which can be sent again. */
export function FeedEntryDrawer({
  entry,
  close,
  onRetried,
}: {
  entry: FeedEntry | undefined
  close: () => void
  /** Called with the notification after it was sent again. */
  onRetried: (entry: FeedEntry) => void
}) {
  return (
    <SideDrawer close={close} opened={entry !== undefined} title={entry?.resource ?? ''}>
      {entry && <FeedEntryDetails entry={entry} key={entry._id} onRetried={onRetried} />}
    </SideDrawer>
  )
}

function FeedEntryDetails({
  entry,
  onRetried,
}: {
  entry: FeedEntry
  onRetried: (entry: FeedEntry) => void
}) {
  const t = useTranslations(translations)
  const format = useFormats()
  const { base, authScheme, paths } = useCurrentApplication()
  const retrying = useMutation({
    mutationFn: () => callApi<FeedEntry>('POST', paths.retry(entry._id), { authScheme }),
    onSuccess: (sent) => {
      onRetried(sent)
      return invalidatePaths(
        paths.feed('myfeeds').path,
        paths.feed('missed_feeds').path,
        paths.queue,
      )
    },
  })
  const { request, response } = entry
  const sent = attemptOutcomes.find((each) => each === retrying.data?.outcome)
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Button
          leftSection={<Icon name="retry" size={16} />}
          loading={retrying.isPending}
          onClick={() => retrying.mutate()}
        >
          {t('retry')}
        </Button>
        <Button
          component={Link}
          search={{ resource: entry.resource } as never}
          to={`${base}/explain`}
          variant="default"
        >
          {t('why')}
        </Button>
        <CopyButton
          label={t('curl')}
          text={curlCommandOf({
            method: 'POST',
            url: request.url,
            headers: request.headers,
            body: request.data,
          })}
        />
      </Group>
      {retrying.error && <ErrorState error={retrying.error} />}
      {sent && (
        <div className="note" data-tone={sent === 'accepted' ? 'good' : 'warn'} role="status">
          {t('retried', { outcome: t(sent) })}
        </div>
      )}
      <DefinitionList
        of={[
          [t('outcome'), <OutcomeBadge code={response.http_code} outcome={entry.outcome} />],
          [t('topic'), <span className="mono">{entry.topic}</span>],
          [t('user'), <span className="mono">{entry.user_id}</span>],
          [t('id'), <CopyableText text={entry._id} />],
          [t('received'), format.moment(entry.received)],
          [t('sent'), format.moment(entry.sent)],
          [t('attempts'), format.number(entry.attempts)],
          [t('took'), format.duration(response.req_time)],
        ]}
      />
      <Title order={3} size="h4">
        {t('request')}
      </Title>
      <CodeBlock label={t('request')} text={`POST ${request.url}`} />
      <JsonBlock label={`${t('request')}: ${t('headers')}`} value={request.headers} />
      <JsonBlock label={`${t('request')}: ${t('body')}`} value={request.data} />
      <Title order={3} size="h4">
        {t('response')}
      </Title>
      {response.http_code === null ? (
        <p className="quiet">{t('noAnswer')}</p>
      ) : (
        <>
          <JsonBlock label={`${t('response')}: ${t('headers')}`} value={response.headers} />
          {response.body === '' ? (
            <p className="quiet">{t('emptyBody')}</p>
          ) : (
            <JsonBlock label={`${t('response')}: ${t('body')}`} value={response.body} />
          )}
        </>
      )}
    </Stack>
  )
}
