import { inLanguages } from '../../i18n/text.ts'

/** What several of the operator's pages say. */
export const words = inLanguages({
  en: {
    backPage: 'Back to the first',
    nextPage: 'Next page',
    byNumberOrName: 'Number, or how the nickname begins',
  },
  es: {
    backPage: 'Volver a la primera',
    nextPage: 'Página siguiente',
    byNumberOrName: 'Número, o cómo empieza el apodo',
  },
  pt: {
    backPage: 'Voltar à primeira',
    nextPage: 'Próxima página',
    byNumberOrName: 'Número, ou como começa o apelido',
  },
})
