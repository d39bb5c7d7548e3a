import { Progress, Text } from '@mantine/core'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'
import type { Job } from './types.ts'

/** Jobs that have not ended are read again after so long. */
const refreshMs = 2_000

/** Returns whether a job has not ended. */
export const isOpen = ({ finished }: Job) => finished === null

/** Returns after how many milliseconds jobs are read again, or false if all have ended. */
export function refreshIntervalOf(jobs: readonly Job[] = []): number | false {
  return jobs.some(isOpen) ? refreshMs : false
}

/** How much of a job is done. The total is counted at its start, so more than that may come to be done. */
export function JobProgress({ job }: { job: Job }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const { done, total } = job
  const percent = total === 0 ? 0 : Math.min(100, (100 * done) / total)
  return (
    <>
      <Progress
        animated={job.state === 'running'}
        aria-label={t('progress')}
        miw="6rem"
        value={job.state === 'finished' ? 100 : percent}
      />
      <Text className="quiet" size="sm">
        {t('doneOf', { done: number(done), total: number(total) })}
      </Text>
    </>
  )
}
