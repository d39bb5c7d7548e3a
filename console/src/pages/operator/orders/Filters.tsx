import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type OrderFilter, orderDateFilters, orderFilters, orderSorts } from '../../../api/lists.ts'
import { Icon } from '../../../design/icons.tsx'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import type { AddressParameters } from '../address.ts'
import { statusNames } from '../components.tsx'
import { UserPicker } from '../UserPicker.tsx'
import { tagTranslations } from './code-translations.ts'
import { substatusTranslations } from './substatus-translations.ts'
import { filterNames, filterValues, translations } from './translations.ts'
import type { OrderSearchPage } from './types.ts'

/** The filters that operators use most. The others are in a part of the form that opens. */
const mainFilters: readonly OrderFilter[] = [
  'order.status',
  'shipping.status',
  'shipping.substatus',
  'shipping.service_id',
]
const otherFilters = orderFilters.filter((filter) => !mainFilters.includes(filter))

/** Every filter of the search. What has few values offers those that there are, with their counts. */
export function OrderFilterForm({
  parameters,
  available,
  setParameters,
}: {
  parameters: AddressParameters
  available: OrderSearchPage['available_filters']
  setParameters: (next: AddressParameters) => void
}) {
  const t = useTranslations(translations)
  const filterName = useTranslations(filterNames)
  const valueName = useValueName()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Record<string, string>>({ ...parameters, offset: '' })
  const set = (name: string) => (value: string) => setDraft((now) => ({ ...now, [name]: value }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { seller, buyer, q = '' } = draft
    // An order number finds the order of any user.
    if (!seller && !buyer && /^\d+$/.test(q.trim())) {
      void navigate({ to: `/operator/orders/${q.trim()}` })
      return
    }
    setParameters(draft)
  }
  const select = (name: OrderFilter) => {
    const values = available.find(({ id }) => id === name)?.values ?? []
    const chosen = draft[name] ?? ''
    const isKnown = chosen === '' || values.some(({ id }) => id === chosen)
    return (
      <NativeSelect
        data={[
          { value: '', label: t('any') },
          ...(isKnown ? [] : [{ value: chosen, label: valueName(name, chosen) }]),
          ...values.map(({ id, results }) => ({
            value: id,
            label: `${valueName(name, id)} (${results})`,
          })),
        ]}
        key={name}
        label={filterName(name)}
        onChange={({ currentTarget }) => set(name)(currentTarget.value)}
        value={chosen}
      />
    )
  }
  const text = (name: string, label: string, hint?: string) => (
    <TextInput
      {...(hint ? { description: hint } : {})}
      key={name}
      label={label}
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
      value={draft[name] ?? ''}
    />
  )
  const isNarrow = Object.keys(parameters).some((name) => initiallyHiddenFilters.has(name))
  return (
    <section aria-label={t('filters')} className="surface">
      <form onSubmit={submit}>
        <Stack gap="md" p="lg">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            <UserPicker label={t('seller')} pick={set('seller')} value={draft['seller'] ?? ''} />
            <UserPicker label={t('buyer')} pick={set('buyer')} value={draft['buyer'] ?? ''} />
            {text('q', t('query'), t('queryHint'))}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>{mainFilters.map(select)}</SimpleGrid>
          <details open={isNarrow}>
            <summary className="more">{t('more')}</summary>
            <Stack gap="md" mt="md">
              <SimpleGrid className="bottom" cols={{ base: 1, sm: 2, lg: 4 }}>
                {otherFilters.map(select)}
                {text('tags.not', t('tagsNot'), t('commas'))}
                {text('item', t('item'), t('itemHint'))}
              </SimpleGrid>
              {orderDateFilters.map((name) => (
                <SimpleGrid cols={{ base: 1, sm: 2 }} key={name}>
                  {(['from', 'to'] as const).map((end) => (
                    <MomentInput
                      key={end}
                      label={`${filterName(name)}: ${t(end)}`}
                      set={set(`${name}.${end}`)}
                      value={draft[`${name}.${end}`] ?? ''}
                    />
                  ))}
                </SimpleGrid>
              ))}
            </Stack>
          </details>
          <Group align="flex-end" justify="space-between">
            <NativeSelect
              data={orderSorts.map((value) => ({ value, label: t(value) }))}
              label={t('sort')}
              onChange={({ currentTarget }) => set('sort')(currentTarget.value)}
              value={draft['sort'] ?? 'date_desc'}
            />
            <Group>
              <Button
                disabled={Object.keys(parameters).length === 0}
                onClick={() => setParameters({})}
                variant="default"
              >
                {t('clear')}
              </Button>
              <Button leftSection={<Icon name="search" size={18} />} type="submit">
                {t('search')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </section>
  )
}

/** Returns the function that names a value of a filter: statuses by their names, codes as they are. */
function useValueName(): (filter: OrderFilter, value: string) => string {
  const statusName = useCodeNames(statusNames)
  const substatusName = useCodeNames(substatusTranslations)
  const otherName = useCodeNames(filterValues)
  const tagName = useCodeNames(tagTranslations)
  return (filter, value) => {
    if (filter === 'order.status') return statusName(`order.${value}`, value)
    if (filter === 'shipping.status') {
      return statusName(`shipment.${value}`, otherName(`${filter}.${value}`, value))
    }
    if (filter === 'tags') return tagName(value)
    if (filter === 'shipping.substatus') return substatusName(value)
    return otherName(`${filter}.${value}`, value)
  }
}

const initiallyHiddenFilters = new Set<string>([
  ...otherFilters,
  'tags.not',
  'item',
  ...orderDateFilters.flatMap((name) => [`${name}.from`, `${name}.to`]),
])

/** A moment by the clock of whoever looks, as the interface writes it. */
function MomentInput({
  label,
  value,
  set,
}: {
  label: string
  value: string
  set: (value: string) => void
}) {
  return (
    <TextInput
      label={label}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value)
        set(Number.isNaN(moment.getTime()) ? '' : moment.toISOString())
      }}
      type="datetime-local"
      value={value === '' ? '' : localInputValue(new Date(value))}
    />
  )
}

function localInputValue(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
