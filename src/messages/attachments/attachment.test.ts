import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/code-points.ts'
import { contract } from '../../../test/harness/contract.ts'
import { Failure } from '../../kernel/failure.ts'
import {
  type Attachment,
  attachmentElement,
  downloadName,
  type fileKinds,
  hasMisleadingExtension,
  newAttachmentId,
  storageKeyOf,
  uploaderOf,
  validFilename,
} from './attachment.ts'

contract('4.2', 'an id is the user, a UUID and the extension of its kind', () => {
  for (const kind of ['jpg', 'png', 'pdf', 'txt'] as const) {
    const id = newAttachmentId(415460047, kind)
    assert.match(id, /^415460047_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z]{3}$/)
    assert.ok(id.endsWith(`.${kind}`))
    assert.equal(uploaderOf(id), 415460047)
  }
  assert.notEqual(newAttachmentId(1, 'pdf'), newAttachmentId(1, 'pdf'))
})

test('whatever is no such id names no uploader', () => {
  const uuid = 'a96d8dea-38cd-4402-938e-80a1c134fc5d'
  for (const id of [
    '',
    'null',
    '415460047',
    `_${uuid}.pdf`,
    `415460047_${uuid}`,
    `415460047_${uuid}.exe`,
    `0_${uuid}.pdf`,
    `-1_${uuid}.pdf`,
    `415460047_${uuid}.pdf.pdf`,
    `415460047_${uuid}.PDF`,
    `../415460047_${uuid}.pdf`,
    `415460047_${uuid}.pdf\n`,
    `9999999999999999_${uuid}.pdf`,
    `415460047_${uuid.toUpperCase()}.pdf`,
    `415460047_../../etc/passwd.txt`,
    `1e3_${uuid}.pdf`,
  ]) {
    assert.equal(uploaderOf(id), undefined, id)
  }
  fc.assert(fc.property(fc.string({ unit: anyCodePoint }), (id) => uploaderOf(id) === undefined))
})

test('a key in the store holds nothing but the id', () => {
  const id = '415460047_a96d8dea-38cd-4402-938e-80a1c134fc5d.pdf'
  assert.equal(storageKeyOf(id), `attachments/a9/${id}`)
})

const refusal = (name: string | undefined): string | undefined => {
  try {
    validFilename(name)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.equal(error.status, 400)
    return error.code
  }
}

contract(
  ['7.4', 'errors'],
  'a name with characters such as / or \\, too long, or missing is refused',
  () => {
    const cases: [name: string | undefined, code: string | undefined][] = [
      ['factura.pdf', undefined],
      ['Año nuevo, señal (2).pdf', undefined],
      ['número 5 – ñandú 🎉.png', undefined],
      ['sin extensión', undefined],
      ['.htaccess', undefined],
      [`${'a'.repeat(196)}.pdf`, undefined],
      ['🎉'.repeat(200), undefined],
      [`${'a'.repeat(197)}.pdf`, 'filename_too_long'],
      ['🎉'.repeat(201), 'filename_too_long'],
      ['../factura.pdf', 'filename_invalid'],
      ['a/b.pdf', 'filename_invalid'],
      ['/', 'filename_invalid'],
      ['C:\\Users\\ana\\factura.pdf', 'filename_invalid'],
      ['\\', 'filename_invalid'],
      ['a\0.pdf', 'filename_invalid'],
      ['a\r\nSet-Cookie: b=c.pdf', 'filename_invalid'],
      ['a\tb.pdf', 'filename_invalid'],
      ['a\x7fb.pdf', 'filename_invalid'],
      ['a\x85b.pdf', 'filename_invalid'],
      ['factura\u202efdp.exe', 'filename_invalid'],
      ['.', 'filename_invalid'],
      ['..', 'filename_invalid'],
      ['', 'bad_request'],
      ['   ', 'bad_request'],
      [undefined, 'bad_request'],
    ]
    for (const [name, code] of cases) assert.equal(refusal(name), code, JSON.stringify(name))
  },
)

test('no name that is accepted can leave a folder, a header or a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 250 }), (name) => {
      if (refusal(name) !== undefined) return
      assert.doesNotMatch(name, /[/\\\p{Cc}]/u)
      assert.doesNotMatch(name, /^\.*$/)
      assert.ok([...name].length <= 200)
    }),
    { numRuns: 2_000 },
  )
})

const stored: Attachment = {
  id: '1001_a96d8dea-38cd-4402-938e-80a1c134fc5d.txt',
  userId: 1001,
  originalFilename: 'a.txt',
  type: 'text/plain',
  charset: 'utf-8',
  size: 5,
  sha256: '0'.repeat(64),
  potentialSecurityThreat: false,
  dateCreated: new Date('2026-03-10T15:00:00.000Z'),
  expiresAt: null,
  attachedTo: null,
}

test('a file is saved under its own name, with the extension of what it holds', () => {
  const id = (kind: string) => stored.id.replace('txt', kind)
  const cases: [name: string, kind: keyof typeof fileKinds, saved: string][] = [
    ['a.txt', 'txt', 'a.txt'],
    ['a.CSV', 'txt', 'a.CSV'],
    ['pagar.bat', 'txt', 'pagar.bat.txt'],
    ['page.html', 'txt', 'page.html.txt'],
    ['a.pdf.exe', 'pdf', 'a.pdf.exe.pdf'],
    ['foto.jpeg', 'jpg', 'foto.jpeg'],
    ['foto.jpg', 'png', 'foto.jpg.png'],
    ['factura', 'pdf', 'factura.pdf'],
    ['Factura 3.14', 'pdf', 'Factura 3.14.pdf'],
    ['.pdf', 'pdf', '.pdf'],
  ]
  for (const [originalFilename, kind, saved] of cases) {
    assert.equal(downloadName({ ...stored, id: id(kind), originalFilename }), saved)
  }
})

test('a name that promises what is never accepted is misleading', () => {
  const cases: [name: string, misleads: boolean][] = [
    ['factura.pdf', false],
    ['factura.PDF', false],
    ['foto.jpg', false],
    ['factura', false],
    ['Factura 3.14', false],
    ['factura.exe', true],
    ['factura.pdf.exe', true],
    ['factura.HTML', true],
    ['musica.mp3', true],
    ['a.7z', true],
  ]
  for (const [name, misleads] of cases) assert.equal(hasMisleadingExtension(name), misleads, name)
})

contract(
  ['2.10', 'messages'],
  'a message shows an attachment with the fields of the interface',
  () => {
    assert.deepEqual(attachmentElement(stored), {
      filename: stored.id,
      original_filename: 'a.txt',
      type: 'text/plain',
      size: 5,
      potential_security_threat: false,
      creation_date: '2026-03-10T15:00:00.000Z',
    })
  },
)
