import { Type } from 'typebox'
import type { User } from '../../identity/user.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import { sites } from '../../kernel/sites.ts'
import { experienceOf, type Reputation, sharesOf } from './reputation.ts'

const Count = Type.Integer()
const Grade = OrNull(Type.String())
const Codes = Type.Array(Type.String())
const StringOrNull = OrNull(Type.String())
const Phone = Type.Object({
  area_code: Type.String(),
  number: Type.String(),
  extension: Type.String(),
  verified: Type.Optional(Type.Boolean()),
})
const Allowed = Type.Object({
  allow: Type.Boolean(),
  codes: Codes,
  immediate_payment: Type.Object({ required: Type.Boolean(), reasons: Codes }),
})

/** The public profile of a user. */
export const PublicUser = Type.Object({
  id: Id,
  nickname: Type.String(),
  country_id: Type.String(),
  address: Type.Object({ city: StringOrNull, state: StringOrNull }),
  user_type: Type.String(),
  site_id: Type.String(),
  permalink: Type.String(),
  seller_reputation: Type.Object({
    level_id: Grade,
    power_seller_status: Grade,
    transactions: Type.Object({ period: Type.String(), total: Count }),
  }),
  status: Type.Object({ site_status: Type.Enum(['active', 'deactive']) }),
})

/** The whole account, for the user alone. */
export const OwnUser = Type.Object({
  id: Id,
  nickname: Type.String(),
  registration_date: Timestamp,
  first_name: StringOrNull,
  last_name: StringOrNull,
  country_id: Type.String(),
  email: StringOrNull,
  identification: Type.Object({ type: StringOrNull, number: StringOrNull }),
  address: Type.Object({
    state: StringOrNull,
    city: StringOrNull,
    address: StringOrNull,
    zip_code: StringOrNull,
  }),
  phone: Phone,
  alternative_phone: Phone,
  user_type: Type.String(),
  tags: Type.Array(Type.String()),
  logo: StringOrNull,
  points: Type.Integer(),
  site_id: Type.String(),
  permalink: Type.String(),
  seller_experience: Type.String(),
  seller_reputation: Type.Object({
    level_id: Grade,
    power_seller_status: Grade,
    transactions: Type.Object({
      period: Type.String(),
      total: Count,
      completed: Count,
      canceled: Count,
      ratings: Type.Object({
        positive: Type.Number(),
        negative: Type.Number(),
        neutral: Type.Number(),
      }),
    }),
  }),
  buyer_reputation: Type.Object({
    canceled_transactions: Count,
    transactions: Type.Object({
      period: Type.String(),
      total: Count,
      completed: Count,
      canceled: Type.Object({ total: Count, paid: Count }),
      unrated: Type.Object({ total: Type.Null(), paid: Type.Null() }),
      not_yet_rated: Type.Object({ total: Type.Null(), paid: Type.Null(), units: Type.Null() }),
    }),
    tags: Type.Array(Type.String()),
  }),
  status: Type.Object({
    site_status: Type.Enum(['active', 'deactive']),
    list: Allowed,
    buy: Allowed,
    sell: Allowed,
    billing: Type.Object({ allow: Type.Boolean(), codes: Codes }),
    platformpay_tc_accepted: Type.Boolean(),
    platformpay_account_type: Type.String(),
    platformshipping: Type.String(),
    immediate_payment: Type.Boolean(),
    confirmed_email: Type.Boolean(),
    user_type: Type.String(),
    required_action: Type.String(),
  }),
  credit: Type.Object({ consumed: Type.Number(), credit_level_id: Type.String() }),
})

interface ProfileInput {
  user: User
  sales: Reputation
  /** The address of this service, for links. */
  base: string
}

const userType = 'normal'
const period = 'historic'

/** The spelling `deactive` is what existing clients expect. */
const siteStatus = ({ status }: User) => (status === 'deactivated' ? 'deactive' : 'active')

function addressView({ billingInfo: { address } }: User) {
  return { city: address?.city_name ?? null, state: address?.state_name ?? null }
}

const permalink = (base: string, { id }: User) => `${base}/users/${id}`

/** Feria has no rule for the grades of sellers. */
const ungraded = { level_id: null, power_seller_status: null }

/** Renders a user as anybody may see it: without name, street, contact and documents. */
export function publicProfileView({ user, sales, base }: ProfileInput): object {
  return {
    id: user.id,
    nickname: user.nickname,
    country_id: sites[user.siteId].country,
    address: addressView(user),
    user_type: userType,
    site_id: user.siteId,
    permalink: permalink(base, user),
    seller_reputation: { ...ungraded, transactions: { period, total: sales.total } },
    status: { site_status: siteStatus(user) },
  }
}

/** Renders a user as only the user sees it. */
export function ownAccountView(
  account: ProfileInput & { purchases: Reputation; dateCreated: Date; isTest: boolean },
): object {
  const { user, sales, purchases, base } = account
  const { address } = user.billingInfo
  const { city, state } = addressView(user)
  const street = [address?.street_name, address?.street_number].filter((part) => part != null)
  return {
    id: user.id,
    nickname: user.nickname,
    registration_date: timestamp(account.dateCreated),
    first_name: user.firstName,
    last_name: user.lastName,
    country_id: sites[user.siteId].country,
    email: user.email,
    identification: { type: user.billingInfo.doc_type, number: user.billingInfo.doc_number },
    address: {
      state,
      city,
      address: street.length > 0 ? street.join(' ') : null,
      zip_code: address?.zip_code ?? null,
    },
    phone: { ...user.phone, verified: user.phone.verified ?? false },
    alternative_phone: user.alternativePhone,
    user_type: userType,
    tags: [userType, ...(account.isTest ? ['test_user'] : [])],
    logo: null,
    points: sales.ratings.positive - sales.ratings.negative,
    site_id: user.siteId,
    permalink: permalink(base, user),
    seller_experience: experienceOf(sales),
    seller_reputation: { ...ungraded, transactions: salesView(sales) },
    buyer_reputation: buyerView(purchases),
    status: statusView(user),
    credit: { consumed: 0, credit_level_id: `${user.siteId}1` },
  }
}

function salesView({ total, completed, canceled, ratings }: Reputation) {
  return { period, total, completed, canceled, ratings: sharesOf(ratings) }
}

/** Feria does not count purchases that wait for a rating, so these fields are always null. */
function buyerView({ total, completed, canceled, canceledPaid }: Reputation) {
  return {
    canceled_transactions: canceled,
    transactions: {
      period,
      total,
      completed,
      canceled: { total: canceled, paid: canceledPaid },
      unrated: { total: null, paid: null },
      not_yet_rated: { total: null, paid: null, units: null },
    },
    tags: [],
  }
}

/** A deactivated account may do nothing, an active one everything. */
function statusView(user: User) {
  const status = siteStatus(user)
  const allow = status === 'active'
  const allowed = { allow, codes: [], immediate_payment: { required: false, reasons: [] } }
  return {
    site_status: status,
    list: allowed,
    buy: allowed,
    sell: allowed,
    billing: { allow, codes: [] },
    platformpay_tc_accepted: true,
    platformpay_account_type: 'personal',
    platformshipping: 'accepted',
    immediate_payment: false,
    confirmed_email: user.email !== null,
    user_type: 'simple_registration',
    required_action: '',
  }
}
