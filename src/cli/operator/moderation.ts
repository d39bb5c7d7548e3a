import type { RequestBody, ResponseBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'
import { readJsonFile, saveBody } from './files.ts'

type PreviewBody = RequestBody<'/operator/moderation/preview', 'post'>
type Preview = ResponseBody<'/operator/moderation/preview', 'post'>
type Site = NonNullable<PreviewBody['site_id']>

type PeriodOptions = ServerOptions & { site?: Site; since?: string; until?: string }

/** `feria moderation rules`: shows the counts of each rule, the most frequent first. */
export async function listRulesCommand(
  { site, since, until, ...options }: PeriodOptions,
  out: Output,
): Promise<undefined> {
  const query = { site_id: site, from: since, to: until }
  const answer = await openClient(options).call('GET', '/operator/moderation/rules', { query })
  out.printResult(answer, () =>
    alignColumns([
      ['RULE', 'REASON', 'STATE', 'HELD', 'RELEASED'],
      ...answer.results.map(({ rule, reason, enabled, switches, held, overruled }) => {
        const others = switches
          .filter(({ site_id }) => site_id !== null)
          .map(({ site_id, enabled: isOn }) => `${site_id} ${isOn ? 'on' : 'off'}`)
        const state = [enabled ? 'on' : 'off', ...(site === undefined ? others : [])].join(', ')
        return [rule ?? '-', reason, state, String(held), String(overruled)]
      }),
    ]),
  )
}

type SwitchOptions = ServerOptions & {
  rule: string
  state: 'off' | 'on' | 'clear'
  site?: Site
  note?: string
}

/** `feria moderation switch RULE off|on|clear`. An unknown rule fails with `RequestRefused` (404). */
export async function switchRuleCommand(
  { rule, state, site = undefined, note, ...options }: SwitchOptions,
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('PUT', '/operator/moderation/rules/{rule}', {
    path: { rule },
    body: {
      enabled: state === 'clear' ? null : state === 'on',
      site_id: site ?? null,
      note: note ?? null,
    },
  })
  const where = site === undefined ? 'on all sites' : `on ${site}`
  out.printResult(answer, () =>
    state === 'clear'
      ? `${rule} has no switch ${where} any more`
      : `${rule} is ${state} ${where}, from the next message on`,
  )
}

type PreviewOptions = PeriodOptions & { file: string; limit?: number }

/** `feria moderation preview FILE`: prints which messages would be decided otherwise. */
export async function previewCommand(
  { file, site, since, until, limit, ...options }: PreviewOptions,
  out: Output,
): Promise<undefined> {
  const body = {
    ...readJsonFile<PreviewBody>(file),
    ...(site === undefined ? {} : { site_id: site }),
    ...(since === undefined ? {} : { from: since }),
    ...(until === undefined ? {} : { to: until }),
    ...(limit === undefined ? {} : { limit }),
  }
  const preview = await openClient(options).call('POST', '/operator/moderation/preview', { body })
  out.printResult(preview, () => linesOf(preview))
}

const cutTexts: Record<NonNullable<Preview['cut']>, string> = {
  limit: 'older ones were left out: raise --limit, up to 5000',
  time: 'older ones were left out: the time was over',
  reads: 'older ones were left out: too many messages are of other sites',
}

function linesOf(preview: Preview): string[] {
  const { judged, cut, held_before, held_after, newly_held, newly_passed, other_reason } = preview
  const total = newly_held + newly_passed + other_reason
  const shown = preview.differences.length
  return [
    `${judged} messages judged${cut === null ? '' : `; ${cutTexts[cut]}`}`,
    `${held_before} are held back now, ${held_after} after the change: ${newly_held} newly held, ${newly_passed} newly passed, ${other_reason} for another reason`,
    ...(total > shown ? [`The newest ${shown} of them:`] : []),
    ...alignColumns(
      preview.differences.map(({ change, message_id, site_id, before, after }) => [
        `  ${change}`,
        message_id,
        site_id,
        `${verdictText(before)} → ${verdictText(after)}`,
      ]),
    ),
  ]
}

type Verdict = Preview['differences'][number]['after']

function verdictText(verdict: Verdict): string {
  return verdict ? `${verdict.rule} "${verdict.cause}"` : 'passes'
}

type ExportOptions = PeriodOptions & { rule?: string; out?: string }

/** `feria moderation export`: streams decisions to standard output or a file. */
export async function exportDecisionsCommand(
  { rule, site, since, until, out: file, ...options }: ExportOptions,
  out: Output,
): Promise<undefined> {
  const parameters = { rule, site_id: site, from: since, to: until }
  const query = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const path = `/operator/moderation/decisions?${query}`
  const answer = await openClient(options).request('GET', path)
  if (await saveBody(answer, { file, out }))
    out.printResult({ file }, () => `The decisions are in ${file}`)
}
