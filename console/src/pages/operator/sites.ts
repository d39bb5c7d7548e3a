import { useApiQuery } from '../../api/queries.ts'

interface Site {
  id: string
  name: string
}

/** The sites, to choose from. */
export function useSiteOptions(): { value: string; label: string }[] {
  const { data } = useApiQuery<Site[]>('/sites', {}, {})
  const sites = data ?? [{ id: 'MLA', name: 'Argentina' }]
  return sites
    .map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
