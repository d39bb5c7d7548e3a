import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

export interface ServerLog {
  add(chunk: Buffer): void
  /** Returns the last lines, for the message of a failed start. */
  tail(): string
  close(): void
}

/** Last lines that are kept for error messages. */
const keptLines = 50

/**
 * Opens the log of PostgreSQL: a file, rotated once when it grows too long, and the last lines in memory. Writes are
 * synchronous, so that the last lines are not lost. They are a few lines a day.
 */
export function openServerLog(path: string, { maxBytes = 5_000_000 } = {}): ServerLog {
  let file: number | undefined = openSync(path, 'a', 0o600)
  let bytes = fstatSync(file).size
  let lines: string[] = []

  /** Appends to the log. A full file is renamed to `.1`, which replaces the one before it. */
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
      // The disk is full. PostgreSQL reports that itself, and its log must not end Feria.
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
