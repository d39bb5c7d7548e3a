import { dayMs, hourMs, timestamp } from '../../kernel/clock.ts'
import { amount, amountToNumber, decimalPlacesOf } from '../../kernel/money.ts'
import type { ShippingMode } from '../../kernel/shipping-modes.ts'
import { sites } from '../../kernel/sites.ts'
import type { Checkout } from '../../orders/commands/bodies.ts'
import type { Address } from '../../shipments/bodies.ts'
import type { ShipmentPatch } from '../../shipments/patch.ts'
import type { CostType, LogisticType, Shipment, ShipmentStatus } from '../../shipments/shipment.ts'
import type { SeededRandom } from '../random.ts'
import { demoFiles } from './data.ts'
import type { DemoSite } from './ids.ts'
import { priceOf } from './listings.ts'

/** Data of demo shipments: at the checkout, and on their way. */

type Shipping = NonNullable<Checkout['shipping']>

interface ShippingOffer {
  random: SeededRandom
  site: DemoSite
  at: Date
  mode: ShippingMode
  logisticType: LogisticType | null
  /** Days of production before the dispatch. */
  manufacturingDays: number
  /** Undefined: drawn by its usual share. */
  costType: CostType | undefined
  senderAddress: Address
  receiverAddress: Address
}

/** Returns the shipping of a checkout. With `not_specified`, the parties agree on it later, so it has no cost or
 * address. */
export function drawShipping(offer: ShippingOffer): Shipping {
  const { random, site, mode, logisticType, senderAddress, receiverAddress } = offer
  const how = { mode, logistic_type: logisticType }
  if (mode === 'not_specified') return { ...how, cost: 0, receiver_address: null }
  const service = demoFiles().shipping.services[logisticType ?? mode]
  const name = service.name[sites[site].language]
  return {
    ...how,
    ...costsOf(offer),
    ...datesOf(offer, service.days),
    option_id: random.between(500_000_001, 599_999_999),
    service_id: service.id,
    shipping_method: { id: service.id + 100_000, name, type: service.type, deliver_to: 'address' },
    dimensions: {
      height: random.between(2, 40),
      width: random.between(10, 60),
      length: random.between(10, 60),
      weight: random.between(100, 9_000),
    },
    sender_address: senderAddress,
    receiver_address: receiverAddress,
  }
}

function costsOf({ random, site, costType }: ShippingOffer): Pick<Shipping, 'cost' | 'list_cost'> {
  const share = random.fraction()
  const drawnType = share < 0.4 ? 'charged' : share < 0.5 ? 'partially_free' : 'free'
  const whole = Number(priceOf(site, random.between(3, 8)))
  const half = amountToNumber(
    amount(whole).times('0.5').round(decimalPlacesOf(sites[site].currency)),
  )
  const cost = { free: 0, charged: whole, partially_free: half }[costType ?? drawnType]
  return { cost, list_cost: whole }
}

/** Returns the estimated dates of a shipment that takes `days` after its handling. */
function datesOf({ at, manufacturingDays }: ShippingOffer, days: number) {
  const handlingHours = 24 * (manufacturingDays + 1)
  const on = (moment: number) => timestamp(new Date(moment))
  const leaves = at.getTime() + handlingHours * hourMs
  const arrives = leaves + days * dayMs
  const later = (offset: number) => ({ date: on(arrives + offset * hourMs), offset })
  return {
    estimated_handling_limit: { date: on(leaves) },
    estimated_delivery_time: {
      type: 'known_frame' as const,
      date: on(arrives),
      unit: 'hour',
      offset: { date: on(arrives + dayMs), shipping: 24 },
      shipping: 24 * days,
      handling: handlingHours,
    },
    estimated_delivery_extended: later(120),
    estimated_delivery_limit: later(240),
    estimated_delivery_final: later(1_920),
  }
}

/** Returns the data that a shipment gets with a status. */
export function shipmentUpdateOf(
  shipment: Shipment,
  status: ShipmentStatus,
  at: Date,
): ShipmentPatch {
  const { details, history, mode, siteId, id } = shipment
  switch (status) {
    case 'ready_to_ship':
      return {
        substatus: mode === 'me2' ? 'ready_to_print' : null,
        tracking_number: `${sites[siteId].country}${id}`,
        tracking_method: details.shipping_method?.name ?? null,
      }
    case 'shipped': {
      const isLate = (details.estimated_handling_limit?.date ?? timestamp(at)) < timestamp(at)
      return {
        ...(isLate ? { delay: ['handling_delayed'] } : {}),
        ...(mode === 'me2' ? { date_first_printed: history.date_ready_to_ship ?? null } : {}),
      }
    }
    case 'not_delivered':
      return { substatus: shipment.status === status ? 'returned' : 'receiver_absent' }
    default:
      return {}
  }
}
