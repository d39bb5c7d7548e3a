import { Group, NativeSelect, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../../api/queries.ts'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { PageLink } from '../components.tsx'
import { useSiteOptions } from '../sites.ts'
import { CatalogTabs } from './Tabs.tsx'
import { translations } from './translations.ts'
import type { Attribute, Category, NamedEntity } from './types.ts'

const catalogPath = '/operator/catalogue'

export default function Catalog() {
  const t = useTranslations(translations)
  const sites = useSiteOptions()
  const [parameters, setParameters] = useAddressParameters()
  const { category = '' } = parameters
  const site = category === '' ? (parameters['site'] ?? 'MLA') : category.slice(0, 3)
  return (
    <Page
      actions={
        <NativeSelect
          aria-label={t('site')}
          data={sites}
          onChange={({ currentTarget }) => setParameters({ site: currentTarget.value })}
          value={site}
        />
      }
      lead={t('lead')}
      title={t('title')}
    >
      <CatalogTabs />
      {category === '' ? <TopCategories site={site} /> : <CategoryDetails id={category} />}
    </Page>
  )
}

function TopCategories({ site }: { site: string }) {
  const t = useTranslations(translations)
  const query = useApiQuery<NamedEntity[]>(`/sites/${site}/categories`)
  return (
    <Section title={t('top')}>
      <QueryContent lines={8} of={query}>
        {(categories) => <CategoryTiles categories={categories} />}
      </QueryContent>
    </Section>
  )
}

function CategoryTiles({
  categories,
}: {
  categories: readonly (NamedEntity & { total_items_in_this_category?: number })[]
}) {
  const { number } = useFormats()
  return (
    <ul className="tiles">
      {categories.map(({ id, name, total_items_in_this_category: items }) => (
        <li key={id}>
          <Link search={{ category: id } as never} to={catalogPath}>
            <span>{name}</span>
            {items !== undefined && <span className="quiet">{number(items)}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function CategoryDetails({ id }: { id: string }) {
  const t = useTranslations(translations)
  const { number, day } = useFormats()
  const query = useApiQuery<Category>(`/categories/${id}`)
  return (
    <QueryContent lines={8} of={query}>
      {(category) => (
        <>
          <nav aria-label={t('path')}>
            <ol className="crumbs">
              <li>
                <PageLink to={`${catalogPath}?site=${id.slice(0, 3)}`}>{t('top')}</PageLink>
              </li>
              {category.path_from_root.map((ancestor) => (
                <li key={ancestor.id}>
                  {ancestor.id === id ? (
                    <strong aria-current="page">{ancestor.name}</strong>
                  ) : (
                    <PageLink to={`${catalogPath}?category=${ancestor.id}`}>
                      {ancestor.name}
                    </PageLink>
                  )}
                </li>
              ))}
            </ol>
          </nav>
          <Section>
            <Group align="flex-start" gap="xl" wrap="nowrap">
              <img
                alt=""
                height={56}
                src={new URL(category.picture, location.origin).pathname}
                width={56}
              />
              <DefinitionList
                of={[
                  [t('number'), <CopyableText key="id" text={category.id} />],
                  [t('listings'), number(category.total_items_in_this_category)],
                  [t('since'), day(category.date_created)],
                ]}
              />
            </Group>
          </Section>
          {category.children_categories.length > 0 && (
            <Section title={t('children')}>
              <CategoryTiles categories={category.children_categories} />
            </Section>
          )}
          <Section lead={t('settingsLead')} title={t('settings')}>
            <DefinitionList of={Object.entries(category.settings).map(settingFact)} />
          </Section>
          <Attributes id={id} />
        </>
      )}
    </QueryContent>
  )
}

function settingFact([name, value]: [string, unknown]) {
  const shown = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
  return [
    <MonospaceText key={name}>{name}</MonospaceText>,
    <MonospaceText key="value">{shown}</MonospaceText>,
  ] as unknown as [string, string]
}

function MonospaceText({ children }: { children: string }) {
  return <span className="mono">{children}</span>
}

function Attributes({ id }: { id: string }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const query = useApiQuery<Attribute[]>(`/categories/${id}/attributes`)
  return (
    <Section flush lead={t('attributesLead')} title={t('attributes')}>
      <QueryContent of={query}>
        {(attributes) =>
          attributes.length === 0 ? (
            <EmptyState title={t('noAttributes')}>{t('noAttributesLead')}</EmptyState>
          ) : (
            <DataTable
              caption={t('attributes')}
              columns={[
                {
                  key: 'name',
                  title: t('attribute'),
                  render: ({ id: attributeId, name }) => (
                    <>
                      {name}
                      <Text className="mono quiet" size="xs">
                        {attributeId}
                      </Text>
                    </>
                  ),
                },
                {
                  key: 'type',
                  title: t('type'),
                  render: (each) => <MonospaceText>{each.value_type}</MonospaceText>,
                },
                {
                  key: 'tags',
                  title: t('tags'),
                  render: ({ tags }) => (
                    <MonospaceText>{Object.keys(tags).join(', ') || '–'}</MonospaceText>
                  ),
                },
                {
                  key: 'values',
                  title: t('values'),
                  render: ({ values, allowed_units }) => (
                    <AttributeValues of={values ?? allowed_units ?? []} formatNumber={number} />
                  ),
                },
              ]}
              keyOf={(each) => each.id}
              rows={attributes}
            />
          )
        }
      </QueryContent>
    </Section>
  )
}

const maxShownValues = 5

function AttributeValues({
  of,
  formatNumber,
}: {
  of: readonly NamedEntity[]
  formatNumber: (n: number) => string
}) {
  if (of.length === 0) return '–'
  const first = of.slice(0, maxShownValues).map(({ name }) => name)
  const more = of.length - first.length
  return (
    <Text maw="20rem" size="sm">
      {first.join(', ')}
      {more > 0 ? ` +${formatNumber(more)}` : ''}
    </Text>
  )
}
