import { createContext } from 'react'

/** Why the sign-in that this page was loaded with did not come about. */
export const SignInProblem = createContext<string | undefined>(undefined)
