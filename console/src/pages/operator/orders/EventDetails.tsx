import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { statusNames, useMoneyFormat } from '../components.tsx'
import { orderTranslations } from './order-translations.ts'

/** The details of an event of an order: statuses and ratings by name, amounts with their currency, the rest as codes. */
export function EventDetails({
  kind,
  details,
}: {
  kind: string
  details: Readonly<Record<string, unknown>>
}) {
  const t = useTranslations(orderTranslations)
  const statusName = useCodeNames(statusNames)
  const ratingName = useCodeNames(orderTranslations)
  const money = useMoneyFormat()
  const subject = kind.slice(0, kind.indexOf('_'))
  const render = (name: string, value: unknown): ReactNode => {
    if (name === 'status') {
      const code = String(value)
      return (
        <span title={code}>
          {t('status')}: {statusName(`${subject}.${code}`, code)}
        </span>
      )
    }
    if (name === 'rating') return <span title={String(value)}>{ratingName(String(value))}</span>
    if (name === 'transaction_amount') {
      const currency = details['currency_id']
      return `${t('amount')}: ${money(Number(value), typeof currency === 'string' ? currency : null)}`
    }
    return <span className="mono">{`${name}: ${String(value)}`}</span>
  }
  const shown = Object.entries(details).filter(
    ([name, value]) => value !== null && name !== 'currency_id',
  )
  if (shown.length === 0) return null
  return (
    <Text size="sm">
      {shown.map(([name, value], n) => (
        <Fragment key={name}>
          {n > 0 && ' · '}
          {render(name, value)}
        </Fragment>
      ))}
    </Text>
  )
}
