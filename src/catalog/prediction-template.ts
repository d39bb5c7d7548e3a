import type { CategoryValues } from '../predictor/catalog-predictor.ts'
import type { TitleParts } from '../predictor/values.ts'
import type { Category } from './tree/tree.ts'

/** A category in a prediction. The part that is the same for all titles is rendered once. */
export class PredictionTemplate {
  readonly #head: string
  readonly #values: CategoryValues

  constructor(
    { id, name, domainId }: Category,
    parts: { domainName: string | undefined; values: CategoryValues },
  ) {
    const head = {
      domain_id: domainId,
      domain_name: parts.domainName ?? name,
      category_id: id,
      category_name: name,
    }
    this.#head = JSON.stringify(head).slice(0, -1)
    this.#values = parts.values
  }

  /** Renders the prediction as JSON text, with the attribute values that the title names. */
  render(title: TitleParts, explanation?: object): string {
    const attributes = this.#values.renderIn(title)
    const explained = explanation ? `,"explanation":${JSON.stringify(explanation)}` : ''
    return `${this.#head},"attributes":[${attributes}]${explained}}`
  }
}
