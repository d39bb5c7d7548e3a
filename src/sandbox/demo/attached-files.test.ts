import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { contract } from '../../../test/harness/contract.ts'
import { fileKinds } from '../../messages/attachments/attachment.ts'
import { detectFileKind, headBytes } from '../../messages/attachments/content.ts'
import { createDemoFile } from './attached-files.ts'

const at = new Date('2026-03-10T15:00:00.000Z')
const demoFileNames = readdirSync(new URL('../../../demo/files/', import.meta.url)).sort()
const demoFile = (name: string) => createDemoFile(name, { userId: 7, serial: `1/${name}`, at })

contract(
  'messages',
  'every kind that may be attached is there, and is what its id says',
  async () => {
    const types = new Set<string>()
    for (const name of demoFileNames) {
      const { attachment, content } = demoFile(name)
      const kind = await detectFileKind(content.subarray(0, headBytes))
      types.add(kind)
      assert.match(attachment.id, new RegExp(`^7_[0-9a-f-]{36}\\.${kind}$`))
      assert.equal(attachment.type, fileKinds[kind].type)
      assert.equal(attachment.size, content.length)
      assert.deepEqual(demoFile(name), { attachment, content })
    }
    assert.deepEqual([...types].sort(), Object.keys(fileKinds).sort())
  },
)

test('one of them is a possible threat, by its name', () => {
  const threats = demoFileNames.filter((name) => demoFile(name).attachment.potentialSecurityThreat)
  assert.deepEqual(threats, ['configurar.bat'])
})

test('the PDF’s table says where its objects are', () => {
  const text = demoFile('factura.pdf').content.toString('latin1')
  const table = Number(/startxref\n(\d+)\n%%EOF/.exec(text)?.[1])
  const [, ...places] = text.slice(table).match(/\d{10} \d{5} [nf] \n/g) ?? []
  assert.equal(places.length, 5)
  for (const [index, entry] of places.entries()) {
    assert.ok(text.slice(Number(entry.slice(0, 10))).startsWith(`${index + 1} 0 obj\n`))
  }
  const [, length, drawing] = /\/Length (\d+) >>\nstream\n(.*)\nendstream/.exec(text) ?? []
  assert.equal(Number(length), drawing?.length)
})

test('the PNG’s parts are whole, and its rows as many and as long as it says', () => {
  const { content } = demoFile('plano.png')
  let offset = 8
  const parts = new Map<string, Buffer>()
  while (offset < content.length) {
    const length = content.readUInt32BE(offset)
    const body = content.subarray(offset + 4, offset + 8 + length)
    assert.equal(content.readUInt32BE(offset + 8 + length), crc32(body))
    parts.set(body.toString('latin1', 0, 4), body.subarray(4))
    offset += 12 + length
  }
  assert.deepEqual([...parts.keys()], ['IHDR', 'IDAT', 'IEND'])
  const [width, height] = [parts.get('IHDR')?.readUInt32BE(0), parts.get('IHDR')?.readUInt32BE(4)]
  assert.equal(inflateSync(parts.get('IDAT') ?? '').length, (1 + Number(width)) * Number(height))
})

test('the JPEG is one of a shade a block: as many as it says, each between black and white', () => {
  const { content } = demoFile('foto.jpg')
  assert.deepEqual([...content.subarray(0, 2), ...content.subarray(-2)], [255, 216, 255, 217])
  let offset = 2
  let size = [0, 0]
  while (content[offset + 1] !== 0xda) {
    if (content[offset + 1] === 0xc0)
      size = [content.readUInt16BE(offset + 5), content.readUInt16BE(offset + 7)]
    offset += 2 + content.readUInt16BE(offset + 2)
  }
  offset += 2 + content.readUInt16BE(offset + 2)
  const bits = [...content.subarray(offset, -2)]
    .filter((byte, index, bytes) => !(byte === 0 && bytes[index - 1] === 255))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  let read = 0
  const take = (count: number) => {
    read += count
    return bits.slice(read - count, read)
  }
  let shade = 128
  let blocks = 0
  while (bits.length - read >= 8 || /0/.test(bits.slice(read))) {
    const length = Number.parseInt(take(4), 2)
    assert.ok(length <= 8)
    const value = length === 0 ? 0 : Number.parseInt(take(length), 2)
    shade += value < 2 ** length / 2 && length > 0 ? value - 2 ** length + 1 : value
    assert.equal(take(1), '0')
    assert.ok(shade >= 0 && shade <= 255)
    blocks++
  }
  assert.equal(blocks, ((size[0] ?? 0) / 8) * ((size[1] ?? 0) / 8))
})
