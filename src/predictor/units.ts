import { foldText } from './title/tokenize.ts'
import { readUnitSpellings } from './title/word-files.ts'

/** Symbols of units by folded spelling, including the symbols themselves. */
export const unitSymbols: ReadonlyMap<string, string> = new Map(
  [...readUnitSpellings()].flatMap(([sign, others]) =>
    [sign, ...others].map((written): [string, string] => [foldText(written), sign]),
  ),
)

/** Returns the symbol of a unit, or its folded text if the unit is unknown. */
export function unitSymbolOf(unit: string): string {
  const folded = foldText(unit)
  return unitSymbols.get(folded) ?? folded
}
