import { LinkifyIt } from 'linkify-it'
import { getHostname, parse } from 'tldts'
import type { ModerationContext, ModerationMatch } from '../finding.ts'
import { domains } from '../lists/domains.ts'
import type { NormalizedText } from '../reading/reading.ts'
import type { TextSpan } from '../reading/view.ts'
import type { ModerationReason } from '../reason.ts'
import type { DomainKind, SiteTerms } from '../terms/terms.ts'

/** A link or an e-mail address, at a place of the folded text. */
export interface Link extends TextSpan {
  mail: boolean
  host: string
  /** What follows the host. */
  path: string
}

/** Which endings there are is what tldts knows: linkify-it only has to see where a link ends. */
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true }).tlds(['[a-z]{2,24}'])

/** A longer run without a space is looked at in parts: the time stays in proportion to the length. */
const longestChunk = 256

/** The links of a text, and of the text as it reads with its "punto com" and "arroba" spelled out. */
export function linksOf(reading: NormalizedText): Link[] {
  const links: Link[] = []
  for (const view of reading.views) {
    for (const found of view.text.matchAll(/[^\s"<>,;()[\]{}]{4,}/g)) {
      const [run] = found
      if (!/[.@]|:\/\//.test(run)) continue
      for (let at = 0; at < run.length; at += longestChunk) {
        const chunk = run.slice(at, at + longestChunk)
        for (const match of linkify.match(chunk) ?? []) {
          const index = found.index + at + match.index
          const place = view.placeOf(index, index + match.text.length)
          const link = linkOf(match.text, place)
          if (link) links.push(link)
        }
      }
    }
  }
  return links
}

function linkOf(text: string, place: TextSpan): Link | undefined {
  const host = getHostname(text.replace(/^mailto:/, ''), { extractHostname: true })
  if (!host) return undefined
  const mail = /^(mailto:)?[^/\s@]+@/.test(text)
  return { ...place, mail, host, path: text.slice(text.indexOf(host) + host.length) }
}

const gravest: readonly ModerationReason[] = [
  'LINK_PLATFORMPAY',
  'PLATFORM_LINKS_EXTERNALPAY',
  'LINK_SHORT_URL',
  'SOCIAL_NETWORK_LINK',
]

/** Links to where none may lead, the gravest first. */
export function refusedLinks(
  links: readonly Link[],
  { terms, siteId }: ModerationContext,
): ModerationMatch[] {
  const offences: ModerationMatch[] = []
  for (const { mail, host, from, to } of links) {
    const kind = mail ? undefined : kindOfHost(host, terms.of(siteId))
    if (kind !== undefined && kind !== 'allowed') offences.push({ ...kind, from, to })
  }
  const weight = ({ reason }: ModerationMatch) => gravest.indexOf(reason)
  return offences.sort((one, other) => weight(one) - weight(other))
}

/** What a host is: the operator's word before the list, a longer domain before a shorter one. */
export function kindOfHost(host: string, terms: SiteTerms): DomainKind | undefined {
  for (let suffix = host; suffix !== ''; suffix = suffix.slice(1 + suffix.indexOf('.'))) {
    const kind = terms.domains.get(suffix) ?? listed.get(suffix)
    if (kind) return kind
    if (!suffix.includes('.')) return undefined
  }
  return undefined
}

/** Whether there can be such a host: its ending is one that is given out. */
export function isRealHost(host: string): boolean {
  const { isIcann, isPrivate, domain } = parse(host)
  return domain !== null && (isIcann === true || isPrivate === true || host.endsWith('.example'))
}

/** Whether many unrelated ones share it: `com.ar`. */
export function isSharedEnding(domain: string): boolean {
  return parse(domain).domain === null
}

const ruleOf: Partial<Record<ModerationReason, string>> = {
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
        return [domain, { reason, rule: ruleOf[reason] ?? '' }]
      }),
  ),
)
