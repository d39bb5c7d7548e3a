import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { ApiClient } from '../src/cli/client/client.ts'
import { openBucketStore } from '../test/harness/file-stores.ts'
import { issueToken, putUser } from '../test/harness/market.ts'
import { mainFile, makeFolder, median, residentBytes, startServer } from './measure.ts'
import type { Figure } from './run.ts'

const operatorToken = 'the-operator-token-of-the-benchmark'
const userId = 1001
const boundary = 'boundary-of-the-benchmark'

/**
 * Uploads at once, each as long as one may be: how far the program's memory rises above what it holds
 * at rest, with its files in a folder, and in a bucket of a server in this process.
 */
export async function uploads({ short }: { short: boolean }): Promise<Figure[]> {
  const rounds = short ? 1 : 3
  const folder: UploadRound[] = []
  const bucket: UploadRound[] = []
  for (let round = 1; round <= rounds; round++) {
    folder.push(await measure('folder', {}, short))
    const store = await openBucketStore()
    try {
      bucket.push(await measure('bucket', store.env, short))
    } finally {
      await store.close()
    }
  }
  return [
    { name: 'uploads.growth_mb', value: median(folder.map(({ growth }) => growth)), unit: 'MB' },
    { name: 'uploads.rate', value: median(folder.map(({ rate }) => rate)), unit: 'MB/s' },
    {
      name: 'uploads.bucket_growth_mb',
      value: median(bucket.map(({ growth }) => growth)),
      unit: 'MB',
    },
  ]
}

interface UploadRound {
  growth: number
  rate: number
}

async function measure(
  where: string,
  env: Record<string, string>,
  short: boolean,
): Promise<UploadRound> {
  const atOnce = short ? 4 : 40
  const bytes = short ? 1024 * 1024 : 25 * 1024 * 1024
  const folder = makeFolder()
  const server = await startServer([mainFile, 'start'], {
    ...env,
    FERIA_DATA: folder.path,
    FERIA_DEMO: 'off',
    FERIA_LOG_LEVEL: 'warn',
    FERIA_OPERATOR_TOKEN: operatorToken,
  })
  try {
    const token = await openUser(server.address)
    await new Promise((resolve) => setTimeout(resolve, short ? 500 : 5_000))
    const idle = residentBytes(server.pid)
    resetPeakMemory(server.pid)
    const began = performance.now()
    // Two kinds, as each is looked through in its own way.
    const sending = Array.from({ length: atOnce }, (_, index) =>
      upload(server.address, { token, bytes, isPdf: index % 2 === 0 }),
    )
    await Promise.all(sending)
    const rate = (atOnce * bytes) / 1e3 / (performance.now() - began)
    const growth = (peakBytes(server.pid) - idle) / 1e6
    process.stdout.write(
      `${where}: ${Math.round(idle / 1e6)} MB at rest, ${Math.round(growth)} MB more, ${Math.round(rate)} MB/s\n`,
    )
    return { growth, rate }
  } finally {
    await server.stop()
    folder.remove()
  }
}

async function openUser(address: string): Promise<string> {
  const client = new ApiClient(address, operatorToken, '/operator')
  await putUser(client, userId)
  return issueToken(client, { user_id: userId })
}

/** One piece that all uploads send again and again, so that this process holds none of them either. */
const uploadChunk = Buffer.alloc(64 * 1024, 'contents of a file, line by line\n')

function upload(
  address: string,
  { token, bytes, isPdf }: { token: string; bytes: number; isPdf: boolean },
): Promise<void> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const begin = Buffer.from(isPdf ? '%PDF-1.4\n' : '')
  return new Promise((resolve, reject) => {
    const sending = request(`${address}/messages/attachments?site_id=MLA`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`an upload was answered with ${response.statusCode}`))
      })
    })
    sending.write(head)
    sending.write(begin)
    let remainingBytes = bytes - begin.length
    const send = () => {
      while (remainingBytes > 0) {
        const next = uploadChunk.subarray(0, remainingBytes)
        remainingBytes -= next.length
        if (!sending.write(next)) return void sending.once('drain', send)
      }
      sending.end(`\r\n--${boundary}--\r\n`)
    }
    send()
  })
}

/** Lets the kernel measure the peak of a process from now on (Linux). */
function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Elsewhere the figure is not a number anyway.
  }
}

function peakBytes(pid: number): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(match?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
