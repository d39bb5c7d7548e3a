import { Anchor, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery } from '../../../api/queries.ts'
import { JsonBlock } from '../../../design/CodeBlock.tsx'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { ErrorState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { NamedStatus, UserLink, useMoneyFormat } from '../components.tsx'
import { paymentMethodTranslations, tagTranslations } from './code-translations.ts'
import { OrderHistory } from './OrderHistory.tsx'
import { OrderNotifications } from './OrderNotifications.tsx'
import { orderTranslations } from './order-translations.ts'
import { substatusTranslations } from './substatus-translations.ts'
import type { Order as OrderBody } from './types.ts'

const orderViewers = ['operator', 'seller', 'buyer'] as const

export default function OrderPage() {
  const t = useTranslations(orderTranslations)
  const { orderId = '' } = useParams({ strict: false }) as { orderId?: string }
  const path = `/operator/orders/${orderId}`
  const query = useApiQuery<OrderBody>(path, { authScheme: 'operator' })
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
      lead={<CopyableText text={orderId} />}
      title={t('title')}
    >
      {query.error ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <QueryContent lines={6} of={query}>
            {(body) => <OrderSummary order={body} />}
          </QueryContent>
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

function OrderSummary({ order }: { order: OrderBody }) {
  const t = useTranslations(orderTranslations)
  const money = useMoneyFormat()
  const { moment } = useFormats()
  const substatusName = useCodeNames(substatusTranslations)
  const ratingName = useCodeNames(orderTranslations)
  const tagName = useCodeNames(tagTranslations)
  const methodName = useCodeNames(paymentMethodTranslations)
  const { currency_id, shipping, feedback } = order
  const rated = (of: OrderBody['feedback']['sale']) =>
    of
      ? `${ratingName(of.rating)}, ${t(of.fulfilled ? 'fulfilled' : 'notFulfilled')}`
      : t('notRated')
  return (
    <>
      <Section>
        <DefinitionList
          of={[
            [t('status'), <NamedStatus key="status" kind="order" of={order.status} />],
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
              : [[t('pack'), <CopyableText key="pack" text={String(order.pack_id)} />] as const]),
            [
              t('shipment'),
              shipping.id === null || shipping.id === undefined ? (
                <NamedStatus key="ship" kind="shipment" of={shipping.status} />
              ) : (
                <Stack gap={2} key="ship">
                  <span>
                    <NamedStatus kind="shipment" of={shipping.status} />{' '}
                    {shipping.substatus && (
                      <span title={shipping.substatus}>{substatusName(shipping.substatus)}</span>
                    )}
                  </span>
                  <CopyableText text={String(shipping.id)} />
                </Stack>
              ),
            ],
            [t('sale'), rated(feedback.sale)],
            [t('purchase'), rated(feedback.purchase)],
            [
              t('tags'),
              <span key="tags">
                {order.tags.length === 0 && '–'}
                {order.tags.map((tag, n) => (
                  <span key={tag} title={tag}>
                    {n > 0 && ', '}
                    {tagName(tag)}
                  </span>
                ))}
              </span>,
            ],
          ]}
        />
      </Section>
      <Section flush title={t('lines')}>
        <DataTable
          caption={t('lines')}
          columns={[
            { key: 'title', title: t('item'), render: ({ item }) => item.title },
            {
              key: 'id',
              title: t('number'),
              render: ({ item }) => (
                <Anchor className="mono" href={`/items/${item.id}`}>
                  {item.id}
                </Anchor>
              ),
            },
            { key: 'quantity', title: t('quantity'), render: ({ quantity }) => quantity },
            {
              key: 'price',
              title: t('price'),
              render: ({ unit_price }) => money(unit_price, currency_id),
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
                render: ({ id }) => <span className="mono">{id}</span>,
              },
              {
                key: 'status',
                title: t('status'),
                render: ({ status }) => <NamedStatus kind="payment" of={status} />,
              },
              {
                key: 'by',
                title: t('method'),
                render: ({ payment_method_id: method }) =>
                  method ? <span title={method}>{methodName(method)}</span> : '–',
              },
              {
                key: 'amount',
                title: t('amount'),
                render: (each) => money(each.transaction_amount, each.currency_id),
              },
              {
                key: 'at',
                title: t('paymentCreated'),
                render: (each) => moment(each.date_created),
              },
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
  const t = useTranslations(orderTranslations)
  const [as, setAs] = useState<(typeof orderViewers)[number]>('operator')
  const query = useApiQuery<unknown>(path, {
    authScheme: 'operator',
    ...(as === 'operator' ? {} : { query: { as } }),
  })
  return (
    <Section
      actions={
        <SegmentedControl
          aria-label={t('response')}
          data={orderViewers.map((value) => ({ value, label: t(`as_${value}`) }))}
          onChange={(value) => setAs(orderViewers.find((each) => each === value) ?? 'operator')}
          value={as}
        />
      }
      lead={t('responseLead')}
      title={t('response')}
    >
      <QueryContent lines={8} of={query}>
        {(body) => <JsonBlock label={t('response')} value={body} />}
      </QueryContent>
      <Text className="quiet mono" size="sm">
        GET {path}
        {as === 'operator' ? '' : `?as=${as}`}
      </Text>
    </Section>
  )
}
