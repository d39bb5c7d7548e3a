import '../operator.css'
import type { OperatorPermission } from '../../../api/types.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { permissionTranslations } from './permission-translations.ts'

/** Permissions by what they allow, each with its id. */
export function PermissionList({ of }: { of: readonly OperatorPermission[] }) {
  const t = useTranslations(permissionTranslations)
  return (
    <ul className="plain">
      {of.map((id) => (
        <li key={id}>
          {t(id)} <span className="mono quiet">{id}</span>
        </li>
      ))}
    </ul>
  )
}
