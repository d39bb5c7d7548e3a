import { Button, Group, Stack, Text } from '@mantine/core'
import { useGet } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useNames, useText } from '../../../i18n/text.ts'
import { type AddressParameters, useAddress } from '../address.ts'
import type { OrderFigures } from '../overview/types.ts'
import { OrderLink, Pager, Status, statusNames, UserLink, useMoney } from '../pieces.tsx'
import { Filters } from './Filters.tsx'
import { translations } from './translations.ts'
import type { Order, OrderPage } from './types.ts'

const pageSize = 25

export default function Orders() {
  const t = useText(translations)
  const [parameters, setParameters] = useAddress()
  const hasParty = Boolean(parameters['seller'] || parameters['buyer'])
  const query = useGet<OrderPage>(
    '/operator/orders/search',
    {
      authScheme: 'operator',
      query: { sort: 'date_desc', ...parameters, limit: pageSize, display: 'complete' },
    },
    { enabled: hasParty, keepsLast: true },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Filters
        setParameters={(next) => setParameters(next)}
        parameters={parameters}
        available={hasParty ? (query.data?.available_filters ?? []) : []}
        key={JSON.stringify(parameters)}
      />
      {hasParty ? (
        <Loaded lines={10} of={query}>
          {(page) => <Results setParameters={setParameters} parameters={parameters} page={page} />}
        </Loaded>
      ) : (
        <Start setParameters={setParameters} />
      )}
    </Page>
  )
}

/** Before anybody was named: those who sold most of late. */
function Start({ setParameters }: { setParameters: (next: AddressParameters) => void }) {
  const t = useText(translations)
  const { number } = useFormats()
  const figures = useGet<OrderFigures>('/operator/orders/figures', {
    authScheme: 'operator',
    query: { days: 92 },
  })
  return (
    <Section>
      <Loaded of={figures}>
        {({ sellers }) => (
          <Empty
            {...(sellers.length === 0 ? { command: 'feria seed' } : {})}
            action={sellers.map(({ user_id, nickname, orders }) => (
              <Button
                key={user_id}
                onClick={() => setParameters({ seller: String(user_id) })}
                size="sm"
                variant="default"
              >
                {nickname || user_id} · {number(orders)}
              </Button>
            ))}
            title={t('whose')}
          >
            {sellers.length === 0 ? t('nobody') : t('whoseLead')}
          </Empty>
        )}
      </Loaded>
    </Section>
  )
}

function Results({
  page,
  parameters,
  setParameters,
}: {
  page: OrderPage
  parameters: AddressParameters
  setParameters: (next: AddressParameters) => void
}) {
  const t = useText(translations)
  const statusName = useNames(statusNames)
  const money = useMoney()
  const { number, moment } = useFormats()
  const { total, offset } = page.paging
  const at = (next: number) =>
    setParameters({ ...parameters, offset: next === 0 ? '' : String(next) })
  if (page.results.length === 0) {
    return (
      <Section>
        <Empty
          action={
            <Button
              onClick={() =>
                setParameters({
                  seller: parameters['seller'] ?? '',
                  buyer: parameters['buyer'] ?? '',
                })
              }
              variant="default"
            >
              {t('clear')}
            </Button>
          }
          title={t('none')}
        >
          {t('noneLead')}
        </Empty>
      </Section>
    )
  }
  const isLast = offset + page.results.length >= total
  return (
    <section className="surface">
      <Group justify="space-between" p="lg" pb="xs">
        <Text fw={600} role="status">
          {t('found', {
            from: number(offset + 1),
            to: number(offset + page.results.length),
            total: number(total),
          })}
        </Text>
      </Group>
      <DataTable<Order>
        caption={t('title')}
        columns={[
          {
            key: 'order',
            title: t('order'),
            show: ({ id, date_created }) => (
              <Stack gap={0}>
                <OrderLink id={id} />
                <Text className="quiet id" size="xs">
                  {moment(date_created)}
                </Text>
              </Stack>
            ),
          },
          {
            key: 'status',
            title: t('status'),
            show: ({ status, shipping }) => (
              <Stack align="flex-start" gap={4}>
                <Status kind="order" of={status} />
                {shipping.status && (
                  <Text className="quiet id" size="xs">
                    {t('shipping')}: {statusName(`shipment.${shipping.status}`, shipping.status)}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            key: 'what',
            title: t('what'),
            show: ({ order_items }) => <What items={order_items} />,
          },
          {
            key: 'party',
            title: t('buyer'),
            show: ({ buyer }) => <UserLink id={buyer.id} nickname={buyer.nickname} />,
          },
          {
            key: 'total',
            title: t('total'),
            show: ({ total_amount, currency_id }) => (
              <span className="id">{money(total_amount, currency_id)}</span>
            ),
          },
        ]}
        keyOf={({ id }) => String(id)}
        rows={page.results}
      />
      <Pager
        back={offset > 0 ? () => at(0) : undefined}
        before={offset > 0 ? () => at(Math.max(0, offset - pageSize)) : undefined}
        on={isLast || offset + 2 * pageSize > 10_000 ? undefined : () => at(offset + pageSize)}
      />
    </section>
  )
}

function What({ items }: { items: Order['order_items'] }) {
  const [first] = items
  if (!first) return '–'
  return (
    <Text lineClamp={2} maw="18rem" size="sm">
      {first.quantity > 1 ? `${first.quantity} × ` : ''}
      {first.item.title}
      {items.length > 1 ? ` +${items.length - 1}` : ''}
    </Text>
  )
}
