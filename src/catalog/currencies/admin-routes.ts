import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites, noSite } from '../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../http/versions.ts'
import { timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { amount, amountToNumber, currencies } from '../../kernel/money.ts'
import { Currency, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { type ExchangeRate, rateDigits } from './conversion.ts'
import { findRates, saveRate } from './store.ts'
import { versionedRate } from './versioned-rate.ts'

const tag = 'Operator: currencies'
const RateAnswer = Type.Object({
  base: Type.String(),
  quote: Type.String(),
  rate: Type.Number(),
  date_created: { ...Timestamp, description: 'When the rate was last set' },
})

const putRate = route({
  method: 'PUT',
  url: '/operator/currency_rates/:base/:quote',
  scope: 'operator',
  permission: 'finance:write',
  sites: allSites,
  audits: 'currency_rate',
  versioned: versionedRate,
  tag,
  summary: 'Set a conversion rate',
  description:
    'Sets what one unit of `base` is worth in `quote`. You need not set the inverse, nor pairs that convert by way of USD: `/currency_conversions/search` derives them. Answers 201 for a new rate and 200 for a replaced one. The same currency twice answers 400 `bad_request`.',
  refuses: { bad_request: 'quote: expected another currency than USD' },
  params: Type.Object({ base: Currency, quote: Currency }),
  body: StrictObject({ rate: Type.Number({ minimum: 1e-9, maximum: 1e9 }) }),
  answers: { 200: RateAnswer, 201: RateAnswer },
  async handle({ audit, db, now }, { params: { base, quote }, body }) {
    if (base === quote) throw badField('quote', `another currency than ${base}`)
    const rate = amount(body.rate)
    if (!rate.prec(rateDigits).eq(rate)) throw badField('rate', `at most ${rateDigits} digits`)
    const registered = { base, quote, rate, dateCreated: now() }
    const isNew = await db.transaction(async (tx) => {
      const before = (await findRates(tx, [base, quote])).find((known) => known.base === base)
      audit.change({
        before: before ? { rate: amountToNumber(before.rate) } : null,
        after: { rate: body.rate },
      })
      return saveRate(tx, registered)
    })
    return { ...(isNew ? created : ok)(rateView(registered)), state: registered }
  },
})

const getRates = route({
  method: 'GET',
  url: '/operator/currency_rates',
  scope: 'operator',
  permission: 'finance:read',
  sites: noSite,
  tag,
  summary: 'List conversion rates',
  description:
    'Returns the present rate of each pair that you have set, with its date. Rates that follow from them, such as the inverse, are not listed.',
  answers: { 200: Type.Object({ results: Type.Array(withEtagField(RateAnswer)) }) },
  async handle({ db, now }) {
    const rates = await findRates(db, currencies)
    return ok({ results: rates.map((rate) => ({ ...rateView(rate), etag: etagOf(rate, now()) })) })
  },
})

function rateView({ base, quote, rate, dateCreated }: ExchangeRate): object {
  return { base, quote, rate: amountToNumber(rate), date_created: timestamp(dateCreated) }
}

export const currencyAdminRoutes: Route[] = [putRate, getRates]
