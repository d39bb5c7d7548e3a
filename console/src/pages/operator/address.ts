import { useLocation, useNavigate } from '@tanstack/react-router'

export type AddressParameters = Readonly<Record<string, string>>

/** What the page's address asks for, as text, and how to ask for something else: a page that was narrowed
 * can be sent to somebody, and gone back to. */
export function useAddress(): [
  AddressParameters,
  (next: AddressParameters, how?: { replace?: boolean }) => void,
] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const asked: Record<string, string> = {}
  for (const [name, value] of Object.entries(search as Record<string, unknown>)) {
    if (value !== undefined && value !== null) asked[name] = String(value)
  }
  const ask = (next: AddressParameters, { replace = false } = {}) => {
    const given = Object.entries(next).filter(([, value]) => value !== '')
    void navigate({ to: '.', search: Object.fromEntries(given) as never, replace })
  }
  return [asked, ask]
}
