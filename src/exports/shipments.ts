import { parseId } from '../kernel/ids.ts'
import { amount, amountToNumber, sum } from '../kernel/money.ts'
import { renderWideFormat, type ShipmentContents } from '../shipments/formats.ts'
import { shipmentOwners } from '../shipments/store.ts'
import { type ExportKind, nextKey } from './kind.ts'
import {
  countShipments,
  type ExportedShipmentRow,
  findShipmentWindowEnd,
  listShippedLines,
  readExportedShipments,
  type ShipmentExportFilter,
  type ShipmentKey,
  type ShippedLine,
} from './shipments-read-model.ts'

/** Shipments in the wider format, as the operator reads them. */
export const shipmentExport: ExportKind<ShipmentExportFilter, ShipmentKey> = {
  name: 'shipments',
  columns: {
    id: 'id',
    order_id: 'order_id',
    site_id: 'site_id',
    mode: 'mode',
    logistic_type: 'logistic_type',
    status: 'status',
    substatus: 'substatus',
    sender_id: 'sender_id',
    receiver_id: 'receiver_id',
    receiver_name: 'receiver_address.receiver_name',
    receiver_zip_code: 'receiver_address.zip_code',
    receiver_city: 'receiver_address.city.name',
    receiver_state: 'receiver_address.state.name',
    order_cost: 'order_cost',
    base_cost: 'base_cost',
    tracking_number: 'tracking_number',
    tracking_method: 'tracking_method',
    date_created: 'date_created',
    date_shipped: 'status_history.date_shipped',
    date_delivered: 'status_history.date_delivered',
    last_updated: 'last_updated',
    items: 'shipping_items.id',
    quantities: 'shipping_items.quantity',
  },
  firstKey: [0, 0],
  async findKey(db, text) {
    const id = parseId(text)
    const owner = id === undefined ? undefined : await shipmentOwners.find(db, id)
    return owner && id !== undefined ? [owner.sellerId, id] : undefined
  },
  findWindowEnd: findShipmentWindowEnd,
  countRows: countShipments,
  async readPage({ db }, filter, range) {
    const rows = await readExportedShipments(db, filter, range)
    const lines = await listShippedLines(db, {
      sellerIds: [...new Set(rows.map(({ sellerId }) => sellerId))],
      ids: rows.map(({ id }) => id),
    })
    const linesByShipment = Map.groupBy(lines, ({ shipmentId }) => shipmentId)
    return {
      entries: rows.map((row) => viewOf(row, linesByShipment.get(row.id) ?? [])),
      next: nextKey(rows, range, ({ sellerId, id }) => [sellerId, id]),
    }
  },
}

function viewOf({ details, ...columns }: ExportedShipmentRow, lines: readonly ShippedLine[]) {
  const totals = new Map(lines.map(({ orderId, totalAmount }) => [orderId, amount(totalAmount)]))
  const contents: ShipmentContents = {
    orderId: lines[0]?.orderId ?? null,
    orderCost: amountToNumber(sum([...totals.values()])),
    items: lines.map(({ itemId, title, quantity }) => ({
      id: itemId,
      description: title,
      quantity,
    })),
    hiddenParty: null,
  }
  return renderWideFormat({ ...columns, ...JSON.parse(details) }, contents)
}
