import '../operator.css'
import { Link } from '@tanstack/react-router'
import { useOperatorSites } from '../../../api/operator-sites.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** The catalogue's pages. Its versions are of all sites. */
export function CatalogTabs() {
  const t = useTranslations(translations)
  const isLimited = useOperatorSites() !== null
  const tabs = [
    ['/operator/catalogue', t('tree')],
    ['/operator/catalogue/predictor', t('predictor')],
    ...(isLimited ? [] : [['/operator/catalogue/versions', t('versions')] as const]),
  ] as const
  return (
    <nav aria-label={t('title')} className="tabs">
      {tabs.map(([to, name]) => (
        <Link
          activeOptions={{ exact: true, includeSearch: false }}
          className="tab"
          key={to}
          to={to}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
