import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { badField, Failure, type FailureCode, validationFailure } from '../kernel/failure.ts'
import { errorBodyOf, failureOf, isDefect } from './failure.ts'

const withCode = (code: string) => Object.assign(new Error('secret: /srv/x.ts:1'), { code })

contract('errors', 'whatever is thrown becomes a failure of the table', () => {
  const cases: [thrown: unknown, code: FailureCode][] = [
    [badField('a', 'b'), 'bad_request'],
    [new Failure('order_not_found'), 'order_not_found'],
    [withCode('FST_ERR_CTP_INVALID_JSON_BODY'), 'bad_request'],
    [withCode('FST_ERR_CTP_BODY_TOO_LARGE'), 'body_too_large'],
    [withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 'bad_request'],
    [withCode('FST_ERR_BAD_URL'), 'bad_request'],
    [withCode('FST_ERR_ROUTE_MISSING_CONTENT_TYPE'), 'bad_request'],
    [withCode('HPE_HEADER_OVERFLOW'), 'headers_too_large'],
    [withCode('ERR_HTTP_REQUEST_TIMEOUT'), 'request_timeout'],
    [withCode('ECONNREFUSED'), 'unavailable'],
    [withCode('EPIPE'), 'unavailable'],
    [withCode('ENOENT'), 'internal_server_error'],
    [new TypeError('secret'), 'internal_server_error'],
    ['secret', 'internal_server_error'],
    [undefined, 'internal_server_error'],
    [null, 'internal_server_error'],
    [{ statusCode: 200, message: 'secret' }, 'internal_server_error'],
  ]
  for (const [thrown, code] of cases) {
    const failure = failureOf(thrown)
    assert.equal(failure.code, code, String(thrown))
    assert.equal(isDefect(failure), code === 'internal_server_error')
    assert.doesNotMatch(JSON.stringify(errorBodyOf(failure)), /secret|\.ts/)
  }
})

contract(['1', 'errors'], 'the general body has its four fields in their order', () => {
  assert.equal(
    JSON.stringify(errorBodyOf(new Failure('order_not_found'))),
    '{"message":"Order not found.","error":"order_not_found","status":404,"cause":[]}',
  )
})

test('of several things that are wrong each has its code, field and words; the first is the message', () => {
  const failure = validationFailure([
    { code: 'item.price.invalid', field: 'price', expected: 'more than 0' },
    { code: 'item.title.length', field: 'title', expected: 'at most 60 characters' },
  ])
  assert.equal(
    JSON.stringify(errorBodyOf(failure)),
    '{"message":"price: expected more than 0","error":"validation_error","status":400,"cause":[' +
      '{"code":"item.price.invalid","field":"price","message":"price: expected more than 0"},' +
      '{"code":"item.title.length","field":"title","message":"title: expected at most 60 characters"}]}',
  )
})

contract(['4.1', '7', 'errors'], 'messages and the action guide have bodies of their own', () => {
  const bodies = [
    [
      'message',
      'conversation_blocked',
      '{"status_code":403,"code":"forbidden","message":"blocked_conversation_send_message_forbidden"}',
    ],
    [
      'guide',
      'blocked_by_excepted_case',
      '{"cause":"blocked_by_excepted_case","error":"bad_request","message":"This pack belongs to an excepted case, it is requested to use the messaging resource.","status":400,"status_code":400}',
    ],
    [
      'guide',
      'too_many_requests',
      '{"cause":"too_many_requests","error":"too_many_request","message":"too_many_requests","status":429,"status_code":429}',
    ],
  ] as const
  for (const [shape, code, body] of bodies) {
    assert.equal(JSON.stringify(errorBodyOf(new Failure(code), shape)), body)
  }
})
