import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFailure, writeFailure } from './failure.ts'

const cluster = '/data/postgres'

test('a start that fails for a known reason is told in one line with the next step', () => {
  const cases: [log: string, says: RegExp][] = [
    [
      'FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device\nchild process exited',
      /disk .* is full\..*df -h \/data$/,
    ],
    ['FATAL:  could not open file: Read-only file system', /read-only file system\. Mount it/],
    [
      '2026-11-23 [7] LOG:  invalid checkpoint record\n2026-11-23 [7] PANIC:  could not locate a valid checkpoint record at 0/1',
      /is damaged \(could not locate a valid checkpoint record at 0\/1\)\. Put a backup/,
    ],
    ['FATAL:  database files are incompatible with server', /another version of PostgreSQL/],
  ]
  for (const [log, says] of cases) {
    const { message } = startFailure({ what: 'Starting the embedded database', cluster, log })
    assert.match(message, says)
    assert.doesNotMatch(message, /\n/)
  }
  const unknown = startFailure({ what: 'Starting it', cluster, log: 'FATAL:  something new' })
  assert.match(
    unknown.message,
    /DATABASE_URL=[^\n]+\nThe end of its log:\nFATAL: {2}something new$/,
  )
})

test('a data folder that takes no files is told with what keeps it from that', () => {
  const cases: [code: string, says: RegExp][] = [
    ['ENOSPC', /\(ENOSPC\)\. The disk is full\. Make room/],
    ['EROFS', /\(EROFS\)\. The file system is read-only/],
    ['EACCES', /sudo chown/],
    ['EIO', /Choose another data directory/],
  ]
  for (const [code, says] of cases) {
    const { message } = writeFailure('/data', Object.assign(new Error('no'), { code }))
    assert.match(message, says)
    assert.equal(/chown/.test(message), code === 'EACCES')
    assert.doesNotMatch(message, /\n/)
  }
})
