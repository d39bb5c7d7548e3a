import { type TestContext, type TestOptions, test } from 'node:test'

/** The chapters and sections of the contract of the HTTP interface (test/contract/promises.json). */
export const contractSections = [
  '1',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '2.5',
  '2.6',
  '2.7',
  '2.8',
  '2.9',
  '2.10',
  '2.11',
  '2.12',
  '2.13',
  '2.14',
  '2.15',
  '2.16',
  '2.17',
  '3.1',
  '3.2',
  '3.3',
  '4',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '5',
  '6',
  '6.1',
  '6.2',
  '6.3',
  '7',
  '7.1',
  '7.2',
  '7.3',
  '7.4',
  '7.5',
  '8',
  '9',
] as const

/** Decisions of our own where the contract is silent, by subject. */
export const silentSections = [
  'errors',
  'orders',
  'messages',
  'notifications',
  'users',
  'catalog',
  'leniency',
] as const

export type Section = (typeof contractSections)[number] | (typeof silentSections)[number]
type TestFn = (t: TestContext) => void | Promise<void>

/**
 * Registers a test that holds sections of the contract: a *guarantee*. `npm run contract`
 * reads it from the source, so sections and name stand as literals in the call. The reported name ends with the
 * sections.
 */
export function contract(sections: Section | readonly Section[], name: string, fn: TestFn): void
export function contract(
  sections: Section | readonly Section[],
  name: string,
  options: TestOptions,
  fn: TestFn,
): void
export function contract(
  sections: Section | readonly Section[],
  name: string,
  ...rest: [TestFn] | [TestOptions, TestFn]
): void {
  const reported = `${name} (${[sections].flat().join(', ')})`
  const [options, fn] = rest.length === 2 ? rest : [{}, rest[0]]
  test(reported, options, fn)
}
