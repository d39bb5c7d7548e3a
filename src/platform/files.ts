import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Config, S3Settings } from './config.ts'

/** The store of uploaded files: a folder, or a bucket of an S3-compatible store. A key is a path of ASCII letters,
 * digits, `-`, `_`, `.` and `/`. */
export interface FileStore {
  /** Stores a file. Resolves once it would survive a crash of the machine. Throws if the store or `content` fails; then
   * the file does not exist. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads the bytes from `start` to `end`, both inclusive. Throws if the file does not exist. */
  read(key: string, part: { start: number; end: number }): Promise<Readable>
  /** Deletes a file, if it exists. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}

/** Opens the file store of the settings. */
export function openFileStore({ dataDirectory, files: { s3 } }: Config): FileStore {
  return s3 ? s3Files(s3, join(dataDirectory, 'incoming')) : diskFiles(join(dataDirectory, 'files'))
}

/** Mode of folders that only the account of this program may open. */
const ownerOnly = 0o700

/** Returns a store in a folder. */
function diskFiles(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key)
  // Loaded on first use, because most processes never read or write a file.
  const disk = lazy(async () => {
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
      return (await open(pathOf(key))).createReadStream(part)
    },
    remove,
    close: async () => {},
  }
}

const ignore = () => {}

/** Ends a failing stream early and stores its error in `failed`. The driver does not wait for its own writes after an
 * error, and could create the file again after it was removed. */
async function* endingEarly(content: AsyncIterable<Uint8Array>, failed: unknown[]) {
  try {
    yield* content
  } catch (error) {
    failed.push(error)
  }
}

const readable = (content: AsyncIterable<Uint8Array>) =>
  Readable.from(content, { objectMode: false })

/** Syncs a file and its folders to disk, so that it survives a crash of the machine. */
async function flush(folder: string, key: string): Promise<void> {
  await sync(join(folder, key))
  // Windows cannot open folders, and NTFS journals them itself.
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
 * Returns a store in a bucket. A file is first written to an unnamed local file: S3 needs the length in advance, and
 * its multipart uploads take 5 MB of memory each and leave hidden parts behind when interrupted. So the bucket
 * receives only whole files, and an upload can be retried.
 */
function s3Files(settings: S3Settings, folder: string): FileStore {
  const { bucket } = settings
  const store = lazy(() => openBucket(settings))
  return {
    async put(key, content) {
      const handle = await openUnnamed(folder)
      try {
        let length = 0
        for await (const piece of content) {
          await handle.writeFile(piece)
          length += piece.length
        }
        await upload(store, { key, handle, length })
      } finally {
        await handle.close()
      }
    },
    async read(key, { start, end }) {
      const { client, GetObjectCommand } = await store()
      const Range = `bytes=${start}-${end}`
      const command = new GetObjectCommand({ Bucket: bucket, Key: key, Range })
      const { Body, ContentLength } = await client.send(command)
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

/** Uploads a file from its handle. A failed attempt is repeated with a growing pause. */
async function upload(
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

/** Files are read in pieces of this size. */
const pieceBytes = 65_536

/** Yields the content of a file from its beginning, without moving the position of the handle. */
async function* contentOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    const { bytesRead } = await handle.read({ buffer, position })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Opens a new file and unlinks its name at once, so that it disappears with this process. */
async function openUnnamed(folder: string): Promise<FileHandle> {
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

/** Loads the S3 client, some megabytes of code, and opens the bucket. */
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
    // Errors are thrown, and the caller logs them.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    // Not every store supports the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })
  return { client, GetObjectCommand, disk: new Disk(driver) }
}

/** Returns a function that opens something on first use. After a failure, the next call tries again. */
function lazy<T>(open: () => Promise<T>): (() => Promise<T>) & { opened?: Promise<T> } {
  const get: (() => Promise<T>) & { opened?: Promise<T> } = () => {
    get.opened ??= open().catch((error) => {
      delete get.opened
      throw error
    })
    return get.opened
  }
  return get
}
