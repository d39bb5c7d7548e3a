import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { Failure } from '../../kernel/failure.ts'
import { checkRedirect, policySourceOf } from './redirects.ts'

/** What is expected of it instead, or undefined when it is taken. */
function refusal(uri: string): string | undefined {
  try {
    checkRedirect('redirect_uris[0]', uri)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure && error.status === 400)
    return error.message
  }
}

contract('users', 'the host of a redirect is written in characters of hosts', () => {
  for (const host of [
    ...[
      'a;b.example',
      'a,b.example',
      '*.example',
      '*',
      "a'b.example",
      'a"b.example',
      'a(b.example',
    ],
    'a!b.example',
    'a$b.example',
    'a&b.example',
    'a+b.example',
    'a=b.example',
    'a_b.example',
    ...[
      'a~b.example',
      'a{b}.example',
      'a`b.example',
      'a%3bb.example',
      'a%2a.example',
      '%61.example',
    ],
    ...["x;script-src'none'", '.example', 'a..example', '[::1', '[::1]x', '[a;b]'],
  ]) {
    for (const uri of [`https://${host}/callback`, `https://${host}:8443`]) {
      assert.match(refusal(uri) ?? 'taken', /^redirect_uris\[0\]: expected /, uri)
    }
  }
})

contract('users', 'http leads back to this machine alone, by the three names as they stand', () => {
  const hosts = ['localhost', '127.0.0.1', '[::1]', 'localhost:3000', '127.0.0.1:1', '[::1]:80']
  for (const host of hosts) {
    for (const rest of ['', '/', '/a?b=c', '?b=c']) {
      assert.equal(refusal(`http://${host}${rest}`), undefined, host)
    }
  }
  for (const host of [
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '127.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.0.0.2',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    ...['localhost.evil.example', '127.0.0.1.evil.example', 'evil.example', '0.0.0.0', '0', '[::]'],
    '127%2e0.0.1',
    '１２７.0.0.1',
  ]) {
    assert.match(refusal(`http://${host}/`) ?? 'taken', /^redirect_uris\[0\]: expected /, host)
  }
})

test('https leads to any host', () => {
  for (const uri of [
    'https://app.example',
    'https://app.example/callback?x=;,*',
    'https://APP.example:8443/',
    'https://xn--espaa-rta.example/',
    'https://app.example./',
    'https://203.0.113.5/',
    'https://[2001:db8::1]:8443/',
    'https://localhost/',
    'https://a-b.c1.example/*',
  ]) {
    assert.equal(refusal(uri), undefined, uri)
  }
})

test('a policy names the origin of a redirect, and nothing that would end it', () => {
  const cases: [uri: string, source: string | undefined][] = [
    ['https://app.example/callback', 'https://app.example'],
    ['http://localhost:3000/callback?a=;', 'http://localhost:3000'],
    ['https://[2001:db8::1]:8443/', 'https:'],
    ["https://a;script-src'self'.example/", undefined],
    ['https://*.example/', undefined],
    ['https://a,b.example/', undefined],
  ]
  for (const [uri, source] of cases) assert.equal(policySourceOf(uri), source, uri)
})
