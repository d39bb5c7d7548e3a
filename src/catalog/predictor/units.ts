import { fold } from './parts.ts'

/** How sellers write a unit, beside its sign. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  l: ['lt', 'lts', 'litro', 'litros'],
  ml: ['mililitros', 'cc'],
  kg: ['kgs', 'kilo', 'kilos', 'quilo', 'quilos'],
  g: ['gr', 'grs', 'gramos', 'gramas'],
  m: ['mt', 'mts', 'metro', 'metros'],
  'm²': ['m2', 'mt2', 'mts2'],
  cm: ['cms', 'centimetros'],
  mm: ['milimetros'],
  w: ['watt', 'watts'],
  v: ['volt', 'volts'],
  gb: ['gigas'],
  tb: ['teras'],
  in: ['pulgadas', 'pulg', 'polegadas', 'pol', '"', "''"],
  hp: ['cv'],
}

/** The sign of a unit, by every way to write it, folded; the signs themselves among them. */
export const signs: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([sign, others]) =>
    [sign, ...others].map((written): [string, string] => [fold(written), sign]),
  ),
)

/** What the same unit is always written as, however it is; folded, where we know no other way. */
export function signOf(unit: string): string {
  const folded = fold(unit)
  return signs.get(folded) ?? folded
}
