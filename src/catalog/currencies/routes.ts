import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { amountToNumber } from '../../kernel/money.ts'
import { Currency, Timestamp } from '../../kernel/schema.ts'
import { convert, pivotCurrency, rateDigits } from './conversion.ts'
import { findRates } from './store.ts'

const getConversion = route({
  method: 'GET',
  url: '/currency_conversions/search',
  scope: 'public',
  tag: 'Currencies',
  summary: 'Convert a currency',
  description: `Returns what one unit of \`from\` is worth in \`to\`, with ${rateDigits} digits. It uses the direct rate, or its inverse, or a conversion through ${pivotCurrency}. \`creation_date\` is the date of the older rate that was used. Answers 404 \`not_found\` if the currencies cannot be converted.`,
  refuses: { not_found: 'Currency conversion not found: USD to CUP' },
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
    const rates = await findRates(reads, [from, to, pivotCurrency])
    const conversion = convert(rates, { from, to })
    if (!conversion) {
      throw new Failure('not_found', `Currency conversion not found: ${from} to ${to}`)
    }
    return ok({
      currency_base: from,
      currency_quote: to,
      ratio: amountToNumber(conversion.ratio),
      rate: amountToNumber(conversion.ratio),
      inv_rate: amountToNumber(conversion.inverse),
      creation_date: timestamp(conversion.dateCreated ?? now()),
    })
  },
})

export const currencyRoutes: Route[] = [getConversion]
