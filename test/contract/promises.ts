import { readFileSync } from 'node:fs'
import type { Section } from '../harness/contract.ts'
import type { Guarantee } from './guarantees.ts'

/** A section of the contract with what Feria promises in it. */
export interface PromisedSection {
  /** A section of the contract, a subject on which it is silent, or `sandbox`. */
  section: string
  title: string
  /** A promise of a subject begins with the section that left it open, in parentheses: `(4.3) …`. */
  promises: string[]
}

/** The promises of all sections, in the order of the contract. Written by hand. */
export const promisedSections: readonly PromisedSection[] = JSON.parse(
  readFileSync(new URL('promises.json', import.meta.url), 'utf8'),
)

/** Returns the section of the contract that a promise names in front, or undefined. */
export function openedSection(promise: string): string | undefined {
  return /^\(([\d.]+)\) /.exec(promise)?.[1]
}

/** Returns the guarantees of a section. Those of the sandbox stand at the sections in front of its promises. */
export function guaranteesOf(
  { section, promises }: PromisedSection,
  guarantees: readonly Guarantee[],
): Guarantee[] {
  const tags = section === 'sandbox' ? promises.map(openedSection) : [section]
  const named = new Set(tags)
  return guarantees.filter(({ sections }) => sections.some((tag: Section) => named.has(tag)))
}
