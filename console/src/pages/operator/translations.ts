import { inLanguages } from '../../i18n/text.ts'

/** Texts that several operator pages share. */
export const translations = inLanguages({
  en: {
    backPage: 'First page',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    byNumberOrName: 'User ID, or the start of the nickname',
  },
  es: {
    backPage: 'Primera página',
    previousPage: 'Página anterior',
    nextPage: 'Página siguiente',
    byNumberOrName: 'ID de usuario o comienzo del apodo',
  },
  pt: {
    backPage: 'Primeira página',
    previousPage: 'Página anterior',
    nextPage: 'Próxima página',
    byNumberOrName: 'ID do usuário ou início do apelido',
  },
})
