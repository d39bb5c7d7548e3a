/** What the console has to know of the program that serves it: `GET /console/settings.json`. The file is the console's
 * own and no operation of the interface, so there is no generated type of it. */
export interface ConsoleSettings {
  mode: 'sandbox' | 'production'
  version: string
  /** The application that the console is to the authorisation page. */
  client_id: number
  redirect_uri: string
  /** The demo account of a sandbox with demo data; null elsewhere. */
  demo: { nickname: string; password: string; application_id: number } | null
  /** The OpenID Connect provider with which operators can sign in; null without one. */
  identity_provider: { name: string } | null
  /** The one that every sandbox has, unless it was given another. */
  operator_token: string | null
}

let settingsRequest: Promise<ConsoleSettings> | undefined

export function loadSettings(): Promise<ConsoleSettings> {
  settingsRequest ??= requestSettings().catch((error) => {
    settingsRequest = undefined
    throw error
  })
  return settingsRequest
}

async function requestSettings(): Promise<ConsoleSettings> {
  const response = await fetch('/console/settings.json', { credentials: 'omit' })
  if (!response.ok) throw new Error(`settings.json: ${response.status}`)
  return (await response.json()) as ConsoleSettings
}
