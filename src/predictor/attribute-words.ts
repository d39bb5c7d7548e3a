import { foldText } from './title/tokenize.ts'

/**
 * The word lists that decide whether a word of a title is an attribute value. One entry a line or separated by commas,
 * without accents, Spanish and Portuguese together. To extend one, add words of the same kind.
 */

const words = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[\s,]+/)
      .map(foldText)
      .filter(Boolean),
  )
const phrases = (text: string): readonly string[] =>
  text
    .split(/[\n,]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean)

/** Words after which a title names what the goods are for: *funda para Samsung*. */
export const purposeWords = words(`
  para p pra pro por compatible compatibles compativel compativeis tipo simil estilo adaptable adaptavel sirve serve
  idem comp
`)

/** Words before *de* that count or hold the goods: *pack de remeras*, *botella de vino*. */
export const measureWords = words(`
  pack packs kit kits set sets combo lote par pares juego jogo conjunto caja cajas caixa docena duzia botella garrafa lata
  bolsa unidades tipo
`)

/** Words of tools and cleaners after which a title names the material that they work on: *broca fura metal*. */
export const workWords = words(`
  cortar cortador cortadora fura furar furador perfora perforar pule pulir polir limpa limpia limpiar limpar
  limpiador lijar lixar pegar pintar porta portarrollo selladora seladora dispenser dispensador trituradora destructora
`)

/** Words that may stand between such a word and the name: *para la heladera*, *compatible con los Samsung*. */
export const linkWords = words(`
  de do da dos das del el la los las lo o a os as un una um uma con com c e y u ou en em su sus seu
`)

/** Devices and vehicles between such a word and a brand: *para celular Samsung*, *para moto Honda*. */
export const deviceWords = words(`
  celular celulares telefono telefonos telefone movil smartphone tablet tablets notebook laptop pc computadora
  computador tv smart televisor televisores tele television televisao led lcd monitor consola console impresora
  impressora impresoras camara camera reloj relogio smartwatch auto autos carro carros coche camioneta pickup moto motos
  camion caminhao heladera geladeira nevera lavarropas lavadora lavarropa microondas licuadora liquidificador batidora
  cafetera cafeteira aspiradora aire split maquina maquinas aparato equipo equipos aparelho serie linea linha modelo
  modelos marca marcas joystick control controle auricular fone drone bicicleta motor
`)

/** Words that say that a color follows: *color vino*. */
export const colorWords = words('color colores colour cor cores tono tom')

/** Colors that are also goods, food, metals or plants, or English words of many names. They are colors behind a word for
 * color, beside another color, or at the end of a title. */
export const nounColors = words(`
  vino vinho guinda concho marsala chocolate cafe miel mel caramelo crema creme naranja laranja orange limon limao lima
  menta lavanda durazno melocoton pessego salmon salmao mostaza mostarda arena areia ladrillo telha plomo chumbo suela
  hueso marfil marfim cristal coral oro ouro plata prata cobre bronce bronze gold silver red tabaco whisky castano
  castanho crudo cru camel dorado borgona grafito grafite graphite brown pink habano
`)

/** Those of them that stand anywhere in a title, if no preposition is before them: *sofá café reclinable*. */
export const weakNounColors = words(
  'cafe naranja laranja marfil marfim camel cobre grafito grafite',
)

/** Goods for coffee, beside which *café* is the drink. */
export const coffeeWords = words(`
  maquina cafetera cafeteira molinillo molino moledor moledora moedor taza tazas xicara xicaras capsula capsulas filtro
  espresso expreso expresso prensa batidora
`)

/** Words at the end of a title that do not count as its end. */
export const tailWords = words(`
  nuevo nueva novo nova usado usada original originales reacondicionado reacondicionada recondicionado oferta promo
  gratis envio frete a al ao talle talla tam tamanho numero nro t hombre mujer dama hombres mujeres damas ninos ninas masculino feminino unisex infantil nino nina
  adulto und un u unidad unidade s m l g gg xl xs xxl xxxl pp gb tb ram memoria cm mm mts lts lt litros w watts v hz kg
`)

/** Names of parts. A material belongs to the part only if the title names it. */
export const framedGoods = words(`
  bicicleta bicicletas bici bike mtb bmx cuadro quadro marco frame armazon armacao estructura estrutura chasis chassi
  lentes anteojos gafas oculos monopatin patinete silla sillas mesa mesas juego conjunto sillon cadeira sombrilla gazebo
`)

/** Parts of goods. A color or material directly behind one is that of the part: *puntera de acero*. */
export const partWords = words(`
  puntera biqueira base bases tapa tapas tampa suela sola suelas mango mangos cabo cabos asa asas alca patas pata pies pe
  pes borde bordes borda asiento assento respaldo encosto capucha forro hebilla fivela fondo fundo interior
  visor rueda ruedas roda rodas luz luces luzes letra letras correa manijas manija puxador herrajes bomba resorte mola estuche cordones cadarco
`)

/** Words behind a model that make it another one: *Edge 30 Ultra* is no Edge 30. */
export const modelVariants = words('pro plus ultra max mini lite neo fusion fe prime play power')

/** What food consists of. It is a flavor only behind a word for flavors: cheese has no flavor of cheese. */
export const ingredients = words(`
  cafe pollo frango carne res bovina cordero cordeiro pescado peixe salmon salmao atun atum queso queijo salado salgado
  salada salgada salados salgados saladas salgadas
`)

/** Words of graphics cards, whose memory is no storage. */
export const graphicsWords = words('geforce gtx rtx radeon nvidia gddr5 gddr6 gddr6x cache')

/** Models that are common words. They are models only with their brand. */
export const commonModels = words(`
  alto up king seal song energy hunter navi wave boxer soul pop speed march partner spin ram kicks one city
  express custom sport mobi yuan blitz daily hero escape punto uno tornado titan prisma factor
  turbo family elite max duo trio dual smart basic basica classic clasico premium star candy legacy extreme compact power eco
  plus pro mini slim ultra mate home easy fast super luxo master
`)

/** Phrases in which no word is a value of an attribute. Names of values count before them. */
export const plainPhrases: readonly string[] = phrases(`
  rosa mosqueta, agua de rosas, te verde, cha verde, te negro, te rojo, te blanco, cha preto, cha branco, hoja verde
  hojas verdes, vino rojo, carne roja, carnes rojas, queso azul, queijo azul, frutos rojos, frutas vermelhas
  frutas rojas, pan blanco, pao branco, arroz blanco, arroz branco, azucar blanca, acucar branco, pimienta negra
  pimenta preta, pimienta blanca, chocolate blanco, chocolate branco, chocolate negro, cebolla morada, cebola roxa
  frijol negro, feijao preto, feijao branco, porotos negros, vinagre blanco, aceitunas negras, aceitunas verdes
  azeitona verde, azeitona preta, ajo negro, alho negro, uva verde, uva negra, pimiento rojo, pimenton rojo
  blue ray, blu ray, blue tooth, blue label, black label, red label, green label, gold label, red bull, green tea
  black friday, black decker, black series, black mirror, black clover, black panther, green lantern, red velvet
  pink floyd, deep purple, blue jean, blue jeans, green goblin, duende verde, linterna verde, pantera rosa
  pantera negra, cruz roja, cruz vermelha, caja negra, caixa preta, tarjeta roja, cinta negra, faixa preta
  la plata, mar del plata, rio de la plata, casa blanca, casa branca, casa rosada, mujer maravilla, mulher maravilha
  tetra polar, tri polar, bi polar, uni polar, central multimidia, central multimedia, central de alarma
  central alarma, sensor abs, freno abs, frenos abs, freio abs, freios abs, modulo abs, bomba abs, viva voz
  bosque verde, sueno verde, valle verde, campo verde, punto azul, green life, caballo blanco, aguila negra
  vaca negra, toro negro, casillero del diablo, hombre lobo, dia de la mujer, dia da mulher, dia del nino, gold standard, silver crest, golden retriever
  uso personal, cuidado personal, higiene personal, aseo personal
`)

/** Short and old names of brands. */
export const brandNames: ReadonlyMap<string, string> = new Map([
  ['vw', 'Volkswagen'],
  ['chevy', 'Chevrolet'],
  ['gm', 'Chevrolet'],
  ['mercedes', 'Mercedes-Benz'],
  ['mercedes benz', 'Mercedes-Benz'],
])

/** Words for packs, before their number: *pack 12*, *caja con 50*, *kit 3*. */
export const packWords = words(`
  pack kit combo set lote fardo caja caixa cx pacote bolsa display paquete estuche blister
`)

/** Words for single units, behind their number: *12 unidades*, *6u*, *x 3 uds*. */
export const unitWords = words(`
  u un und uni unid unids unds uns ud uds unidad unidades unidade units pz pza pzas pzs pcs par pares sobres saquitos saq
  capsulas rollos rolos panos panales fraldas latas botellas garrafas sachets saches
`)

/** Words behind a number that is no count of units: *kit 2 en 1*, *pack 3 piezas*. */
export const otherCounts = words(`
  en em piezas pieza pecas peca meses anos cuotas mah hz mg v w cv p cores colores in gauge
`)
