import type { SiteId } from '../../../kernel/sites.ts'
import { foldText } from '../reading/fold.ts'
import { type Group, type Pattern, patternOf } from '../reading/patterns.ts'
import { Phrases } from '../reading/phrases.ts'
import { wordsOf } from '../reading/words.ts'
import type { ModerationReason } from '../reason.ts'

export const termKinds = ['word', 'domain', 'allowed_word', 'allowed_domain'] as const
export type TermKind = (typeof termKinds)[number]

/** A word or domain of the operator's, refused or allowed. */
export interface Term {
  id: string
  kind: TermKind
  value: string
  /** What it is refused for; null where it is allowed. */
  reason: ModerationReason | null
  /** Null for all sites. */
  siteId: SiteId | null
  note: string | null
  dateCreated: Date
}

/** What a domain is: a reason to refuse it, with the rule that says so, or allowed. */
export type DomainKind = { reason: ModerationReason; rule: string } | 'allowed'

/** The operator's terms as one site reads them. */
export interface SiteTerms {
  words: Phrases
  allowedWords: readonly Pattern[]
  domains: ReadonlyMap<string, DomainKind>
}

/** Made once a version of the terms, and once a site within it. */
export class Terms {
  readonly #terms: readonly Term[]
  readonly #sites = new Map<SiteId, SiteTerms>()

  constructor(terms: readonly Term[]) {
    this.#terms = terms
  }

  of(siteId: SiteId): SiteTerms {
    let made = this.#sites.get(siteId)
    if (!made) {
      made = siteTerms(this.#terms.filter((term) => [null, siteId].includes(term.siteId)))
      this.#sites.set(siteId, made)
    }
    return made
  }
}

export const noTerms = new Terms([])

function siteTerms(terms: readonly Term[]): SiteTerms {
  const domains = new Map<string, DomainKind>()
  const groups: Group[] = []
  const allowedWords: Pattern[] = []
  for (const { id, kind, value, reason } of terms) {
    const rule = `operator:${id}`
    if (kind === 'allowed_domain') domains.set(value, 'allowed')
    else if (kind === 'allowed_word') allowedWords.push(phraseOf(value))
    // Who allows a domain and refuses it on another line means the refusal to be lifted.
    else if (reason && kind === 'domain' && !domains.has(value))
      domains.set(value, { reason, rule })
    else if (reason && kind === 'word') {
      const patterns = [phraseOf(value)]
      groups.push({ reason, rule, writer: undefined, sites: [], patterns, exceptions: [] })
    }
  }
  return { words: new Phrases(groups), allowedWords, domains }
}

/** The words of a term, read the way a message is, so that its tricks lead to the same words. */
function phraseOf(value: string): Pattern {
  return patternOf(termWords(value).join(' '), new Map())
}

export function termWords(value: string): string[] {
  return wordsOf(foldText(value).text).words.map(({ form }) => form)
}
