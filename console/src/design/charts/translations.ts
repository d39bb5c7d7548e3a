import { inLanguages } from '../../i18n/text.ts'

export const translations = inLanguages({
  en: {
    asTable: 'Show as table',
    when: 'Time',
  },
  es: {
    asTable: 'Ver como tabla',
    when: 'Hora',
  },
  pt: {
    asTable: 'Ver como tabela',
    when: 'Data ou hora',
  },
})
