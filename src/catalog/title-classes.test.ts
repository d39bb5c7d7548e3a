import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultCatalog } from '../../test/harness/default-catalog.ts'
import type { SiteId } from '../kernel/sites.ts'

/** Invented titles of the classes of errors that real titles showed, with the categories that are right. */
const titlesByClass: Readonly<Record<string, readonly [SiteId, keys: string, title: string][]>> = {
  abbreviation: [
    ['MLB', 'fb-2-1,fb-2-17', 'Bisc rech morango 140g'],
    ['MLB', 'fb-1-1', 'Cerv puro malte 350ml lt'],
    ['MLB', 'hb-3-5', 'Desod aerosol fem 150ml'],
    ['MLB', 'hg-10-9', 'Amac concentrado 1l azul'],
    ['MLB', 'fb-1-12', 'Refrig laranja 2l pet'],
    ['MLB', 'fb-1-12', 'Refri cola zero 350ml'],
    ['MLB', 'hg-13-7', 'Lamp led 9w bivolt branca'],
  ],
  'accents and stop words': [
    ['MLA', 'fb-1-14', 'Té negro en hebras 100 g'],
    ['MLA', 'fb-1-14', 'TE VERDE X 50 SAQUITOS'],
    ['MLA', 'fb-1-14', 'Té x 25 saquitos'],
    ['MLA', 'hb-3-10', 'Tinte para el pelo castaño'],
    ['MLA', 'hb-3-10', 'Crema de peinar pelo rizado'],
    ['MLM', 'fb-1-14', 'Caja de té de manzanilla 25 sobres'],
  ],
  'short common names': [
    ['MLA', 'fb-1-16', 'Agua sin gas 1,5 l'],
    ['MLA', 'fb-1-16', 'Agua mineral 6 litros'],
    ['MLA', 'fb-2-1', 'Pan lactal blanco'],
    ['MLM', 'fb-2-1', 'Pan de centeno rebanado'],
    ['MLA', 'fb-1-9', 'Leche entera 1 litro'],
    ['MLM', 'fb-2-16', 'Sal de mar gruesa 1 kg'],
    ['MLM', 'fb-1-1', 'Ron añejo 750 ml'],
  ],
  groceries: [
    ['MLM', 'fb-2-12', 'Gambas peladas cocidas congeladas 400 g'],
    ['MLM', 'fb-2-15', 'Lasaña boloñesa congelada 530 g'],
    ['MLM', 'fb-2-15', 'Tortilla de patatas con cebolla'],
    ['MLA', 'fb-2-15', 'Pizza muzzarella congelada 2 u'],
    ['MLA', 'fb-2-14', 'Ravioles de verdura x 500 g'],
    ['MLM', 'fb-1-7', 'Zumo de naranja sin pulpa 1 l'],
    ['MLA', 'fb-2-3', 'Alfajor triple de dulce de leche x 12'],
  ],
  'cleaning and toiletries': [
    ['MLM', 'hg-10-6', 'Lejía con detergente 2 l'],
    ['MLM', 'hg-10-6', 'Friegasuelos pino 1,5 l'],
    ['MLM', 'hg-10-6', 'Bayeta de microfibra 3 unidades'],
    ['MLA', 'hg-10-6', 'Lavandina concentrada 2 l'],
    ['MLA', 'hg-10-9', 'Jabón en polvo ropa 3 kg'],
    ['MLB', 'hg-10-9', 'Sabão em pó 1,6kg'],
    ['MLB', 'hg-10-6', 'Água sanitária 2l'],
  ],
  'stationery and hardware': [
    ['MLB', 'os-4-9', 'Caderno universitário 10 matérias'],
    ['MLB', 'os-4-3', 'Borracha branca c/2'],
    ['MLB', 'os-11-11', 'Caneta esferográfica azul 1.0'],
    ['MLA', 'os-11-11', 'Lapicera trazo fino x 12'],
    ['MLB', 'ha-1-3', 'Fita veda rosca 18mm x 10m'],
    ['MLB', 'ha-10-1', 'Joelho soldável 25mm'],
    ['MLA', 'ha-15-42', 'Pincel de cerda n 15'],
  ],
  sports: [
    ['MLA', 'sg-1-18', 'Pelota de fútbol n5 cosida'],
    ['MLA', 'sg-1-3', 'Aro de básquet con red'],
    ['MLA', 'sg-4-14', 'Paleta de pádel carbono principiante'],
    ['MLA', 'sg-1-4', 'Guantes de boxeo 12 oz'],
    ['MLA', 'sg-4-6', 'Reel frontal 4 rulemanes'],
    ['MLB', 'sg-2-24', 'Halteres emborrachados par 5kg'],
    ['MLB', 'sg-4-1', 'Óculos de natação infantil'],
  ],
  pets: [
    ['MLA', 'ap-2-3', 'Racion perro adulto 20 kg'],
    ['MLM', 'ap-2-2', 'Arena aglomerante para gatos 10 kg'],
    ['MLB', 'ap-2-2', 'Areia higiênica perfumada 4kg'],
    ['MLM', 'ap-2-47', 'Comida para conejos 1 kg'],
  ],
  'parts and accessories': [
    ['MLA', 'el-4-8,el-7-11', 'Módulo pantalla Moto G8 Plus con marco'],
    ['MLA', 'el-4-8', 'Funda silicona Redmi Note 9'],
    ['MLA', 'el-7-15,el-7-8', 'Batería para notebook HP 14'],
    ['MLA', 'el-7-8,el-7-9', 'Pantalla para notebook 15.6 slim 30 pines'],
    ['MLA', 'el-17-5', 'Placa fuente TV led 32'],
    ['MLA', 'el-17-5', 'Soporte de pared para TV 32 a 55'],
    ['MLB', 'el-17-5', 'Barra led tv 40 polegadas'],
  ],
  media: [
    ['MLA', 'me-1-3', 'Novela histórica tapa dura usada'],
    ['MLA', 'me-1-3', 'Cuentos completos Julio Cortázar'],
    ['MLB', 'me-1-3', 'Livro Dom Casmurro Machado de Assis'],
    ['MLA', 'me-3-4,me-3-6', 'Disco de vinilo rock nacional 1985'],
    ['MLA', 'me-3-3', 'Soda Stereo Signos cd'],
    ['MLB', 'me-7-1', 'Blu-ray trilogia edição especial'],
    ['MLA', 'me-7-3', 'Dvd serie completa temporada 1 a 3'],
  ],
  'brand alone': [
    ['MLA', 'fb-1-12', 'Pepsi 2,25 l'],
    ['MLM', 'fb-1-12', 'Sprite 600 ml'],
    ['MLA', 'fb-1-14', 'Playadito 1 kg'],
    ['MLB', 'fb-1-12', 'Guaraná Antarctica 2l'],
    ['MLA', 'fb-2-7', 'Nutella 350 g'],
    ['MLM', 'fb-2-18', 'Maggi 8 cubos'],
    ['MLB', 'hb-3-12', 'Listerine cool mint 500ml'],
  ],
  homonyms: [
    ['MLM', 'hg-11-8', 'Tabla de picar bambú'],
    ['MLA', 'aa-6-6', 'Aros abridores de plata'],
    ['MLA', 'hb-1-10', 'Audífono digital para hipoacusia'],
    ['MLM', 'el-2-2', 'Audífonos bluetooth deportivos'],
    ['MLA', 'bi-22-5', 'Bolsas de papel kraft con manija x 100'],
    ['MLA', 'hg-3-17', 'Reloj de pared silencioso'],
    ['MLA', 'hg-11-3', 'Botella deportiva 750 ml'],
  ],
  slogans: [
    ['MLA', 'fb-1-14', 'Yerba mate suave precio imperdible oferta envío gratis'],
    ['MLA', 'hb-3-2', 'Perfume importado el mejor precio de todos envio ya'],
    ['MLB', 'hg-9-1', 'Ventilador de mesa 40cm frete grátis melhor preço'],
    ['MLM', 'el-2-2', 'Bocina bluetooth portatil nueva original garantia'],
  ],
}

const catalog = defaultCatalog()

for (const [name, titles] of Object.entries(titlesByClass)) {
  test(`the first category is right without training: ${name}`, () => {
    for (const [siteId, keys, title] of titles) {
      const [first] = catalog.predictor(siteId).predict(title, { limit: 1 })
      const key = first?.category.key ?? ''
      assert.ok(keys.split(',').includes(key), `${title}: ${key} instead of ${keys}`)
    }
  })
}
