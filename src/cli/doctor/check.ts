/** The result of one check. */
export interface Check {
  name: string
  state: 'ok' | 'warning' | 'problem'
  /** The finding, in a sentence. */
  says: string
  /** The next step, unless all is well. */
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
