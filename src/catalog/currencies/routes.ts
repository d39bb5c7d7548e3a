import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { numberOf } from '../../kernel/money.ts'
import { Currency, Timestamp } from '../../kernel/schema.ts'
import { convert, digits, pivot } from './conversion.ts'
import { findRates } from './store.ts'

const getConversion = route({
  method: 'GET',
  url: '/currency_conversions/search',
  scope: 'public',
  tag: 'Currencies',
  summary: 'What one unit of a currency is worth in another',
  description: `Contract 2.8, 4.3. The registered rate, else its inverse, else by way of ${pivot}; ${digits} digits. \`creation_date\` is that of the older rate that was used.`,
  query: Type.Object({ from: Currency, to: Currency }),
  answers: {
    200: Type.Object({
      currency_base: Type.String(),
      currency_quote: Type.String(),
      ratio: Type.Number(),
      rate: Type.Number(),
      inv_rate: Type.Number(),
      creation_date: Timestamp,
    }),
  },
  async handle({ reads, now }, { query: { from, to } }) {
    const rates = await findRates(reads, [from, to, pivot])
    const found = convert(rates, { from, to })
    if (!found) throw new Failure('not_found', `Currency conversion not found: ${from} to ${to}`)
    return ok({
      currency_base: from,
      currency_quote: to,
      ratio: numberOf(found.ratio),
      rate: numberOf(found.ratio),
      inv_rate: numberOf(found.inverse),
      creation_date: timestamp(found.dateCreated ?? now()),
    })
  },
})

export const currencyRoutes: Route[] = [getConversion]
