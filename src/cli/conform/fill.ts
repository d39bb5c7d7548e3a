/** Values that fill the names in braces, found on the server or created there. */
export type Material = Map<string, string | number>

export class Lacking extends Error {
  readonly what: string
  constructor(what: string) {
    super(`lacks {${what}}`)
    this.what = what
  }
}

/** Returns the text with the names in braces filled in. Throws `Lacking` if one has no value. */
export function filled(text: string, material: Material, write = encodeURIComponent): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (_whole, name: string) =>
    write(String(requireValue(name, material))),
  )
}

function requireValue(name: string, material: Material): string | number {
  const value = material.get(name)
  if (value === undefined) throw new Lacking(name)
  return value
}

/** Fills in a body. A text that is only `{name}` becomes the value itself, with its type. */
export function filledBody(body: unknown, material: Material): unknown {
  if (typeof body === 'string') {
    const whole = /^\{([a-z_]+)\}$/.exec(body)?.[1]
    return whole ? requireValue(whole, material) : filled(body, material, String)
  }
  if (Array.isArray(body)) return body.map((element) => filledBody(element, material))
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([key, value]) => [key, filledBody(value, material)])
  return Object.fromEntries(entries)
}
