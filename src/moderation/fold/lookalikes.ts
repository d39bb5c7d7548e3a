/**
 * Look-alike characters, as pairs of the character and the letter that it is read as. Compatibility forms (full width,
 * circled, superscript) need no pair: Unicode normalization replaces them.
 */
const pairs = `
аa вb сc еe нh іi јj кk мm оo рp ѕs тt уy хx
ԁd ɡg һh ӏl ԛq ԝw
αa βb εe ηn ιi κk νv οo ρp τt υu χx ωw
ıi łl đd øo ðd þp æa œo ßs
ǝe ɐa ʍw ʇt
¹1 ²2 ³3 ×x ¢c ¥y §s µu
·. •. ․. 。. ․. ∙. ⋅.
﹫@ ⁄/ ∕/ ⧸/ ꞉: ‐- ‑- ‒- –- —- −-
`

export const lookalikes: ReadonlyMap<string, string> = new Map(
  pairs
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [written = '', read = ''] = [...pair]
      return [written, read]
    }),
)
