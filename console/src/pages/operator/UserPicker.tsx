import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useListSite } from '../../api/operator-sites.ts'
import { useApiQuery } from '../../api/queries.ts'
import { useTranslations } from '../../i18n/text.ts'
import { translations } from './translations.ts'
import type { UserList } from './users/types.ts'

const userIdPattern = /^(\d+)|\((\d+)\)$/

/** Selects a user by id or by the start of the nickname. `pick` receives the id, or '' for none. */
export function UserPicker({
  label,
  value,
  pick,
  required = false,
}: {
  label: string
  value: string
  pick: (id: string) => void
  required?: boolean
}) {
  const t = useTranslations(translations)
  const [text, setText] = useState(value)
  const [searchText] = useDebouncedValue(text.trim(), 200)
  useEffect(() => setText(value), [value])
  const isName = searchText !== '' && !userIdPattern.test(searchText)
  const site = useListSite()
  const query = useApiQuery<UserList>(
    '/operator/users',
    { authScheme: 'operator', query: { nickname: searchText, limit: 8, site_id: site } },
    { enabled: isName, keepsLast: true },
  )
  const options = isName ? (query.data?.users ?? []) : []
  const change = (next: string) => {
    setText(next)
    const [, number, ofChoice] = userIdPattern.exec(next.trim()) ?? []
    const id = ofChoice ?? (/^\d+$/.test(next.trim()) ? number : undefined)
    if (id !== undefined || next.trim() === '') pick(id ?? '')
  }
  return (
    <Autocomplete
      data={options.map(({ id, nickname }) => `${nickname} (${id})`)}
      description={t('byNumberOrName')}
      filter={({ options: all }) => all}
      label={label}
      onChange={change}
      onOptionSubmit={change}
      required={required}
      value={text}
    />
  )
}
