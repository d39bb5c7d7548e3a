import '@mantine/core/styles.css'
import './design/design.css'
import { createRoot } from 'react-dom/client'
import { finishSignIn } from './api/oauth.ts'
import { App } from './app/App.tsx'

/** What the authorisation page sent along is used up before anything is shown: a code is good once. */
async function start(): Promise<void> {
  let problem: string | undefined
  if (location.pathname === '/console/callback') {
    const answer = new URLSearchParams(location.search)
    history.replaceState(null, '', '/console/')
    try {
      history.replaceState(null, '', await finishSignIn(answer))
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
  }
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App problem={problem} />)
}

await start()
