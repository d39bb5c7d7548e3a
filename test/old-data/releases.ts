import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as FacetsModule from '../../src/orders/facets.ts'
import { filingVersion, itemSetsSince } from '../../src/orders/facets.ts'
import type * as FoldModule from '../../src/orders/search/counts/apply-changes.ts'
import type * as FilingModule from '../../src/orders/search/filing/reindexer.ts'
import type * as FilingStore from '../../src/orders/search/filing/store.ts'
import type * as LostModule from '../../src/orders/search/filing/store-lost.ts'
import type * as SearchModule from '../../src/orders/search/search.ts'
import type * as OrderStore from '../../src/orders/store.ts'

/** Releases that are made up: this one with another rule for filing orders, loaded beside it. */

const checkout = fileURLToPath(new URL('../..', import.meta.url))

export interface MadeUpRelease {
  version: number
  /** Facets by name, each an expression of `order`; a name of today replaces that facet, null removes it. */
  facets: Readonly<Record<string, string | null>>
  /** Tokens that every item set has besides its words. */
  tokens: readonly string[]
  /** The version that last changed tokens. */
  tokensSince: number
}

/** A release as a process of it would have it in memory. */
export interface LoadedRelease {
  version: number
  facets: typeof FacetsModule
  store: typeof OrderStore
  search: typeof SearchModule
  fold: typeof FoldModule
  filing: typeof FilingModule
  filingStore: typeof FilingStore
  lostOrders: typeof LostModule.lostOrders
}

const modules = {
  facets: 'src/orders/facets.ts',
  store: 'src/orders/store.ts',
  search: 'src/orders/search/search.ts',
  fold: 'src/orders/search/counts/apply-changes.ts',
  filing: 'src/orders/search/filing/reindexer.ts',
  filingStore: 'src/orders/search/filing/store.ts',
  lost: 'src/orders/search/filing/store-lost.ts',
} as const

let sourcePaths: readonly string[] | undefined

/** Returns the sources that a load imports: a twentieth of all. A load fails where this misses one. */
function sources(): readonly string[] {
  sourcePaths ??= withImports(Object.values(modules))
  return sourcePaths
}

function withImports(paths: readonly string[]): string[] {
  const all = new Set(paths)
  // A set that grows while it is walked is walked to its end.
  for (const path of all) {
    const text = readFileSync(join(checkout, path), 'utf8')
    for (const [, imported = ''] of text.matchAll(runtimeImport))
      all.add(join(dirname(path), imported))
  }
  return [...all]
}

/** Imports and exports of other sources, without those of types alone. */
const runtimeImport = /^(?:import|export) (?!type )(?:[^';]* from )?'(\.[^']+)'/gm

/** Loads releases until it is closed. Each load has modules of its own, as each process has. */
export class Releases {
  readonly #folder = mkdtempSync(join(tmpdir(), 'feria-releases-'))
  #loadCount = 0

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async load(release: MadeUpRelease): Promise<LoadedRelease> {
    const root = join(this.#folder, String(++this.#loadCount))
    for (const path of ['package.json', ...sources()]) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      copyFileSync(join(checkout, path), join(root, path))
    }
    symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
    const facets = join(root, 'src', 'orders', 'facets.ts')
    writeFileSync(facets, releaseSource(readFileSync(facets, 'utf8'), release))
    const module = (path: string) => import(pathToFileURL(join(root, path)).href)
    return {
      version: release.version,
      facets: await module(modules.facets),
      store: await module(modules.store),
      search: await module(modules.search),
      fold: await module(modules.fold),
      filing: await module(modules.filing),
      filingStore: await module(modules.filingStore),
      lostOrders: (await module(modules.lost)).lostOrders,
    }
  }
}

/** Returns the source of `facets.ts` with the rule of a release. */
export function releaseSource(
  source: string,
  { version, facets, tokens, tokensSince }: MadeUpRelease,
): string {
  const added = Object.entries(facets).filter(([, expression]) => expression !== null)
  const removed = Object.entries(facets).filter(([, expression]) => expression === null)
  const deletions = removed.map(([name]) => `delete filed['${name}']`)
  const replacements: [string, string][] = [
    [
      `export const filingVersion = ${filingVersion}\n`,
      `export const filingVersion = ${version}\n`,
    ],
    [
      `export const itemSetsSince = ${itemSetsSince}\n`,
      `export const itemSetsSince = ${tokensSince}\n`,
    ],
    [
      'export function facetsOf(order: Order): Facets {',
      'function factsOf(order: Order): Facets {',
    ],
    [
      'function uniqueMediations(',
      `export function facetsOf(order: Order): Facets {
        const filed = { ...factsOf(order), ${added.map((each) => each.join(': ')).join(', ')} }
        ${deletions.join('\n')}
        return filed
      }
      function uniqueMediations(`,
    ],
    ['words: wordsOf(', `words: wordsOf('${tokens.join(' ')} ' + `],
  ]
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`there is no ${from} in the source`)
    return text.replace(from, () => to)
  }, source)
}
