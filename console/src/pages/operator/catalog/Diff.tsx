import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'
import type { CatalogDiffSummary } from './types.ts'

const categoryChangeKinds = ['added', 'removed', 'renamed', 'moved', 'changed'] as const
const idChangeKinds = ['added', 'removed', 'changed'] as const

/** What a catalogue changes against the one before it. */
export function CatalogDiff({ summary }: { summary: CatalogDiffSummary }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const { categories, attributes, domains } = summary
  return (
    <Stack gap="md">
      <Title order={3} size="h5">
        {t('differs', { version: summary.against })}
      </Title>
      {summary.listings_in_removed_categories > 0 && (
        <div className="note" data-tone="warn">
          {t('left', { n: number(summary.listings_in_removed_categories) })}
        </div>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        <DiffSection title={t('categories')} total={categories.total}>
          {categoryChangeKinds.map((key) => (
            <DiffChange
              count={categories[key].count}
              examples={categories[key].examples.map(({ name, before, after }) =>
                before && after && before !== after ? `${before} → ${after}` : name,
              )}
              key={key}
              name={t(key)}
            />
          ))}
        </DiffSection>
        <DiffSection title={t('attributesFile')} total={attributes.total}>
          {idChangeKinds.map((key) => (
            <DiffChange {...attributes[key]} key={key} name={t(key)} />
          ))}
        </DiffSection>
        <DiffSection title={t('domains')} total={domains.total}>
          {idChangeKinds.map((key) => (
            <DiffChange {...domains[key]} key={key} name={t(key)} />
          ))}
        </DiffSection>
      </SimpleGrid>
    </Stack>
  )
}

function DiffSection({
  title,
  total,
  children,
}: {
  title: string
  total: number
  children: ReactNode
}) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <Text className="quiet" size="sm">
        {t('total')}: {number(total)}
      </Text>
      <ul className="plain">{children}</ul>
    </div>
  )
}

function DiffChange({
  name,
  count,
  examples,
}: {
  name: string
  count: number
  examples: readonly string[]
}) {
  const { number } = useFormats()
  if (count === 0) return null
  return (
    <li>
      <strong>
        {name}: {number(count)}
      </strong>
      <Text className="quiet" size="sm">
        {examples.slice(0, 5).join(', ')}
        {count > 5 ? ', …' : ''}
      </Text>
    </li>
  )
}
