/** Values that fill the names in braces, found on the server or created there. */
export type PlaceholderValues = Map<string, string | number>

export class MissingPlaceholder extends Error {
  readonly placeholder: string
  constructor(what: string) {
    super(`lacks {${what}}`)
    this.placeholder = what
  }
}

/** Returns the text with the names in braces filled in. Throws `MissingPlaceholder` if one has no value. */
export function fillPlaceholders(
  text: string,
  material: PlaceholderValues,
  write = encodeURIComponent,
): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (_whole, name: string) =>
    write(String(requireValue(name, material))),
  )
}

function requireValue(name: string, material: PlaceholderValues): string | number {
  const value = material.get(name)
  if (value === undefined) throw new MissingPlaceholder(name)
  return value
}

/** Fills in a body. A text that is only `{name}` becomes the value itself, with its type. */
export function filledBody(body: unknown, material: PlaceholderValues): unknown {
  if (typeof body === 'string') {
    const whole = /^\{([a-z_]+)\}$/.exec(body)?.[1]
    return whole ? requireValue(whole, material) : fillPlaceholders(body, material, String)
  }
  if (Array.isArray(body)) return body.map((element) => filledBody(element, material))
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([key, value]) => [key, filledBody(value, material)])
  return Object.fromEntries(entries)
}
