import { Text } from '@mantine/core'
import { type OrderStatus, orderStatuses } from '../../../api/lists.ts'
import { Chart } from '../../../design/charts/Chart.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useLanguage } from '../../../i18n/language.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { PageLink, UserLink } from '../components.tsx'
import { translations } from './translations.ts'
import type { OrderFigures } from './types.ts'

/** Ten statuses are too many to tell apart by colour. */
const statusGroupOf: Readonly<Record<OrderStatus, StatusGroup>> = {
  payment_required: 'unpaid',
  confirmed: 'unpaid',
  payment_in_process: 'unpaid',
  partially_paid: 'unpaid',
  paid: 'paid',
  partially_refunded: 'refunded',
  pending_cancel: 'cancelled',
  cancelled: 'cancelled',
  manually_cancelled: 'cancelled',
  invalid: 'cancelled',
}

const groupColors = {
  paid: 'var(--c-good)',
  unpaid: 'var(--c-info)',
  refunded: 'var(--c-warn)',
  cancelled: 'var(--c-calm)',
}

type StatusGroup = keyof typeof groupColors
const statusGroups = Object.keys(groupColors) as StatusGroup[]

export function OrdersByDay({ figures }: { figures: OrderFigures }) {
  const t = useTranslations(translations)
  const language = useLanguage()
  const { number } = useFormats()
  const short = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const long = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
  const columns = figures.days.map(({ date, by_status }) => ({
    label: short.format(new Date(date)),
    title: long.format(new Date(date)),
    values: Object.fromEntries(
      statusGroups.map((group) => {
        const statuses = orderStatuses.filter((status) => statusGroupOf[status] === group)
        return [group, statuses.reduce((sum, status) => sum + (by_status[status] ?? 0), 0)]
      }),
    ),
  }))
  return (
    <Section lead={t('ordersByDayLead')} title={t('ordersByDay')}>
      {!figures.is_complete ? (
        <Text>{t('incomplete')}</Text>
      ) : figures.total === 0 ? (
        <EmptyState command="feria seed" title={t('noOrders')}>
          {t('noOrdersLead')}
        </EmptyState>
      ) : (
        <Chart
          columns={columns}
          format={number}
          kind="bars"
          series={statusGroups.map((key) => ({ key, name: t(key), color: groupColors[key] }))}
          title={t('ordersByDay')}
        />
      )}
    </Section>
  )
}

export function TopSellers({ sellers }: { sellers: OrderFigures['sellers'] }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  return (
    <Section flush title={t('sellers')}>
      {sellers.length === 0 ? (
        <EmptyState title={t('noOrders')}>{t('noOrdersLead')}</EmptyState>
      ) : (
        <DataTable
          caption={t('sellers')}
          columns={[
            {
              key: 'seller',
              title: t('seller'),
              render: ({ user_id, nickname }) => <UserLink id={user_id} nickname={nickname} />,
            },
            {
              key: 'orders',
              title: t('orders'),
              render: ({ user_id, orders }) => (
                <PageLink to={`/operator/orders?seller=${user_id}`}>{number(orders)}</PageLink>
              ),
            },
          ]}
          keyOf={({ user_id }) => String(user_id)}
          rows={sellers}
        />
      )}
    </Section>
  )
}
