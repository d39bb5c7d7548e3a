import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

export interface PageResponse {
  status: number
  headers: Headers
  text: string
  /** Where it leads, if it is a redirect. */
  location: string | undefined
}

/** Somebody in front of a browser: keeps the cookies, sends the forms, follows redirects when told. */
export class FormBrowser {
  readonly #address: string
  readonly cookies = new Map<string, string>()
  language = 'en'

  constructor({ address }: Pick<TestApp, 'address'>) {
    this.#address = address
  }

  async load(path: string, init: RequestInit = {}): Promise<PageResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.#address), {
      redirect: 'manual',
      ...init,
      headers: {
        'accept-language': this.language,
        ...(cookie === '' ? {} : { cookie }),
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...settings] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (settings.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const { status, headers } = response
    const location = headers.get('location') ?? undefined
    return { status, headers, text: await response.text(), location }
  }

  async send(path: string, fields: Record<string, string>): Promise<PageResponse> {
    return this.load(path, { method: 'POST', body: new URLSearchParams(fields) })
  }

  /** Sends the first form of a page that leads there, with `fields` filled in. */
  async submit(
    page: PageResponse,
    action: string,
    fields: Record<string, string>,
  ): Promise<PageResponse> {
    return this.send(action, { ...hiddenFieldsOf(page.text, action), ...fields })
  }

  async signIn(login: string, password: string, path = '/login'): Promise<PageResponse> {
    const page = await this.load(path)
    assert.equal(page.status, 200, page.text)
    return this.submit(page, '/login', { login, password })
  }
}

/** What a form carries that nobody sees. */
export function hiddenFieldsOf(page: string, action: string): Record<string, string> {
  const form = page.split('<form ').find((part) => part.includes(`action="${action}"`))
  assert.ok(form, `a form that leads to ${action}: ${page}`)
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries(
    [...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]),
  )
}

const htmlEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export const unescapeHtml = (text: string) =>
  text.replace(/&(#?\w+);/g, (_, name: string) => htmlEntities[name] ?? '')
