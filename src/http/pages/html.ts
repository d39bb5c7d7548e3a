/** Text that is HTML. Only `html` creates it, so that all other text is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type TemplateValue = Html | string | number | undefined | readonly (Html | string)[]

/** Returns HTML from a template. Values are escaped, unless they are `Html`. Undefined becomes empty. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  return new Html(strings.reduce((text, piece, index) => text + write(values[index - 1]) + piece))
}

function write(value: TemplateValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return value.map(write).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
