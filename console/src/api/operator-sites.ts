import { type OwnAccount, useOwnAccount } from './own-account.ts'
import { useSession } from './session.ts'

/** Returns the sites that the operator's account is limited to. Null: not limited, as are tokens and keys. */
export function useOperatorSites(): OwnAccount['sites'] {
  return useOwnAccount().data?.sites ?? null
}

/** Returns the site that lists are of, for an operator of several sites. Undefined for others, who need to name none. */
export function useListSite(): string | undefined {
  const sites = useOperatorSites()
  const { operatorSite } = useSession()
  if (sites === null || sites.length < 2) return undefined
  return sites.find((site) => site === operatorSite) ?? sites[0]
}
