import { foldText } from './title/tokenize.ts'

/** Spellings of units by symbol. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  l: ['lt', 'lts', 'ltr', 'ltrs', 'litro', 'litros'],
  ml: ['mls', 'mililitros', 'cc'],
  kg: ['kgs', 'kilo', 'kilos', 'quilo', 'quilos'],
  g: ['gr', 'grs', 'gs', 'grm', 'grms', 'gramos', 'gramas'],
  m: ['mt', 'mts', 'metro', 'metros'],
  'm²': ['m2', 'mt2', 'mts2'],
  cm: ['cms', 'centimetros'],
  mm: ['milimetros'],
  w: ['watt', 'watts', 'wats', 'vatios', 'watios'],
  v: ['volt', 'volts'],
  gb: ['gigas'],
  tb: ['teras'],
  in: ['pulgadas', 'pulg', 'polegadas', 'pol', '"', "''"],
  hp: ['cv'],
  gal: ['galon', 'galones', 'galao'],
  oz: ['onza', 'onzas'],
  lb: ['lbs', 'libra', 'libras'],
  btu: ['btus'],
}

/** Symbols of units by folded spelling, including the symbols themselves. */
export const unitSymbols: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([sign, others]) =>
    [sign, ...others].map((written): [string, string] => [foldText(written), sign]),
  ),
)

/** Returns the symbol of a unit, or its folded text if the unit is unknown. */
export function unitSymbolOf(unit: string): string {
  const folded = foldText(unit)
  return unitSymbols.get(folded) ?? folded
}
