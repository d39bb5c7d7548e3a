import type { SeededRandom } from '../../src/sandbox/random.ts'

const openings = ['Hola', 'Buen día', 'Buenas tardes', 'Qué tal', 'Disculpe', 'Oi', 'Bom dia']
const nouns = [
  'el pedido',
  'la caja',
  'el termo',
  'la funda',
  'el cable',
  'la lámpara',
  'el paquete',
  'a encomenda',
  'o produto',
  'a nota',
  'la factura',
  'el color',
  'la medida',
  'el modelo',
]
const verbs = [
  'llega',
  'sale',
  'viene',
  'está listo',
  'se envía',
  'se prepara',
  'falta',
  'chega',
  'vai',
  'quedó',
  'cambió',
  'entra',
  'sirve',
  'alcanza',
  'combina',
  'funciona',
]
const times = ['mañana', 'el lunes', 'hoy', 'esta semana', 'amanhã', 'el viernes', 'en dos días']
const closings = [
  'Gracias por la compra',
  'Quedo atento',
  'Obrigado',
  'Cualquier cosa me dice por acá',
  'Va con garantía de fábrica',
  'Mide 30 x 20 cm',
  'Es de acero',
  'Tiene tapa de repuesto',
  'Pesa 2 kg',
  'Viene en caja cerrada',
  'Es para 220 V',
  'Trae manual',
]

/** What buyers and sellers say all day: nothing that moderation minds, seldom the same twice. */
export function randomMessageText(random: SeededRandom): string {
  const sentences = Array.from(
    { length: random.between(1, 4) },
    () =>
      `${random.pick(nouns)} ${random.pick(verbs)} ${random.pick(times)}, ` +
      `${random.pick(nouns)} ${random.pick(verbs)}. ${random.pick(closings)}.`,
  )
  return `${random.pick(openings)}, ${sentences.join(' ')}`
}
