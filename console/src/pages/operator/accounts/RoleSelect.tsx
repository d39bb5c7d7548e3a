import { NativeSelect } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import type { RoleList } from '../roles/types.ts'

/** Selects one of the roles of operators. */
export function RoleSelect({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (role: string) => void
}) {
  const { data } = useApiQuery<RoleList>('/operator/roles', { authScheme: 'operator' })
  return (
    <NativeSelect
      data={data?.roles.map(({ name }) => name) ?? [value]}
      label={label}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      value={value}
    />
  )
}
