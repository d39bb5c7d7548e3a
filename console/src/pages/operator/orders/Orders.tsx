import { Button, Group, Stack, Text } from '@mantine/core'
import { useOperatorSites } from '../../../api/operator-sites.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { type AddressParameters, useAddressParameters } from '../address.ts'
import {
  NamedStatus,
  OrderLink,
  Pager,
  statusNames,
  UserLink,
  useMoneyFormat,
} from '../components.tsx'
import type { OrderFigures } from '../overview/types.ts'
import { OrderFilterForm } from './Filters.tsx'
import { translations } from './translations.ts'
import type { Order, OrderSearchPage } from './types.ts'

const pageSize = 25

export default function Orders() {
  const t = useTranslations(translations)
  const [parameters, setParameters] = useAddressParameters()
  // The top sellers are those of all sites.
  const isLimited = useOperatorSites() !== null
  const hasParty = Boolean(parameters['seller'] || parameters['buyer'])
  const query = useApiQuery<OrderSearchPage>(
    '/operator/orders/search',
    {
      authScheme: 'operator',
      query: { sort: 'date_desc', ...parameters, limit: pageSize, display: 'complete' },
    },
    { enabled: hasParty, keepsLast: true },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <OrderFilterForm
        setParameters={(next) => setParameters(next)}
        parameters={parameters}
        available={hasParty ? (query.data?.available_filters ?? []) : []}
        key={JSON.stringify(parameters)}
      />
      {hasParty ? (
        <QueryContent lines={10} of={query}>
          {(page) => (
            <OrderResults setParameters={setParameters} parameters={parameters} page={page} />
          )}
        </QueryContent>
      ) : isLimited ? (
        <Section>
          <EmptyState title={t('whose')}>{t('whoseOfSites')}</EmptyState>
        </Section>
      ) : (
        <TopSellersStart setParameters={setParameters} />
      )}
    </Page>
  )
}

/** Before anybody was named: those who sold most of late. */
function TopSellersStart({ setParameters }: { setParameters: (next: AddressParameters) => void }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const figures = useApiQuery<OrderFigures>('/operator/orders/figures', {
    authScheme: 'operator',
    query: { days: 92 },
  })
  return (
    <Section>
      <QueryContent of={figures}>
        {({ sellers }) => (
          <EmptyState
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
          </EmptyState>
        )}
      </QueryContent>
    </Section>
  )
}

function OrderResults({
  page,
  parameters,
  setParameters,
}: {
  page: OrderSearchPage
  parameters: AddressParameters
  setParameters: (next: AddressParameters) => void
}) {
  const t = useTranslations(translations)
  const statusName = useCodeNames(statusNames)
  const money = useMoneyFormat()
  const { number, moment } = useFormats()
  const { total, offset } = page.paging
  const at = (next: number) =>
    setParameters({ ...parameters, offset: next === 0 ? '' : String(next) })
  if (page.results.length === 0) {
    return (
      <Section>
        <EmptyState
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
        </EmptyState>
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
      <DataTable<OrderSearchPage['results'][number]>
        caption={t('title')}
        columns={[
          {
            key: 'order',
            title: t('order'),
            render: ({ id, date_created }) => (
              <Stack gap={0}>
                <OrderLink id={id} />
                <Text className="quiet" size="xs">
                  {moment(date_created)}
                </Text>
              </Stack>
            ),
          },
          {
            key: 'status',
            title: t('status'),
            render: ({ status, shipping }) => (
              <Stack align="flex-start" className="wraps" gap={4}>
                <NamedStatus kind="order" of={status} />
                {shipping.status && (
                  <Text className="quiet" size="xs">
                    {t('shipping')}: {statusName(`shipment.${shipping.status}`, shipping.status)}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            key: 'what',
            title: t('what'),
            render: ({ order_items }) => <OrderItems items={order_items} />,
          },
          {
            key: 'party',
            title: t('buyer'),
            render: ({ buyer }) => <UserLink id={buyer.id} nickname={buyer.nickname} />,
          },
          {
            key: 'total',
            title: t('total'),
            render: ({ total_amount, currency_id }) => (
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

function OrderItems({ items }: { items: Order['order_items'] }) {
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
