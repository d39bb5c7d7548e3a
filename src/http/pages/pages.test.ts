import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { Failure } from '../../kernel/failure.ts'
import { failurePage } from './failure.ts'
import { html } from './html.ts'
import { languageOf } from './language.ts'
import { page, redirect } from './page.ts'

test('what comes into a page from elsewhere is text, wherever it stands', () => {
  const name = `<script>alert("1")</script>&'`
  const inner = html`<b title="${name}">${name}</b>`
  const written = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'
  assert.equal(inner.text, `<b title="${written}">${written}</b>`)
  const all = html`<i>${[inner, name]}${undefined}${7}</i>`
  assert.equal(all.text, `<i>${inner.text}${written}7</i>`)
})

test('a page is in the language that its reader likes most, Spanish where it likes none of ours', () => {
  const cases: [header: string | undefined, language: string][] = [
    [undefined, 'es'],
    ['', 'es'],
    ['*', 'es'],
    ['de, fr;q=0.9', 'es'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['de;q=1, es;q=0.2, en;q=0.8', 'en'],
    ['en;q=0, pt;q=0.1', 'pt'],
    ['eng, ptx', 'es'],
    ['en;q=x', 'es'],
    [`${'x,'.repeat(10_000)}en`, 'es'],
  ]
  for (const [header, language] of cases) assert.equal(languageOf(header), language, String(header))
})

test('the style of a page is the one that its policy lets in', () => {
  const { text = '', headers = {} } = page({ language: 'pt', title: '<x>', body: html`` })
  const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
  const digest = hash('sha256', style, 'base64')
  assert.ok(headers['content-security-policy']?.includes(`style-src 'sha256-${digest}'`))
  assert.match(text, /^<!doctype html>\n<html lang="pt-BR">/)
  assert.match(text, /<title>&lt;x&gt; · Feria<\/title>/)
  assert.match(text, /name="viewport"/)
  assert.match(text, /color-scheme: light dark/)
})

test('a refusal is told on a page in its reader’s language, with its status', () => {
  const refused = new Failure('bad_request', 'client_id: expected <one>')
  const { status, text = '' } = failurePage(refused, 'en')
  assert.equal(status, 400)
  assert.match(text, /client_id: expected &lt;one&gt;/)
  assert.match(text, /We could not continue/)
})

test('who is led on comes with a GET', () => {
  const { status, headers } = redirect('/x')
  assert.deepEqual([status, headers?.['location']], [303, '/x'])
})
