/** Names that are often split in two to hide them. */
const names = `
whatsapp wasap wassap instagram facebook telegram messenger tiktok linkedin snapchat discord
gmail hotmail outlook icloud
transferencia transferime deposito efectivo
`

export const spacedWords: ReadonlySet<string> = new Set(names.trim().split(/\s+/))

/** First halves of these names, at least three letters: shorter ones are words of their own. */
export const splitBeginnings: ReadonlySet<string> = new Set(
  [...spacedWords].flatMap((name) =>
    Array.from({ length: name.length - 4 }, (_, index) => name.slice(0, index + 3)),
  ),
)

/** Abbreviations: a full stop after one does not end a sentence. */
export const abbreviations: ReadonlySet<string> = new Set(
  `av avda avs nro num n nº col c p r tel cel sr sra srta dr dra calz jr blvd bv cra cr cl pje dpto depto
  dto apto ap aprox ej art ref cod int ext esq pcia prov cp edif of ing lic s sta sto gral cnel tte bs
  mts cm mm kg u uds und pag`
    .trim()
    .split(/\s+/),
)
