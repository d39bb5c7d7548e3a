/** The result of one check. */
export interface CheckResult {
  name: string
  state: 'ok' | 'warning' | 'problem'
  /** The finding, in a sentence. */
  says: string
  /** The next step, unless all is well. */
  advice?: string
}

export const okResult = (name: string, says: string): CheckResult => ({ name, state: 'ok', says })

export const warning = (name: string, says: string, advice: string): CheckResult => ({
  name,
  state: 'warning',
  says,
  advice,
})

export const problem = (name: string, says: string, advice: string): CheckResult => ({
  name,
  state: 'problem',
  says,
  advice,
})
