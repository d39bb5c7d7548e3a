import { type TObject, type TSchema, Type } from 'typebox'
import { Failure } from '../../kernel/failure.ts'
import { makeBodyCheck, makeTextCheck } from '../check.ts'
import type { Route } from '../route.ts'

/**
 * Returns the message with which an operation refuses a wrong value of its query, body or path: the one that the check
 * of requests gives. Returns undefined if the schemas accept every value.
 */
export function wrongValueOf({ params, query, body, ...route }: Route): string | undefined {
  const ofQuery = query && wrongParameterOf(query, 'query')
  if (ofQuery !== undefined) return ofQuery
  if (route.takesFiles) return 'Content-Type: expected multipart/form-data'
  const ofBody = body && !route.checksBodyItself && !route.streams ? wrongFieldOf(body) : undefined
  return ofBody ?? (params && wrongParameterOf(params, 'path'))
}

function wrongParameterOf(schema: TObject, part: 'query' | 'path'): string | undefined {
  return firstMessage(Object.entries(schema.properties), ([name, property]) =>
    makeTextCheck(Type.Object({ [name]: property }), part)({ [name]: '?' }),
  )
}

function wrongFieldOf(body: TSchema): string | undefined {
  const check = makeBodyCheck(body)
  const names = Object.keys((body as Partial<TObject>).properties ?? {})
  const wrongBodies = [{}, ...names.map((name) => ({ [name]: '' })), null]
  return firstMessage(wrongBodies, check)
}

function firstMessage<T>(values: readonly T[], check: (value: T) => unknown): string | undefined {
  for (const value of values) {
    try {
      check(value)
    } catch (error) {
      if (error instanceof Failure) return error.message
      throw error
    }
  }
  return undefined
}
