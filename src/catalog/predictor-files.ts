import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../platform/log.ts'
import type { TableStore } from '../predictor/tables.ts'

/** The rules and the word lists that tables are built by. */
const rulesFolders = ['../predictor', '../../catalog/words'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
)
/** Tables that are kept: those of the active catalog, and of the one before, to which an operator may go back. */
const keptFiles = 2

/** Keeps the tables of predictors in a folder, each file named by what it was built from. */
export class PredictorFiles implements TableStore {
  readonly #folder: string
  readonly #log: Log

  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  /** Returns a digest of the files of the predictor, so that any change of a rule or a list builds the tables anew. */
  async rulesDigest(): Promise<string> {
    const listings = rulesFolders.map((folder) =>
      readdir(folder, { recursive: true, withFileTypes: true }),
    )
    const files = (await Promise.all(listings))
      .flat()
      .filter((entry) => entry.isFile() && !/\.test\.ts$|\.md$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
    const hash = createHash('sha256')
    for (const text of await Promise.all(files.map((file) => readFile(file)))) hash.update(text)
    return hash.digest('hex')
  }

  async read(digest: string): Promise<Uint8Array | undefined> {
    return readFile(this.#pathOf(digest)).catch(() => undefined)
  }

  /** Writes a file as a whole or not at all. Several processes may write the same one. A failure is logged, because each
   * start then builds the tables again. */
  async write(digest: string, pieces: readonly Uint8Array[]): Promise<void> {
    try {
      await this.#writeFile(digest, pieces)
    } catch (error) {
      this.#log.warn(
        { err: error },
        'the tables of predictors could not be written: each start builds them',
      )
      throw error
    }
  }

  async #writeFile(digest: string, pieces: readonly Uint8Array[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const unfinished = `${this.#pathOf(digest)}.${process.pid}.unfinished`
    try {
      await writeFile(unfinished, pieces)
      await rename(unfinished, this.#pathOf(digest))
    } finally {
      await rm(unfinished, { force: true })
    }
    await this.#removeOld(digest)
  }

  #pathOf(digest: string): string {
    return join(this.#folder, `${digest.slice(0, 32)}.tables`)
  }

  /** Removes files beyond the kept ones. Which of the others stays does not matter: each can be built again. */
  async #removeOld(digest: string): Promise<void> {
    const others = (await readdir(this.#folder))
      .filter((name) => name.endsWith('.tables'))
      .map((name) => join(this.#folder, name))
      .filter((path) => path !== this.#pathOf(digest))
    for (const path of others.slice(keptFiles - 1)) await rm(path, { force: true })
  }
}
