import type { User } from './user.ts'

/** How an order shows a user (contract 2.2), rendered when the user is written, so that reading an
 * order only copies text. */
export interface PartyTexts {
  asBuyer: string
  asBuyerNew: string
  asSeller: string
}

/**
 * The version of `partyTexts`, and of how `fold` reads a nickname. Raise it with every change of what they give: stored
 * texts of an earlier version are rendered anew in the background.
 */
export const partyTextVersion = 1

export function partyTexts(user: User): PartyTexts {
  const { id, nickname } = user
  const { doc_type, doc_number } = user.billingInfo
  const wide = {
    id,
    nickname,
    email: user.email,
    phone: { ...user.phone, verified: user.phone.verified ?? false },
    alternative_phone: user.alternativePhone,
    first_name: user.firstName,
    last_name: user.lastName,
  }
  return {
    asSeller: JSON.stringify(wide),
    asBuyer: JSON.stringify({ ...wide, billing_info: { doc_type, doc_number } }),
    asBuyerNew: JSON.stringify({
      id,
      nickname,
      first_name: user.firstName,
      last_name: user.lastName,
      billing_info: { id: String(id) },
    }),
  }
}

/** A user as the operator reads one back. */
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
