import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { guideFacts } from '../../../test/harness/guide.ts'
import { type SiteId, siteIds, sites } from '../../kernel/sites.ts'
import { localDay } from './delivery-promise.ts'
import { promisedDayText } from './templates.ts'

type Case = [what: string, site: SiteId, now: string, promisedAt: string, words: string | undefined]

function hold(cases: readonly Case[]): void {
  for (const [what, site, now, promisedAt, words] of cases) {
    const facts = guideFacts({ site, type: 'self_service', promisedAt, now })
    assert.equal(promisedDayText(facts.sale, facts.now), words, `${site}, ${what}`)
  }
}

const noon = (day: string) => `${day}T12:00:00.000-03:00`
const promised = (day: string) => `${day}T00:00:00.000-03:00`

contract(
  ['2.9', 'messages'],
  'the day word is that of the calendar: today, tomorrow, the next business day',
  () => {
    // 13 March 2026 was a Friday.
    const days: [now: string, promised: string, es: string, pt: string][] = [
      ['03-10', '03-10', 'hoy', 'hoje'],
      ['03-10', '03-11', 'mañana', 'amanhã'],
      ['03-12', '03-13', 'mañana', 'amanhã'],
      ['03-13', '03-14', 'mañana', 'amanhã'],
      ['03-13', '03-16', 'el próximo día hábil (16 de marzo)', 'no próximo dia útil (16 de março)'],
      ['03-14', '03-14', 'hoy', 'hoje'],
      ['03-14', '03-15', 'mañana', 'amanhã'],
      ['03-14', '03-16', 'el próximo día hábil (16 de marzo)', 'no próximo dia útil (16 de março)'],
      ['03-15', '03-16', 'mañana', 'amanhã'],
      ['02-27', '03-02', 'el próximo día hábil (2 de marzo)', 'no próximo dia útil (2 de março)'],
      ['02-28', '03-01', 'mañana', 'amanhã'],
    ]
    for (const [now, day, es, pt] of days) {
      const [at, on] = [noon(`2026-${now}`), promised(`2026-${day}`)]
      hold([
        [`${now} for ${day}`, 'MLA', at, on, es],
        [`${now} for ${day}`, 'MLB', at, on, pt],
      ])
    }
  },
)

contract('2.9', 'a day that is further away is told by its date', () => {
  const [tuesday, friday] = [noon('2026-03-10'), noon('2026-03-13')]
  hold([
    ['two days on', 'MLU', tuesday, promised('2026-03-12'), 'el 12 de marzo'],
    ['two days on', 'MLB', tuesday, promised('2026-03-12'), 'no dia 12 de março'],
    ['the Sunday after a Friday', 'MLA', friday, promised('2026-03-15'), 'el 15 de marzo'],
    ['the Tuesday after a Friday', 'MLA', friday, promised('2026-03-17'), 'el 17 de marzo'],
    ['next year', 'MLA', noon('2026-12-31'), promised('2027-01-04'), 'el 4 de enero'],
    ['the next day, next year', 'MLA', noon('2026-12-31'), promised('2027-01-01'), 'mañana'],
  ])
})

contract(['2.9', 'messages'], 'days begin and end at midnight where the sale is', () => {
  const on10th = promised('2026-03-10')
  hold([
    ['the last moment of the day', 'MLA', '2026-03-11T02:59:59.999Z', on10th, 'hoy'],
    ['the first of the next', 'MLA', '2026-03-11T03:00:00.000Z', on10th, undefined],
    ['the first of the day', 'MLA', '2026-03-10T03:00:00.000Z', on10th, 'hoy'],
    ['the last of the day before', 'MLA', '2026-03-10T02:59:59.999Z', on10th, 'mañana'],
    // One moment, one promise: two dates by the clocks of Buenos Aires, one by those of Bogotá.
    ['late', 'MLA', '2026-03-11T02:30:00.000Z', '2026-03-11T04:30:00.000Z', 'mañana'],
    ['late', 'MCO', '2026-03-11T02:30:00.000Z', '2026-03-11T04:30:00.000Z', 'hoy'],
    // Clocks in Chile went back at midnight of 4 April: that day had 25 hours.
    ['the hour twice', 'MLC', '2026-04-05T03:30:00.000Z', '2026-04-05T04:00:00.000Z', 'mañana'],
    ['after it', 'MLC', '2026-04-05T04:00:00.000Z', '2026-04-05T04:00:00.000Z', 'hoy'],
  ])
})

contract('7.1', 'a promise of a day before today is over', () => {
  hold([
    ['yesterday', 'MLA', noon('2026-03-10'), promised('2026-03-09'), undefined],
    ['the Friday before a Monday', 'MLB', noon('2026-03-16'), promised('2026-03-13'), undefined],
    ['long ago', 'MLA', noon('2026-03-10'), '1950-01-01T00:00:00.000Z', undefined],
  ])
})

test('where no day is promised there is none to tell', () => {
  for (const type of ['self_service', null] as const) {
    const { sale, now } = guideFacts({ type })
    assert.equal(promisedDayText(sale, now), null)
  }
})

contract('2.1', 'every site has a time zone that the machine knows, of its country', () => {
  const at = new Date('2026-03-10T12:00:00.000Z')
  const hours: Record<string, SiteId[]> = {}
  for (const site of siteIds) {
    const { timeZone } = sites[site]
    assert.equal(localDay(at, timeZone), Date.UTC(2026, 2, 10) / 86_400_000, site)
    const hour = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' })
    hours[hour.format(at)] = [...(hours[hour.format(at)] ?? []), site]
  }
  const bySun = Object.fromEntries(Object.entries(hours).map(([hour, all]) => [hour, all.sort()]))
  assert.deepEqual(bySun, {
    '06': ['MCR', 'MGT', 'MHN', 'MLM', 'MNI', 'MSV'],
    '07': ['MCO', 'MEC', 'MPA', 'MPE'],
    '08': ['MBO', 'MCU', 'MLV', 'MRD'],
    '09': ['MLA', 'MLB', 'MLC', 'MLU', 'MPY'],
    '12': ['MPT'],
  })
})
