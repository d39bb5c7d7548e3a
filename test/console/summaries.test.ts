import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationSummaryOf } from '../../console/src/pages/integrator/try/summary-translations.ts'
import { permissionTranslations } from '../../console/src/pages/operator/roles/permission-translations.ts'
import { routes } from '../../src/app/routes.ts'
import { permissionDescriptions } from '../../src/http/permissions.ts'

test('the API explorer names every operation in Spanish and Portuguese', () => {
  for (const { method, url } of routes) {
    const operation = `${method} ${url.replace(/:([a-z_]+)/g, '{$1}')}`
    for (const language of ['es', 'pt'] as const) {
      assert.ok(
        operationSummaryOf(operation, language),
        `${operation} has no summary in ${language}`,
      )
    }
  }
  assert.equal(operationSummaryOf('GET /nothing', 'es'), undefined)
  assert.equal(operationSummaryOf('GET /orders/search', 'en'), undefined)
})

test('the console says of each permission what the API says', () => {
  assert.deepEqual(permissionTranslations.en, permissionDescriptions)
})
