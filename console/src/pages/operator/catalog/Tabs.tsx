import '../operator.css'
import { Link } from '@tanstack/react-router'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** The catalogue's three pages. */
export function CatalogTabs() {
  const t = useTranslations(translations)
  const tabs = [
    ['/operator/catalogue', t('tree')],
    ['/operator/catalogue/predictor', t('predictor')],
    ['/operator/catalogue/versions', t('versions')],
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
