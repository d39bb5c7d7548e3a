import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { defaultCatalog } from '../../test/harness/default-catalog.ts'
import type { SiteId } from '../kernel/sites.ts'

const catalog = defaultCatalog()

/** Returns the values that a title names, by attribute. */
function valuesOf(title: string, domainId: string): Record<string, string> {
  const site = domainId.slice(0, 3) as SiteId
  const category = [...catalog.tree(site).byId.values()].find((one) => one.domainId === domainId)
  assert.ok(category, domainId)
  const [proposal = ''] = catalog.renderPredictions(title, {
    siteId: site,
    categories: [category.source],
  })
  const { attributes } = JSON.parse(proposal) as {
    attributes: { id: string; value_name: string }[]
  }
  return Object.fromEntries(attributes.map(({ id, value_name }) => [id, value_name]))
}

/** A title of a domain with values that it names, and attributes of which it says nothing. */
type TitleCase = [title: string, domain: string, named: Record<string, string>, unnamed: string]

const cases: Record<string, TitleCase[]> = {
  'a color is no food, drink, plant or metal': [
    ['Copa para vino tinto de vidrio 400 ml', 'MLA-TABLEWARE', { MATERIAL: 'Vidrio' }, 'COLOR'],
    ['Zapatilla urbana mujer cuero vino', 'MLA-SNEAKERS', { COLOR: 'Bordó' }, ''],
    ['Molde de silicona para chocolate', 'MLA-COOKWARE', { MATERIAL: 'Silicona' }, 'COLOR'],
    ['Sillón reclinable chocolate', 'MLA-SECTIONAL_SOFAS', { COLOR: 'Chocolate' }, ''],
    ['Molinillo de café eléctrico acero', 'MLA-KITCHEN_APPLIANCES', { MATERIAL: 'Acero' }, 'COLOR'],
    ['Taza café loza 90 ml', 'MLA-TABLEWARE', {}, 'COLOR'],
    ['Sofá café reclinable 3 cuerpos', 'MLA-SECTIONAL_SOFAS', { COLOR: 'Marrón' }, ''],
    ['Exprimidor de naranja manual', 'MLA-KITCHEN_UTENSILS', {}, 'COLOR'],
    ['Chaleco de seguridad naranja', 'MLA-UNIFORMS_AND_WORKWEAR', { COLOR: 'Naranja' }, ''],
    ['Crema de rosa mosqueta', 'MLA-FOOT_CARE', {}, 'COLOR'],
    ['Anillo de oro con piedra', 'MLA-RINGS', { METAL: 'Oro' }, 'COLOR'],
    ['Suporte de vinho para parede', 'MLB-BARWARE', {}, 'COLOR'],
    ['Jogo de lençol cor vinho', 'MLB-BEDDING', { COLOR: 'Bordô' }, ''],
    ['Juguera con filtro inox naranja', 'MLA-KITCHEN_APPLIANCES', { COLOR: 'Naranja' }, ''],
  ],
  'food has flavors and no colors': [
    ['Manzana verde por kilo', 'MLA-FRUITS_VEGETABLES', {}, 'COLOR MATERIAL'],
    [
      'Jugo de naranja exprimido 1 l',
      'MLA-JUICES_MILKSHAKES_SMOOTHIES',
      { FLAVOR: 'Naranja', NET_VOLUME: '1 L' },
      'COLOR',
    ],
    [
      'Galletitas rellenas sabor chocolate 120 g',
      'MLA-BAKERY',
      { FLAVOR: 'Chocolate', NET_WEIGHT: '120 g' },
      'COLOR',
    ],
    ['Queso crema untable 300 g', 'MLA-DAIRY_PRODUCTS', { NET_WEIGHT: '300 g' }, 'COLOR FLAVOR'],
    ['Pechuga de pollo congelada 1 kg', 'MLA-MEAT_SEAFOOD_EGGS', { NET_WEIGHT: '1 kg' }, 'FLAVOR'],
    ['Papas fritas sabor queso 90 g', 'MLA-SNACKS', { FLAVOR: 'Queso' }, ''],
    [
      'Porotos negros bolsa 500 gr',
      'MLA-GRAINS_RICE_CEREAL',
      { NET_WEIGHT: '500 g', PACKAGE_TYPE: 'Bolsa' },
      'COLOR',
    ],
    [
      'Iogurte morango garrafa 900g',
      'MLB-DAIRY_PRODUCTS',
      { FLAVOR: 'Morango', PACKAGE_TYPE: 'Garrafa' },
      'COLOR',
    ],
    [
      'Alimento perro adulto sabor pollo 15 kg',
      'MLA-DOG_SUPPLIES',
      { FLAVOR: 'Pollo', NET_WEIGHT: '15 kg' },
      'COLOR',
    ],
    ['Cama para perro azul', 'MLA-DOG_SUPPLIES', { COLOR: 'Azul' }, 'FLAVOR'],
    ['Leche con hierro entera 1 litro', 'MLA-MILK', { NET_VOLUME: '1 L' }, 'MATERIAL'],
  ],
  'a color or material is that of the goods and not of a part': [
    ['Remera térmica primera piel', 'MLA-TOPS_AND_SHIRTS', {}, 'MATERIAL'],
    ['Bota de trabajo puntera de acero', 'MLA-BOOTS', { FOOTWEAR_TYPE: 'Bota' }, 'MATERIAL'],
    ['Mesa ratona patas de hierro', 'MLA-FOLDING_TABLES', {}, 'MATERIAL'],
    ['Frasco con tapa roja', 'MLA-FOOD_STORAGE', {}, 'COLOR'],
    ['Alpargata suela de goma', 'MLA-FLATS', {}, 'MATERIAL COLOR'],
    ['Shampoo para cabello negro', 'MLA-HAIR_CARE', {}, 'COLOR'],
    ['Pedal aluminio para bicicleta', 'MLA-BICYCLES_AND_CYCLING', {}, 'FRAME_MATERIAL'],
    [
      'Bicicleta cuadro aluminio rodado 29',
      'MLA-BICYCLES_AND_CYCLING',
      { FRAME_MATERIAL: 'Aluminio' },
      '',
    ],
    [
      'Bicicleta mountain bike carbono',
      'MLA-BICYCLES_AND_CYCLING',
      { FRAME_MATERIAL: 'Carbono' },
      '',
    ],
  ],
  'a material is not what a tool works on': [
    ['Broca para madera 8 mm', 'MLA-DRILL_SCREWDRIVER_ACCESSORIES', {}, 'MATERIAL'],
    ['Broca fura metal e aço', 'MLB-DRILL_SCREWDRIVER_ACCESSORIES', {}, 'MATERIAL'],
    ['Limpiador de cuero en spray', 'MLA-SHOE_CARE_TOOLS', {}, 'MATERIAL'],
    ['Porcelanato símil madera 20x120', 'MLA-FLOORING', {}, 'MATERIAL'],
    ['Cadeira de madeira maciça', 'MLB-OTHER_CHAIRS', { MATERIAL: 'Madeira' }, ''],
    ['Cable de red utp 20 m', 'MLA-ELECTRONICS_CABLES', { LENGTH: '20 m' }, 'COLOR MATERIAL'],
    ['Tela para notebook 15.6', 'MLB-COMPUTER_COMPONENTS', {}, 'MATERIAL'],
    [
      'Polera manga corta algodón',
      'MLC-TOPS_AND_SHIRTS',
      { MATERIAL: 'Algodón', SLEEVE_TYPE: 'Corta' },
      'FIT',
    ],
  ],
  'a package is one that the title says': [
    [
      'Alimento pet shop para gato 3 kg',
      'MLA-CAT_SUPPLIES',
      { NET_WEIGHT: '3 kg' },
      'PACKAGE_TYPE',
    ],
    [
      'Gaseosa cola botella pet 2 l',
      'MLA-SODA',
      { PACKAGE_TYPE: 'Botella de plástico', NET_VOLUME: '2 L' },
      '',
    ],
    [
      'Pintura látex blanca 1 galón',
      'MLA-PAINTS',
      { NET_VOLUME: '1 gal', COLOR: 'Blanco' },
      'PACKAGE_TYPE',
    ],
    [
      'Yerba mate pack x2 500 g',
      'MLA-TEA_AND_YERBA_MATE',
      { UNITS_PER_PACK: '2', NET_WEIGHT: '500 g' },
      'PACKAGE_TYPE',
    ],
  ],
  'a brand that the goods are for is compatible': [
    [
      'Cartucho alternativo para HP 664 negro',
      'MLA-PRINTER_SUPPLIES',
      { COMPATIBLE_BRAND: 'HP', COLOR: 'Negro' },
      'BRAND',
    ],
    ['Cartucho HP original negro', 'MLA-PRINTER_SUPPLIES', { BRAND: 'HP' }, 'COMPATIBLE_BRAND'],
    [
      'Cargador compatible con Samsung 25w',
      'MLA-CHARGERS_BATTERIES_AND_POWER',
      { COMPATIBLE_BRAND: 'Samsung', POWER: '25 W' },
      'BRAND',
    ],
    [
      'Cargador Samsung 25w',
      'MLA-CHARGERS_BATTERIES_AND_POWER',
      { BRAND: 'Samsung' },
      'COMPATIBLE_BRAND',
    ],
    [
      'Película de vidro para iPhone 13',
      'MLB-SCREEN_PROTECTORS_AND_SKINS',
      { COMPATIBLE_BRAND: 'Apple', COMPATIBLE_MODEL: 'iPhone 13', MATERIAL: 'Vidro' },
      'BRAND MODEL',
    ],
    [
      'Film Samsung A52 vidrio templado',
      'MLA-SCREEN_PROTECTORS_AND_SKINS',
      { COMPATIBLE_BRAND: 'Samsung', COMPATIBLE_MODEL: 'Galaxy A52' },
      '',
    ],
    ['Control remoto para tv LG', 'MLA-REMOTE_CONTROLS', { COMPATIBLE_BRAND: 'LG' }, 'BRAND'],
    [
      'Funda Baseus para iPhone 12',
      'MLA-COMPUTER_PERIPHERALS_AND_ACCESSORIES',
      { BRAND: 'Baseus', COMPATIBLE_MODEL: 'iPhone 12' },
      '',
    ],
    [
      'Pastillas de freno Bosch Volkswagen Gol',
      'MLA-BRAKE_PADS',
      { BRAND: 'Bosch', COMPATIBLE_BRAND: 'Volkswagen', COMPATIBLE_MODEL: 'Gol' },
      '',
    ],
    [
      'Bomba de agua Peugeot 206',
      'MLA-WATER_PUMPS',
      { COMPATIBLE_BRAND: 'Peugeot', COMPATIBLE_MODEL: '206' },
      'BRAND',
    ],
    [
      'Espelho retrovisor vw saveiro',
      'MLB-EXTERIOR_INTERIOR_MIRRORS',
      { COMPATIBLE_BRAND: 'Volkswagen', COMPATIBLE_MODEL: 'Saveiro' },
      'BRAND',
    ],
    [
      'Caño de escape universal moto',
      'MLA-MUFFLERS_TIPS',
      { VEHICLE_TYPE: 'Moto' },
      'COMPATIBLE_BRAND COMPATIBLE_MODEL',
    ],
    ['Bota de moto cano alto', 'MLB-MOTORCYCLE_BOOTS', {}, 'COMPATIBLE_MODEL'],
    [
      'Bolsa para aspiradora Electrolux x 3 un',
      'MLA-VACUUM_ACCESSORIES',
      { COMPATIBLE_BRAND: 'Electrolux', UNITS_PER_PACK: '3' },
      'BRAND',
    ],
    ['Zapatillas para hombre Nike', 'MLA-SNEAKERS', { BRAND: 'Nike', GENDER: 'Hombre' }, ''],
  ],
  'a model goes with its brand': [
    [
      'iPhone 12 128gb negro',
      'MLA-MOBILE_SMART_PHONES',
      { BRAND: 'Apple', MODEL: 'iPhone 12' },
      '',
    ],
    [
      'Samsung A54 128 gb',
      'MLA-MOBILE_SMART_PHONES',
      { BRAND: 'Samsung', MODEL: 'Galaxy A54' },
      '',
    ],
    ['Motorola Edge 40 Ultra 256 GB', 'MLA-MOBILE_SMART_PHONES', { BRAND: 'Motorola' }, 'MODEL'],
    [
      'Smart tv 50 pulgadas uhd',
      'MLA-TELEVISIONS',
      { RESOLUTION: '4K', SCREEN_SIZE: '50 in' },
      'MODEL',
    ],
    [
      'Notebook exclusiva Intel Core i5 8gb ram',
      'MLA-NOTEBOOKS',
      { PROCESSOR: 'Intel Core i5', RAM: '8 GB' },
      'BRAND',
    ],
    [
      'Procesador Intel Core i5',
      'MLA-COMPUTER_COMPONENTS',
      { BRAND: 'Intel', PROCESSOR: 'Intel Core i5' },
      '',
    ],
  ],
  'of a range or a choice nothing is known': [
    ['Pañales talle G de 9 a 12 kg', 'MLA-DIAPERS', { DIAPER_SIZE: 'G' }, 'LOAD_CAPACITY'],
    ['Short de baño talle S al XXL', 'MLA-SWIMWEAR', { GARMENT_TYPE: 'Short' }, 'SIZE'],
    ['Zapatilla lona talle 36 al 41', 'MLA-SNEAKERS', { MATERIAL: 'Lona' }, 'SHOE_SIZE'],
    ['Luva de limpeza tamanho P M G', 'MLB-UNIFORMS_AND_WORKWEAR', {}, 'SIZE'],
    ['Soporte de tv 32 a 55 pulgadas', 'MLA-TV_AND_VIDEO_ACCESSORIES', {}, 'SCREEN_SIZE'],
    ['Remera talle único', 'MLA-TOPS_AND_SHIRTS', { SIZE: 'Talla única' }, ''],
    ['Remera estampado único', 'MLA-TOPS_AND_SHIRTS', { PATTERN: 'Estampado' }, 'SIZE'],
  ],
  'numbers of packs and their units': [
    ['Agua mineral 6 x 1,5 l', 'MLA-WATER', { UNITS_PER_PACK: '6', NET_VOLUME: '1.5 L' }, ''],
    [
      'Cerveza lata 473cc pack 6',
      'MLA-ALCOHOLIC_BEVERAGES',
      { UNITS_PER_PACK: '6', NET_VOLUME: '473 cc', PACKAGE_TYPE: 'Lata' },
      '',
    ],
    [
      'Aceite de oliva 500 ml x 2',
      'MLA-COOKING_AND_BAKING',
      { UNITS_PER_PACK: '2', NET_VOLUME: '500 ml' },
      '',
    ],
    ['Té de hierbas x 25u', 'MLA-TEA_AND_YERBA_MATE', { UNITS_PER_PACK: '25' }, ''],
    ['Calcetines pack x3 hombre', 'MLA-SOCKS', { UNITS_PER_PACK: '3' }, ''],
    ['Kit com 4 cuecas boxer', 'MLB-MENS_UNDERWEAR', { UNITS_PER_PACK: '4' }, ''],
    [
      'Leite caixa c/ 12 unidades de 1l',
      'MLB-MILK',
      { UNITS_PER_PACK: '12', NET_VOLUME: '1 L' },
      '',
    ],
    ['Peras 3 a 4 unidades', 'MLA-FRUITS_VEGETABLES', {}, 'UNITS_PER_PACK'],
    ['Cargador kit 3 en 1', 'MLA-CHARGERS_BATTERIES_AND_POWER', {}, 'UNITS_PER_PACK'],
    [
      'Arroz largo fino X500gr',
      'MLA-GRAINS_RICE_CEREAL',
      { NET_WEIGHT: '500 g' },
      'UNITS_PER_PACK',
    ],
    ['Gaseosa naranja 1.5lts', 'MLA-SODA', { NET_VOLUME: '1.5 L', FLAVOR: 'Naranja' }, ''],
    [
      'Vino malbec 750cc',
      'MLA-ALCOHOLIC_BEVERAGES',
      { NET_VOLUME: '750 cc', GRAPE_VARIETY: 'Malbec' },
      '',
    ],
    ['Harina 1/2 kg', 'MLA-GRAINS_RICE_CEREAL', {}, 'NET_WEIGHT'],
    ['Arroz largo fino x5k', 'MLA-GRAINS_RICE_CEREAL', {}, 'UNITS_PER_PACK'],
  ],
  'a perfume is of the kind that its title says': [
    [
      'Perfume mujer edt 100 ml',
      'MLA-COSMETICS_AND_PERFUMES',
      { FRAGRANCE_TYPE: 'Eau de toilette' },
      '',
    ],
    ['Perfume feminino 100 ml', 'MLB-COSMETICS_AND_PERFUMES', { FRAGRANCE_TYPE: 'Perfume' }, ''],
  ],
  'sides, memories, voltages and models': [
    ['Cortina de baño 180 x 200 cm', 'MLA-CURTAINS_AND_BLINDS', {}, 'WIDTH HEIGHT'],
    [
      'Celular 4/128gb azul',
      'MLA-MOBILE_SMART_PHONES',
      { RAM: '4 GB', INTERNAL_MEMORY: '128 GB' },
      '',
    ],
    [
      'Tablet 64 GB con 4 GB de memoria RAM',
      'MLA-TABLETS',
      { RAM: '4 GB', INTERNAL_MEMORY: '64 GB' },
      '',
    ],
    ['Liquidificador 110v/220v', 'MLB-KITCHEN_APPLIANCES', { VOLTAGE: 'Bivolt' }, ''],
    ['Batedeira 220v', 'MLB-KITCHEN_APPLIANCES', { VOLTAGE: '220V' }, ''],
    ['Bicicleta fija modelo te-966hp', 'MLA-CARDIO_MACHINES', {}, 'POWER'],
    [
      'Desmalezadora naftera 52cc 2 hp',
      'MLA-OUTDOOR_POWER_EQUIPMENT',
      { POWER: '2 HP' },
      'CAPACITY',
    ],
    [
      'Pc gamer 16gb 1tb monitor full hd',
      'MLA-DESKTOP_COMPUTERS',
      { RAM: '16 GB', STORAGE_CAPACITY: '1 TB' },
      'STORAGE_TYPE',
    ],
    ['Tapete infantil estampado', 'MLA-RUGS', {}, 'PATTERN=Infantil'],
    ['Cable para heladera', 'MLA-KITCHEN_APPLIANCES', {}, 'APPLIANCE_TYPE'],
    [
      'Reloj inteligente con malla negra',
      'MLA-SMARTWATCHES',
      { COLOR: 'Negro' },
      'STRAP_MATERIAL COMPATIBLE_DEVICE',
    ],
  ],
}

for (const [guarantee, titles] of Object.entries(cases)) {
  for (const [title, domain, named, unnamed] of titles) {
    contract('2.15', `${guarantee}: “${title}”`, () => {
      const values = valuesOf(title, domain)
      for (const [id, value] of Object.entries(named)) assert.equal(values[id], value, id)
      for (const exclusion of unnamed.split(' ').filter(Boolean)) {
        const [id = '', value] = exclusion.split('=')
        if (value === undefined) assert.equal(values[id], undefined, id)
        else assert.notEqual(values[id], value, id)
      }
    })
  }
}
