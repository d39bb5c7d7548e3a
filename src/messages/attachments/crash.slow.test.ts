import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operatorToken } from '../../../test/harness/app.ts'
import { TestClient } from '../../../test/harness/client.ts'
import { anaId, issueToken, putUser } from '../../../test/harness/market.ts'
import { type Program, startProgram } from '../../../test/harness/program.ts'
import {
  download,
  partHeader,
  pdfContaining,
  startUpload,
  uploadFile,
  writePiece,
} from '../../../test/harness/upload.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { storageKeyOf } from './attachment.ts'

let data: string
let program: Program

const start = () =>
  startProgram({
    env: {
      FERIA_DATA: data,
      FERIA_DEMO: 'off',
      FERIA_LOG_LEVEL: 'warn',
      FERIA_OPERATOR_TOKEN: operatorToken,
    },
  })
before(async () => {
  data = mkdtempSync(join(tmpdir(), 'feria-crash-'))
  program = await start()
})
after(async () => {
  await program.stop()
  rmSync(data, { recursive: true, force: true })
})

const client = () => new TestClient(program.address, operatorToken)
const files = () =>
  (existsSync(join(data, 'files'))
    ? readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true })
    : []
  )
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('a crash in the middle of an upload leaves no file once it is swept, and takes none that was acknowledged', async () => {
  await putUser(client(), anaId, { nickname: 'ANA' })
  const token = await issueToken(client(), { user_id: anaId, expires_in: 300 * 24 * 3600 })
  const { request, answer } = startUpload(program.address, { token })
  await writePiece(request, partHeader({ filename: 'a.pdf' }))
  await writePiece(request, pdfContaining(Buffer.alloc(4_000_000, 0x80)))
  const isWritten = () => files().some((path) => statSync(path).size > 3_000_000)
  await pollUntil('the middle of the upload', isWritten)
  const id = await uploadFile(program.address, { token, content: 'acknowledged' })
  await program.kill({ database: true })
  await assert.rejects(answer)

  program = await start()
  assert.equal(files().length, 2, 'the broken off one is there still')
  const read = await download(program.address, { token, id })
  assert.equal(read.bytes.toString(), 'acknowledged')
  await client().operator('POST', '/operator/clock', { advance: '25h' })
  await pollUntil('the sweep', () => files().length === 1)
  assert.ok(files()[0]?.endsWith(storageKeyOf(id)))
  assert.equal((await download(program.address, { token, id })).status, 200)
})
