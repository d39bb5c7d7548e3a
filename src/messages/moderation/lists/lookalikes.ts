/**
 * Characters that pass for others, as pairs: what is written, what it is read as. What Unicode itself
 * calls a form of another character (full width, circled, raised) needs no line here.
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
