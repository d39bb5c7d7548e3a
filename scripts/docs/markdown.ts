/** Returns a Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [lineOf(head), `|${head.map(() => '---|').join('')}`, ...rows.map(lineOf)].join('\n')
}
