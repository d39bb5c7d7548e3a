import type { Category } from '../tree/tree.ts'
import type { AttributeFinder } from './attributes.ts'
import type { Runs } from './runs.ts'
import type { TitleParts } from './values.ts'

/** A category as it is proposed for titles (contract 2.15): what is the same for all of them is text
 * already. */
export class Proposal {
  readonly #head: string
  readonly #finder: AttributeFinder
  readonly #brands: Runs<string>

  constructor(
    { id, name, domainId }: Category,
    of: { domainName: string | undefined; finder: AttributeFinder; brands: Runs<string> },
  ) {
    const head = {
      domain_id: domainId,
      domain_name: of.domainName ?? name,
      category_id: id,
      category_name: name,
    }
    this.#head = JSON.stringify(head).slice(0, -1)
    this.#finder = of.finder
    this.#brands = of.brands
  }

  /** JSON, with what the title says of its attributes. */
  textFor(title: TitleParts, explanation?: object): string {
    const attributes = this.#finder.in(title, this.#brands)
    const explained = explanation ? `,"explanation":${JSON.stringify(explanation)}` : ''
    return `${this.#head},"attributes":[${attributes}]${explained}}`
  }
}
