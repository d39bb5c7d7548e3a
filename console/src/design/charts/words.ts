import { inLanguages } from '../../i18n/text.ts'

export const words = inLanguages({
  en: { asTable: 'As a table', when: 'When' },
  es: { asTable: 'Como tabla', when: 'Cuándo' },
  pt: { asTable: 'Como tabela', when: 'Quando' },
})
