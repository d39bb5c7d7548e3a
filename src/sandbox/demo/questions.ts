import type { QuestionStatus } from '../../questions/question.ts'
import { mainListingId } from './listings.ts'

/** A demo question. */
interface DemoQuestion {
  item: string
  /** The demo buyer, or the index of a buyer of the site. */
  by: 'demo buyer' | number
  text: string
  hoursAgo: number
  answer?: string
  /** The status of a question that is neither answered nor open. */
  status?: QuestionStatus
}

/** The demo questions, newest last. */
export const demoQuestions: readonly DemoQuestion[] = [
  {
    item: mainListingId,
    by: 1,
    text: '¿Corta sola cuando llega a la temperatura del mate?',
    hoursAgo: 400,
    answer: 'Hola. Sí, tiene dos cortes: uno a 80 grados y otro al hervir.',
  },
  {
    item: mainListingId,
    by: 4,
    text: 'Pasame un teléfono y arreglamos por afuera',
    hoursAgo: 310,
    status: 'BANNED',
  },
  {
    item: mainListingId,
    by: 'demo buyer',
    text: 'Hola, ¿la base gira o hay que apoyarla siempre igual?',
    hoursAgo: 120,
    answer: 'Gira, se apoya de cualquier lado.',
  },
  { item: mainListingId, by: 2, text: 'prueba', hoursAgo: 90, status: 'DELETED' },
  {
    item: 'MLB100000021',
    by: 0,
    text: 'Bom dia! A resistência é blindada?',
    hoursAgo: 60,
    answer: 'Bom dia! Sim, é blindada.',
  },
  { item: 'MLC100000901', by: 1, text: '¿En qué piso está?', hoursAgo: 30 },
  { item: mainListingId, by: 3, text: '¿Hacen factura A?', hoursAgo: 5 },
  {
    item: mainListingId,
    by: 'demo buyer',
    text: '¿Se consigue la tapa de repuesto?',
    hoursAgo: 2,
  },
]
