import { Type } from 'typebox'
import { Id, OrNull, Site } from '../kernel/schema.ts'
import { type User, userStatuses } from './user.ts'

/** The JSON of a user inside an order. It is rendered when the user is written, so that reading an order only copies
 * text. */
export interface PartyTexts {
  asBuyer: string
  asBuyerNew: string
  asSeller: string
}

/**
 * The version of the output of `partyTexts`, and of `fold` for nicknames. Raise it when either output changes:
 * a background task renders stored texts of earlier versions again.
 */
export const partyTextVersion = 1

/** Returns how orders show a user as their seller and as their buyer, as JSON. They are stored, so that reading an
 * order joins texts only. */
export function partyTexts(user: User): PartyTexts {
  const { id, nickname } = user
  const { doc_type, doc_number } = user.billingInfo
  const seller = {
    id,
    nickname,
    email: user.email,
    phone: { ...user.phone, verified: user.phone.verified ?? false },
    alternative_phone: user.alternativePhone,
    first_name: user.firstName,
    last_name: user.lastName,
  }
  return {
    asSeller: JSON.stringify(seller),
    asBuyer: JSON.stringify({ ...seller, billing_info: { doc_type, doc_number } }),
    asBuyerNew: JSON.stringify({
      id,
      nickname,
      first_name: user.firstName,
      last_name: user.lastName,
      billing_info: { id: String(id) },
    }),
  }
}

const PhoneAnswer = Type.Object({
  area_code: Type.String(),
  number: Type.String(),
  extension: Type.String(),
  verified: Type.Optional(Type.Boolean()),
})
const OptionalText = Type.Optional(OrNull(Type.String()))

/** A user as the operator sees it: the fields that the operator writes, and the id. */
export const UserAnswer = Type.Object({
  id: Id,
  site_id: Site,
  nickname: Type.String(),
  status: Type.Enum([...userStatuses]),
  email: OrNull(Type.String()),
  first_name: OrNull(Type.String()),
  last_name: OrNull(Type.String()),
  phone: PhoneAnswer,
  alternative_phone: PhoneAnswer,
  billing_info: Type.Object({
    doc_type: OrNull(Type.String()),
    doc_number: OrNull(Type.String()),
    address: Type.Optional(
      Type.Object({
        street_name: OptionalText,
        street_number: OptionalText,
        zip_code: OptionalText,
        city_name: OptionalText,
        state_name: OptionalText,
        comment: OptionalText,
        country_id: OptionalText,
      }),
    ),
  }),
})

/** Renders a user for the operator. */
export function userView(user: User): object {
  return {
    id: user.id,
    site_id: user.siteId,
    nickname: user.nickname,
    status: user.status ?? 'active',
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    alternative_phone: user.alternativePhone,
    billing_info: user.billingInfo,
  }
}
