import { createContext } from 'react'

/** Why the sign-in that this page was loaded with did not come about. */
export const SignInErrorContext = createContext<string | undefined>(undefined)
