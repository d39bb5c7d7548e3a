import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { contract } from '../../../test/harness/contract.ts'
import { jpg, pdf, pdfContaining, png, pngWithProfile } from '../../../test/harness/upload.ts'
import { Failure } from '../../kernel/failure.ts'
import { type FileKind, maxFileBytes } from './attachment.ts'
import { detectFileKind, FileInspection, headBytes } from './content.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** What becomes of a file that comes in these pieces: its kind and findings, or the refusal. */
async function inspect(...pieces: Uint8Array[]) {
  try {
    const kind = await detectFileKind(Buffer.concat(pieces).subarray(0, headBytes))
    const inspection = new FileInspection(kind)
    for (const piece of pieces) inspection.take(piece)
    return { kind, ...inspection.end() }
  } catch (error) {
    if (error instanceof Failure) return { refused: error.message }
    throw error
  }
}

const refused = { refused: 'file: expected the content of a jpg, png, pdf or plain text file' }

contract(['4.2', 'messages'], 'jpg, png, pdf and txt are told by what they hold', async () => {
  const cases: [what: string, content: Buffer, kind: FileKind | undefined][] = [
    ['jpg', jpg, 'jpg'],
    ['png', png, 'png'],
    ['png with a long profile', pngWithProfile, 'png'],
    ['pdf', pdf, 'pdf'],
    ['text', Buffer.from('Hola, ¿cómo estás? 🎉\r\n\tListo\f'), 'txt'],
    ['one character', Buffer.from('x'), 'txt'],
    ['UTF-8 with its mark', Buffer.from('\ufeffHola'), 'txt'],
    ['ISO-8859-1', latin1('¿Cómo estás, señor?'), 'txt'],
    ['windows-1252', Buffer.from([0x93, 0x48, 0x6f, 0x6c, 0x61, 0x94, 0x20, 0x80]), 'txt'],
    ['text that begins like a picture', Buffer.from('BMW azul, GIF no'), 'txt'],
    ['text that begins like a program', Buffer.from('MZA es Mendoza'), 'txt'],
    ['markup', Buffer.from('<?xml version="1.0"?><svg onload="x"/>'), 'txt'],
    ['a page', Buffer.from('<!doctype html><script>x</script>'), 'txt'],
    ['gif', latin1('GIF89a\x01\x00\x01\x00\x80\x00\x00'), undefined],
    ['zip', latin1('PK\x03\x04\x14\x00\x00\x00'), undefined],
    ['gzip', gzipSync('Hola'), undefined],
    ['a program', latin1('\x7fELF\x02\x01\x01\x00'), undefined],
    ['another program', latin1('MZ\x90\x00\x03\x00\x00\x00'), undefined],
    ['webp', latin1('RIFF\x24\x00\x00\x00WEBPVP8 '), undefined],
    ['UTF-16', Buffer.from('\ufeffHola', 'utf16le'), undefined],
    ['NUL', Buffer.from('Ho\0la'), undefined],
    ['an escape sequence', Buffer.from('\x1b[31mHola'), undefined],
    ['DEL', Buffer.from('Hola\x7f'), undefined],
    ['neither UTF-8 nor windows-1252', Buffer.from([0x48, 0x6f, 0x81, 0x6c]), undefined],
    ['a cut character and an undefined byte', Buffer.from([0x8d, 0xc3]), undefined],
  ]
  for (const [what, content, kind] of cases) {
    const inspection = await inspect(content)
    if (kind === undefined) assert.deepEqual(inspection, refused, what)
    else assert.equal('kind' in inspection && inspection.kind, kind, what)
  }
})

test('text is served in the characters that it was written in', async () => {
  const charset = async (...pieces: Buffer[]) => {
    const inspection = await inspect(...pieces)
    return 'charset' in inspection ? inspection.charset : inspection.refused
  }
  assert.equal(await charset(Buffer.from('plain')), 'utf-8')
  assert.equal(await charset(Buffer.from('señal')), 'utf-8')
  assert.equal(await charset(latin1('señal')), 'windows-1252')
  assert.equal(
    await charset(Buffer.from('se\xc3', 'latin1'), Buffer.from('\xb1al', 'latin1')),
    'utf-8',
  )
  assert.equal(await charset(Buffer.from('se\xc3', 'latin1')), 'windows-1252', 'cut short')
  assert.equal(await charset(jpg), null)
})

test('what is no text far behind its beginning is refused all the same', async () => {
  const text = Buffer.alloc(3 * headBytes, 'texto ')
  assert.equal((await inspect(text)).refused, undefined)
  assert.deepEqual(await inspect(text, Buffer.from([0])), refused)
  assert.deepEqual(await inspect(text, Buffer.from([0x81])), refused)
})

test('findings do not depend on how a file is cut into pieces', async () => {
  const files = [
    Buffer.from('Hola, ¿cómo estás? 🎉'),
    latin1('¿Cómo estás, señor?'),
    pdfContaining('<< /S /JavaScr#69pt /JS (x) >>'),
    pdfContaining('<< /Type /Page >>'),
    jpg,
  ]
  const whole = await Promise.all(files.map((file) => inspect(file)))
  const cuts = fc.array(fc.nat(), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), cuts, async (index, marks) => {
      const file = files[index] as Buffer
      const at = [0, ...marks.map((mark) => mark % file.length), file.length].sort((a, b) => a - b)
      const pieces = at.slice(1).map((end, piece) => file.subarray(at[piece], end))
      assert.deepEqual(await inspect(...pieces), whole[index])
    }),
  )
})

test('size and digest are those of the content', async () => {
  const inspection = await inspect(pdf)
  assert.ok('size' in inspection)
  assert.equal(inspection.size, pdf.length)
  assert.equal(inspection.sha256, createHash('sha256').update(pdf).digest('hex'))
})

contract(['7.4', '8'], '25 MB pass, one byte more does not', () => {
  const take = (size: number) => {
    const inspection = new FileInspection('jpg')
    const piece = Buffer.alloc(1024 * 1024)
    for (let remaining = size; remaining > 0; remaining -= piece.length)
      inspection.take(piece.subarray(0, remaining))
    return inspection.end().size
  }
  assert.equal(maxFileBytes, 26_214_400)
  assert.equal(take(maxFileBytes), maxFileBytes)
  assert.throws(() => take(maxFileBytes + 1), { message: 'File attachment is bigger than 25 Mb.' })
})

test('a PDF that acts by itself or carries other files is marked', async () => {
  const cases: [inside: string, isActive: boolean][] = [
    ['<< /S /JavaScript /JS (app.alert(1)) >>', true],
    ['<< /S /J#61vaScript >>', true],
    ['<< /S /#4a#41#56aScript >>', false],
    ['<< /S /#4aavaScript >>', true],
    ['<< /S /Launch /F (cmd.exe) >>', true],
    ['<< /Type /EmbeddedFile >>', true],
    ['<< /Names << /EmbeddedFiles 3 0 R >> >>', true],
    ['<< /Subtype /RichMedia >>', true],
    ['<< /OpenAction [1 0 R /Fit] >>', false],
    ['(JavaScript in a text)', false],
    ['', false],
  ]
  for (const [inside, isActive] of cases) {
    const inspection = await inspect(pdfContaining(inside))
    assert.equal('isActive' in inspection && inspection.isActive, isActive, inside)
  }
  const text = await inspect(Buffer.from('<< /S /JavaScript >>'))
  assert.equal('isActive' in text && text.isActive, false, 'in a text it does nothing')
})
