import '@mantine/core/styles.css'
import './design/design.css'
import { createRoot } from 'react-dom/client'
import { finishSignIn } from './api/oauth.ts'
import { finishProviderFlow } from './api/openid.ts'
import { App } from './app/App.tsx'

/** What finishes the sign-in of the authorisation page and of the identity provider, by the address that they lead to. */
const finishers: Readonly<Record<string, (answer: URLSearchParams) => Promise<string>>> = {
  '/console/callback': finishSignIn,
  '/console/openid': finishProviderFlow,
}

/** What a sign-in sent along is used up before anything is shown: a code is good once. */
async function start(): Promise<void> {
  let problem: string | undefined
  const finish = finishers[location.pathname]
  if (finish) {
    const answer = new URLSearchParams(location.search)
    history.replaceState(null, '', '/console/')
    try {
      history.replaceState(null, '', await finish(answer))
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
  }
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App problem={problem} />)
}

await start()
