import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** A file store of its own for a test, and what the test does to it behind the program's back. */
export interface TestFileStore {
  /** The settings that make the program use it. */
  env: Record<string, string>
  /** The keys of all files, sorted. */
  keys(): Promise<string[]>
  /** How many bytes of uploads that are under way lie outside of memory. */
  unfinishedUploadBytes(): number
  /** How many of its files this process holds open (Linux). */
  openFileCount(): number
  deleteFile(key: string): Promise<void>
  /** Until `mend`, everything that is asked of it fails. */
  makeUnavailable(): Promise<void>
  makeAvailable(): Promise<void>
  close(): Promise<void>
}

export async function openFolderStore(): Promise<TestFileStore> {
  const data = mkdtempSync(join(tmpdir(), 'feria-files-'))
  const folder = join(data, 'files')
  const files = () => (existsSync(folder) ? filesIn(folder) : [])
  return {
    env: { FERIA_DATA: data },
    keys: async () => files().map((path) => relative(folder, path)),
    unfinishedUploadBytes: () => files().reduce((sum, path) => sum + statSync(path).size, 0),
    openFileCount: () => openFilesIn(folder).length,
    deleteFile: (key) => rm(join(folder, key)),
    async makeUnavailable() {
      await mkdir(folder, { recursive: true })
      await rename(folder, `${folder}.away`)
      // Permissions would not keep root out; a file where a folder should be does.
      await writeFile(folder, '')
    },
    async makeAvailable() {
      await rm(folder)
      await rename(`${folder}.away`, folder)
    },
    close: async () => rmSync(data, { recursive: true }),
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort()

const bucket = 'feria-files'
/** How that server names the file of an object, beside which it keeps others. */
const objectFileName = '._S3rver_object'
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** A bucket on a server that speaks S3 and checks signatures, with its objects in a folder. */
export async function openBucketStore(): Promise<TestFileStore> {
  const data = mkdtempSync(join(tmpdir(), 'feria-bucket-'))
  const start = async (port: number) => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory: join(data, 'objects'),
      configureBuckets: [{ name: bucket, configs: [] }],
    })
    return { server, address: await server.run() }
  }
  let { server, address } = await start(0)
  const folder = join(data, 'objects', bucket)
  return {
    env: {
      FERIA_DATA: data,
      FERIA_S3_ENDPOINT: `http://127.0.0.1:${address.port}`,
      FERIA_S3_BUCKET: bucket,
      FERIA_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      FERIA_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    async keys() {
      const objects = filesIn(folder).filter((path) => path.endsWith(objectFileName))
      return objects.map((path) => relative(folder, path).slice(0, -objectFileName.length))
    },
    unfinishedUploadBytes: () =>
      openFilesIn(join(data, 'incoming')).reduce((sum, path) => sum + statSync(path).size, 0),
    openFileCount: () => openFilesIn(data).length,
    deleteFile: (key) => rm(join(folder, `${key}${objectFileName}`)),
    makeUnavailable: () => server.close(),
    async makeAvailable() {
      ;({ server, address } = await start(address.port))
    },
    async close() {
      await server.close()
      rmSync(data, { recursive: true })
    },
  }
}

/** What this process holds open in a folder, also under no name, by its descriptors. */
function openFilesIn(folder: string): string[] {
  const descriptors = readdirSync('/proc/self/fd').map((name) => `/proc/self/fd/${name}`)
  return descriptors.filter((path) => {
    try {
      return readlinkSync(path).startsWith(folder)
    } catch {
      // It was closed meanwhile.
      return false
    }
  })
}

export const openTestFileStore = { 'a folder': openFolderStore, 'an S3 bucket': openBucketStore }
