import { TextInput } from '@mantine/core'
import { useTranslations } from '../../../i18n/text.ts'
import { siteTranslations } from './site-translations.ts'
import type { Account } from './types.ts'

/** Takes the sites that an account or key is limited to. */
export function SitesInput({
  value,
  onChange,
}: {
  value: string
  onChange: (sites: string) => void
}) {
  const t = useTranslations(siteTranslations)
  return (
    <TextInput
      description={t('sitesHint')}
      label={t('sites')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      value={value}
    />
  )
}

/** Returns the sites of a text with commas. Null for an empty one: all sites. The service checks them. */
export function parseSites(text: string): Account['sites'] {
  const sites = text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  return sites.length === 0 ? null : (sites as NonNullable<Account['sites']>)
}

/** Names the sites of an account or key. */
export function SiteNames({ of }: { of: Account['sites'] }) {
  const t = useTranslations(siteTranslations)
  return of === null ? t('allSites') : <span className="mono">{of.join(', ')}</span>
}
