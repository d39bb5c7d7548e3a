import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import type { SiteId } from '../kernel/sites.ts'
import { isCard, isCbu, isClabe, isCpf, isCuit, isRut } from './check-digits.ts'
import { numbersIn } from './numbers.ts'
import { noTerms } from './terms.ts'
import { normalizeText } from './text/normalize.ts'

function rulesOf(text: string, siteId: SiteId = 'MLA'): string[] {
  const context = { siteId, writer: 'seller', terms: noTerms, billingAsked: false } as const
  return numbersIn(normalizeText(text), context).map(({ rule }) => rule)
}

contract('2.10', 'the word before a number tells what it is', () => {
  for (const [text, rules] of [
    ['pedido 1155551234', []],
    ['mi celular 1155551234', ['contact.phone']],
    ['el número de serie es 1155551234', []],
    ['mi número es 1155551234', ['contact.phone']],
    ['dni 30123456', ['contact.document']],
    ['cuenta 123456789', ['pay.account']],
    ['guía 1155551234, mi cel 1155559876', ['contact.phone']],
    ['1155551234 llamame', ['contact.phone']],
    ['sku 1155551234. llamame al 4444-3333', ['contact.phone']],
  ] as const) {
    assert.deepEqual(rulesOf(text), rules, text)
  }
})

contract('2.10', 'without such a word a number is somebody’s only if it proves it', () => {
  for (const [text, rules, siteId] of [
    ['1155551234', ['contact.phone'], 'MLA'],
    ['11 5555-1234', ['contact.phone'], 'MLA'],
    ['+55 11 98765-4321', ['contact.phone'], 'MLA'],
    ['2000004512345678', [], 'MLA'],
    ['360002847719240', [], 'MLA'],
    ['7791234567898', [], 'MLA'],
    ['30.123.456', [], 'MLA'],
    ['1.155.512,90', [], 'MLA'],
    ['12/05/2026', [], 'MLA'],
    ['192.168.100.200', [], 'MLA'],
    ['3536373839 35 36 37 38 39', [], 'MLA'],
    ['35 36 37 38 39', [], 'MLA'],
    ['AA123456785BR', [], 'MLB'],
    ['3526 0812 3456 7800 0195 5500 1000 0012 3410 0001 2349', [], 'MLB'],
    ['111.444.777-35', ['contact.document'], 'MLB'],
    ['111.444.777-36', [], 'MLB'],
    ['12.345.678-5', ['contact.document'], 'MLC'],
    ['12.345.678-6', [], 'MLC'],
    ['20-12345678-6', ['contact.document'], 'MLA'],
    ['2850590940090418135201', ['pay.account'], 'MLA'],
    ['032180000118359719', ['pay.account'], 'MLM'],
    ['032180000118359718', [], 'MLM'],
    ['1155551234 pesos', [], 'MLA'],
    ['$ 1155551234', [], 'MLA'],
    ['uno dos tres cuatro', [], 'MLA'],
  ] as const) {
    assert.deepEqual(rulesOf(text, siteId), rules, text)
  }
})

contract('2.10', 'a company’s number stands on every invoice and is no person’s', () => {
  assert.deepEqual(rulesOf('nuestro CUIT es 30-71234567-1'), [])
  assert.deepEqual(rulesOf('mi CUIT es 20-12345678-6'), ['contact.document'])
  assert.deepEqual(rulesOf('CNPJ 12.345.678/0001-95', 'MLB'), [])
  assert.deepEqual(rulesOf('NIT 900123456-7', 'MCO'), [])
})

test('check digits prove accounts and documents, and one wrong digit proves nothing', () => {
  const wrong = (digits: string) => `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`
  for (const [check, digits] of [
    [isCbu, '2850590940090418135201'],
    [isClabe, '032180000118359719'],
    [isCpf, '52998224725'],
    [isCuit, '20123456786'],
    [isCard, '4111111111111111'],
  ] as const) {
    assert.ok(check(digits), digits)
    assert.ok(!check(wrong(digits)), `${digits}, one digit wrong`)
    assert.ok(!check(digits.slice(1)), `${digits}, one digit less`)
  }
  assert.ok(isRut('12345678', '5') && !isRut('12345678', '6') && isRut('20000003', 'k'))
})
