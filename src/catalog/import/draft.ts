import type { Line } from '../../http/bodies/cut.ts'
import type { CatalogSource } from '../source/source.ts'
import { type Given, numberAll } from './numbers.ts'
import { type CatalogFile, catalogFiles, Problems, quoted } from './problems.ts'
import { type AttributeRow, limits, type Rows, readRow } from './rows.ts'
import { attributeOf, categoryOf, domainOf } from './translate.ts'
import { checkTree } from './tree.ts'

type DraftLine<Row> = { row: Row; line: number }

/** A catalogue as it was read, sound in itself, and the numbers that it gives for the first time. */
export interface Drafted {
  source: CatalogSource
  fresh: readonly Given[]
}

/** A catalogue while it is read, line by line, with all that is wrong with it: `begin` a file, `take` its
 * lines, `close` it behind the last one, `finish`. */
export class Draft {
  readonly problems = new Problems()
  readonly #categories: DraftLine<Rows['categories']>[] = []
  readonly #attributes: DraftLine<Rows['attributes']>[] = []
  readonly #domains: DraftLine<Rows['domains']>[] = []
  readonly #begun = new Set<CatalogFile>()
  /** By file: where each key or id stands. */
  readonly #lines = new Map(catalogFiles.map((file) => [file, new Map<string, number>()]))
  /** Files with lines that could not be read: what refers to one of them is not judged. */
  readonly #broken = new Set<CatalogFile>()
  #values = 0

  /** A file begins. False where there was one of this name before. */
  begin(file: CatalogFile): boolean {
    const isFirst = !this.#begun.has(file)
    if (!isFirst) this.problems.add({ file, line: null }, 'file', 'one such file, not several')
    this.#begun.add(file)
    return isFirst
  }

  take(file: CatalogFile, line: Line): void {
    if (file === 'categories') this.#keep(file, line, this.#categories, ({ key }) => key)
    if (file === 'attributes') this.#keep(file, line, this.#attributes, ({ id }) => id)
    if (file === 'domains') this.#keep(file, line, this.#domains, ({ id }) => id)
  }

  #keep<File extends CatalogFile>(
    file: File,
    { number: line, ...rest }: Line,
    rows: DraftLine<Rows[File]>[],
    nameOf: (row: Rows[File]) => string,
  ): void {
    const row = readRow(file, { number: line, ...rest }, this.problems)
    if (!row) return void this.#broken.add(file)
    const lines = this.#lines.get(file) as Map<string, number>
    const name = nameOf(row)
    const before = lines.get(name)
    const field = file === 'categories' ? 'key' : 'id'
    if (before !== undefined) {
      const expected = `another one, line ${before} has ${quoted(name)} already`
      this.problems.add({ file, line }, field, expected)
    } else if (rows.length < limits[file]) {
      lines.set(name, line)
      rows.push({ row, line })
    } else {
      this.problems.add({ file, line }, 'file', `at most ${limits[file]} lines`)
      this.#broken.add(file)
    }
  }

  /** All files are read: looks at how they hang together. */
  close(): void {
    for (const file of catalogFiles) {
      const at = { file, line: null }
      if (this.#begun.has(file)) continue
      this.problems.add(at, 'file', 'a file of this name')
      this.#broken.add(file)
    }
    this.#checkAttributes()
    this.#checkDomains()
    this.#checkCategories()
  }

  /** The catalogue, or all that is wrong with it. `known` are the numbers that were given before. */
  finish(known: Iterable<Given>, now: Date): Drafted | Problems {
    const problems = new Problems(this.problems)
    const { byKey, fresh } = numberAll(this.#categories, { known, now, problems })
    if (problems.count > 0) return problems
    const source = {
      categories: this.#categories.map(({ row }) => categoryOf(row, byKey.get(row.key) as Given)),
      attributes: this.#attributes.map(({ row }) => attributeOf(row)),
      domains: this.#domains.map(({ row }) => domainOf(row)),
    }
    return { source, fresh }
  }

  #checkCategories(): void {
    const { problems } = this
    if (this.#broken.has('categories')) return
    if (this.#categories.length === 0) {
      problems.add({ file: 'categories', line: null }, 'file', 'one category at least')
    }
    const domains = this.#broken.has('domains') ? undefined : this.#lines.get('domains')
    checkTree(this.#categories, { domains, problems })
  }

  #checkAttributes(): void {
    for (const { row, line } of this.#attributes) {
      const at = { file: 'attributes', line } as const
      const { value_type: type, units = [], values = [] } = row
      if (type === 'number_unit' && units.length === 0) {
        this.problems.add(at, 'units', 'one unit at least, of a number_unit')
      }
      if (type !== 'number_unit' && units.length > 0) {
        this.problems.add(at, 'units', `none, a ${type} is not measured`)
      }
      if (type === 'boolean' && values.length > 0) {
        this.problems.add(at, 'values', 'none, a boolean is yes or no')
      }
      this.#checkTwice(at, 'values', values)
      this.#values += values.length
      if (this.#values <= limits.values) continue
      this.problems.add(at, 'values', `at most ${limits.values} values in all`)
      return
    }
  }

  #checkDomains(): void {
    const known = this.#broken.has('attributes') ? undefined : this.#lines.get('attributes')
    for (const { row, line } of this.#domains) {
      const at = { file: 'domains', line } as const
      for (const [index, { id }] of row.attributes.entries()) {
        if (!known || known.has(id)) continue
        const expected = `an attribute of this catalogue, it has no ${quoted(id)}`
        this.problems.add(at, `attributes[${index}].id`, expected)
      }
      this.#checkTwice(at, 'attributes', row.attributes)
    }
  }

  #checkTwice(
    at: { file: CatalogFile; line: number },
    field: string,
    all: readonly Pick<AttributeRow, 'id'>[],
  ): void {
    const seen = new Set<string>()
    for (const [index, { id }] of all.entries()) {
      if (seen.has(id)) this.problems.add(at, `${field}[${index}].id`, 'each id once')
      seen.add(id)
    }
  }
}
