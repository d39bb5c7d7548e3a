import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Config, S3Settings } from './config.ts'

/** Where what users upload lies: a folder, or a bucket of an S3-compatible store. A key is a path of
 * plain letters, digits, `-`, `_`, `.` and `/`. */
export interface Files {
  /** Keeps what comes under this key, as it comes. Resolves once all of it would outlast a crash of
   * this machine; throws when the store or `content` fails, and then there is no such file. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Bytes of a file from `start` to `end`, both counted. Throws when there is no such file. */
  read(key: string, part: { start: number; end: number }): Promise<Readable>
  /** Removes a file, if there is one. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}

export function openFiles({ dataDirectory, files: { s3 } }: Config): Files {
  return s3 ? s3Files(s3, join(dataDirectory, 'incoming')) : diskFiles(join(dataDirectory, 'files'))
}

/** Folders that only this program's account may look into. */
const ownerOnly = 0o700

/** Files in a folder. */
function diskFiles(folder: string): Files {
  const at = (key: string) => join(folder, key)
  // Loaded when it is first needed: most processes at rest never are asked for a file.
  const disk = once(async () => {
    const [{ Disk }, { FSDriver }] = await Promise.all([
      import('flydrive'),
      import('flydrive/drivers/fs'),
    ])
    await mkdir(folder, { recursive: true, mode: ownerOnly })
    return new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  })
  const remove = async (key: string) => (await disk()).delete(key)
  return {
    async put(key, content) {
      const failed: unknown[] = []
      try {
        await (await disk()).putStream(key, readable(endingEarly(content, failed)))
        if (failed.length > 0) throw failed[0]
        await flush(folder, key)
      } catch (error) {
        await remove(key).catch(ignore)
        throw error
      }
    },
    async read(key, part) {
      return (await open(at(key))).createReadStream(part)
    },
    remove,
    close: async () => {},
  }
}

const ignore = () => {}

/** The driver gives up on a stream that fails without waiting for its own writing, which may then make
 * the file anew after it was removed. It is shown an end instead, and the failure is kept aside. */
async function* endingEarly(content: AsyncIterable<Uint8Array>, failed: unknown[]) {
  try {
    yield* content
  } catch (error) {
    failed.push(error)
  }
}

const readable = (content: AsyncIterable<Uint8Array>) =>
  Readable.from(content, { objectMode: false })

/** Sees to it that a file, and that it is there, outlasts a crash of the machine. */
async function flush(folder: string, key: string): Promise<void> {
  await sync(join(folder, key))
  // Windows keeps its folders by itself, and lets nobody open one.
  if (process.platform === 'win32') return
  for (let path = key; path !== '.'; ) {
    path = dirname(path)
    await sync(join(folder, path))
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const attempts = 3
const attemptPauseMs = 200

/**
 * Files in a bucket. A file comes to rest in a nameless one on this machine first: S3 wants to know a
 * length before the first byte, and what it offers for streams without one holds at least 5 MB of each
 * in memory and leaves hidden pieces behind when it breaks off. So a bucket only ever sees whole files,
 * and can be tried again.
 */
function s3Files(settings: S3Settings, folder: string): Files {
  const { bucket } = settings
  const store = once(() => openBucket(settings))
  return {
    async put(key, content) {
      const handle = await openNameless(folder)
      try {
        let length = 0
        for await (const piece of content) {
          await handle.writeFile(piece)
          length += piece.length
        }
        await sent(store, { key, handle, length })
      } finally {
        await handle.close()
      }
    },
    async read(key, { start, end }) {
      const { client, GetObjectCommand } = await store()
      const Range = `bytes=${start}-${end}`
      const asked = new GetObjectCommand({ Bucket: bucket, Key: key, Range })
      const { Body, ContentLength } = await client.send(asked)
      const content = Body as Readable
      if (ContentLength === end - start + 1) return content
      content.destroy()
      throw new Error(`the store sent ${ContentLength} bytes for ${Range} of ${key}`)
    },
    async remove(key) {
      await (await store()).disk.delete(key)
    },
    close: async () => (await store.opened)?.client.destroy(),
  }
}

type Bucket = Awaited<ReturnType<typeof openBucket>>

async function sent(
  store: () => Promise<Bucket>,
  { key, handle, length }: { key: string; handle: FileHandle; length: number },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const content = readable(contentOf(handle))
      return await (await store()).disk.putStream(key, content, { contentLength: length })
    } catch (error) {
      if (attempt === attempts) throw error
      await setTimeout(attempt * attemptPauseMs)
    }
  }
}

const pieceBytes = 65_536

/** From its beginning, without touching where the handle stands. */
async function* contentOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    const { bytesRead } = await handle.read({ buffer, position })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A new file that has lost its name already: when this process ends, however it ends, it is gone. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: ownerOnly })
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+')
  try {
    await unlink(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The client is some megabytes of code: it is loaded when a bucket is first needed. */
async function openBucket(settings: S3Settings) {
  const [{ Disk }, { S3Driver }, { S3Client, GetObjectCommand }] = await Promise.all([
    import('flydrive'),
    import('flydrive/drivers/s3'),
    import('@aws-sdk/client-s3'),
  ])
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle } = settings
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint } : {}),
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    // What fails is thrown, and logged by who learns of it.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    // Not every store knows the checksums that the client would add by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })
  return { client, GetObjectCommand, disk: new Disk(driver) }
}

/** Opens something when it is first asked for; what failed is tried again. */
function once<T>(open: () => Promise<T>): (() => Promise<T>) & { opened?: Promise<T> } {
  const get: (() => Promise<T>) & { opened?: Promise<T> } = () => {
    get.opened ??= open().catch((error) => {
      delete get.opened
      throw error
    })
    return get.opened
  }
  return get
}
