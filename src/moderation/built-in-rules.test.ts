import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLabeledMessages } from '../../bench/moderation/labelled.ts'
import { contract } from '../../test/harness/contract.ts'
import { builtInRules } from './built-in-rules.ts'
import { classifierRules } from './classifier/rules.ts'
import type { ModerationContext } from './decision.ts'
import { moderate } from './moderate.ts'
import { type ModerationTerm, ModerationTerms, noTerms } from './terms.ts'

test('every rule that holds a labeled message back is a built-in rule, with its reason', () => {
  const reasons = new Map(builtInRules().map(({ rule, reason }) => [rule, reason]))
  const seen = new Set<string>()
  for (const { text, context } of [
    ...readLabeledMessages('tuning'),
    ...readLabeledMessages('held-out'),
  ]) {
    const finding = moderate(text, context)
    if (!finding) continue
    assert.equal(reasons.get(finding.rule), finding.reason, `${finding.rule}: ${text}`)
    seen.add(finding.rule)
  }
  const unlabeled = [...reasons.keys()].filter(
    (rule) => !seen.has(rule) && !rule.startsWith('classifier.'),
  )
  // Copies are found by comparing messages; no message was labeled for the other two.
  assert.deepEqual(unlabeled, ['copies', 'language.insult-mx', 'network.domain'])
})

test('the id of a built-in rule is in the list once, and has no operator’s prefix', () => {
  const ids = builtInRules().map(({ rule }) => rule)
  assert.deepEqual([...new Set(ids)].sort(), ids)
  assert.ok(ids.every((id) => /^[a-z]+(\.[a-z-]+)?$/.test(id) && id !== 'operator'))
})

const context: ModerationContext = {
  siteId: 'MLA',
  writer: 'seller',
  terms: noTerms,
  billingAsked: false,
}

/** The rule that holds a text back while these and the classifier are off on all sites. */
function ruleWithout(text: string, ...rules: string[]): string | undefined {
  const switches = [...rules, ...Object.values(classifierRules)].map((rule) => ({
    rule,
    siteId: null,
    isEnabled: false,
  }))
  return moderate(text, { ...context, terms: new ModerationTerms([], switches) })?.rule
}

contract('2.10', 'a match of a rule that is off does not count, the next one does', () => {
  const cases: [text: string, rule: string, next: string | undefined][] = [
    // The same reason by another phrase, after it and before it in the text.
    ['qué mierda, pelotudo', 'language.vulgar', 'language.insult'],
    ['pelotudo, qué mierda', 'language.insult', 'language.vulgar'],
    // Another reason.
    ['qué mierda, mirá bit.ly/x', 'language.vulgar', 'link.short'],
    ['mirá bit.ly/x o escribime a ana@gmail.com', 'link.short', 'contact.email'],
    ['llamame al 11 5555-1234, DNI 30.123.456', 'contact.phone', 'contact.document'],
    // An address that is an account is still an address.
    ['alias ana@gmail.com', 'pay.account', 'contact.email'],
    ['qué mierda', 'language.vulgar', undefined],
    ['Por favor no abras un reclamo', 'claim.open', undefined],
    ['mirá bit.ly/x', 'link.short', undefined],
    ['seguinos: @tienda_prueba.', 'network.handle', undefined],
    ['el número es 2850590940090418135201', 'pay.account', undefined],
  ]
  for (const [text, rule, next] of cases) {
    assert.equal(ruleWithout(text), rule, text)
    assert.equal(ruleWithout(text, rule), next, `${text}, without ${rule}`)
  }
})

contract('2.10', 'a switch of a site precedes that of all sites', () => {
  type Switch = [siteId: 'MLA' | 'MLB' | null, isEnabled: boolean]
  const cases: [switches: Switch[], onMla: boolean, onMlb: boolean][] = [
    [[], true, true],
    [[[null, false]], false, false],
    [[['MLA', false]], false, true],
    [
      [
        [null, false],
        ['MLA', true],
      ],
      true,
      false,
    ],
    [
      [
        [null, true],
        ['MLB', false],
      ],
      true,
      false,
    ],
  ]
  for (const [switches, onMla, onMlb] of cases) {
    const terms = new ModerationTerms(
      [],
      switches.map(([siteId, isEnabled]) => ({ rule: 'link.short', siteId, isEnabled })),
    )
    const holds = (siteId: 'MLA' | 'MLB') =>
      moderate('bit.ly/x', { ...context, siteId, terms }) !== undefined
    assert.deepEqual([holds('MLA'), holds('MLB')], [onMla, onMlb], JSON.stringify(switches))
  }
})

contract('2.10', 'a term of the operator’s counts whatever is off', () => {
  const term: ModerationTerm = {
    id: 'x',
    kind: 'word',
    value: 'pomelo',
    reason: 'PERSONAL_DATA',
    siteId: null,
    note: null,
    dateCreated: new Date(0),
  }
  const switches = builtInRules().map(({ rule }) => ({ rule, siteId: null, isEnabled: false }))
  const terms = new ModerationTerms([term], switches)
  assert.equal(moderate('un pomelo', { ...context, terms })?.rule, 'operator:x')
  assert.equal(moderate('qué mierda, ana@gmail.com', { ...context, terms }), undefined)
})

contract('2.10', 'what the classifier holds back passes while its rule is off', () => {
  const text = 'Ponele que ya lo recibiste aunque no haya llegado, así me liberan la plata'
  assert.equal(moderate(text, context)?.rule, 'classifier.claim')
  const switches = [{ rule: 'classifier.claim', siteId: 'MLA', isEnabled: false }] as const
  assert.equal(moderate(text, { ...context, terms: new ModerationTerms([], switches) }), undefined)
})
