import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ClaimBody } from '../../claims/bodies.ts'
import { claimOpeners } from '../../claims/claim.ts'
import { feedbackRoles, reasons } from '../../feedback/feedback.ts'
import { firstSchemaErrors } from '../../http/schema-errors.ts'
import { guideOptions } from '../../kernel/guide-options.ts'
import { memoized } from '../../kernel/memoized.ts'
import { StrictObject } from '../../kernel/schema.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import { conversationBlocks } from '../../messages/conversation.ts'
import { OrderPatch, PaymentBody } from '../../orders/commands/bodies.ts'
import { cancelGroups, channels, flows, ratings, requestStatuses } from '../../orders/order.ts'
import { paymentStatuses } from '../../orders/payment.ts'
import { initialStatuses, orderStatuses } from '../../orders/status.ts'
import { questionStatuses } from '../../questions/question.ts'
import { costTypes, logisticTypes, shipmentStatuses } from '../../shipments/shipment.ts'
import { demoSites } from './ids.ts'

/** Reads and checks the files of the folder `demo`. Its README.md describes them. */

const { Optional, Array: ListOf, Union } = Type
const Text = Type.String({ minLength: 1 })
const Count = Type.Integer({ minimum: 0 })
const Amount = Type.Number({ minimum: 0 })
const DemoSiteSchema = Type.Enum([...demoSites])
const Party = Type.Enum([...claimOpeners])
const Role = Type.Enum([...feedbackRoles])
const Done = Type.Literal(true)
/** The ends of a range, both inclusive. */
const Range = Type.Tuple([Amount, Amount])
const inLanguages = <T extends TSchema>(schema: T) => StrictObject({ es: schema, pt: schema })
const recordOf = <K extends string, T extends TSchema>(keys: readonly K[], schema: T) =>
  StrictObject(Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, T>)

const paymentMethods = ['card', 'debit', 'balance', 'cash', 'transfer'] as const
const transports = [...logisticTypes, 'me1', 'custom', 'not_specified', 'none'] as const
const features = [
  'coupon',
  'discount',
  'cashback',
  'products',
  'taxes',
  'comment',
  'pickup',
  'application',
  'foreign_price',
  'wholesale_price',
] as const

const SiteData = StrictObject({
  /** Offset of local time from UTC, without daylight saving time. */
  utc_hours: Type.Integer(),
  document: StrictObject({ type: Text, number: Text }),
  phone: Text,
  door: Text,
  billing: Text,
  cash: Text,
  tax_percent: Optional(Amount),
  attributes: StrictObject({ color: Text, size: Text }),
  /** In the smallest unit of the currency. A price is a multiple of `step`, minus `short`. */
  price: StrictObject({ per_dollar: Count, step: Count, short: Count, places: Count }),
  streets: ListOf(Text, { minItems: 1 }),
  neighborhoods: ListOf(Text, { minItems: 1 }),
  cities: ListOf(
    StrictObject({ city: Text, state_id: Text, state: Text, zip: Text, area_code: Text }),
    { minItems: 1 },
  ),
})

const person = { site: DemoSiteSchema, nickname: Text, first: Text, last: Text }
const Users = StrictObject({
  sellers: ListOf(StrictObject({ ...person, weight: Amount })),
  buyers: ListOf(StrictObject(person)),
  former_buyer: StrictObject(person),
})

const Product = StrictObject({
  code: Text,
  category: Count,
  dollars: Amount,
  colors: Optional(ListOf(Text)),
  sizes: Optional(ListOf(Text)),
  condition: Optional(Type.Literal('used')),
  warranty_months: Optional(Count),
  manufacturing_days: Optional(Count),
  titles: recordOf(demoSites, Text),
})
const Products = StrictObject({
  colors: Type.Record(Text, inLanguages(Text)),
  products: ListOf(Product),
})

const Listings = StrictObject({
  further: ListOf(
    StrictObject({
      product: Text,
      title: Text,
      dollars: Optional(Amount),
      condition: Optional(Type.Literal('used')),
      sku: Text,
      quantity: Optional(Count),
    }),
  ),
  real_estate: StrictObject({
    id: Text,
    site: DemoSiteSchema,
    title: Text,
    category: Text,
    currency: Text,
    price: Text,
    custom_field: Text,
    sku: Text,
    quantity: Count,
    quotation: StrictObject({ comments: Text, hours_ago: Amount }),
  }),
  invoice: StrictObject({
    site: DemoSiteSchema,
    number: Count,
    series: Count,
    key: Text,
    amount: Amount,
    hours_ago: Amount,
  }),
  picture_error: StrictObject({ message: Text, hours_ago: Amount }),
})

const Questions = ListOf(
  StrictObject({
    item: Text,
    /** The demo buyer, or the index of a buyer of the site. */
    by: Union([Type.Literal('demo buyer'), Count]),
    hours_ago: Amount,
    text: Text,
    answer: Optional(Text),
    /** The status of a question that is neither answered nor open. */
    status: Optional(Type.Enum([...questionStatuses])),
  }),
)

const Sales = StrictObject({
  hourly: ListOf(Amount, { minItems: 24, maxItems: 24 }),
  features: Type.Partial(recordOf(features, Amount)),
  commission_percent: Type.Record(Text, Amount),
  price_percents: ListOf(Amount, { minItems: 1 }),
  flows: ListOf(Type.Enum([...flows]), { minItems: 1 }),
  installments: ListOf(Count, { minItems: 1 }),
})

const Texts = StrictObject({
  comments: inLanguages(ListOf(Text, { minItems: 1 })),
  products: inLanguages(ListOf(StrictObject({ name: Text, value: Text }))),
  notes: inLanguages(StrictObject({ seller: Text, buyer: Text })),
  warranty: inLanguages(Text),
  ratings: recordOf(
    feedbackRoles,
    recordOf(ratings, inLanguages(ListOf(Type.String({ maxLength: 159 }), { minItems: 1 }))),
  ),
  reply: inLanguages(Text),
})

const Cancellations = Type.Record(
  Text,
  StrictObject({
    group: Type.Enum([...cancelGroups]),
    code: Text,
    requested_by: Type.Enum(['buyer', 'seller', 'platform']),
    description: inLanguages(Text),
  }),
)

const Shipping = StrictObject({
  /** Drawn with equal chance, so an entry that is listed twice is twice as frequent. */
  draw: ListOf(Type.Enum([...transports]), { minItems: 1 }),
  services: recordOf(
    [...logisticTypes, ...shippingModes],
    /** `days` from the dispatch to the delivery. */
    StrictObject({ id: Count, type: Text, days: Count, name: inLanguages(Text) }),
  ),
  legs: recordOf(
    ['me2', 'fulfillment', 'self_service', 'me1', 'custom', 'not_specified'] as const,
    ListOf(StrictObject({ status: Type.Enum([...shipmentStatuses]), hours: Range })),
  ),
})

/** The fixed features of a sale. The others are drawn by their usual shares. */
const SalePlan = StrictObject({
  /** Without a site, the first sale of the scenario is between the demo seller and buyer. */
  site: Optional(DemoSiteSchema),
  /** The buyer with a closed account instead of the demo buyer. */
  buyer: Optional(Type.Literal('former')),
  /** The number of orders of a pack. */
  orders: Optional(Type.Integer({ minimum: 2 })),
  lines: Optional(Type.Integer({ minimum: 1 })),
  units: Optional(Type.Integer({ minimum: 1 })),
  listing: Optional(Type.Enum(['varied', 'made', 'used', 'main', 'ready'])),
  shipping: Optional(Type.Enum([...transports])),
  /** Who pays for the shipping. */
  transport: Optional(Type.Enum([...costTypes])),
  status: Optional(Type.Enum([...initialStatuses])),
  features: Optional(ListOf(Type.Enum([...features]))),
  channel: Optional(Type.Enum([...channels])),
  flows: Optional(ListOf(Type.Enum([...flows]))),
  tags: Optional(ListOf(Text)),
})

/** The steps of a scenario by kind. A step of the data has one of these keys. */
const stepSchemas = {
  /** Pays in full. `any` draws the payment method. */
  pay: Type.Enum(['any', ...paymentMethods]),
  /** Adds a payment of the whole amount that is not credited. */
  start_payment: StrictObject({
    by: Type.Enum([...paymentMethods]),
    status: Type.Enum([...paymentStatuses]),
    status_detail: Text,
  }),
  reject_payment: Type.Enum(['then_paid', 'unpaid']),
  pay_in_two: Type.Enum(['both', 'first']),
  overpay: Done,
  refund_percent: Amount,
  /** Moves the shipment until this status, or hands the goods over without one. */
  ship: Type.Enum(['handling', 'ready_to_ship', 'shipped', 'delivered', 'not_delivered']),
  /** Cancels and refunds all orders, or the first `orders`. */
  cancel: StrictObject({
    cause: Text,
    status: Optional(Type.Enum([...orderStatuses])),
    orders: Optional(Count),
  }),
  /** After a delay, updates all payments and then all orders. `cause` adds the details of a cancellation. */
  change: StrictObject({
    after: StrictObject({
      seconds: Optional(Range),
      minutes: Optional(Range),
      days: Optional(Range),
    }),
    payment: Optional(Type.Partial(PaymentBody)),
    order: Optional(OrderPatch),
    cause: Optional(Text),
  }),
  request: StrictObject({
    kind: Type.Enum(['change', 'return']),
    status: Type.Enum([...requestStatuses]),
  }),
  /** A private note of each party. */
  notes: Done,
  open_claim: StrictObject({
    by: Party,
    type: ClaimBody.properties.type,
    claimed_quantity: ClaimBody.properties.claimed_quantity,
    related_entities: ClaimBody.properties.related_entities,
  }),
  dispute_claim: Done,
  resolve_claim: Type.Enum(['refund', 'covered', 'rejected', 'agreed']),
  reopen_claim: Done,
  /** Opens and closes the claim of a requested cancellation, which needs no discussion. */
  claim_cancellation: Party,
  rate: StrictObject({
    role: Role,
    rating: Optional(Type.Enum([...ratings])),
    unfulfilled: Optional(Type.Enum([...reasons])),
  }),
  improve_rating: Role,
  reply: Role,
}
type StepSchemas = typeof stepSchemas
export type StepKind = keyof StepSchemas
/** What the step of each kind says. */
export type StepArguments = { [Kind in StepKind]: Static<StepSchemas[Kind]> }

const oneKeyOf = (schemas: Record<string, TSchema>) =>
  Union(Object.entries(schemas).map(([kind, schema]) => StrictObject({ [kind]: schema })))
const ScenarioStep = Type.Unsafe<Partial<StepArguments>>(oneKeyOf(stepSchemas))

const Scenarios = StrictObject({
  /** The age of the first sale of a scenario, long enough to complete it. A `passing` state does not last. */
  ages: Type.Record(Text, StrictObject({ days: Range, passing: Optional(Done) })),
  scenarios: ListOf(
    StrictObject({
      name: Text,
      /** The relative frequency among drawn sales. */
      weight: Amount,
      age: Text,
      sale: SalePlan,
      steps: ListOf(ScenarioStep),
    }),
  ),
})

const MessageText = Union([Text, inLanguages(Text)])
const messageFields = {
  files: Optional(ListOf(Text)),
  subject: Optional(Text),
  /** Instead of the verdict of moderation on the text. */
  moderation: Optional(Type.Enum(['copy', 'none_yet', 'untranslated', 'rejected_by_hand'])),
}
const Option = Type.Enum([...guideOptions])
const MessageStep = Union([
  StrictObject({ buyer: MessageText, ...messageFields }),
  StrictObject({ seller: MessageText, ...messageFields }),
  /** A first message of the seller, by the action guide if the sale requires it. */
  StrictObject({ opening: MessageText, ...messageFields }),
  StrictObject({ option: Option, text: MessageText }),
  /** The template of an option. A delivery promise has `count` hours from `first`, which a range draws. */
  StrictObject({
    template: Option,
    hours: Optional(StrictObject({ first: Union([Count, Range]), count: Count })),
  }),
  StrictObject({ after: Type.Enum(['date_shipped', 'date_delivered']) }),
  StrictObject({ before: Type.Literal('date_shipped') }),
  StrictObject({ wait_days: Range }),
  StrictObject({ read: Party }),
  /** Releases the last message that moderation rejected. */
  StrictObject({ overrule: Done }),
  StrictObject({ block: Type.Enum([...conversationBlocks]) }),
])

const Conversations = StrictObject({
  /** By the name of their scenario. */
  named: Type.Record(Text, ListOf(MessageStep)),
  usual: ListOf(
    StrictObject({
      weight: Amount,
      /** Before the dispatch, after the delivery, or at any time. */
      timing: Type.Enum(['before', 'after', 'any']),
      /** The option of the action guide that it begins with. */
      first_option: Optional(Option),
      /** The author of the last message, which the other party may not have read. */
      last_author: Party,
      steps: ListOf(MessageStep),
    }),
  ),
})

const schemas = {
  sites: recordOf(demoSites, SiteData),
  users: Users,
  products: Products,
  listings: Listings,
  questions: Questions,
  sales: Sales,
  texts: Texts,
  cancellations: Cancellations,
  shipping: Shipping,
  scenarios: Scenarios,
  conversations: Conversations,
}
type FileName = keyof typeof schemas
export type DemoFiles = { readonly [Name in FileName]: Static<(typeof schemas)[Name]> }

export type SalePlan = Static<typeof SalePlan>
export type ProductData = Static<typeof Product>
export type MessageStep = Static<typeof MessageStep>
export type PaymentMethod = (typeof paymentMethods)[number]
export type Transport = (typeof transports)[number]
export type SaleFeature = (typeof features)[number]

/** A file of the demo data is wrong. The message names the file and the place in it. */
export class DemoFileError extends Error {
  override name = 'DemoFileError'

  constructor(file: string, path: string, problem: string) {
    super(`demo/${file}${path ? `, at ${path}` : ''}: ${problem}`)
  }
}

const demoFolder = fileURLToPath(new URL('../../../demo/', import.meta.url))

/** Returns the demo data of the folder `demo`. Reads it at the first call only: it does not change while a program runs. */
export const demoFiles = memoized(() => readDemoFiles(demoFolder))

/** Returns the content of a file that messages attach. */
export function readAttachedFile(name: string): Buffer {
  return readFileSync(join(demoFolder, 'files', name))
}

/** Reads the files of a folder. Throws `DemoFileError` for the first place that is wrong. */
export function readDemoFiles(folder: string): DemoFiles {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    return [name, readDemoFile(join(folder, `${name}.json`), `${name}.json`, schema)]
  })
  const files = Object.fromEntries(entries) as DemoFiles
  checkReferences(files, folder)
  return files
}

function readDemoFile(path: string, file: string, schema: TSchema): unknown {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new DemoFileError(file, '', (error as Error).message)
  }
  if (Check(schema, value)) return value
  // Of a step that fits no kind, the error that lies deepest is of the kind that was meant.
  const [error] = firstSchemaErrors(schema, value).toSorted(
    (one, other) => depthOf(other.instancePath) - depthOf(one.instancePath),
  )
  const errorPath = (error?.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.')
  const { allowedValues } = (error?.params ?? {}) as { allowedValues?: readonly unknown[] }
  const allowed = allowedValues ? `: ${allowedValues.join(', ')}` : ''
  throw new DemoFileError(file, errorPath, `${error?.message ?? 'is wrong'}${allowed}`)
}

const depthOf = (path: string) => path.split('/').length

/** The names in braces that texts of messages may have. */
export const messagePlaceholders = ['billing', 'buyer', 'email', 'item', 'pack'] as const

/** Checks the names by which entries refer to others. */
function checkReferences(files: DemoFiles, folder: string): void {
  const { scenarios, conversations, cancellations, products, listings } = files
  for (const [index, { age, steps }] of scenarios.scenarios.entries()) {
    const path = `scenarios.${index}`
    if (!(age in scenarios.ages)) {
      throw new DemoFileError('scenarios.json', `${path}.age`, `there is no age "${age}"`)
    }
    for (const [number, { cancel, change }] of steps.entries()) {
      const cause = cancel?.cause ?? change?.cause
      if (cause === undefined || cause in cancellations) continue
      const problem = `cancellations.json has no cause "${cause}"`
      throw new DemoFileError('scenarios.json', `${path}.steps.${number}`, problem)
    }
  }
  const names = new Set(scenarios.scenarios.map(({ name }) => name))
  const attachable = new Set(readdirSync(join(folder, 'files')))
  for (const [name, steps] of Object.entries(conversations.named)) {
    if (!names.has(name)) {
      const problem = `scenarios.json has no scenario "${name}"`
      throw new DemoFileError('conversations.json', `named.${name}`, problem)
    }
    checkMessageSteps(steps, { path: `named.${name}`, attachable })
  }
  for (const [index, { steps }] of conversations.usual.entries()) {
    checkMessageSteps(steps, { path: `usual.${index}.steps`, attachable })
  }
  for (const [index, { colors = [] }] of products.products.entries()) {
    const color = colors.find((name) => !(name in products.colors))
    if (color === undefined) continue
    const path = `products.${index}.colors`
    throw new DemoFileError('products.json', path, `there is no color "${color}"`)
  }
  for (const [index, { product }] of listings.further.entries()) {
    if (products.products.some(({ code }) => code === product)) continue
    const path = `further.${index}.product`
    throw new DemoFileError('listings.json', path, `there is no product "${product}"`)
  }
}

/** Checks that the files of messages exist, and that their names in braces have values. */
function checkMessageSteps(
  steps: readonly MessageStep[],
  { path, attachable }: { path: string; attachable: ReadonlySet<string> },
): void {
  const names: readonly string[] = messagePlaceholders
  for (const [number, step] of steps.entries()) {
    const problems = [
      ...('files' in step && step.files ? step.files : [])
        .filter((file) => !attachable.has(file))
        .map((file) => `there is no file files/${file}`),
      ...[...JSON.stringify(step).matchAll(/\{(\w+)\}/g)]
        .filter(([, name = '']) => !names.includes(name))
        .map(([braces]) => `${braces} has no value`),
    ]
    const [problem] = problems
    if (problem) throw new DemoFileError('conversations.json', `${path}.${number}`, problem)
  }
}
