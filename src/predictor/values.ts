import type { SlicedWork } from '../kernel/slices.ts'
import { AttributeUnits, type MatchedMeasure } from './measures.ts'
import type { CatalogLanguage, PredictorAttribute, SourceValue } from './source.ts'
import { NameMap, type NameMatch, type NameTrie } from './title/name-trie.ts'
import { foldText, splitWords } from './title/tokenize.ts'
import type { TitleWords } from './title/words.ts'

/** A value that titles may name. `attribute` is the index among all attributes of the catalog. */
export interface IndexedValue {
  attribute: number
  /** The JSON text of the value. */
  text: string
}

/** A name in a title, with at most one value of each attribute. */
export interface ValueMatch {
  call: NameMatch
  values: readonly IndexedValue[]
}

/** The parts of a title that may be attribute values. They are found once for all categories. */
export interface TitleParts {
  /** The names, the longest first. */
  nameMatches: readonly ValueMatch[]
  /** The numbers with units of some attribute. */
  measures: readonly MatchedMeasure[]
}

/** Renders an attribute value as JSON text. */
export function attributeValueJson(id: string, value: { id: string | null; name: string }): string {
  return JSON.stringify({ id, value_id: value.id, value_name: value.name })
}

/** Returns whether an attribute is brand or model, whose values differ by domain. */
export const isBrandOrModel = (attributeId: string) =>
  attributeId === 'BRAND' || attributeId === 'MODEL'

/**
 * The values and units of all attributes in one language, except brands and models. They are the same for every domain,
 * so a title is searched once, and each domain takes the values of its attributes.
 */
export class AttributeValueIndex {
  readonly #calls: NameTrie
  readonly #places: ReadonlyMap<string, number>
  readonly #called: NameMap<IndexedValue[]>
  readonly #scales = new AttributeUnits()

  private constructor(attributes: readonly PredictorAttribute[], calls: NameTrie) {
    this.#calls = calls
    this.#called = new NameMap(calls)
    this.#places = new Map(attributes.map(({ id }, index) => [id, index]))
  }

  /** Builds the values of a language in steps. */
  static *build(
    attributes: readonly PredictorAttribute[],
    { language, calls }: { language: CatalogLanguage; calls: NameTrie },
  ): SlicedWork<AttributeValueIndex> {
    const values = new AttributeValueIndex(attributes, calls)
    for (const [index, attribute] of attributes.entries()) {
      values.#scales.add(index, { ...attribute, name: attribute.names[language] })
      for (const { call, value } of valueNamesOf(attribute, language)) {
        yield
        values.#add(call, { attribute: index, text: attributeValueJson(attribute.id, value) })
      }
    }
    return values
  }

  /** Adds a value. If an attribute has several with the same name, the first one counts. */
  #add(call: string, value: IndexedValue): void {
    const values = this.#called.add(call, [value])
    if (values.at(-1)?.attribute !== value.attribute) values.push(value)
  }

  /** Returns the names and measures of a title. */
  findParts({ folded, tokens }: TitleWords): TitleParts {
    const calls = this.#calls
      .matchesIn(tokens)
      .map((call) => ({ call, values: this.#called.get(call) ?? none }))
    return { nameMatches: calls, measures: this.#scales.measuresIn(folded) }
  }

  /** Returns the index of an attribute among all. */
  attributeIndexOf(attributeId: string): number | undefined {
    return this.#places.get(attributeId)
  }
}

const none: readonly IndexedValue[] = []

/** Yields the names of the values of an attribute, first those of the catalog and then other forms. */
function* valueNamesOf(
  { id, names, valueType, values }: PredictorAttribute,
  language: CatalogLanguage,
): Generator<{ call: string; value: { id: string; name: string } }> {
  if (valueType === 'boolean' || isBrandOrModel(id)) return
  const named = (value: SourceValue) => ({ id: value.id, name: value.names[language] })
  for (const value of values) yield { call: value.names[language], value: named(value) }
  // Adjectives agree with the goods: *heladera blanca*, *zapatos negros*.
  const words = namingWords(names[language])
  for (const source of values) {
    const value = named(source)
    const forms = materialIdPattern.test(id) ? [] : inflectionsOf(value.name)
    for (const call of [...forms, ...source.aliases]) yield { call, value }
    if (!ambiguousNamePattern.test(value.name)) continue
    for (const word of words) yield { call: `${word} ${value.name}`, value }
  }
}

/** A single number or letter needs the word of its attribute: *talle 42*, *tam M*. */
const ambiguousNamePattern = /^(?:\p{L}|[0-9.,]+)$/u
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** Returns the words that name an attribute in titles: the first of its name, or the words for sizes. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = splitWords(foldText(name))
  return sizes.includes(first) ? sizes : [first]
}

/** Attributes of materials. Their values are nouns without other forms: *linho* is linen, *linha* a thread. */
const materialIdPattern = /MATERIAL$|^METAL$/

/** Returns the feminine and plural forms of a word in -o. */
function inflectionsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
