import { useNavigate } from '@tanstack/react-router'
import { forgetAnswers } from '../api/queries.ts'

/** Returns the function that ends a session, forgets what only its user could read, and goes to the home page. */
export function useSignOut(endSession: () => unknown): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await endSession()
    forgetAnswers()
    await navigate({ to: '/' })
  }
}
