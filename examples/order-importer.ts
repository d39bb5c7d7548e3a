/**
 * Appends the orders of a seller to a file, one line for each state of an order that it sees. Run it as often as you like,
 * for example every five minutes. It continues from the last line of the file, also after an interruption.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… node order-importer.ts orders.ndjson
 */
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { bodyOf, eachOrder, openFeria } from 'feria/client'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const [file = 'orders.ndjson'] = process.argv.slice(2)
const feria = openFeria({ baseUrl, token })

const imported = new Set<string>()
let last: string | undefined
for (const line of linesOf(file)) {
  const { id, date_last_updated } = JSON.parse(line)
  imported.add(`${id} ${date_last_updated}`)
  last = date_last_updated
}

const { id: seller } = await bodyOf(feria.GET('/users/me'))
let count = 0
// Oldest change first, so that the last line is the position to continue from.
const since = last ? { 'order.date_last_updated.from': last } : {}
// Without a filter of statuses, a seller's search leaves out cancelled orders.
const states = [
  'confirmed',
  'payment_required',
  'payment_in_process',
  'partially_paid',
  'paid',
  'partially_refunded',
  'pending_cancel',
  'cancelled',
  'manually_cancelled',
  'invalid',
].join()
const filters = { seller, 'order.status': states, sort: 'last_updated_asc', ...since }
for await (const order of eachOrder(feria, filters)) {
  // The time of the last line is included: another order may have changed at the same time.
  if (imported.has(`${order.id} ${order.date_last_updated}`)) continue
  await appendFile(file, `${JSON.stringify(order)}\n`)
  count++
}
console.log(`${count} orders, ${imported.size + count} lines in ${file}`)

/** Returns the lines of the file. Cuts off an incomplete last line. */
function linesOf(path: string): string[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1)
  if (completeLines !== text) truncateSync(path, Buffer.byteLength(completeLines))
  return completeLines.split('\n').filter(Boolean)
}
