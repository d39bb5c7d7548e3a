import { LinkifyIt } from 'linkify-it'
import { getHostname, parse } from 'tldts'
import type { ModerationContext, ModerationMatch } from './decision.ts'
import { type DomainSection, wordTables } from './lists/word-tables.ts'
import type { ModerationReason } from './reason.ts'
import type { DomainKind, SiteTerms } from './terms.ts'
import type { NormalizedText } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'
import { lettersFor } from './text/words.ts'

/** A link or an e-mail address, at a span of the folded text. */
export interface Link extends TextSpan {
  isEmail: boolean
  host: string
  /** What follows the host. */
  path: string
  /** The host of what looks like an e-mail address, if its @ stands for a letter: `p@y.feria.example/a`. */
  readAsHost?: string | undefined
}

/** linkify-it finds where a link ends and accepts any top-level domain; tldts knows which ones exist. */
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true }).tlds(['[a-z]{2,24}'])

/** Longer runs without a space are searched in chunks, so that the time grows linearly with the length. */
const longestChunk = 256

/** An address has an @, a scheme, or a full stop before a top-level domain. */
const mayHoldLink = /@|:\/\/|\.[^.\s]/

/** Finds the links of a text, also those that are spelled out with "punto com" and "arroba". */
export function linksOf(normalized: NormalizedText): Link[] {
  const links: Link[] = []
  for (const view of normalized.linkTexts) {
    if (!mayHoldLink.test(view.text)) continue
    for (const runMatch of view.text.matchAll(/[^\s"<>,;()[\]{}]{4,}/g)) {
      const [run] = runMatch
      if (!mayHoldLink.test(run)) continue
      for (let at = 0; at < run.length; at += longestChunk) {
        const chunk = run.slice(at, at + longestChunk)
        for (const match of linkify.match(chunk) ?? []) {
          const index = runMatch.index + at + match.index
          const span = view.spanOf(index, index + match.text.length)
          const link = linkOf(match.text, span)
          if (link) links.push(link)
        }
      }
    }
  }
  return links
}

function linkOf(text: string, span: TextSpan): Link | undefined {
  const host = getHostname(text.replace(/^mailto:/, ''), { extractHostname: true })
  if (!host) return undefined
  const mail = /^(mailto:)?[^/\s@]+@/.test(text)
  const path = text.slice(text.indexOf(host) + host.length)
  const readAsHost = mail
    ? text.replace('@', 'a').slice(0, text.indexOf(host) + host.length)
    : undefined
  return { ...span, isEmail: mail, host, path, readAsHost }
}

const gravest: readonly ModerationReason[] = [
  'LINK_PLATFORMPAY',
  'PLATFORM_LINKS_EXTERNALPAY',
  'LINK_SHORT_URL',
  'SOCIAL_NETWORK_LINK',
]

/** Returns the links to refused domains, the gravest reason first. */
export function refusedLinks(
  links: readonly Link[],
  { terms, siteId }: ModerationContext,
): ModerationMatch[] {
  const matches: ModerationMatch[] = []
  for (const { isEmail, host, readAsHost, from, to } of links) {
    const siteTerms = terms.forSite(siteId)
    const kind = isEmail
      ? ownKindOf(readAsHost ?? '', siteTerms)
      : kindOfWrittenHost(host, siteTerms)
    if (kind !== undefined && kind !== 'allowed') matches.push({ ...kind, from, to })
  }
  const weight = ({ reason }: ModerationMatch) => gravest.indexOf(reason)
  return matches.sort((one, other) => weight(one) - weight(other))
}

/** Returns the links to domains that are allowed, and the e-mail addresses there. */
export function allowedLinks(
  links: readonly Link[],
  { terms, siteId }: ModerationContext,
): readonly TextSpan[] {
  if (links.length === 0) return links
  const siteTerms = terms.forSite(siteId)
  return links.filter(({ host }) => kindOfWrittenHost(host, siteTerms) === 'allowed')
}

/**
 * Returns what a host is, also when digits stand for letters in it (`p4y.feria.example`) or when a word before a
 * spelled-out address was taken for its first letter (`a p a y . feria`), or a scheme without its signs
 * (`httpspay.feria.example`).
 */
function kindOfWrittenHost(host: string, terms: SiteTerms): DomainKind | undefined {
  const kind = domainKindOf(host, terms)
  const isListed = kind !== 'allowed' || ownKindOf(host, terms) === 'allowed'
  if (kind !== undefined && isListed) return kind
  const readings = [
    domainKindOf(lettersFor(host), terms),
    /^[aeoy]/.test(host) ? ownKindOf(host.slice(1), terms) : undefined,
    /^https?./.test(host) ? domainKindOf(host.replace(/^https?/, ''), terms) : undefined,
  ]
  return readings.find((reading) => reading !== undefined && reading !== 'allowed') ?? kind
}

/**
 * Returns what a host is. A longer domain precedes a shorter one, then the operator's terms precede the built-in
 * list.
 */
export function domainKindOf(host: string, terms: SiteTerms): DomainKind | undefined {
  for (let suffix = host; suffix !== ''; suffix = suffix.slice(1 + suffix.indexOf('.'))) {
    const kind = ownKindOf(suffix, terms)
    if (kind) return kind
    if (!suffix.includes('.')) return undefined
  }
  return undefined
}

/** Returns what a domain itself is listed as. */
function ownKindOf(domain: string, terms: SiteTerms): DomainKind | undefined {
  return terms.domains.get(domain) ?? listedKindOf(domain)
}

/** Returns whether a host can exist: its suffix is in the public suffix list, or `.example`. */
export function isRealHost(host: string): boolean {
  const { isIcann, isPrivate, domain } = parse(host)
  return domain !== null && (isIcann === true || isPrivate === true || host.endsWith('.example'))
}

const kindBySection: Readonly<Record<DomainSection, DomainKind>> = {
  allowed: 'allowed',
  link_platformpay: { reason: 'LINK_PLATFORMPAY', rule: 'link.platformpay' },
  platform_links_externalpay: { reason: 'PLATFORM_LINKS_EXTERNALPAY', rule: 'link.externalpay' },
  link_short_url: { reason: 'LINK_SHORT_URL', rule: 'link.short' },
  social_network_link: { reason: 'SOCIAL_NETWORK_LINK', rule: 'link.network' },
}

/** The rules about listed domains. */
export const linkRules: readonly { reason: ModerationReason; rule: string }[] = Object.values(
  kindBySection,
).filter((kind) => kind !== 'allowed')

function listedKindOf(domain: string): DomainKind | undefined {
  const section = wordTables().domains.get(domain)
  return section && kindBySection[section]
}
