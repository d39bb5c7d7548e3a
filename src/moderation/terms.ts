import { parse } from 'tldts'
import type { SiteId } from '../kernel/sites.ts'
import { foldMessageText } from './fold/fold.ts'
import { type Pattern, patternOf } from './patterns.ts'
import type { PhraseRule } from './phrase-rules.ts'
import { PhraseMatcher } from './phrases.ts'
import type { ModerationReason } from './reason.ts'
import { splitIntoWords } from './text/words.ts'

export const termKinds = ['word', 'domain', 'allowed_word', 'allowed_domain'] as const
type TermKind = (typeof termKinds)[number]

/** A word or domain that the operator refuses or allows. */
export interface ModerationTerm {
  id: string
  kind: TermKind
  value: string
  /** The reason to refuse it; null when it is allowed. */
  reason: ModerationReason | null
  /** Null for all sites. */
  siteId: SiteId | null
  note: string | null
  dateCreated: Date
}

/** A rule that the operator switched off or on. A switch of one site precedes that of all sites. */
export interface RuleSwitch {
  rule: string
  /** Null for all sites. */
  siteId: SiteId | null
  isEnabled: boolean
  note: string | null
  lastUpdated: Date
}

/** What a domain is: allowed, or refused with a reason and the rule. */
export type DomainKind = { reason: ModerationReason; rule: string } | 'allowed'

/** The operator's terms on one site. */
export interface SiteTerms {
  refusedPhrases: PhraseMatcher
  allowedWords: readonly Pattern[]
  domains: ReadonlyMap<string, DomainKind>
}

/** A version of the terms and of the switched rules, prepared for each site on its first use. */
export class ModerationTerms {
  readonly #terms: readonly ModerationTerm[]
  readonly #sites = new Map<SiteId, SiteTerms>()
  /** By rule and site; `*` is all sites. */
  readonly #isEnabled: ReadonlyMap<string, boolean>

  constructor(
    terms: readonly ModerationTerm[],
    switches: readonly Pick<RuleSwitch, 'rule' | 'siteId' | 'isEnabled'>[] = [],
  ) {
    this.#terms = terms
    this.#isEnabled = new Map(
      switches.map(({ rule, siteId, isEnabled }) => [`${rule} ${siteId ?? '*'}`, isEnabled]),
    )
  }

  /** Returns whether matches of a rule do not count on a site. */
  isRuleOff(rule: string, siteId: SiteId): boolean {
    if (this.#isEnabled.size === 0) return false
    const switches = this.#isEnabled
    return !(switches.get(`${rule} ${siteId}`) ?? switches.get(`${rule} *`) ?? true)
  }

  forSite(siteId: SiteId): SiteTerms {
    let prepared = this.#sites.get(siteId)
    if (!prepared) {
      prepared = siteTerms(this.#terms.filter((term) => [null, siteId].includes(term.siteId)))
      this.#sites.set(siteId, prepared)
    }
    return prepared
  }
}

export const noTerms = new ModerationTerms([])

/** Returns the terms of the operator in the form in which texts are checked: words to refuse, words to allow, and
 * domains. */
function siteTerms(terms: readonly ModerationTerm[]): SiteTerms {
  const domains = new Map<string, DomainKind>()
  const groups: PhraseRule[] = []
  const allowedWords: Pattern[] = []
  for (const { id, kind, value, reason } of terms) {
    const rule = `operator:${id}`
    if (kind === 'allowed_domain') domains.set(value, 'allowed')
    else if (kind === 'allowed_word') allowedWords.push(patternOfTerm(value))
    // An allowed domain wins over a refusal of the same domain.
    else if (reason && kind === 'domain' && !domains.has(value))
      domains.set(value, { reason, rule })
    else if (reason && kind === 'word') {
      const patterns = [patternOfTerm(value)]
      groups.push({ reason, rule, writer: undefined, sites: [], patterns, exceptions: [] })
    }
  }
  return { refusedPhrases: new PhraseMatcher(groups), allowedWords, domains }
}

/** Returns the pattern of a term. The words are normalized as those of messages are, so that both match. */
function patternOfTerm(value: string): Pattern {
  return patternOf(termWords(value).join(' '), new Map())
}

export function termWords(value: string): string[] {
  return splitIntoWords(foldMessageText(value).text).words.map(({ form }) => form)
}

/** Returns whether a domain is a public suffix, such as `com.ar`. */
export function isPublicSuffix(domain: string): boolean {
  return parse(domain).domain === null
}
