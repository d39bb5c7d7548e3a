import type { SlicedWork } from '../kernel/slices.ts'
import { linkWords, plainPhrases } from './attribute-words.ts'
import { AttributeUnits, type MatchedMeasure } from './measures.ts'
import { type PackSize, packSizeIn } from './packs.ts'
import type { CatalogLanguage, PredictorAttribute, SourceValue } from './source.ts'
import { NameMap, type NameMatch, type NameTrie, type TitleToken } from './title/name-trie.ts'
import { foldText, splitWords } from './title/tokenize.ts'
import type { TitleWords } from './title/words.ts'
import {
  type ContextRule,
  contextRuleOf,
  hasPurposeWord,
  materialIdPattern,
} from './title-context.ts'

/** Finds what a title says about attributes, once for all domains. `attributes.ts` then gives it to the attributes of a
 * domain. Example: in *Heladera Gafa no frost 374 lts*, the name *Heladera* is a value of `APPLIANCE_TYPE`. *Gafa* is a
 * brand, so it is a name without a value here. *374 lts* is a measure. *No frost* is nothing: yes-or-no attributes have
 * no names of values. */

/** A value that titles may name. */
export interface IndexedValue {
  /** The index among all attributes of the catalog. */
  attribute: number
  /** The JSON text of the value. */
  text: string
  /** What the words around the name must be like. */
  rule?: ContextRule | undefined
}

/** A name in a title, with at most one value of each attribute. */
export interface ValueMatch {
  /** The name, with its range of words in the title. */
  call: NameMatch
  /** The values that the words around the name allow, in the order of attributes. Empty for a name that is only a brand
   * or model, or that belongs to a longer name. */
  values: readonly IndexedValue[]
  /** Whether the name is a value of some attribute, even if not in this title. */
  isValue: boolean
}

/** The parts of a title that may be attribute values. They are found once for all categories. */
export interface TitleParts {
  /** All words of the title, including stop words and numbers. */
  words: readonly TitleToken[]
  /** Whether a word says what the goods are for. False for a title without names, which has no use for it. */
  hasPurpose: boolean
  /** The names, those of most words first. */
  nameMatches: readonly ValueMatch[]
  /** The numbers with units of some attribute, in the order of the title. */
  measures: readonly MatchedMeasure[]
  /** The number of units in a pack. Undefined if the title names none or several. */
  pack: PackSize | undefined
}

/** Renders an attribute value as JSON text: an object with `id`, `value_id` (null for a measure, for example) and
 * `value_name`. */
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
  /** The trie of all names, including brands and models of domains. */
  readonly #calls: NameTrie
  /** Indexes among all attributes of the catalog, by id. */
  readonly #places: ReadonlyMap<string, number>
  /** Values by name, at most one per attribute, in the order of attributes. */
  readonly #called: NameMap<IndexedValue[]>
  /** Phrases whose words are no values. */
  readonly #plain: NameMap<true>
  /** The value for both mains voltages, if the catalog has one. */
  #dualVoltage: IndexedValue | undefined
  /** The units of all attributes. */
  readonly #scales = new AttributeUnits()

  private constructor(attributes: readonly PredictorAttribute[], calls: NameTrie) {
    this.#calls = calls
    this.#called = new NameMap(calls)
    this.#plain = new NameMap(calls)
    for (const phrase of plainPhrases) this.#plain.add(phrase, true)
    this.#places = new Map(attributes.map(({ id }, index) => [id, index]))
  }

  /** Builds the values of a language in steps, and enters their names into the trie `calls`. */
  static *build(
    attributes: readonly PredictorAttribute[],
    { language, calls }: { language: CatalogLanguage; calls: NameTrie },
  ): SlicedWork<AttributeValueIndex> {
    const values = new AttributeValueIndex(attributes, calls)
    for (const [index, attribute] of attributes.entries()) {
      values.#scales.add(index, { ...attribute, name: attribute.names[language] })
      for (const { call, value } of valueNamesOf(attribute, language)) {
        yield
        const text = attributeValueJson(attribute.id, value)
        const indexed = {
          attribute: index,
          text,
          rule: contextRuleOf(attribute.id, foldText(call)),
        }
        values.#add(call, indexed)
        if (attribute.id === 'VOLTAGE' && value.id === 'DUAL') values.#dualVoltage ??= indexed
      }
    }
    return values
  }

  /** Adds a value. If an attribute has several with the same name, the first one counts. Only the last value of the
   * name can be of the same attribute, because attributes come one after another. */
  #add(call: string, value: IndexedValue): void {
    const values = this.#called.add(call, [value])
    if (values.at(-1)?.attribute !== value.attribute) values.push(value)
  }

  /** Returns the names and measures of a title, which the lexicon has read. Words of a longer value are no shorter one:
   * *manga larga* is no wide cut, *Full HD* no hard disk. */
  findParts({ folded, tokens }: TitleWords): TitleParts {
    const nameMatches: ValueMatch[] = []
    // Names of values and plain phrases so far. Matches come longest first, so a later one may lie within them.
    const taken: NameMatch[] = []
    const hasNumbers = digit.test(folded)
    const dual = hasNumbers && dualVoltagePattern.test(folded) ? this.#dualVoltage : undefined
    for (const call of this.#calls.matchesIn(tokens)) {
      const called = this.#called.get(call)
      const isPlain = this.#plain.get(call) !== undefined
      let values: readonly IndexedValue[] = none
      if (called && !isPlain && !isWithinAny(call, { taken, tokens })) {
        values = fittingValues(called, { tokens, call })
        if (dual) values = values.map((one) => (one.attribute === dual.attribute ? dual : one))
      }
      if (called || isPlain) taken.push(call)
      nameMatches.push({ call, values, isValue: called !== undefined })
    }
    return {
      words: tokens,
      hasPurpose: nameMatches.length > 0 && hasPurposeWord(tokens),
      nameMatches,
      measures: hasNumbers ? this.#scales.measuresIn(folded) : noMeasures,
      pack: hasNumbers ? packSizeIn(folded) : undefined,
    }
  }

  /** How many attributes the catalog has. */
  get attributeCount(): number {
    return this.#places.size
  }

  /** Returns the index of an attribute among all attributes of the catalog. Undefined for an unknown id. */
  attributeIndexOf(attributeId: string): number | undefined {
    return this.#places.get(attributeId)
  }
}

const none: readonly IndexedValue[] = []
const noMeasures: readonly MatchedMeasure[] = []
const digit = /[0-9]/

/** Both mains voltages: *110v/220v*, *127/220 V*. */
const dualVoltagePattern = /(?<![0-9a-z])1[0-2][0-9] ?v?(?:olts)? ?(?:[/-]|y|e|a|o|ou) ?2[2-4]0 ?v/

/** Returns the values of a name that the words around it allow. */
function fittingValues(
  values: readonly IndexedValue[],
  { tokens, call }: { tokens: readonly TitleToken[]; call: NameMatch },
): readonly IndexedValue[] {
  for (const { rule } of values) {
    if (rule !== undefined && !rule(tokens, call)) {
      return values.filter((value) => value.rule === undefined || value.rule(tokens, call))
    }
  }
  return values
}

/** Returns whether the words of a name are some of those of a longer one that says more. A longer name with only link
 * words besides does not: *de tela* says no more than *tela*. */
function isWithinAny(
  call: NameMatch,
  { taken, tokens }: { taken: readonly NameMatch[]; tokens: readonly TitleToken[] },
): boolean {
  return taken.some((longer) => {
    if (call.from < longer.from || call.to > longer.to) return false
    for (let at = longer.from; at < longer.to; at++) {
      const isOther = at < call.from || at >= call.to
      if (isOther && !linkWords.has(tokens[at]?.written ?? '')) return true
    }
    return false
  })
}

/** Yields the names of the values of an attribute, first those of the catalog and then other forms. Of equal names, the
 * first one counts. None for brands and models, which differ by domain, and for yes or no. */
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
    const forms = materialIdPattern.test(id) || properNames.has(id) ? [] : inflectionsOf(value.name)
    for (const call of [...forms, ...source.aliases]) {
      if (!ambiguousAliasPattern.test(call)) yield { call, value }
      else for (const word of words) yield { call: `${word} ${call}`, value }
    }
    if (!ambiguousNamePattern.test(value.name)) continue
    for (const word of words) yield { call: `${word} ${value.name}`, value }
  }
}

/** A single number or letter needs the word of its attribute: *talle 42*, *tam M*. */
const ambiguousNamePattern = /^(?:\p{L}|[0-9.,]+)$/u
/** So do these words of sizes: *único* is mostly praise. */
const ambiguousAliasPattern = /^(?:único|única|estándar|u)$/u
/** Folded words for sizes, in Spanish and Portuguese. */
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** Returns the words that name an attribute in titles: the first of its name, or the words for sizes. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = splitWords(foldText(name))
  return sizes.includes(first) ? sizes : [first]
}

/** Attributes whose values are proper names, which have no other forms either. */
const properNames: ReadonlySet<string> = new Set(['CARRIER', 'CHARACTER', 'TEAM', 'PLATFORM'])

/** Returns the feminine and plural forms of a word in -o. */
function inflectionsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
