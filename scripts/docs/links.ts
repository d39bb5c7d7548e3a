import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import GithubSlugger from 'github-slugger'

/**
 * Returns the links of all Markdown files whose file or anchor is missing, as `file:line target`. Links with a scheme
 * are not followed.
 */
export function deadLinks(root: string): string[] {
  const files = globSync('**/*.md', {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|data|\.git)$/.test(path),
  })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const anchors = new Map<string, Set<string>>()
  const anchorsOf = (file: string) => {
    const fileAnchors = anchors.get(file) ?? anchorsIn(readFileSync(join(root, file), 'utf8'))
    anchors.set(file, fileAnchors)
    return fileAnchors
  }
  return [...files, ...(existsSync(join(root, 'llms.txt')) ? ['llms.txt'] : [])].flatMap((file) =>
    linksIn(readFileSync(join(root, file), 'utf8'))
      .filter(({ target }) => {
        const [path = '', anchor] = target.split('#')
        const to =
          path === '' ? file : normalize(join(dirname(file), decodeURI(path))).replaceAll('\\', '/')
        if (!existsSync(join(root, to))) return true
        return anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).has(anchor)
      })
      .map(({ target, line }) => `${file}:${line} ${target}`),
  )
}

/** Returns the targets of inline links, images, reference definitions and HTML attributes, without those with a scheme. */
export function linksIn(page: string): { target: string; line: number }[] {
  const patterns = [
    /\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g,
    /^\s*\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/g,
    /\b(?:href|src)="([^"]+)"/g,
  ]
  return linesOf(page).flatMap(({ text, line }) => {
    const prose = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, (code) => ' '.repeat(code.length))
    return patterns
      .flatMap((pattern) => [...prose.matchAll(pattern)])
      .map(([, target]) => ({ target: target ?? '', line }))
      .filter(({ target }) => !/^([a-z][a-z0-9+.-]*:|\/)/i.test(target))
  })
}

/** Returns the anchors of a page: of its headings, by the rule of GitHub, and of `id` and `name` attributes. */
export function anchorsIn(page: string): Set<string> {
  const slugger = new GithubSlugger()
  const anchors = new Set<string>()
  for (const { text } of linesOf(page)) {
    const heading = /^ {0,3}#{1,6}\s+(.+?)(?:\s+#+)?\s*$/.exec(text)?.[1]
    // GitHub makes the anchor of the text that a reader sees.
    if (heading) {
      anchors.add(
        slugger.slug(heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]+>/g, '')),
      )
    }
    for (const [, id] of text.matchAll(/<[^>]*\b(?:id|name)="([^"]+)"/g)) if (id) anchors.add(id)
  }
  return anchors
}

/** Returns the lines of a page outside of fenced code. */
function linesOf(page: string): { text: string; line: number }[] {
  let openMark: string | undefined
  return page.split('\n').flatMap((text, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]
    if (openMark === undefined && mark) openMark = mark
    else if (openMark !== undefined && mark?.startsWith(openMark)) {
      openMark = undefined
      return []
    }
    return openMark === undefined ? [{ text, line: index + 1 }] : []
  })
}
