import type { Language, SourceAttribute, SourceValue } from '../source/source.ts'
import type { Steps } from '../tree/slices.ts'
import { type Measured, Scales } from './measures.ts'
import { fold, wordsIn } from './parts.ts'
import { type CallIn, type Calls, Runs } from './runs.ts'
import type { TitleWords } from './words.ts'

/** A value that a title may name, and the place of its attribute among all of a catalogue. */
export interface Value {
  attribute: number
  /** As `told`. */
  text: string
}

/** With the values of all attributes that are called so, at most one of each. */
export interface TitleCall {
  call: CallIn
  values: readonly Value[]
}

/** A title as attributes look at it: made once, for all the categories that it may belong to. */
export interface TitleParts {
  /** What it calls, the longest call first. */
  calls: readonly TitleCall[]
  /** Its numbers with the units behind them, as far as anything is measured in those. */
  measures: readonly Measured[]
}

/** What a title says of an attribute, as JSON (contract 2.15). */
export function attributeValueJson(id: string, value: { id: string | null; name: string }): string {
  return JSON.stringify({ id, value_id: value.id, value_name: value.name })
}

/** Brands and models: each domain offers its own. */
export const isName = (attributeId: string) => attributeId === 'BRAND' || attributeId === 'MODEL'

/**
 * What the values of attributes are called in one language, and what they are measured in. They are the same
 * whatever is listed, but for brands and models: a title is searched once for all of them, and each domain
 * takes what it asks for.
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

  /** Step by step. */
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

  /** The first value of an attribute that is called so is found. */
  #add(call: string, value: Value): void {
    const values = this.#called.add(call, [value])
    if (values.at(-1)?.attribute !== value.attribute) values.push(value)
  }

  /** What there is to find in a title, of all that is called or measured by now. */
  partsOf({ folded, all }: TitleWords): TitleParts {
    const calls = this.#calls
      .in(all)
      .map((call) => ({ call, values: this.#called.get(call) ?? none }))
    return { calls, measures: this.#scales.in(folded) }
  }

  /** The place of an attribute among all. */
  placeOf(attributeId: string): number | undefined {
    return this.#places.get(attributeId)
  }
}

const none: readonly Value[] = []

/** The ways to call the values of an attribute; first what they are named. */
function* callsOf(
  { id, names, valueType, values }: SourceAttribute,
  language: Language,
): Generator<{ call: string; value: { id: string; name: string } }> {
  if (valueType === 'boolean' || isName(id)) return
  const named = (value: SourceValue) => ({ id: value.id, name: value.names[language] })
  for (const each of values) yield { call: each.names[language], value: named(each) }
  // What a thing is like follows the thing: heladera blanca, zapatos negros.
  const words = namingWords(names[language])
  for (const each of values) {
    const value = named(each)
    const forms = isMaterial.test(id) ? [] : formsOf(value.name)
    for (const call of [...forms, ...each.aliases]) yield { call, value }
    if (!saysNothing.test(value.name)) continue
    for (const word of words) yield { call: `${word} ${value.name}`, value }
  }
}

/** A number or a letter may be anything, unless it is said of what: talle 42, tam M. */
const saysNothing = /^(?:\p{L}|[0-9.,]+)$/u
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** By which words people say of what a value is: the first of its name, or what sizes are called. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = wordsIn(fold(name))
  return sizes.includes(first) ? sizes : [first]
}

/** What a thing is made of is a thing itself: *linho* is linen, *linha* a thread. */
const isMaterial = /MATERIAL$|^METAL$/

/** The other forms of a word that ends in -o: of her, of several. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
