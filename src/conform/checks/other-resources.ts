import { refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { eachIs, hasLength, valueIs } from './rules.ts'

/** Checks of resources that the contract names but does not describe: items, questions, users and others. */
const section = '4.6'
const openCheck = { section, open: true } as const

export const otherResourceChecks: readonly ConformCheck[] = [
  {
    section: '6.2',
    says: 'an item is read at the path in its notification',
    gives: 200,
    ask: 'GET /items/{item}',
    holds: [valueIs('id', '{item}')],
    body: {
      id: 'text',
      title: 'text',
      category_id: 'text',
      price: 'any',
      currency_id: 'text',
      available_quantity: 'a whole number',
      status: 'text',
      seller_id: 'a whole number',
    },
  },
  {
    ...openCheck,
    says: 'several items are read at once',
    ask: 'GET /items?ids={item},{site}0',
    gives: 200,
    ...{
      body: [{ code: 'a whole number', body: 'an object' }],
      holds: [valueIs('[0].body.id', '{item}')],
    },
  },
  {
    ...openCheck,
    says: 'an unknown item is not found',
    ask: 'GET /items/{site}0',
    gives: 404,
    body: refusal,
  },
  {
    section: '6.2',
    says: 'a question is read at the path in its notification',
    gives: 200,
    ask: 'GET /questions/{question}',
    holds: [valueIs('id', '{question}')],
    body: { id: 'a whole number', text: 'text', status: 'text', item_id: 'text', answer: 'any' },
  },
  {
    ...openCheck,
    says: 'the questions of a seller are searched',
    gives: 200,
    ask: 'GET /questions/search?seller_id={user}',
    body: { total: 'a whole number', questions: [{ id: 'a whole number', status: 'text' }] },
  },
  {
    ...openCheck,
    says: 'the questions about an item are searched',
    ask: 'GET /questions/search?item={item}',
    gives: 200,
    holds: [eachIs('questions', 'item_id', '{item}')],
  },
  {
    ...openCheck,
    says: 'an unknown question is not found',
    ask: 'GET /questions/1',
    gives: 404,
    body: refusal,
  },
  {
    ...openCheck,
    writes: true,
    says: 'a buyer asks a question',
    ask: 'POST /questions',
    as: 'buyer',
    send: { item_id: '{new_item}', text: '¿Hay en azul?' },
    gives: [200, 201],
    keeps: { asked: 'id' },
  },
  {
    ...{
      ...openCheck,
      writes: true,
      says: 'the seller answers the question',
      ask: 'POST /answers',
      gives: [200, 201],
    },
    send: { question_id: '{asked}', text: 'Sí, en azul y en verde.' },
  },
  {
    ...openCheck,
    writes: true,
    says: 'the question is read with its answer',
    gives: 200,
    ask: 'GET /questions/{asked}',
    holds: [valueIs('status', 'ANSWERED')],
  },
  {
    ...openCheck,
    says: 'the user of the token is read',
    ask: 'GET /users/me',
    gives: 200,
    body: { id: 'a whole number', nickname: 'text', site_id: 'text', email: 'any' },
  },
  {
    ...openCheck,
    says: 'the public data of a user are read',
    ask: 'GET /users/{user}',
    as: 'nobody',
    gives: 200,
    body: { id: 'a whole number', nickname: 'text', site_id: 'text' },
  },
  {
    section: '6.2',
    says: 'a faulty picture is read at the path in its notification',
    ask: 'GET /pictures/{picture}/errors',
    gives: 200,
    body: { id: 'text', source: 'text', error: 'an object' },
  },
  {
    section: '6.2',
    says: 'a quotation is read at the path in its notification',
    gives: 200,
    ask: 'GET /quotations/{quotation}?caller.type=seller',
  },
  {
    section: '6.2',
    says: 'an invoice is read at the path in its notification',
    gives: 200,
    ask: 'GET /users/{user}/invoices/{invoice}',
  },
  {
    ...openCheck,
    says: 'an unknown path is not found',
    ask: 'GET /no/such/resource',
    gives: 404,
    body: refusal,
  },
  {
    ...openCheck,
    says: 'a body that is not JSON is refused',
    ask: 'POST /questions',
    send: '{',
    gives: 400,
    body: refusal,
    writes: true,
  },
  {
    ...openCheck,
    says: 'a seller searches the own items',
    ask: 'GET /users/{user}/items/search?limit=1',
    gives: 200,
    holds: [hasLength('results', { least: 1, most: 1 })],
  },
]
