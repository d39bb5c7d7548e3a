import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openTestFileStore, type TestFileStore } from '../../test/harness/file-stores.ts'
import { readConfig } from './config.ts'
import { type FileStore, openFileStore } from './files.ts'

const key = 'attachments/ab/1001_abc.txt'

async function* pieces(...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield Buffer.from(text)
  }
}

async function textOf(
  files: FileStore,
  name: string,
  part = { start: 0, end: 8 },
): Promise<string> {
  let text = ''
  for await (const piece of await files.read(name, part)) text += piece
  return text
}

for (const [name, open] of Object.entries(openTestFileStore)) {
  describe(`in ${name}`, () => {
    let store: TestFileStore
    let files: FileStore
    before(async () => {
      store = await open()
      files = openFileStore(readConfig({ FERIA_MODE: 'sandbox', ...store.env }))
    })
    after(async () => {
      await files.close()
      await store.close()
    })

    test('a file is kept, read in part and removed', async () => {
      await files.put(key, pieces('one', 'two', 'six'))
      assert.deepEqual(await store.keys(), [key])
      assert.equal(await textOf(files, key), 'onetwosix')
      assert.equal(await textOf(files, key, { start: 2, end: 4 }), 'etw')
      assert.equal(await textOf(files, key, { start: 8, end: 8 }), 'x')
      await files.remove(key)
      assert.deepEqual(await store.keys(), [])
      await files.remove(key)
    })

    test('what is not there can not be read', async () => {
      await assert.rejects(files.read(key, { start: 0, end: 0 }))
    })

    test('a source that fails leaves nothing, wherever it fails, and says why', async () => {
      const why = new Error('the source broke off')
      for (const content of [[why], ['one', why], ['x'.repeat(300_000), 'two', why]]) {
        await assert.rejects(files.put(key, pieces(...content)), why)
        assert.deepEqual(await store.keys(), [])
        assert.equal(store.unfinishedUploadBytes(), 0)
      }
    })

    test('a store that is out of reach fails, and is used again when it is back', async () => {
      await files.put(key, pieces('onetwosix'))
      await store.makeUnavailable()
      await assert.rejects(files.put(`${key}.pdf`, pieces('one')))
      await assert.rejects(files.read(key, { start: 0, end: 8 }))
      await store.makeAvailable()
      assert.equal(await textOf(files, key), 'onetwosix')
      await files.put(`${key}.pdf`, pieces('onetwosix'))
      assert.equal(await textOf(files, `${key}.pdf`), 'onetwosix')
      for (const storedKey of await store.keys()) await files.remove(storedKey)
    })

    test('what comes is written as it comes', async () => {
      let uploadedBytes = 0
      async function* slowly() {
        yield Buffer.alloc(200_000, 'a')
        // The next piece is asked for when the one before has been taken.
        yield Buffer.alloc(200_000, 'b')
        uploadedBytes = store.unfinishedUploadBytes()
        yield Buffer.alloc(1, 'c')
      }
      await files.put(key, slowly())
      assert.ok(uploadedBytes >= 200_000, `${uploadedBytes} bytes lay outside of memory`)
      await files.remove(key)
    })
  })
}

test('a bucket that is back in a moment gets the file all the same, whole', async () => {
  const store = await openTestFileStore['an S3 bucket']()
  const files = openFileStore(readConfig({ FERIA_MODE: 'sandbox', ...store.env }))
  try {
    await files.put(`${key}.pdf`, pieces('the client is loaded'))
    await store.makeUnavailable()
    const putting = files.put(key, pieces('onetwo', 'six'))
    // A bucket that is out of reach does not tell that it was asked. The client retries for longer than this.
    await setTimeout(50)
    await store.makeAvailable()
    await putting
    assert.equal(await textOf(files, key), 'onetwosix')
  } finally {
    await files.close()
    await store.close()
  }
})

test('a bucket refuses a key with another secret', async () => {
  const store = await openTestFileStore['an S3 bucket']()
  const wrong = { ...store.env, FERIA_S3_SECRET_ACCESS_KEY: 'another' }
  const files = openFileStore(readConfig({ FERIA_MODE: 'sandbox', ...wrong }))
  try {
    await assert.rejects(files.put(key, pieces('one')))
    await assert.rejects(files.read(key, { start: 0, end: 0 }))
    assert.deepEqual(await store.keys(), [])
  } finally {
    await files.close()
    await store.close()
  }
})
