import { inLanguages } from '../../../i18n/text.ts'

export const siteTranslations = inLanguages({
  en: {
    sites: 'Sites',
    sitesHint: 'For example MLA, MLB. Empty: all',
    allSites: 'All',
  },
  es: {
    sites: 'Sitios',
    sitesHint: 'Por ejemplo, MLA, MLB. Vacío: todos',
    allSites: 'Todos',
  },
  pt: {
    sites: 'Sites',
    sitesHint: 'Por exemplo, MLA, MLB. Vazio: todos',
    allSites: 'Todos',
  },
})
