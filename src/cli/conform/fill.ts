/** What checks are about: numbers and words that were found by asking the server. */
export type Material = Map<string, string | number>

export class Lacking extends Error {
  readonly what: string
  constructor(what: string) {
    super(`lacks {${what}}`)
    this.what = what
  }
}

/** The text with what stands in braces filled in. Throws `Lacking`. */
export function filled(text: string, material: Material, write = encodeURIComponent): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (_whole, name: string) =>
    write(String(held(name, material))),
  )
}

function held(name: string, material: Material): string | number {
  const value = material.get(name)
  if (value === undefined) throw new Lacking(name)
  return value
}

/** The same for a body: a text that is nothing but `{name}` becomes the value itself. */
export function filledBody(body: unknown, material: Material): unknown {
  if (typeof body === 'string') {
    const whole = /^\{([a-z_]+)\}$/.exec(body)?.[1]
    return whole ? held(whole, material) : filled(body, material, String)
  }
  if (Array.isArray(body)) return body.map((each) => filledBody(each, material))
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([key, each]) => [key, filledBody(each, material)])
  return Object.fromEntries(entries)
}
