import type { Line } from '../../http/bodies/line-splitter.ts'
import type { CatalogSource } from '../source/source.ts'
import { checkTree } from './check-tree.ts'
import { assignNumbers, type CategoryNumber } from './numbers.ts'
import { type CatalogFile, catalogFiles, Problems, quoted } from './problems.ts'
import { type AttributeRow, limits, type Rows, readRow } from './rows.ts'
import { attributeOf, categoryOf, domainOf } from './serialize.ts'

type DraftLine<Row> = { row: Row; line: number }

/** A valid catalog, and the numbers that it assigns for the first time. */
export interface NumberedCatalog {
  source: CatalogSource
  newNumbers: readonly CategoryNumber[]
}

/** A catalog that is read line by line, with its problems. Call `begin` for each file, `take` for each of its lines,
 * `close` after the last file, and then `finish`. */
export class CatalogDraft {
  readonly problems = new Problems()
  readonly #categories: DraftLine<Rows['categories']>[] = []
  readonly #attributes: DraftLine<Rows['attributes']>[] = []
  readonly #domains: DraftLine<Rows['domains']>[] = []
  readonly #begun = new Set<CatalogFile>()
  /** The line numbers of keys and ids, by file. */
  readonly #lines = new Map(catalogFiles.map((file) => [file, new Map<string, number>()]))
  /** Files with unreadable lines. References to them are not checked. */
  readonly #broken = new Set<CatalogFile>()
  #values = 0

  /** Begins a file. Returns false if there was one of this name before. */
  beginFile(file: CatalogFile): boolean {
    const isFirst = !this.#begun.has(file)
    if (!isFirst) this.problems.add({ file, line: null }, 'file', 'one such file, not several')
    this.#begun.add(file)
    return isFirst
  }

  addLine(file: CatalogFile, line: Line): void {
    if (file === 'categories') this.#keep(file, line, this.#categories, ({ key }) => key)
    if (file === 'attributes') this.#keep(file, line, this.#attributes, ({ id }) => id)
    if (file === 'domains') this.#keep(file, line, this.#domains, ({ id }) => id)
  }

  /** Adds a row unless it is invalid, a duplicate, or one too many. Each of these is recorded as a problem of its
   * line. */
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

  /** Checks the references between the files. Call it after all files are read. */
  checkReferences(): void {
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

  /** Returns the catalog, or its problems. `assigned` are the numbers assigned before. */
  build(assigned: Iterable<CategoryNumber>, now: Date): NumberedCatalog | Problems {
    const problems = new Problems(this.problems)
    const { byKey, newNumbers } = assignNumbers(this.#categories, { assigned, now, problems })
    if (problems.count > 0) return problems
    const source = {
      categories: this.#categories.map(({ row }) =>
        categoryOf(row, byKey.get(row.key) as CategoryNumber),
      ),
      attributes: this.#attributes.map(({ row }) => attributeOf(row)),
      domains: this.#domains.map(({ row }) => domainOf(row)),
    }
    return { source, newNumbers: newNumbers }
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

  /** Checks that units and values of attributes fit their types. */
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
    const attributes = this.#broken.has('attributes') ? undefined : this.#lines.get('attributes')
    for (const { row, line } of this.#domains) {
      const at = { file: 'domains', line } as const
      for (const [index, { id }] of row.attributes.entries()) {
        if (!attributes || attributes.has(id)) continue
        const expected = `an attribute of this catalogue, it has no ${quoted(id)}`
        this.problems.add(at, `attributes[${index}].id`, expected)
      }
      this.#checkTwice(at, 'attributes', row.attributes)
    }
  }

  #checkTwice(
    at: { file: CatalogFile; line: number },
    field: string,
    rows: readonly Pick<AttributeRow, 'id'>[],
  ): void {
    const ids = new Set<string>()
    for (const [index, { id }] of rows.entries()) {
      if (ids.has(id)) this.problems.add(at, `${field}[${index}].id`, 'each id once')
      ids.add(id)
    }
  }
}
