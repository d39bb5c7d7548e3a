import { Anchor, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Facts, Page, Section } from '../../../design/Page.tsx'
import { ErrorState, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useNames, useText } from '../../../i18n/text.ts'
import { Status, UserLink, useMoney } from '../pieces.tsx'
import { OrderHistory } from './OrderHistory.tsx'
import { OrderNotifications } from './OrderNotifications.tsx'
import { orderTranslations } from './order-translations.ts'
import { substatusTranslations } from './substatus-translations.ts'
import type { Order as OrderBody } from './types.ts'

const viewers = ['operator', 'seller', 'buyer'] as const

export default function Order() {
  const t = useText(orderTranslations)
  const { orderId = '' } = useParams({ strict: false }) as { orderId?: string }
  const path = `/operator/orders/${orderId}`
  const query = useGet<OrderBody>(path, { authScheme: 'operator' })
  const order = query.data
  return (
    <Page
      actions={
        order && (
          <Button
            component={Link}
            to={`/operator/conversations/${order.pack_id ?? order.id}/${order.seller.id}`}
            variant="default"
          >
            {t('conversation')}
          </Button>
        )
      }
      lead={<Copied text={orderId} />}
      title={t('title')}
    >
      {query.error ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <Loaded lines={6} of={query}>
            {(body) => <Summary order={body} />}
          </Loaded>
          {/* Of an order that is not there everything would say so. */}
          {order && (
            <>
              <OrderHistory path={path} />
              <OrderNotifications path={path} />
              <ApiResponse path={path} />
            </>
          )}
        </>
      )}
    </Page>
  )
}

function Summary({ order }: { order: OrderBody }) {
  const t = useText(orderTranslations)
  const money = useMoney()
  const { moment } = useFormats()
  const substatusName = useNames(substatusTranslations)
  const ratingName = useNames(orderTranslations)
  const { currency_id, shipping, feedback } = order
  const rated = (of: OrderBody['feedback']['sale']) =>
    of
      ? `${ratingName(of.rating)}, ${t(of.fulfilled ? 'fulfilled' : 'notFulfilled')}`
      : t('notRated')
  return (
    <>
      <Section>
        <Facts
          of={[
            [t('status'), <Status key="status" kind="order" of={order.status} />],
            [
              t('seller'),
              <UserLink id={order.seller.id} key="s" nickname={order.seller.nickname} />,
            ],
            [t('buyer'), <UserLink id={order.buyer.id} key="b" nickname={order.buyer.nickname} />],
            [
              t('total'),
              t('paidOf', {
                paid: money(order.paid_amount, currency_id),
                total: money(order.total_amount, currency_id),
              }),
            ],
            [t('created'), moment(order.date_created)],
            [t('closed'), moment(order.date_closed)],
            ...(order.pack_id === null
              ? []
              : [[t('pack'), <Copied key="pack" text={String(order.pack_id)} />] as const]),
            [
              t('shipment'),
              shipping.id === null || shipping.id === undefined ? (
                <Status key="ship" kind="shipment" of={shipping.status} />
              ) : (
                <Stack gap={2} key="ship">
                  <span>
                    <Status kind="shipment" of={shipping.status} />{' '}
                    {shipping.substatus && (
                      <span title={shipping.substatus}>{substatusName(shipping.substatus)}</span>
                    )}
                  </span>
                  <Copied text={String(shipping.id)} />
                </Stack>
              ),
            ],
            [t('sale'), rated(feedback.sale)],
            [t('purchase'), rated(feedback.purchase)],
            [
              t('tags'),
              <span className="mono" key="tags">
                {order.tags.join(', ') || '–'}
              </span>,
            ],
          ]}
        />
      </Section>
      <Section flush title={t('lines')}>
        <DataTable
          caption={t('lines')}
          columns={[
            { key: 'title', title: t('item'), show: ({ item }) => item.title },
            {
              key: 'id',
              title: t('number'),
              show: ({ item }) => (
                <Anchor className="mono" href={`/items/${item.id}`}>
                  {item.id}
                </Anchor>
              ),
            },
            { key: 'quantity', title: t('quantity'), show: ({ quantity }) => quantity },
            {
              key: 'price',
              title: t('price'),
              show: ({ unit_price }) => money(unit_price, currency_id),
            },
          ]}
          keyOf={({ item }) => `${item.id} ${item.variation_id}`}
          rows={order.order_items}
        />
      </Section>
      {order.payments.length > 0 && (
        <Section flush title={t('payments')}>
          <DataTable
            caption={t('payments')}
            columns={[
              {
                key: 'id',
                title: t('number'),
                show: ({ id }) => <span className="mono">{id}</span>,
              },
              {
                key: 'status',
                title: t('status'),
                show: ({ status }) => <Status kind="payment" of={status} />,
              },
              { key: 'by', title: t('method'), show: (each) => each.payment_method_id ?? '–' },
              {
                key: 'amount',
                title: t('amount'),
                show: (each) => money(each.transaction_amount, each.currency_id),
              },
              { key: 'at', title: t('paymentCreated'), show: (each) => moment(each.date_created) },
            ]}
            keyOf={({ id }) => String(id)}
            rows={order.payments}
          />
        </Section>
      )}
    </>
  )
}

/** The response of the API to the operator, the seller or the buyer. */
function ApiResponse({ path }: { path: string }) {
  const t = useText(orderTranslations)
  const [as, setAs] = useState<(typeof viewers)[number]>('operator')
  const query = useGet<unknown>(path, {
    authScheme: 'operator',
    ...(as === 'operator' ? {} : { query: { as } }),
  })
  return (
    <Section
      actions={
        <SegmentedControl
          aria-label={t('response')}
          data={viewers.map((value) => ({ value, label: t(`as_${value}`) }))}
          onChange={(value) => setAs(viewers.find((each) => each === value) ?? 'operator')}
          value={as}
        />
      }
      lead={t('responseLead')}
      title={t('response')}
    >
      <Loaded lines={8} of={query}>
        {(body) => <JsonBlock label={t('response')} value={body} />}
      </Loaded>
      <Text className="quiet mono" size="sm">
        GET {path}
        {as === 'operator' ? '' : `?as=${as}`}
      </Text>
    </Section>
  )
}
