import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { usePermissions } from '../../../api/own-account.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { Page } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { Deliveries, SlowQueues } from './Deliveries.tsx'
import { OrdersByDay, TopSellers } from './Sales.tsx'
import { translations } from './translations.ts'
import type { DeliveryFigures, OrderFigures } from './types.ts'

const refreshMs = 15_000

export default function Overview() {
  const t = useTranslations(translations)
  const [minutes, setMinutes] = useState('60')
  const showsDeliveries = usePermissions()('deliveries:read')
  const authScheme = 'operator' as const
  const orders = useApiQuery<OrderFigures>(
    '/operator/orders/figures',
    { authScheme, query: { days: 30 } },
    { refetchInterval: refreshMs * 2 },
  )
  const deliveries = useApiQuery<DeliveryFigures>(
    '/operator/deliveries/figures',
    { authScheme, query: { minutes } },
    { refetchInterval: refreshMs, keepsLast: true, enabled: showsDeliveries },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <OverviewTiles deliveries={deliveries.data} minutes={Number(minutes)} orders={orders.data} />
      <QueryContent lines={8} of={orders}>
        {(figures) => <OrdersByDay figures={figures} />}
      </QueryContent>
      {showsDeliveries && (
        <QueryContent lines={8} of={deliveries}>
          {(figures) => (
            <Deliveries
              figures={figures}
              minutes={Number(minutes)}
              span={<TimeRangePicker pick={setMinutes} value={minutes} />}
            />
          )}
        </QueryContent>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {showsDeliveries && (
          <QueryContent of={deliveries}>
            {({ slow_queues }) => <SlowQueues queues={slow_queues} />}
          </QueryContent>
        )}
        <QueryContent of={orders}>{({ sellers }) => <TopSellers sellers={sellers} />}</QueryContent>
      </SimpleGrid>
    </Page>
  )
}

function TimeRangePicker({ value, pick }: { value: string; pick: (minutes: string) => void }) {
  const t = useTranslations(translations)
  return (
    <SegmentedControl
      aria-label={t('range')}
      data={[
        { value: '60', label: t('hour') },
        { value: '360', label: t('sixHours') },
        { value: '1440', label: t('day') },
      ]}
      onChange={pick}
      size="xs"
      value={value}
    />
  )
}

function OverviewTiles({
  orders,
  deliveries,
  minutes,
}: {
  orders: OrderFigures | undefined
  deliveries: DeliveryFigures | undefined
  minutes: number
}) {
  const t = useTranslations(translations)
  const { number, percent, duration } = useFormats()
  const today = orders?.days.at(-1)?.total
  const accepted = deliveries?.outcomes['accepted'] ?? 0
  const total = deliveries?.notifications ?? 0
  const perMinute = deliveries && Math.round((total / minutes) * 10) / 10
  const tiles: [name: string, value: string | undefined][] = [
    [t('ordersToday'), today === undefined ? undefined : number(today)],
    [t('orders30'), orders && number(orders.total)],
    [t('perMinute'), perMinute === undefined ? undefined : number(perMinute)],
    [t('lag95'), deliveries?.lag_ms ? duration(deliveries.lag_ms.p95) : undefined],
    [t('accepted'), total === 0 ? undefined : percent(accepted / total)],
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      {tiles.map(([name, value]) => (
        <Stack className="surface" gap={2} key={name} p="md">
          <Text className="quiet" size="sm">
            {name}
          </Text>
          <Text fw={650} fz={24} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value ?? '–'}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  )
}
