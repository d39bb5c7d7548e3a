import { Group, NativeSelect, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useGet } from '../../../api/queries.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DataTable } from '../../../design/DataTable.tsx'
import { Facts, Page, Section } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { useAddress } from '../address.ts'
import { To } from '../pieces.tsx'
import { useSites } from '../sites.ts'
import { Tabs } from './Tabs.tsx'
import { translations } from './translations.ts'
import type { Attribute, Category, Named } from './types.ts'

const here = '/operator/catalogue'

export default function Catalog() {
  const t = useText(translations)
  const sites = useSites()
  const [parameters, setParameters] = useAddress()
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
      <Tabs />
      {category === '' ? <Top site={site} /> : <OneCategory id={category} />}
    </Page>
  )
}

function Top({ site }: { site: string }) {
  const t = useText(translations)
  const found = useGet<Named[]>(`/sites/${site}/categories`)
  return (
    <Section title={t('top')}>
      <Loaded lines={8} of={found}>
        {(categories) => <Tiles categories={categories} />}
      </Loaded>
    </Section>
  )
}

function Tiles({
  categories,
}: {
  categories: readonly (Named & { total_items_in_this_category?: number })[]
}) {
  const { number } = useFormats()
  return (
    <ul className="tiles">
      {categories.map(({ id, name, total_items_in_this_category: items }) => (
        <li key={id}>
          <Link search={{ category: id } as never} to={here}>
            <span>{name}</span>
            {items !== undefined && <span className="quiet">{number(items)}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function OneCategory({ id }: { id: string }) {
  const t = useText(translations)
  const { number, day } = useFormats()
  const found = useGet<Category>(`/categories/${id}`)
  return (
    <Loaded lines={8} of={found}>
      {(category) => (
        <>
          <nav aria-label={t('path')}>
            <ol className="crumbs">
              <li>
                <To to={`${here}?site=${id.slice(0, 3)}`}>{t('top')}</To>
              </li>
              {category.path_from_root.map((each) => (
                <li key={each.id}>
                  {each.id === id ? (
                    <strong aria-current="page">{each.name}</strong>
                  ) : (
                    <To to={`${here}?category=${each.id}`}>{each.name}</To>
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
              <Facts
                of={[
                  [t('number'), <Copied key="id" text={category.id} />],
                  [t('listings'), number(category.total_items_in_this_category)],
                  [t('since'), day(category.date_created)],
                ]}
              />
            </Group>
          </Section>
          {category.children_categories.length > 0 && (
            <Section title={t('children')}>
              <Tiles categories={category.children_categories} />
            </Section>
          )}
          <Section lead={t('settingsLead')} title={t('settings')}>
            <Facts of={Object.entries(category.settings).map(settingFact)} />
          </Section>
          <Attributes id={id} />
        </>
      )}
    </Loaded>
  )
}

function settingFact([name, value]: [string, unknown]) {
  const shown = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
  return [<Mono key={name}>{name}</Mono>, <Mono key="value">{shown}</Mono>] as unknown as [
    string,
    string,
  ]
}

function Mono({ children }: { children: string }) {
  return <span className="mono">{children}</span>
}

function Attributes({ id }: { id: string }) {
  const t = useText(translations)
  const { number } = useFormats()
  const found = useGet<Attribute[]>(`/categories/${id}/attributes`)
  return (
    <Section flush lead={t('attributesLead')} title={t('attributes')}>
      <Loaded of={found}>
        {(attributes) =>
          attributes.length === 0 ? (
            <Empty title={t('noAttributes')}>{t('noAttributesLead')}</Empty>
          ) : (
            <DataTable
              caption={t('attributes')}
              columns={[
                {
                  key: 'name',
                  title: t('attribute'),
                  show: ({ id: each, name }) => (
                    <>
                      {name}
                      <Text className="mono quiet" size="xs">
                        {each}
                      </Text>
                    </>
                  ),
                },
                { key: 'type', title: t('type'), show: (each) => <Mono>{each.value_type}</Mono> },
                {
                  key: 'tags',
                  title: t('tags'),
                  show: ({ tags }) => <Mono>{Object.keys(tags).join(', ') || '–'}</Mono>,
                },
                {
                  key: 'values',
                  title: t('values'),
                  show: ({ values, allowed_units }) => (
                    <Values of={values ?? allowed_units ?? []} say={number} />
                  ),
                },
              ]}
              keyOf={(each) => each.id}
              rows={attributes}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const shownValues = 5

function Values({ of, say }: { of: readonly Named[]; say: (n: number) => string }) {
  if (of.length === 0) return '–'
  const first = of.slice(0, shownValues).map(({ name }) => name)
  const more = of.length - first.length
  return (
    <Text maw="20rem" size="sm">
      {first.join(', ')}
      {more > 0 ? ` +${say(more)}` : ''}
    </Text>
  )
}
