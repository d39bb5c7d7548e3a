/**
 * Brings the orders of a seller into a file, one line for every state that an order was found in. Run
 * it as often as you like, every five minutes say: it goes on from the last line of the file, and one
 * that was interrupted leaves nothing out.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… node order-importer.ts orders.ndjson
 */
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { bodyOf, eachOrder, openFeria } from 'feria/client'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const [file = 'orders.ndjson'] = process.argv.slice(2)
const feria = openFeria({ baseUrl, token })

const known = new Set<string>()
let last: string | undefined
for (const line of linesOf(file)) {
  const { id, date_last_updated } = JSON.parse(line)
  known.add(`${id} ${date_last_updated}`)
  last = date_last_updated
}

const { id: seller } = await bodyOf(feria.GET('/users/me'))
let count = 0
// The oldest change first, so that the last line says how far this program has come.
const since = last ? { 'order.date_last_updated.from': last } : {}
// Without them a seller's search leaves out what was cancelled.
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
  // The moment of the last line is asked for again: another order may have changed in it too.
  if (known.has(`${order.id} ${order.date_last_updated}`)) continue
  await appendFile(file, `${JSON.stringify(order)}\n`)
  count++
}
console.log(`${count} orders, ${known.size + count} lines in ${file}`)

/** The lines of the file; what was being written when the program died is cut off. */
function linesOf(path: string): string[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole))
  return whole.split('\n').filter(Boolean)
}
