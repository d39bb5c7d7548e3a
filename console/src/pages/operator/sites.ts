import { useApiQuery } from '../../api/queries.ts'
import type { SiteList } from '../../api/types.ts'

/** The sites, to choose from. */
export function useSiteOptions(): { value: string; label: string }[] {
  const { data } = useApiQuery<SiteList>('/sites')
  const sites = data ?? [{ id: 'MLA', name: 'Argentina' }]
  return sites
    .map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
