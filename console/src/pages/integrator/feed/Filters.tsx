import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { attemptOutcomes, topics } from '../../../api/lists.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** What is looked for, as the address of the page has it; moments as `datetime-local` writes them. */
export interface FeedSearch {
  topic?: string
  outcome?: string
  resource?: string
  from?: string
  to?: string
  /** There for those that were not accepted. */
  missed?: string
}

export function FeedFilterForm({
  search,
  change,
}: {
  search: FeedSearch
  change: (part: FeedSearch) => void
}) {
  const t = useTranslations(translations)
  const [resource, setResource] = useState(search.resource ?? '')
  const [isOpen, { toggle }] = useDisclosure(false)
  const isFiltered = Object.keys(search).some((name) => name !== 'missed')
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('which')}
          data={[
            { value: '', label: t('all') },
            { value: '1', label: t('missed') },
          ]}
          onChange={(missed) => change({ missed })}
          value={search.missed ?? ''}
        />
        <Button aria-expanded={isOpen} hiddenFrom="sm" onClick={toggle} variant="default">
          {t('filters')}
        </Button>
        {isFiltered && (
          <Button
            onClick={() => {
              setResource('')
              change({ topic: '', outcome: '', resource: '', from: '', to: '' })
            }}
            variant="default"
          >
            {t('clear')}
          </Button>
        )}
      </Group>
      <SimpleGrid
        cols={{ base: 1, xs: 2, md: 3, lg: 5 }}
        spacing="sm"
        // On a phone they would stand before everything else.
        {...(isOpen ? {} : { visibleFrom: 'sm' as const })}
      >
        <NativeSelect
          data={[
            { value: '', label: t('anyTopic') },
            ...topics.map((topic) => ({ value: topic, label: topic })),
          ]}
          label={t('topic')}
          onChange={({ currentTarget }) => change({ topic: currentTarget.value })}
          value={search.topic ?? ''}
        />
        <NativeSelect
          data={[
            { value: '', label: t('anyOutcome') },
            ...attemptOutcomes.map((outcome) => ({ value: outcome, label: t(outcome) })),
          ]}
          label={t('outcome')}
          onChange={({ currentTarget }) => change({ outcome: currentTarget.value })}
          value={search.outcome ?? ''}
        />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            change({ resource: resource.trim() })
          }}
        >
          <TextInput
            label={t('resource')}
            onBlur={() => change({ resource: resource.trim() })}
            onChange={({ currentTarget }) => setResource(currentTarget.value)}
            placeholder="/orders/123"
            value={resource}
          />
        </form>
        <TextInput
          label={t('from')}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
          type="datetime-local"
          value={search.from ?? ''}
        />
        <TextInput
          label={t('to')}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
          type="datetime-local"
          value={search.to ?? ''}
        />
      </SimpleGrid>
    </Stack>
  )
}
