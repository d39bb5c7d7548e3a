import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** A file store of its own for a test, and what the test does to it behind the program's back. */
export interface TestStore {
  /** The settings that make the program use it. */
  env: Record<string, string>
  /** The keys of all files, sorted. */
  keys(): Promise<string[]>
  /** How many bytes of uploads that are under way lie outside of memory. */
  underWay(): number
  /** How many of its files this process holds open (Linux). */
  held(): number
  lose(key: string): Promise<void>
  /** Until `mend`, everything that is asked of it fails. */
  break(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function openFolder(): Promise<TestStore> {
  const data = mkdtempSync(join(tmpdir(), 'feria-files-'))
  const folder = join(data, 'files')
  const files = () => (existsSync(folder) ? filesIn(folder) : [])
  return {
    env: { FERIA_DATA: data },
    keys: async () => files().map((path) => relative(folder, path)),
    underWay: () => files().reduce((sum, path) => sum + statSync(path).size, 0),
    held: () => heldIn(folder).length,
    lose: (key) => rm(join(folder, key)),
    async break() {
      await mkdir(folder, { recursive: true })
      await rename(folder, `${folder}.away`)
      // Permissions would not keep root out; a file where a folder should be does.
      await writeFile(folder, '')
    },
    async mend() {
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
const object = '._S3rver_object'
const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** A bucket on a server that speaks S3 and checks signatures, with its objects in a folder. */
export async function openBucket(): Promise<TestStore> {
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
      FERIA_S3_ACCESS_KEY_ID: key.accessKeyId,
      FERIA_S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    },
    async keys() {
      const objects = filesIn(folder).filter((path) => path.endsWith(object))
      return objects.map((path) => relative(folder, path).slice(0, -object.length))
    },
    underWay: () =>
      heldIn(join(data, 'incoming')).reduce((sum, path) => sum + statSync(path).size, 0),
    held: () => heldIn(data).length,
    lose: (key) => rm(join(folder, `${key}${object}`)),
    break: () => server.close(),
    async mend() {
      ;({ server, address } = await start(address.port))
    },
    async close() {
      await server.close()
      rmSync(data, { recursive: true })
    },
  }
}

/** What this process holds open in a folder, also under no name, by its descriptors. */
function heldIn(folder: string): string[] {
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

export const stores = { 'a folder': openFolder, 'an S3 bucket': openBucket }
