import { routes } from '../../src/app/routes.ts'
import { documentOf } from '../../src/http/reference/openapi.ts'

/** The parts of the OpenAPI document that the Postman collection and the file need. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
}
export interface OpenApiOperation {
  summary: string
  description?: string
  tags: string[]
  parameters?: OpenApiParameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  security: Record<string, string[]>[]
}
export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: unknown
}

/** Returns the document as a server without FERIA_PUBLIC_URL serves it. */
export async function readOpenApiDocument(): Promise<OpenApiDocument> {
  return (await documentOf(routes)) as OpenApiDocument
}

/** Returns docs/openapi.json. One part of an operation is one line, so that a change shows as a few lines: fully
 * indented, the file has three times the size. */
export function openApiFile(document: OpenApiDocument): string {
  return `${serialize(document, 4)}\n`
}

/** Serializes the outer levels of a value with indentation, and each value below them on one line. */
function serialize(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(([key, part]) => {
    const text = serialize(part, levels - 1, inner)
    return isList ? `${inner}${text}` : `${inner}${JSON.stringify(key)}: ${text}`
  })
  const [open, close] = isList ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
