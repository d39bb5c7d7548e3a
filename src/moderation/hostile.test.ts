import assert from 'node:assert/strict'

import fc from 'fast-check'
import { anyCodePoint } from '../../test/harness/code-points.ts'
import { contract } from '../../test/harness/contract.ts'
import { siteIds } from '../kernel/sites.ts'
import { moderate } from './moderate.ts'
import { noTerms } from './terms.ts'

const longest = 3500

const pieces = [
  'a ',
  'a.',
  'a@',
  '@',
  'a@a.',
  '1',
  '1 ',
  '1-',
  '(1',
  '+1',
  '1.',
  '*',
  'p*',
  '** ',
  'no ',
  ...[
    'no abra ',
    'te voy a ',
    'http://',
    'www.',
    'a.a~',
    '(((',
    '://',
    '. ',
    ' .',
    ' @ ',
    '\n',
    'ñ',
  ],
  ...[
    'punto com ',
    'arroba ',
    'uno ',
    'treinta y ',
    'insta gram ',
    'whatsapp ',
    'por ',
    '@abc_',
    'ig: ',
  ],
  '\u00ad',
  '3️⃣',
  '🅰️',
  'ﬁ',
  'p u t ',
  'calle ',
  'mi alias ',
  '$1',
  'x'.repeat(50),
  '0o0l',
  ...[
    'no cierres el reclamo ',
    'escribime por ',
    'tenes ',
    'bit . ly ',
    'aaa',
    'rua x ',
    'mi cel ',
    'no aceptamos pago por ',
    'pago por fuera no ',
    'gracias por tu compra en ',
  ],
]

contract('2.10', 'no text makes it fail, and a span is a part of its text', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCodePoint, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...pieces), maxLength: 60 }),
  )
  const context = fc.record({
    siteId: fc.constantFrom(...siteIds),
    writer: fc.constantFrom('seller' as const, 'buyer' as const),
    billingAsked: fc.boolean(),
  })
  fc.assert(
    fc.property(text, context, (written, who) => {
      const decision = moderate(written, { ...who, terms: noTerms })
      if (decision)
        assert.ok(
          0 <= decision.from && decision.from < decision.to && decision.to <= written.length,
        )
    }),
    { numRuns: 2_000 },
  )
})

contract('2.10', 'the time grows with the length of a text, whatever it repeats', () => {
  for (const piece of pieces) {
    // Four times the text may take some more than four times as long, but not sixteen times.
    let ratio = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 8 && ratio > 8; attempt++) {
      ratio = Math.min(ratio, costOf(piece, longest) / Math.max(costOf(piece, longest / 4), 20))
    }
    assert.ok(
      ratio <= 8,
      `${JSON.stringify(piece)}: ${ratio.toFixed(1)} times for four times the text`,
    )
  }
})

/** Processor time, in µs, of the cheapest of some runs: whatever else runs here adds to the others. */
function costOf(piece: string, length: number): number {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const context = { siteId: 'MLB', writer: 'seller', terms: noTerms, billingAsked: false } as const
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    moderate(text, context)
    return process.cpuUsage(before).user
  })
  return Math.min(...costs)
}
