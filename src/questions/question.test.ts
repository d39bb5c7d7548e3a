import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import {
  applyQuestionUpdate,
  createQuestion,
  maxTextLength,
  type Question,
  type QuestionStatus,
  type QuestionVisibility,
  questionStatuses,
  questionVisibility,
  withAnswer,
} from './question.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const listing = { id: 'MLA1', sellerId: 1, status: 'active' } as const
const asking = { id: 7, fromId: 2, text: '¿Sirve para mate?', now }
const question = createQuestion(listing, asking)
const answer = { text: 'Sí', status: 'ACTIVE', date_created: now.toISOString() } as const
const answeredQuestion: Question = { ...question, status: 'ANSWERED', answer }

contract('6.2', 'a question begins unanswered, with its asker, item and seller', () => {
  assert.deepEqual(question, {
    id: 7,
    fromId: 2,
    sellerId: 1,
    itemId: 'MLA1',
    text: '¿Sirve para mate?',
    status: 'UNANSWERED',
    answer: null,
    hold: false,
    deletedFromListing: false,
    dateCreated: now,
    lastUpdated: now,
  })
})

contract(['6.2', 'catalog'], 'a question is about an active item of somebody else’s', () => {
  const cases: [listing: object, asking: object, says: RegExp][] = [
    [{}, { fromId: 1 }, /^item_id: expected an item of another seller/],
    [{ status: 'paused' }, {}, /^item_id: expected an active item, MLA1 is paused/],
    [{ status: 'closed' }, {}, /^item_id: expected an active item, MLA1 is closed/],
  ]
  for (const [of, by, message] of cases)
    assert.throws(() => createQuestion({ ...listing, ...of }, { ...asking, ...by }), { message })
})

contract(
  'catalog',
  'a text is neither blank nor longer than 2,000 characters, of a question and an answer alike',
  () => {
    const cases: [text: string, isTaken: boolean][] = [
      ['', false],
      [' \n\t', false],
      ['?', true],
      ['á'.repeat(maxTextLength), true],
      ['🧉'.repeat(maxTextLength), true],
      ['a'.repeat(maxTextLength + 1), false],
      ['🧉'.repeat(maxTextLength + 1), false],
    ]
    for (const [text, isTaken] of cases) {
      const ask = () => createQuestion(listing, { ...asking, text })
      const reply = () => withAnswer(question, { text, listing, now })
      for (const say of [ask, reply]) {
        if (isTaken) say()
        else assert.throws(say, { message: /^text: expected / }, `${text.length}`)
      }
    }
  },
)

contract(
  ['6.2', 'catalog'],
  'only an unanswered question is answered, and not on a closed item',
  () => {
    const later = new Date(now.getTime() + 1)
    assert.deepEqual(withAnswer(question, { text: 'Sí', listing, now: later }), {
      ...question,
      status: 'ANSWERED',
      lastUpdated: later,
      answer: { ...answer, date_created: later.toISOString() },
    })
    withAnswer(question, { text: 'Sí', listing: { status: 'paused' }, now })
    for (const status of questionStatuses.filter((candidate) => candidate !== 'UNANSWERED')) {
      const again = () => withAnswer({ ...question, status }, { text: 'Sí', listing, now })
      assert.throws(again, { code: 'not_unanswered_question' }, status)
    }
    const onClosed = () => withAnswer(question, { text: 'Sí', listing: { status: 'closed' }, now })
    assert.throws(onClosed, {
      message: /^question_id: expected a question on an item that is not closed/,
    })
  },
)

contract(['5', 'catalog'], 'who sees what of a question, status by status', () => {
  const others: Record<QuestionStatus, QuestionVisibility> = {
    ANSWERED: 'public',
    UNANSWERED: 'public',
    CLOSED_UNANSWERED: 'public',
    BANNED: 'none',
    DELETED: 'none',
    DISABLED: 'none',
    UNDER_REVIEW: 'none',
  }
  for (const status of questionStatuses) {
    const sight = (reader: number) => questionVisibility({ ...question, status }, reader)
    assert.deepEqual([sight(1), sight(2), sight(3)], ['all', 'all', others[status]], status)
  }
})

contract(
  ['6.2', 'catalog'],
  'the operator gives a question any status that says what is so',
  () => {
    const withoutAnswer: QuestionStatus[] = ['UNANSWERED', 'CLOSED_UNANSWERED']
    for (const status of questionStatuses) {
      for (const stored of [question, answeredQuestion]) {
        const isSo =
          status === 'ANSWERED'
            ? stored === answeredQuestion
            : !withoutAnswer.includes(status) || stored === question
        const rule = () => applyQuestionUpdate(stored, { status })
        if (isSo) assert.deepEqual(rule(), { ...stored, status })
        else assert.throws(rule, { code: 'status_not_reachable' }, status)
      }
    }
    assert.deepEqual(applyQuestionUpdate(answeredQuestion, { hold: true }), {
      ...answeredQuestion,
      hold: true,
    })
    assert.deepEqual(applyQuestionUpdate(answeredQuestion, {}), answeredQuestion)
  },
)
