import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

export interface ServerLog {
  add(chunk: Buffer): void
  /** the last lines, for the message of a start that failed */
  tail(): string
  close(): void
}

const keptLines = 50

/**
 * The log of PostgreSQL: a file that is put aside (one generation) when it grows too long, and its
 * last lines in memory. Written synchronously: it is a few lines a day, and the last ones before an
 * end must not be lost.
 */
export function openServerLog(path: string, { maxBytes = 5_000_000 } = {}): ServerLog {
  let file: number | undefined = openSync(path, 'a', 0o600)
  let bytes = fstatSync(file).size
  let lines: string[] = []

  function write(chunk: Buffer): void {
    if (file === undefined) return
    try {
      if (bytes + chunk.length > maxBytes) {
        closeSync(file)
        file = undefined
        renameSync(path, `${path}.1`)
        file = openSync(path, 'a', 0o600)
        bytes = 0
      }
      bytes += writeSync(file, chunk)
    } catch {
      // A full disk: PostgreSQL will say so itself, and its log must not end Feria.
    }
  }

  return {
    add(chunk) {
      write(chunk)
      const partial = lines.pop() ?? ''
      lines = [...lines, ...(partial + chunk.toString('utf8')).split('\n')].slice(-keptLines - 1)
    },
    tail: () => lines.join('\n').trim(),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
