import { LinkifyIt } from 'linkify-it'
import { getHostname, parse } from 'tldts'
import type { ModerationContext, ModerationMatch } from './finding.ts'
import { domains } from './lists/domains.ts'
import type { ModerationReason } from './reason.ts'
import type { DomainKind, SiteTerms } from './terms.ts'
import type { NormalizedText } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'

/** A link or an e-mail address, at a span of the folded text. */
export interface Link extends TextSpan {
  isEmail: boolean
  host: string
  /** What follows the host. */
  path: string
}

/** linkify-it finds where a link ends and accepts any top-level domain; tldts knows which ones exist. */
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true }).tlds(['[a-z]{2,24}'])

/** Longer runs without a space are searched in chunks, so that the time grows linearly with the length. */
const longestChunk = 256

/** Finds the links of a text, also those that are spelled out with "punto com" and "arroba". */
export function linksOf(normalized: NormalizedText): Link[] {
  const links: Link[] = []
  for (const view of normalized.linkTexts) {
    for (const runMatch of view.text.matchAll(/[^\s"<>,;()[\]{}]{4,}/g)) {
      const [run] = runMatch
      if (!/[.@]|:\/\//.test(run)) continue
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
  return { ...span, isEmail: mail, host, path: text.slice(text.indexOf(host) + host.length) }
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
  for (const { isEmail, host, from, to } of links) {
    const kind = isEmail ? undefined : domainKindOf(host, terms.forSite(siteId))
    if (kind !== undefined && kind !== 'allowed') matches.push({ ...kind, from, to })
  }
  const weight = ({ reason }: ModerationMatch) => gravest.indexOf(reason)
  return matches.sort((one, other) => weight(one) - weight(other))
}

/**
 * Returns what a host is. A longer domain precedes a shorter one, then the operator's terms precede the built-in
 * list.
 */
export function domainKindOf(host: string, terms: SiteTerms): DomainKind | undefined {
  for (let suffix = host; suffix !== ''; suffix = suffix.slice(1 + suffix.indexOf('.'))) {
    const kind = terms.domains.get(suffix) ?? listed.get(suffix)
    if (kind) return kind
    if (!suffix.includes('.')) return undefined
  }
  return undefined
}

/** Returns whether a host can exist: its suffix is in the public suffix list, or `.example`. */
export function isRealHost(host: string): boolean {
  const { isIcann, isPrivate, domain } = parse(host)
  return domain !== null && (isIcann === true || isPrivate === true || host.endsWith('.example'))
}

/** Returns whether a domain is a public suffix, such as `com.ar`. */
export function isPublicSuffix(domain: string): boolean {
  return parse(domain).domain === null
}

export const linkRuleByReason: Partial<Record<ModerationReason, string>> = {
  LINK_PLATFORMPAY: 'link.platformpay',
  PLATFORM_LINKS_EXTERNALPAY: 'link.externalpay',
  LINK_SHORT_URL: 'link.short',
  SOCIAL_NETWORK_LINK: 'link.network',
}

const listed: ReadonlyMap<string, DomainKind> = new Map(
  Object.entries(domains).flatMap(([kind, text]) =>
    text
      .trim()
      .split(/\s+/)
      .map((domain): [string, DomainKind] => {
        if (kind === 'allowed') return [domain, 'allowed']
        const reason = kind as ModerationReason
        return [domain, { reason, rule: linkRuleByReason[reason] ?? '' }]
      }),
  ),
)
