import { inLanguages } from '../../i18n/text.ts'

/** What several of the operator's pages say. */
export const words = inLanguages({
  en: {
    backPage: 'Back to the first',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    byNumberOrName: 'Number, or how the nickname begins',
  },
  es: {
    backPage: 'Volver a la primera',
    previousPage: 'Página anterior',
    nextPage: 'Página siguiente',
    byNumberOrName: 'Número, o cómo empieza el apodo',
  },
  pt: {
    backPage: 'Voltar à primeira',
    previousPage: 'Página anterior',
    nextPage: 'Próxima página',
    byNumberOrName: 'Número, ou como começa o apelido',
  },
})
