import type { Language, SourceAttribute, SourceValue } from '../source/source.ts'
import type { Steps } from '../tree/slices.ts'
import { type Measured, Scales } from './measures.ts'
import { fold, wordsIn } from './parts.ts'
import { type CallIn, type Calls, Runs } from './runs.ts'
import type { TitleWords } from './words.ts'

/** A value that titles may name. `attribute` is the index among all attributes of the catalog. */
export interface Value {
  attribute: number
  /** The JSON text of the value. */
  text: string
}

/** A name in a title, with at most one value of each attribute. */
export interface TitleCall {
  call: CallIn
  values: readonly Value[]
}

/** The parts of a title that may be attribute values. They are found once for all categories. */
export interface TitleParts {
  /** The names, the longest first. */
  calls: readonly TitleCall[]
  /** The numbers with units of some attribute. */
  measures: readonly Measured[]
}

/** Renders an attribute value as JSON text. */
export function attributeValueJson(id: string, value: { id: string | null; name: string }): string {
  return JSON.stringify({ id, value_id: value.id, value_name: value.name })
}

/** Returns whether an attribute is brand or model, whose values differ by domain. */
export const isName = (attributeId: string) => attributeId === 'BRAND' || attributeId === 'MODEL'

/**
 * The values and units of all attributes in one language, except brands and models. They are the same for every domain,
 * so a title is searched once, and each domain takes the values of its attributes.
 */
export class Values {
  readonly #calls: Calls
  readonly #places: ReadonlyMap<string, number>
  readonly #called: Runs<Value[]>
  readonly #scales = new Scales()

  private constructor(attributes: readonly SourceAttribute[], calls: Calls) {
    this.#calls = calls
    this.#called = new Runs(calls)
    this.#places = new Map(attributes.map(({ id }, place) => [id, place]))
  }

  /** Builds the values of a language in steps. */
  static *grow(
    attributes: readonly SourceAttribute[],
    { language, calls }: { language: Language; calls: Calls },
  ): Steps<Values> {
    const values = new Values(attributes, calls)
    for (const [place, attribute] of attributes.entries()) {
      values.#scales.add(place, { ...attribute, name: attribute.names[language] })
      for (const { call, value } of callsOf(attribute, language)) {
        yield
        values.#add(call, { attribute: place, text: attributeValueJson(attribute.id, value) })
      }
    }
    return values
  }

  /** Adds a value. If an attribute has several with the same name, the first one counts. */
  #add(call: string, value: Value): void {
    const values = this.#called.add(call, [value])
    if (values.at(-1)?.attribute !== value.attribute) values.push(value)
  }

  /** Returns the names and measures of a title. */
  partsOf({ folded, all }: TitleWords): TitleParts {
    const calls = this.#calls
      .in(all)
      .map((call) => ({ call, values: this.#called.get(call) ?? none }))
    return { calls, measures: this.#scales.in(folded) }
  }

  /** Returns the index of an attribute among all. */
  placeOf(attributeId: string): number | undefined {
    return this.#places.get(attributeId)
  }
}

const none: readonly Value[] = []

/** Yields the names of the values of an attribute, first those of the catalog and then other forms. */
function* callsOf(
  { id, names, valueType, values }: SourceAttribute,
  language: Language,
): Generator<{ call: string; value: { id: string; name: string } }> {
  if (valueType === 'boolean' || isName(id)) return
  const named = (value: SourceValue) => ({ id: value.id, name: value.names[language] })
  for (const value of values) yield { call: value.names[language], value: named(value) }
  // Adjectives agree with the goods: *heladera blanca*, *zapatos negros*.
  const words = namingWords(names[language])
  for (const source of values) {
    const value = named(source)
    const forms = isMaterial.test(id) ? [] : formsOf(value.name)
    for (const call of [...forms, ...source.aliases]) yield { call, value }
    if (!isAmbiguous.test(value.name)) continue
    for (const word of words) yield { call: `${word} ${value.name}`, value }
  }
}

/** A single number or letter needs the word of its attribute: *talle 42*, *tam M*. */
const isAmbiguous = /^(?:\p{L}|[0-9.,]+)$/u
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** Returns the words that name an attribute in titles: the first of its name, or the words for sizes. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = wordsIn(fold(name))
  return sizes.includes(first) ? sizes : [first]
}

/** Attributes of materials. Their values are nouns without other forms: *linho* is linen, *linha* a thread. */
const isMaterial = /MATERIAL$|^METAL$/

/** Returns the feminine and plural forms of a word in -o. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
