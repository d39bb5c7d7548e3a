import type { Category } from '../tree/tree.ts'
import type { AttributeFinder } from './attributes.ts'
import type { NameMap } from './title/name-trie.ts'
import type { TitleParts } from './values.ts'

/** A category in a prediction. The part that is the same for all titles is rendered once. */
export class PredictionTemplate {
  readonly #head: string
  readonly #finder: AttributeFinder
  readonly #brands: NameMap<string>

  constructor(
    { id, name, domainId }: Category,
    parts: { domainName: string | undefined; finder: AttributeFinder; brands: NameMap<string> },
  ) {
    const head = {
      domain_id: domainId,
      domain_name: parts.domainName ?? name,
      category_id: id,
      category_name: name,
    }
    this.#head = JSON.stringify(head).slice(0, -1)
    this.#finder = parts.finder
    this.#brands = parts.brands
  }

  /** Renders the prediction as JSON text, with the attribute values that the title names. */
  render(title: TitleParts, explanation?: object): string {
    const attributes = this.#finder.valuesIn(title, this.#brands)
    const explained = explanation ? `,"explanation":${JSON.stringify(explanation)}` : ''
    return `${this.#head},"attributes":[${attributes}]${explained}}`
  }
}
