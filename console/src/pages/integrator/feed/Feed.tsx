import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { noteKinds } from '../../../api/lists.ts'
import { useApiQuery } from '../../../api/queries.ts'
import type { FeedEntry, FeedPage } from '../../../api/types.ts'
import { useCursorHistory } from '../../../design/cursor-history.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useCurrentApplication } from '../application/application.ts'
import { FeedEntryDrawer } from './FeedEntryDrawer.tsx'
import { FeedFilterForm, type FeedSearch } from './Filters.tsx'
import { OutcomeBadge } from './outcome.tsx'
import { translations } from './translations.ts'

const refreshMs = 3_000

/** The feed of an application: live on its first page, standing still on older ones. */
export default function Feed() {
  const t = useTranslations(translations)
  const { authScheme, paths } = useCurrentApplication()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as FeedSearch
  const [cursor, setCursor] = useState<string>()
  const trail = useCursorHistory(cursor ?? '')
  const [opened, setOpened] = useState<FeedEntry>()
  const { path, query } = paths.feed(search.missed ? 'missed_feeds' : 'myfeeds')
  const { topic, outcome, resource } = search
  const filters = { ...query, topic, outcome, resource, ...momentsOf(search), cursor, limit: 25 }
  const feedQuery = useApiQuery<FeedPage>(
    path,
    { authScheme, query: filters },
    { refetchInterval: cursor ? false : refreshMs, keepsLast: true },
  )
  const change = (part: FeedSearch) => {
    setCursor(undefined)
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value)
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
  }
  const isFiltered = Object.keys(search).some((name) => name !== 'missed')
  return (
    <Stack gap="lg">
      <FeedFilterForm change={change} search={search} />
      <Section
        flush
        lead={t('lead')}
        title={t('feed')}
        actions={<LastRefreshed at={feedQuery.dataUpdatedAt} isLive={!cursor} />}
      >
        <QueryContent of={feedQuery}>
          {({ messages, next_cursor, searched_until }) => (
            <>
              {messages.length === 0 ? (
                <EmptyFeed isFiltered={isFiltered} isMissed={search.missed !== undefined} />
              ) : (
                <FeedTable entries={messages} open={setOpened} />
              )}
              <FeedPager
                cursor={cursor}
                next={next_cursor}
                before={trail.before}
                leave={trail.leave}
                searchedUntil={searched_until}
                turn={setCursor}
              />
            </>
          )}
        </QueryContent>
      </Section>
      <QueueNotes page={feedQuery.data} />
      <FeedEntryDrawer close={() => setOpened(undefined)} entry={opened} onRetried={setOpened} />
    </Stack>
  )
}

/** A field of a form writes local time without seconds; the interface takes a moment. */
function momentsOf({ from, to }: FeedSearch) {
  const moment = (text?: string) => {
    const at = text ? new Date(text) : undefined
    return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
  }
  return { from: moment(from), to: moment(to) }
}

function LastRefreshed({ at, isLive }: { at: number; isLive: boolean }) {
  const t = useTranslations(translations)
  const format = useFormats()
  if (!isLive) return <StatusBadge tone="calm">{t('still')}</StatusBadge>
  const time = at === 0 ? '–' : format.time(new Date(at).toISOString())
  return <StatusBadge tone="info">{t('live', { time })}</StatusBadge>
}

function EmptyFeed({ isFiltered, isMissed }: { isFiltered: boolean; isMissed: boolean }) {
  const t = useTranslations(translations)
  if (isFiltered) return <EmptyState title={t('noneFiltered')} />
  if (isMissed) return <EmptyState title={t('noneMissed')} />
  return (
    <EmptyState command="npm run feria -- trigger orders_v2" title={t('none')}>
      {t('noneLead')}
    </EmptyState>
  )
}

function FeedTable({
  entries,
  open,
}: {
  entries: readonly FeedEntry[]
  open: (entry: FeedEntry) => void
}) {
  const t = useTranslations(translations)
  const format = useFormats()
  return (
    <DataTable
      caption={t('feed')}
      columns={[
        {
          key: 'resource',
          keepsLine: true,
          title: t('resource'),
          render: (entry) => (
            <UnstyledButton
              className="mono"
              onClick={(event) => {
                event.stopPropagation()
                open(entry)
              }}
              style={{ color: 'var(--link)', fontWeight: 600, textAlign: 'inherit' }}
            >
              {entry.resource}
            </UnstyledButton>
          ),
        },
        {
          key: 'topic',
          keepsLine: true,
          title: t('topic'),
          render: ({ topic }) => <span className="mono">{topic}</span>,
        },
        {
          key: 'outcome',
          title: t('outcome'),
          render: ({ outcome, response }) => (
            <OutcomeBadge code={response.http_code} outcome={outcome} />
          ),
        },
        {
          key: 'attempts',
          title: t('attempts'),
          render: ({ attempts }) => format.number(attempts),
        },
        {
          key: 'took',
          keepsLine: true,
          title: t('took'),
          render: ({ response }) => format.duration(response.req_time),
        },
        {
          key: 'sent',
          title: t('sent'),
          render: ({ sent }) => (
            <Text component="span" size="sm">
              {format.moment(sent)}
            </Text>
          ),
        },
      ]}
      keyOf={({ _id }) => _id}
      open={open}
      rows={entries}
    />
  )
}

function FeedPager({
  cursor,
  next,
  before,
  leave,
  searchedUntil,
  turn,
}: {
  cursor: string | undefined
  next: string | null
  before: string | undefined
  leave: () => void
  searchedUntil: string | undefined
  turn: (cursor: string | undefined) => void
}) {
  const t = useTranslations(translations)
  const format = useFormats()
  if (!cursor && !next) return null
  return (
    <Group justify="space-between" px="lg" pb="lg">
      <Text className="quiet" size="sm">
        {searchedUntil && t('searched', { time: format.moment(searchedUntil) })}
      </Text>
      <Group gap="sm">
        {cursor && (
          <Button onClick={() => turn(undefined)} variant="default">
            {t('newest')}
          </Button>
        )}
        {cursor && before !== undefined && (
          <Button onClick={() => turn(before || undefined)} variant="default">
            {t('newer')}
          </Button>
        )}
        {next && (
          <Button
            onClick={() => {
              leave()
              turn(next)
            }}
            variant="default"
          >
            {t('older')}
          </Button>
        )}
      </Group>
    </Group>
  )
}

/** What happened to the callback as a whole. */
function QueueNotes({ page }: { page: FeedPage | undefined }) {
  const t = useTranslations(translations)
  const format = useFormats()
  if (!page?.notes?.length) return null
  return (
    <Section title={t('notes')}>
      <Stack gap="xs">
        {page.notes.map(({ at, kind, details }) => {
          const knownKind = noteKinds.find((each) => each === kind)
          return (
            <Group gap="sm" key={`${at} ${kind}`}>
              <StatusBadge tone={kind === 'resumed' ? 'good' : kind === 'paused' ? 'warn' : 'bad'}>
                {knownKind ? t(knownKind) : kind}
              </StatusBadge>
              <span>{format.moment(at)}</span>
              <span className="mono quiet">{JSON.stringify(details)}</span>
            </Group>
          )
        })}
      </Stack>
    </Section>
  )
}
