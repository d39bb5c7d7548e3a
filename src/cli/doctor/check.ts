/** One thing that was looked at. */
export interface Check {
  name: string
  state: 'ok' | 'warning' | 'problem'
  /** How it stands, in a sentence. */
  says: string
  /** What to do about it. */
  advice?: string
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says })

export const warning = (name: string, says: string, advice: string): Check => ({
  name,
  state: 'warning',
  says,
  advice,
})

export const problem = (name: string, says: string, advice: string): Check => ({
  name,
  state: 'problem',
  says,
  advice,
})
