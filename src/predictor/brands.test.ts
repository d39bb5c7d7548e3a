import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { CatalogPredictor } from './catalog-predictor.ts'
import type { PredictorCategory, PredictorDomain } from './source.ts'

const same = (name: string) => ({ es: name, pt: name, en: name })
const category = (
  key: string,
  parent: string | null,
  domain: string | null,
): PredictorCategory => ({
  key,
  parent,
  domain,
  number: 1,
  names: same(key),
  kinds: [],
  aliases: [],
})
const domain = (id: string, brands: readonly string[], attribute = 'BRAND'): PredictorDomain => ({
  id,
  brands,
  models: [],
  attributes: [
    { id: attribute, isRequired: true, isCatalogRequired: true, hierarchy: 'PARENT_PK' },
  ],
})

const tools = category('tools', null, null)
const power = category('power', 'tools', null)
const drills = category('drills', 'power', 'DRILLS')
const saws = category('saws', 'power', 'SAWS')
const ladders = category('ladders', 'tools', 'LADDERS')
const flats = category('flats', null, 'FLATS')
const domains = [
  domain('DRILLS', ['Black+Decker', 'Saws', 'Makita']),
  domain('SAWS', []),
  domain('LADDERS', []),
  domain('FLATS', [], 'ROOMS'),
]
const categories = [tools, power, drills, saws, ladders, flats]
const attributes = ['BRAND', 'ROOMS'].map((id) => ({
  id,
  names: same(id),
  valueType: 'string' as const,
  units: [],
  values: [],
}))
const predictor = new CatalogPredictor({ categories, attributes, domains })

function brandIn(title: string, of: PredictorCategory): unknown {
  const values = predictor.valuesOf(of, 'es')
  return JSON.parse(`[${values.renderIn(predictor.readParts(title, 'es'))}]`)
}

contract('2.15', 'a brand is known where it is not offered, if it is offered next door', () => {
  const makita = [{ id: 'BRAND', value_id: 'MAKITA', value_name: 'Makita' }]
  assert.deepEqual(brandIn('Sierra circular MAKITA 1200w', saws), makita)
  assert.deepEqual(brandIn('escalera makita', ladders), makita)
  assert.deepEqual(brandIn('sierra black+decker', saws), [
    { id: 'BRAND', value_id: 'BLACK_PLUS_DECKER', value_name: 'Black+Decker' },
  ])
  assert.deepEqual(brandIn('departamento makita', flats), [], 'nothing there has a brand')
})

contract('2.15', 'a brand that is called like a thing is not taken for one', () => {
  assert.deepEqual(brandIn('table saws', saws), [])
  assert.deepEqual(
    brandIn('saws', drills),
    [{ id: 'BRAND', value_id: 'SAWS', value_name: 'Saws' }],
    'but where it is offered',
  )
})
