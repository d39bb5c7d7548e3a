import { readFileSync, writeFileSync } from 'node:fs'
import { judgmentsFile, readJudgments, readQueries, readRows, titleHash } from './judgments.ts'

/**
 * `node bench/relevance/add-judgments.ts POOL JUDGE1 JUDGE2` adds the grades of two judges to `judgments.tsv`. POOL is
 * what `FERIA_BENCH_POOL` wrote. The files of the judges have lines `number<TAB>grade`, a line for each of the pool.
 */
const [poolFile = '', ...judgeFiles] = process.argv.slice(2)
if (judgeFiles.length !== 2) throw new Error('expected three files: POOL JUDGE1 JUDGE2')

const numbers = new Map(readQueries().map(({ number, shop, text }) => [`${shop} ${text}`, number]))
const [first, second] = judgeFiles.map(readGrades) as [Map<string, string>, Map<string, string>]
const lines = new Map(
  readJudgments().map(({ query, title, grades }) => [
    `${query}\t${title}`,
    [query, title, ...grades].join('\t'),
  ]),
)
for (const [number = '', shop, text, , title = ''] of readRows(poolFile)) {
  const query = numbers.get(`${shop} ${text}`)
  const grades = [first.get(number), second.get(number)]
  if (query === undefined) throw new Error(`${poolFile}, number ${number}: unknown query "${text}"`)
  if (grades.includes(undefined)) throw new Error(`number ${number} lacks a grade`)
  const key = `${query}\t${titleHash(title)}`
  lines.set(key, [key, ...grades].join('\t'))
}
const sorted = [...lines.values()].sort(
  (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1),
)
writeFileSync(judgmentsFile, `query\ttitle\tjudge1\tjudge2\n${sorted.join('\n')}\n`)
process.stdout.write(`${sorted.length} judgments\n`)

function readGrades(file: string): Map<string, string> {
  const grades = new Map<string, string>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const match = /^(\d+)\t([0-3])\r?$/.exec(line)
    if (!match) throw new Error(`${file}: expected number<TAB>grade, got "${line}"`)
    grades.set(match[1] as string, match[2] as string)
  }
  return grades
}
