/** A kind of product that is sold on every site. Products have descriptions, not brands. */
export interface DemoProduct {
  /** Prefix of the seller's SKU. */
  code: string
  /** Approximate price in US dollars. A listing converts it to a common price of its site. */
  dollars: number
  /** Titles in the order of `demoSites`, in the language of each country. */
  titles: readonly [mla: string, mlb: string, mlm: string, mco: string, mlc: string, mlu: string]
  colors?: readonly Color[]
  sizes?: readonly string[]
  condition?: 'used'
  warrantyMonths?: number
  /** Days of production, if made to order. */
  manufacturingDays?: number
}

type Color = keyof typeof colors

/** Names in Spanish and in Portuguese. */
export const colors = {
  black: ['Negro', 'Preto'],
  white: ['Blanco', 'Branco'],
  blue: ['Azul', 'Azul'],
  red: ['Rojo', 'Vermelho'],
  green: ['Verde', 'Verde'],
  grey: ['Gris', 'Cinza'],
} as const

/** The first product is the demo seller's main listing. */
export const demoProducts: readonly DemoProduct[] = [
  {
    code: 'PAVA',
    dollars: 32,
    warrantyMonths: 6,
    titles: [
      'Pava eléctrica de acero 1,7 litros con corte para mate',
      'Chaleira elétrica de inox 1,7 litro',
      'Tetera eléctrica de acero inoxidable 1.7 litros',
      'Hervidor eléctrico de acero 1,7 litros',
      'Hervidor eléctrico de acero 1,7 litros',
      'Jarra eléctrica de acero 1,7 litros con corte para mate',
    ],
  },
  {
    code: 'AURI',
    dollars: 45,
    warrantyMonths: 12,
    colors: ['black', 'white', 'blue'],
    titles: [
      'Auriculares inalámbricos con cancelación de ruido',
      'Fones de ouvido sem fio com cancelamento de ruído',
      'Audífonos inalámbricos con cancelación de ruido',
      'Audífonos inalámbricos con cancelación de ruido',
      'Audífonos inalámbricos con cancelación de ruido',
      'Auriculares inalámbricos con cancelación de ruido',
    ],
  },
  {
    code: 'REME',
    dollars: 12,
    colors: ['black', 'white', 'green'],
    sizes: ['S', 'M', 'L', 'XL'],
    titles: [
      'Remera lisa de algodón peinado',
      'Camiseta lisa de algodão penteado',
      'Playera lisa de algodón peinado',
      'Camiseta lisa de algodón peinado',
      'Polera lisa de algodón peinado',
      'Remera lisa de algodón peinado',
    ],
  },
  {
    code: 'ZAPA',
    dollars: 58,
    sizes: ['38', '40', '42', '44'],
    warrantyMonths: 3,
    titles: [
      'Zapatillas livianas para correr',
      'Tênis leve para corrida',
      'Tenis ligeros para correr',
      'Tenis livianos para correr',
      'Zapatillas livianas para correr',
      'Championes livianos para correr',
    ],
  },
  {
    code: 'MOCH',
    dollars: 36,
    colors: ['black', 'grey', 'red'],
    titles: [
      'Mochila urbana impermeable 25 litros con bolsillo para notebook',
      'Mochila urbana impermeável 25 litros com bolso para notebook',
      'Mochila urbana impermeable 25 litros para laptop',
      'Morral urbano impermeable 25 litros para portátil',
      'Mochila urbana impermeable 25 litros para notebook',
      'Mochila urbana impermeable 25 litros con bolsillo para notebook',
    ],
  },
  {
    code: 'FRAZ',
    dollars: 28,
    colors: ['blue', 'grey', 'red'],
    titles: [
      'Frazada polar 2 plazas',
      'Manta de microfibra casal',
      'Cobija polar matrimonial',
      'Cobija térmica doble',
      'Frazada polar 2 plazas',
      'Frazada polar 2 plazas',
    ],
  },
  {
    code: 'TALA',
    dollars: 75,
    warrantyMonths: 12,
    titles: [
      'Taladro percutor 13 mm 750 W con maletín',
      'Furadeira de impacto 13 mm 750 W com maleta',
      'Rotomartillo 1/2 pulgada 750 W con maletín',
      'Taladro percutor 1/2 pulgada 750 W con maletín',
      'Taladro percutor 13 mm 750 W con maletín',
      'Taladro percutor 13 mm 750 W con valija',
    ],
  },
  {
    code: 'BICI',
    dollars: 240,
    condition: 'used',
    titles: [
      'Bicicleta usada rodado 29 en buen estado',
      'Bicicleta usada aro 29 em bom estado',
      'Bicicleta usada rodada 29 en buen estado',
      'Bicicleta usada rin 29 en buen estado',
      'Bicicleta usada aro 29 en buen estado',
      'Bicicleta usada rodado 29 en buen estado',
    ],
  },
  {
    code: 'SILL',
    dollars: 130,
    warrantyMonths: 12,
    colors: ['black', 'grey'],
    titles: [
      'Silla de escritorio ergonómica con apoyo lumbar',
      'Cadeira de escritório ergonômica com apoio lombar',
      'Silla de oficina ergonómica con soporte lumbar',
      'Silla de escritorio ergonómica con soporte lumbar',
      'Silla de escritorio ergonómica con apoyo lumbar',
      'Silla de escritorio ergonómica con apoyo lumbar',
    ],
  },
  {
    code: 'MESA',
    dollars: 310,
    manufacturingDays: 20,
    warrantyMonths: 24,
    titles: [
      'Mesa de comedor de pino a medida',
      'Mesa de jantar de pinus sob medida',
      'Mesa de comedor de pino a la medida',
      'Comedor de pino a la medida',
      'Mesa de comedor de pino a medida',
      'Mesa de comedor de pino a medida',
    ],
  },
  {
    code: 'COCI',
    dollars: 22,
    titles: [
      'Mate de calabaza forrado en cuero con bombilla',
      'Cuia de chimarrão com bomba de inox',
      'Molcajete de piedra volcánica 20 cm',
      'Olleta de aluminio con molinillo para chocolate',
      'Paila de greda artesanal 24 cm',
      'Mate de calabaza con virola y bombilla',
    ],
  },
  {
    code: 'CELU',
    dollars: 185,
    condition: 'used',
    warrantyMonths: 3,
    colors: ['black', 'blue'],
    titles: [
      'Celular usado 128 GB liberado',
      'Celular usado 128 GB desbloqueado',
      'Celular usado 128 GB desbloqueado',
      'Celular usado 128 GB libre de operador',
      'Celular usado 128 GB liberado',
      'Celular usado 128 GB libre',
    ],
  },
  {
    code: 'HELA',
    dollars: 64,
    titles: [
      'Conservadora portátil 28 litros',
      'Caixa térmica portátil 28 litros',
      'Hielera portátil 28 litros',
      'Nevera portátil 28 litros',
      'Cooler portátil 28 litros',
      'Conservadora portátil 28 litros',
    ],
  },
  {
    code: 'LAMP',
    dollars: 41,
    warrantyMonths: 6,
    titles: [
      'Lámpara de pie con pantalla de lino',
      'Luminária de chão com cúpula de linho',
      'Lámpara de piso con pantalla de lino',
      'Lámpara de piso con pantalla de lino',
      'Lámpara de pie con pantalla de lino',
      'Lámpara de pie con pantalla de lino',
    ],
  },
  {
    code: 'CUAD',
    dollars: 9,
    titles: [
      'Set de 3 cuadernos cosidos a mano',
      'Kit com 3 cadernos costurados à mão',
      'Juego de 3 libretas cosidas a mano',
      'Set de 3 libretas cosidas a mano',
      'Set de 3 croqueras cosidas a mano',
      'Set de 3 cuadernolas cosidas a mano',
    ],
  },
  {
    code: 'SABA',
    dollars: 38,
    sizes: ['90 cm', '140 cm', '160 cm'],
    titles: [
      'Juego de sábanas de percal 200 hilos',
      'Jogo de lençóis de percal 200 fios',
      'Juego de sábanas de percal 200 hilos',
      'Juego de sábanas de percal 200 hilos',
      'Juego de sábanas de percal 200 hilos',
      'Juego de sábanas de percal 200 hilos',
    ],
  },
  {
    code: 'PELO',
    dollars: 18,
    titles: [
      'Pelota de fútbol número 5 cosida',
      'Bola de futebol de campo costurada',
      'Balón de futbol número 5 cosido',
      'Balón de fútbol número 5 cosido',
      'Pelota de fútbol número 5 cosida',
      'Pelota de fútbol número 5 cosida',
    ],
  },
  {
    code: 'CABL',
    dollars: 6,
    titles: [
      'Cable cargador trenzado 2 metros',
      'Cabo carregador trançado 2 metros',
      'Cable cargador trenzado 2 metros',
      'Cable cargador trenzado 2 metros',
      'Cable cargador trenzado 2 metros',
      'Cable cargador trenzado 2 metros',
    ],
  },
  {
    code: 'PERR',
    dollars: 11,
    colors: ['red', 'blue'],
    sizes: ['S', 'M', 'L'],
    titles: [
      'Pretal regulable para perro',
      'Peitoral regulável para cachorro',
      'Pechera ajustable para perro',
      'Arnés ajustable para perro',
      'Arnés regulable para perro',
      'Pretal regulable para perro',
    ],
  },
  {
    code: 'CART',
    dollars: 26,
    manufacturingDays: 7,
    titles: [
      'Cartel de madera personalizado con nombre',
      'Placa de madeira personalizada com nome',
      'Letrero de madera personalizado con nombre',
      'Letrero de madera personalizado con nombre',
      'Letrero de madera personalizado con nombre',
      'Cartel de madera personalizado con nombre',
    ],
  },
]
