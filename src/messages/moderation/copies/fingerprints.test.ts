import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../../test/harness/code-points.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { fingerprintsOf } from './fingerprints.ts'

const shared = (one: string, other: string) => {
  const prints = new Set(fingerprintsOf(one))
  return fingerprintsOf(other).some((print) => prints.has(print))
}

const sent =
  'Hola Juan, tu pedido 2000001 ya fue despachado con el correo y llega entre lunes y miércoles. Gracias por tu compra, cualquier duda quedamos a disposición.'

contract('2.10', 'copies are known whatever name, number, case or accent differs', () => {
  for (const copy of [
    sent,
    sent.toUpperCase(),
    sent.replace('Juan', 'María Laura'),
    sent.replace('Hola Juan,', 'Buenas tardes Ana!'),
    sent.replace('2000001', '2000004512345678'),
    sent.replace('lunes y miércoles', 'martes y jueves'),
    `${sent} Saludos!`,
    sent.replaceAll(' ', '  ').replaceAll('.', ' ...'),
  ]) {
    assert.ok(shared(sent, copy), copy)
  }
})

contract('2.10', 'texts of one’s own writing are no copies of each other', () => {
  const others = [
    'Hola Ana, el talle 42 que pediste no me quedó en azul, te puedo ofrecer negro o gris, decime cuál preferís y sale hoy mismo con el correo.',
    'Tal como te comenté, la garantía del fabricante cubre el motor por un año pero no el cable ni la ficha, así que te mando el repuesto sin cargo.',
    'Olá, a nota fiscal foi emitida ontem e segue dentro da caixa, se preferir em PDF posso anexar aqui na conversa sem problema nenhum.',
  ]
  for (const one of others) {
    assert.ok(fingerprintsOf(one).length > 0)
    for (const other of [sent, ...others]) if (one !== other) assert.ok(!shared(one, other))
  }
})

contract('2.10', 'a short text has no prints, so it never counts as a copy', () => {
  for (const text of [
    '',
    'gracias',
    'ok, dale',
    'Gracias por tu compra!',
    'Hola Juan, ya salió, mañana te llega sin falta por correo',
    'El pedido 123 456 789 1011 1213 1415 1617 1819 2021 2223 2425 2627',
  ]) {
    assert.deepEqual(fingerprintsOf(text), [], text)
  }
})

test('prints are whole numbers of 64 bits, the same ones for the same text', () => {
  const prints = fingerprintsOf(sent)
  assert.equal(prints.length, 6)
  assert.deepEqual(fingerprintsOf(sent), prints)
  for (const print of prints) {
    assert.match(print, /^-?\d+$/)
    assert.equal(BigInt.asIntN(64, BigInt(print)), BigInt(print))
  }
})

test('no text makes the prints fail', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCodePoint, maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom('hola ', 'ana, ', 'ñ', '3️⃣', 'ﬁ', '\u00ad', 'p u t '),
      maxLength: 60,
    }),
  )
  fc.assert(
    fc.property(text, (written) => {
      for (const print of fingerprintsOf(written)) assert.match(print, /^-?\d+$/)
    }),
  )
})
