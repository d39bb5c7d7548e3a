import type { SiteId } from '../../kernel/sites.ts'
import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

/** `feria synonyms lookup SITE QUERY`. */
export async function lookUpCommand(
  { site, query, ...options }: ServerOptions & { site: SiteId; query: string },
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('GET', '/operator/search/synonyms/lookup', {
    query: { site_id: site, q: query },
  })
  out.printResult(answer, () =>
    answer.results.length === 0
      ? `No word of “${query}” has synonyms on ${site}.`
      : answer.results.map(({ words, synonyms }) => `${words}: ${synonyms.join(', ')}`),
  )
}

/** `feria synonyms list SITE`. */
export async function listCommand(
  { site, ...options }: ServerOptions & { site: SiteId },
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('GET', '/operator/search/synonyms', {
    query: { site_id: site },
  })
  out.printResult(answer, () =>
    alignColumns([
      ['ID', 'ACTION', 'WORDS', 'NOTE'],
      ...answer.results.map(({ id, action, words, note }) => [
        id,
        action,
        words.join(', '),
        note ?? '',
      ]),
    ]),
  )
}

type ChangeOptions = ServerOptions & { site: SiteId; words: string; note?: string }

/** `feria synonyms add SITE WORDS`. */
export async function addCommand(options: ChangeOptions, out: Output): Promise<undefined> {
  await change('add', options, out)
}

/** `feria synonyms remove SITE WORDS`. */
export async function removeCommand(options: ChangeOptions, out: Output): Promise<undefined> {
  await change('remove', options, out)
}

async function change(
  action: 'add' | 'remove',
  { site, words, note, ...options }: ChangeOptions,
  out: Output,
): Promise<void> {
  const answer = await openClient(options).call('POST', '/operator/search/synonyms', {
    body: {
      site_id: site,
      action,
      words: words.split(',').map((word) => word.trim()),
      note: note ?? null,
    },
  })
  const list = answer.words.join(', ')
  out.printResult(answer, () =>
    action === 'add'
      ? `${list} are synonyms on ${site} (${answer.id})`
      : `${list} are no synonyms on ${site} (${answer.id})`,
  )
}

/** `feria synonyms delete ID`. An unknown id fails with `RequestRefused` (404). */
export async function deleteCommand(
  { id, ...options }: ServerOptions & { id: string },
  out: Output,
): Promise<undefined> {
  await openClient(options).call('DELETE', '/operator/search/synonyms/{id}', { path: { id } })
  out.printResult({ id }, () => `The change ${id} was taken back.`)
}
