import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Chart, type ChartSeries, ShareBar } from '../../../design/charts/Chart.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useLanguage } from '../../../i18n/language.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus, PageLink } from '../components.tsx'
import { translations } from './translations.ts'
import type { DeliveryFigures, SlowQueue } from './types.ts'

const outcomeColors = {
  accepted: 'var(--c-good)',
  not_200: 'var(--c-bad)',
  timeout: 'var(--c-deep)',
  unreachable: 'var(--c-gone)',
  refused_address: 'var(--c-gone)',
  waiting: 'var(--c-info)',
  passed_over: 'var(--c-calm)',
} as const
const outcomeKeys = Object.keys(outcomeColors) as (keyof typeof outcomeColors)[]

export function Deliveries({
  figures,
  minutes,
  span,
}: {
  figures: DeliveryFigures
  minutes: number
  /** What chooses the span. */
  span: ReactNode
}) {
  const t = useTranslations(translations)
  const language = useLanguage()
  const { number, duration } = useFormats()
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', hour12: false })
  const long = new Intl.DateTimeFormat(language, {
    dateStyle: minutes > 60 ? 'medium' : undefined,
    timeStyle: 'short',
    hour12: false,
  })
  const perMinute = (n: number) => Math.round((n / (figures.bucket_seconds / 60)) * 10) / 10
  const series: ChartSeries[] = outcomeKeys.map((key) => ({
    key,
    name: t(`o_${key}`),
    color: outcomeColors[key],
  }))
  const named = figures.buckets.map(({ at }) => ({
    label: clock.format(new Date(at)),
    title: long.format(new Date(at)),
  }))
  const counts = figures.buckets.map((bucket, n) => ({
    ...(named[n] as { label: string; title: string }),
    values: Object.fromEntries(
      outcomeKeys.map((key) => [key, perMinute(bucket.outcomes[key] ?? 0)]),
    ),
  }))
  const lags = figures.buckets.map(({ lag_ms }, n) => ({
    ...(named[n] as { label: string; title: string }),
    values: { p50: lag_ms?.p50 ?? null, p95: lag_ms?.p95 ?? null },
  }))
  if (figures.notifications === 0) {
    return (
      <Section actions={span} title={t('deliveries')}>
        <EmptyState command="feria trigger orders_v2" title={t('noDeliveries')}>
          {t('noDeliveriesLead')}
        </EmptyState>
      </Section>
    )
  }
  return (
    <Section actions={span} lead={t('deliveriesLead')} title={t('perMinute')}>
      {!figures.is_complete && (
        <Text size="sm">
          {t('partly', { count: figures.applications, n: number(figures.applications) })}
        </Text>
      )}
      <Chart columns={counts} format={number} kind="bars" series={series} title={t('perMinute')} />
      <Stack gap="xs" mt="md">
        <Title order={3} size="h5">
          {t('outcomes')}
        </Title>
        <ShareBar format={number} series={series} title={t('outcomes')} values={figures.outcomes} />
      </Stack>
      <Stack gap="xs" mt="md">
        <Title order={3} size="h5">
          {t('lag')}
        </Title>
        <Text className="quiet" size="sm">
          {t('lagLead')}
        </Text>
        <Chart
          columns={lags}
          format={duration}
          kind="lines"
          series={[
            { key: 'p50', name: t('p50'), color: 'var(--c-info)' },
            { key: 'p95', name: t('p95'), color: 'var(--c-warn)' },
          ]}
          title={t('lag')}
        />
      </Stack>
    </Section>
  )
}

export function SlowQueues({ queues }: { queues: readonly SlowQueue[] }) {
  const t = useTranslations(translations)
  const { number, moment } = useFormats()
  return (
    <Section flush lead={t('slowLead')} title={t('slow')}>
      {queues.length === 0 ? (
        <EmptyState title={t('noSlow')}>{t('noSlowLead')}</EmptyState>
      ) : (
        <DataTable
          caption={t('slow')}
          columns={[
            {
              key: 'application',
              title: t('application'),
              render: (queue) => (
                <PageLink to={`/operator/applications/${queue.application_id}`}>
                  {queue.application_name}
                </PageLink>
              ),
            },
            {
              key: 'state',
              title: t('state'),
              render: ({ state }) => <NamedStatus kind="queue" of={state} />,
            },
            {
              key: 'waiting',
              title: t('queued'),
              render: ({ waiting, waiting_since }) => (
                <>
                  {number(waiting)}
                  {waiting_since && (
                    <Text className="quiet" size="xs">
                      {t('since')} {moment(waiting_since)}
                    </Text>
                  )}
                </>
              ),
            },
            { key: 'failures', title: t('failures'), render: ({ failures }) => number(failures) },
          ]}
          keyOf={({ application_id }) => String(application_id)}
          rows={queues}
        />
      )}
    </Section>
  )
}
