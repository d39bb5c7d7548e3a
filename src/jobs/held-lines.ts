/** Lines of a job's file that are kept in the checkpoint until they become a part: small steps would make small parts. */
export type HeldLines = readonly string[]

/** Lines of a part. */
const linesPerPart = 500

export function isPartFull(lines: HeldLines): boolean {
  return lines.length >= linesPerPart
}

/** Returns the lines as text of the file. */
export function textOfLines(lines: HeldLines): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Yields the lines as a part of the file. */
export async function* partOfLines(lines: HeldLines): AsyncGenerator<Buffer> {
  yield Buffer.from(textOfLines(lines))
}
