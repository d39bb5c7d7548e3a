import { hash } from 'node:crypto'
import type { RouteResponse } from '../route.ts'
import { Html, html } from './html.ts'
import { type Language, languageTags } from './language.ts'

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 26rem; padding: 2rem 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; }
label { display: block; margin: 1rem 0 0.25rem; }
input { box-sizing: border-box; width: 100%; padding: 0.6rem; font: inherit;
  border: 1px solid GrayText; border-radius: 0.4rem; }
button { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin-top: 1rem; font: inherit;
  border: 1px solid ButtonBorder; border-radius: 0.4rem; cursor: pointer; }
button.first { background: #1a5fb4; color: #fff; border-color: #1a5fb4; font-weight: 600; }
:focus-visible { outline: 3px solid #62a0ea; outline-offset: 2px; }
.alert { border-left: 4px solid #c01c28; padding: 0.5rem 0.75rem; }
.quiet { font-size: 0.9rem; }
li { margin: 0.5rem 0; }
h1, p, dd, li, code, strong { overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
.price { font-size: 1.4rem; }
.text { white-space: pre-line; }
`
const styleHash = hash('sha256', style, 'base64')
const styleSheet = new Html(style)

/**
 * Returns the content security policy of a page: its own style and icon only, and no frames. Forms go to this service
 * and to `formsTo`, because browsers also check the redirect after a form. A page with pictures loads those from any
 * host.
 */
function policy(formsTo: readonly string[], showsPictures = false): string {
  return [
    "default-src 'none'",
    showsPictures ? "img-src 'self' https: http:" : "img-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ["form-action 'self'", ...formsTo].join(' '),
  ].join('; ')
}

/** The headers of every page: no caching, no frames, and no referrer, because addresses may hold a code. The server sets
 * them on each route with the scope `page`; `page` replaces the policy by one for its content. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': policy([]),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-language, cookie',
  'x-frame-options': 'DENY',
}

const contentType = { 'content-type': 'text/html; charset=utf-8' }

/** Renders a page without scripts, with the policy for its content. `headers` come last and replace any other. */
export function page(content: {
  language: Language
  title: string
  body: Html
  status?: number
  /** Other origins to which a form of the page may redirect. */
  formsTo?: readonly string[]
  /** Whether the page shows pictures of listings, which lie on any host. */
  showsPictures?: boolean
  headers?: Record<string, string>
}): RouteResponse {
  const { language, title, body, status = 200, formsTo = [], showsPictures, headers = {} } = content
  const { text } = html`<!doctype html>
<html lang="${languageTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Feria</title>
<link rel="icon" href="/console/favicon.svg">
<style>${styleSheet}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  const policies = { 'content-security-policy': policy(formsTo, showsPictures) }
  return { status, text, headers: { ...contentType, ...policies, ...headers } }
}

/** Returns a redirect that the browser follows with GET. Status 307 would repeat the form (RFC 9700, 4.12). */
export function redirect(
  location: string,
  headers: Record<string, string | string[]> = {},
): RouteResponse {
  return { status: 303, text: '', headers: { ...contentType, location, ...headers } }
}
