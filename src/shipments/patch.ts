import { type Static, Type } from 'typebox'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { OrNull, StrictObject } from '../kernel/schema.ts'
import { ShipmentTags, type ShippingDetails, shippingDetails } from './bodies.ts'
import {
  canShipmentTransition,
  costTypeOf,
  type Shipment,
  shipmentStatuses,
  transitionShipment,
} from './shipment.ts'
import { substatusIds } from './substatus.ts'

export const ShipmentPatch = StrictObject({
  status: Type.Optional(Type.Enum(shipmentStatuses)),
  substatus: Type.Optional(OrNull(Type.Enum(substatusIds))),
  tags: Type.Optional(
    StrictObject({ add: Type.Optional(ShipmentTags), remove: Type.Optional(ShipmentTags) }),
  ),
  ...shippingDetails,
})
export type ShipmentPatch = Static<typeof ShipmentPatch>

/** Returns the patched shipment. Throws `status_not_reachable` for a status that cannot follow the current one. */
export function applyShipmentPatch(shipment: Shipment, patch: ShipmentPatch, now: Date): Shipment {
  const { status = shipment.status, substatus, tags, ...details } = patch
  const hasNewStatus = status !== shipment.status
  if (hasNewStatus && !canShipmentTransition(shipment.status, status)) {
    throw new Failure('status_not_reachable', `status: ${shipment.status} cannot become ${status}`)
  }
  // Details come before the transition: a reported print date must win over the current time.
  const updated = withShipmentDetails(shipment, details)
  const remainingTags = updated.tags.filter((tag) => !tags?.remove?.includes(tag))
  const tagged = { ...updated, tags: [...new Set([...remainingTags, ...(tags?.add ?? [])])] }
  const defaultSubstatus = hasNewStatus ? null : shipment.substatus
  return transitionShipment(
    tagged,
    { status, substatus: substatus === undefined ? defaultSubstatus : substatus },
    now,
  )
}

/** Returns the shipment with the reported details. Throws a `bad_request`, whose field name begins with `prefix`. */
export function withShipmentDetails(
  shipment: Shipment,
  reported: ShippingDetails,
  prefix = '',
): Shipment {
  const details = normalized(reported)
  const { cost, list_cost, cost_type, declared_value, receiver_address, ...others } = details
  // The operator may send name and phone in the address or beside it. They are stored beside it.
  const { receiver_name, receiver_phone, ...address } = receiver_address ?? {}
  const changes = {
    ...definedOnly({ receiver_name, receiver_phone }),
    ...others,
    ...(receiver_address === undefined
      ? {}
      : { receiver_address: receiver_address === null ? null : address }),
  }
  const stored: Record<string, unknown> = { ...shipment.details }
  for (const [name, value] of Object.entries(changes)) {
    const newValue = name.endsWith('_address') ? value : withoutNulls(value)
    if (newValue === undefined || newValue === null) delete stored[name]
    else stored[name] = newValue
  }
  const after = {
    ...shipment,
    ...definedOnly({
      cost: text(cost) ?? undefined,
      listCost: text(list_cost),
      declaredValue: text(declared_value),
    }),
    details: stored,
  }
  const costType = costTypeOf(after)
  if (cost_type !== undefined && cost_type !== costType) {
    throw badField(`${prefix}cost_type`, `${costType}, which follows from cost and list_cost`)
  }
  return after
}

/** Lists the amounts among shipping details, with their field names prefixed by `prefix`. */
export function shippingAmounts(
  details: ShippingDetails,
  prefix = '',
): [field: string, value: number][] {
  const { cost, list_cost, declared_value, cost_components } = details
  const { ratio: _, ...discounts } = cost_components ?? {}
  const amounts = [
    ...Object.entries({ cost, list_cost, declared_value }),
    ...Object.entries(discounts).map(([name, value]) => [`cost_components.${name}`, value]),
  ] as [string, number | null | undefined][]
  return amounts.flatMap(([name, value]) =>
    typeof value === 'number' ? [[`${prefix}${name}`, value]] : [],
  )
}

const timestampFields: readonly string[] = ['date', 'pay_before', 'date_first_printed']

/** Returns the details as the database returns them, with formatted timestamps and without negative zeros. A repeated
 * report then equals the stored one and is no change. */
function normalized(details: ShippingDetails): ShippingDetails {
  return normalizedValue('', details) as ShippingDetails
}

function normalizedValue(name: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (typeof value === 'string') {
    return timestampFields.includes(name) ? timestamp(parseTimestamp(value) ?? null) : value
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((element) => normalizedValue('', element))
  const copy: Record<string, unknown> = {}
  for (const [field, element] of Object.entries(value)) {
    copy[field] = normalizedValue(field, element)
  }
  return copy
}

/** Removes nulls and empty objects at any depth; undefined when nothing is left. */
function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value ?? undefined
  if (Array.isArray(value)) return value.length > 0 ? value : undefined
  const entries = Object.entries(value)
    .map(([name, field]) => [name, withoutNulls(field)] as const)
    .filter(([, field]) => field !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function text(value: number | null | undefined): string | null | undefined {
  return typeof value === 'number' ? String(value) : value
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
