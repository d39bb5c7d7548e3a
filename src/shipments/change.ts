import { type Static, Type } from 'typebox'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { OrNull, Strict } from '../kernel/schema.ts'
import { ShipmentTags, type ShippingDetails, shippingDetails } from './bodies.ts'
import {
  canFollow,
  costTypeOf,
  type Shipment,
  shipmentStatuses,
  transitionShipment,
} from './shipment.ts'
import { substatusIds } from './substatus.ts'

export const ShipmentPatch = Strict({
  status: Type.Optional(Type.Enum(shipmentStatuses)),
  substatus: Type.Optional(OrNull(Type.Enum(substatusIds))),
  tags: Type.Optional(
    Strict({ add: Type.Optional(ShipmentTags), remove: Type.Optional(ShipmentTags) }),
  ),
  ...shippingDetails,
})
export type ShipmentPatch = Static<typeof ShipmentPatch>

/** What a patch makes of a shipment. Throws `status_not_reachable` where the drawing has no arrow. */
export function patched(shipment: Shipment, patch: ShipmentPatch, now: Date): Shipment {
  const { status = shipment.status, substatus, tags, ...said } = patch
  const isOther = status !== shipment.status
  if (isOther && !canFollow(shipment.status, status)) {
    throw new Failure('status_not_reachable', `status: ${shipment.status} cannot become ${status}`)
  }
  // In this order: when a label was printed, the operator knows better than the clock.
  const told = withDetails(shipment, said)
  const kept = told.tags.filter((tag) => !tags?.remove?.includes(tag))
  const tagged = { ...told, tags: [...new Set([...kept, ...(tags?.add ?? [])])] }
  const known = isOther ? null : shipment.substatus
  return transitionShipment(
    tagged,
    { status, substatus: substatus === undefined ? known : substatus },
    now,
  )
}

/** The shipment with what the operator says of it. `place` goes before the names of its fields in
 * refusals. */
export function withDetails(shipment: Shipment, said: ShippingDetails, place = ''): Shipment {
  const { cost, list_cost, cost_type, declared_value, receiver_address, ...others } = stored(said)
  // Name and phone lie in one place, whichever of the two they were told in.
  const { receiver_name, receiver_phone, ...address } = receiver_address ?? {}
  const news = {
    ...definedOnly({ receiver_name, receiver_phone }),
    ...others,
    ...(receiver_address === undefined
      ? {}
      : { receiver_address: receiver_address === null ? null : address }),
  }
  const details: Record<string, unknown> = { ...shipment.details }
  for (const [name, value] of Object.entries(news)) {
    const wanted = name.endsWith('_address') ? value : withoutNulls(value)
    if (wanted === undefined || wanted === null) delete details[name]
    else details[name] = wanted
  }
  const after = {
    ...shipment,
    ...definedOnly({
      cost: text(cost) ?? undefined,
      listCost: text(list_cost),
      declaredValue: text(declared_value),
    }),
    details,
  }
  const costType = costTypeOf(after)
  if (cost_type !== undefined && cost_type !== costType) {
    throw badField(`${place}cost_type`, `${costType}, which cost and list_cost make it`)
  }
  return after
}

/** The amounts of what is said, with the names of their fields: no finer than coins, all of them. */
export function amountsOf(said: ShippingDetails, place = ''): [field: string, value: number][] {
  const { cost, list_cost, declared_value, cost_components } = said
  const { ratio: _, ...discounts } = cost_components ?? {}
  const named = [
    ...Object.entries({ cost, list_cost, declared_value }),
    ...Object.entries(discounts).map(([name, value]) => [`cost_components.${name}`, value]),
  ] as [string, number | null | undefined][]
  return named.flatMap(([name, value]) =>
    typeof value === 'number' ? [[`${place}${name}`, value]] : [],
  )
}

const moments: readonly string[] = ['date', 'pay_before', 'date_first_printed']

/** As it comes back from the database, so that what is said twice is no news the second time: times
 * in our own writing, and no negative zero. */
function stored(said: ShippingDetails): ShippingDetails {
  return storedValue('', said) as ShippingDetails
}

function storedValue(name: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (typeof value === 'string') {
    return moments.includes(name) ? timestamp(parseTimestamp(value) ?? null) : value
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => storedValue('', each))
  const copy: Record<string, unknown> = {}
  for (const [field, each] of Object.entries(value)) copy[field] = storedValue(field, each)
  return copy
}

/** To say of something that it is null is to say nothing of it, at any depth. */
function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value ?? undefined
  if (Array.isArray(value)) return value.length > 0 ? value : undefined
  const kept = Object.entries(value)
    .map(([name, each]) => [name, withoutNulls(each)] as const)
    .filter(([, each]) => each !== undefined)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

function text(value: number | null | undefined): string | null | undefined {
  return typeof value === 'number' ? String(value) : value
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
