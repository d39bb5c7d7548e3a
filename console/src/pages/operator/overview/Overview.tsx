import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { Page } from '../../../design/Page.tsx'
import { Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { Deliveries, SlowQueues } from './Deliveries.tsx'
import { OrdersByDay, Sellers } from './Sales.tsx'
import { translations } from './translations.ts'
import type { DeliveryFigures, OrderFigures } from './types.ts'

const everyMs = 15_000

export default function Overview() {
  const t = useText(translations)
  const [minutes, setMinutes] = useState('60')
  const authScheme = 'operator' as const
  const orders = useGet<OrderFigures>(
    '/operator/orders/figures',
    { authScheme, query: { days: 30 } },
    { refetchInterval: everyMs * 2 },
  )
  const deliveries = useGet<DeliveryFigures>(
    '/operator/deliveries/figures',
    { authScheme, query: { minutes } },
    { refetchInterval: everyMs, keepsLast: true },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Tiles deliveries={deliveries.data} minutes={Number(minutes)} orders={orders.data} />
      <Loaded lines={8} of={orders}>
        {(figures) => <OrdersByDay figures={figures} />}
      </Loaded>
      <Loaded lines={8} of={deliveries}>
        {(figures) => (
          <Deliveries
            figures={figures}
            minutes={Number(minutes)}
            span={<Span pick={setMinutes} value={minutes} />}
          />
        )}
      </Loaded>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Loaded of={deliveries}>{({ slow_queues }) => <SlowQueues queues={slow_queues} />}</Loaded>
        <Loaded of={orders}>{({ sellers }) => <Sellers sellers={sellers} />}</Loaded>
      </SimpleGrid>
    </Page>
  )
}

function Span({ value, pick }: { value: string; pick: (minutes: string) => void }) {
  const t = useText(translations)
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

function Tiles({
  orders,
  deliveries,
  minutes,
}: {
  orders: OrderFigures | undefined
  deliveries: DeliveryFigures | undefined
  minutes: number
}) {
  const t = useText(translations)
  const { number, duration } = useFormats()
  const today = orders?.days.at(-1)?.total
  const accepted = deliveries?.outcomes['accepted'] ?? 0
  const total = deliveries?.notifications ?? 0
  const perMinute = deliveries && Math.round((total / minutes) * 10) / 10
  const tiles: [name: string, value: string | undefined][] = [
    [t('ordersToday'), today === undefined ? undefined : number(today)],
    [t('orders30'), orders && number(orders.total)],
    [t('perMinute'), perMinute === undefined ? undefined : number(perMinute)],
    [t('lag95'), deliveries?.lag_ms ? duration(deliveries.lag_ms.p95) : undefined],
    [
      t('accepted'),
      total === 0 ? undefined : `${number(Math.round((accepted / total) * 1000) / 10)} %`,
    ],
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
