/**
 * Where a spreadsheet may find a formula: at the beginning, and behind a semicolon, which separates cells in countries with
 * a decimal comma. Spreadsheets skip spaces, line ends and invisible characters before it.
 */
const formulaStarts =
  /(^|;)(?=[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])|^(?=[\t\r\n])/gu

/** Returns a text for a CSV file in which an apostrophe precedes whatever a spreadsheet would run as a formula. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(formulaStarts, "$1'")
}
