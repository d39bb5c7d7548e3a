import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { Failure } from '../kernel/failure.ts'
import { checkCallback } from './callback.ts'

/** What is expected of it instead, or undefined when it is taken. */
function refusal(url: string, mayBePrivate = false): string | undefined {
  try {
    checkCallback(url, { mayBePrivate })
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure && error.status === 400)
    return error.message
  }
}

contract(
  'notifications',
  'what can be no callback is refused with what was expected instead',
  () => {
    const long = `https://example.com/${'a'.repeat(2_048)}`
    const cases: [url: string, expected: RegExp][] = [
      ...[
        '',
        'x',
        '/callback',
        'example.com',
        '//example.com/',
        'ftp://example.com/',
        'javascript:1',
      ]
        .concat(['http:example.com', 'http:/example.com', 'http://', 'http:///x', 'https://?a'])
        .concat([
          'http:\\\\example.com',
          'http://exam\tple.com/',
          ' https://example.com',
          'http://a b/',
        ])
        .concat(['http://[::1', 'http://example.com:99999/', 'http://example.com/\u0007'])
        .map((url): [string, RegExp] => [url, /starts with http/]),
      [long, /at most 2048 characters/],
      ['https://user@example.com/', /without a user or a password/],
      ['https://user:secret@example.com/', /without a user or a password/],
      ['https://@example.com/', /without a user or a password/],
      ['https://example.com/#part', /without a fragment/],
      ['https://example.com/#', /without a fragment/],
      ['https://example.com:0/', /port/],
      ...['a..b', '.', '..', '.example.com', 'example.com..', '-', '-a.example', 'a-.example']
        .concat(['a!b', "a'b", 'a(b)', 'a,b', 'a;b', 'a=b', 'a*b', '*.example.com', 'a~b'])
        .concat([`${'a'.repeat(64)}.example`, `${'a.'.repeat(126)}ab`])
        .map((host): [string, RegExp] => [`http://${host}/`, /host is a name or an IP address/]),
    ]
    for (const [url, expected] of cases) {
      for (const mayBePrivate of [true, false]) {
        const message = refusal(url, mayBePrivate)
        assert.match(message ?? 'taken', expected, url)
        assert.match(message ?? '', /^callback_url: expected /)
      }
    }
  },
)

contract('notifications', 'what leads inside is refused outside the sandbox only', () => {
  const inside = [
    ...['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f000001', '10.1.2.3', '192.168.0.1'],
    ...[
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      '0.0.0.0',
      '100.64.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00:ec2::254]',
    ],
    ...[
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
    ],
    ...['printer.local', 'db.internal', 'db.internal.', 'redis', 'nas.lan', 'router.home.arpa'],
  ]
  for (const host of inside) {
    assert.match(refusal(`http://${host}:8080/x`) ?? 'taken', /on the internet/, host)
    assert.equal(refusal(`http://${host}:8080/x`, true), undefined, host)
  }
})

contract('notifications', 'what anybody may own is taken', () => {
  for (const url of [
    ...[
      'http://example.com',
      'https://example.com/callback?key=a%20b&x=@',
      'HTTPS://EXAMPLE.COM:8443/',
    ],
    ...['https://ejemplo.españa.example/ñ', 'http://8.8.8.8/', 'http://[2606:4700::1111]/'],
    ...['https://xn--bcher-kva.example/', 'https://a--b.c-d.example./', 'https://my_app.example/'],
    ...[`https://${'a'.repeat(63)}.example/`, `https://${'a.'.repeat(126)}a/`, 'http://8.8/'],
    ...['https://localhost.example.com/', `https://example.com/${'a'.repeat(2_028)}`],
  ]) {
    assert.equal(refusal(url), undefined, url)
  }
})
