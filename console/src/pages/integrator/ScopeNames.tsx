import { useCodeNames } from '../../i18n/text.ts'
import { translations } from './translations.ts'

/** Scopes by their names, with the value of the API as tooltip. */
export function ScopeNames({ of }: { of: readonly string[] }) {
  const name = useCodeNames(translations)
  return of.map((scope, n) => (
    <span key={scope} title={scope}>
      {n > 0 && ', '}
      {name(scope)}
    </span>
  ))
}
