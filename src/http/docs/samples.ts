import { type Html, html } from '../../format/text/html.ts'
import type { Operation } from './openapi.ts'

/** What fits beside the tables without scrolling. */
const WIDTH = 50

/** The request that an operation's examples describe, as a command to try. */
export function curlOf(publicUrl: string, path: string, method: string, operation: Operation): string {
  const examples = (operation.parameters ?? []).filter(({ example }) => example !== undefined)
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const value = examples.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example
    return value === undefined ? whole : encodeURIComponent(value)
  })
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(example)}`)
  const url = `${publicUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const [body] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  return [
    method === 'get' ? `curl ${quote(url)}` : `curl -X ${method.toUpperCase()} ${quote(url)}`,
    ...(body === undefined
      ? []
      : [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(layOut(body.value))}`]),
  ].join(' \\\n  ')
}

/** Quotes any text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** JSON for people: what fits on a line stays on it. */
function layOut(value: unknown, indent = '', before = 0): string {
  const short = onOneLine(value)
  if (indent.length + before + short.length <= WIDTH || typeof value !== 'object' || value === null)
    return short
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => deeper + layOut(item, deeper)).join(',\n')}\n${indent}]`
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `
    return deeper + name + layOut(item, deeper, name.length)
  })
  return `{\n${entries.join(',\n')}\n${indent}}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** The same, with the keys set apart. */
export function markUpJson(value: unknown): Html[] {
  return layOut(value)
    .split(/("[\w-]+"(?=: ))/)
    .map((piece, index) => (index % 2 === 1 ? html`<span class="key">${piece}</span>` : html`${piece}`))
}
