import { useLocation, useNavigate } from '@tanstack/react-router'

export type AddressParameters = Readonly<Record<string, string>>

/** Returns the parameters of the page's address as text, and a function that replaces them: filters are in the
 * address, so they can be shared and gone back to. */
export function useAddressParameters(): [
  AddressParameters,
  (next: AddressParameters, how?: { replace?: boolean }) => void,
] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(search as Record<string, unknown>)) {
    if (value !== undefined && value !== null) parameters[name] = String(value)
  }
  const setParameters = (next: AddressParameters, { replace = false } = {}) => {
    const entries = Object.entries(next).filter(([, value]) => value !== '')
    void navigate({ to: '.', search: Object.fromEntries(entries) as never, replace })
  }
  return [parameters, setParameters]
}
