import { createHash } from 'node:crypto'
import { type Html, html } from '../../format/text/html.ts'
import type { Content, Document, Header, Operation, Parameter, Response, Schema } from './openapi.ts'
import { curlOf, markUpJson } from './samples.ts'
import { STYLE } from './style.ts'

/** Nothing but this page's own style: no script, no other host, no frame around it. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%230f766e%22/%3E%3Cpath d=%22M10 25.5V12.5a5.75 5.75 0 1 1 5.75 5.75%22 fill=%22none%22 stroke=%22%23fff%22 stroke-width=%224%22 stroke-linecap=%22round%22/%3E%3Ccircle cx=%2222.5%22 cy=%2224.75%22 r=%222.75%22 fill=%22%23fcd34d%22/%3E%3C/svg%3E'

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The whole reference as one page that needs nothing else. */
export function renderDocs(document: Document): string {
  const publicUrl = document.servers[0]?.url ?? ''
  const entries = entriesOf(document)
  const groups = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="How to list slots, book them and route visitors over HTTP.">
<title>${document.info.title} API reference</title>
<link rel="icon" href="${ICON}">
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<div class="page">
<nav aria-label="Contents">
<p class="brand"><a href="#content">${document.info.title}</a></p>
${groups.map(({ name, entries }) => {
  return html`<p class="group"><a href="#${anchorOf(name)}">${name}</a></p>
<ul>${entries.map(({ method, operation }) => {
    return html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span>${operation.operationId}</a></li>`
  })}</ul>
`
})}<p class="group"><a href="#errors">Errors</a></p>
</nav>
<main id="content" tabindex="-1">
<header>
<h1>${document.info.title} API</h1>
<div class="prose">${renderProse(document.info.description)}</div>
<dl class="addresses">
<div><dt>Base URL</dt><dd><code>${publicUrl}</code></dd></div>
<div><dt>OpenAPI ${document.openapi}</dt><dd><a href="${publicUrl}/openapi.json">openapi.json</a></dd></div>
<div><dt>On your own site</dt><dd><a href="${publicUrl}/docs/embed">the widget</a></dd></div>
<div><dt>From Cal.com or Calendly</dt><dd><a href="${publicUrl}/docs/switching">switching</a></dd></div>
</dl>
</header>
${groups.map(({ name, description, entries }) => {
  return html`<section class="group" aria-labelledby="${anchorOf(name)}">
<h2 id="${anchorOf(name)}">${name}</h2>
<p class="lead">${description}</p>
${entries.map((entry) => renderOperation(document, publicUrl, entry))}
</section>
`
})}${renderAllErrors(entries)}
</main>
</div>
</body>
</html>
`
  return page.html
}

function entriesOf({ paths }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

const anchorOf = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

function renderOperation(document: Document, publicUrl: string, { path, method, operation }: Entry): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const responses = Object.entries(operation.responses)
  const successes = responses.filter(([status]) => isSuccess(status))
  const errors = responses.filter(([status]) => !isSuccess(status))
  const shown = successes.flatMap(([, { headers = {} }]) => Object.keys(headers))
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
<p class="address"><span class="method ${method}">${method}</span> <code>${renderPath(path)}</code></p>
<div class="columns">
<div class="prose">${renderProse(description ?? '')}</div>
<div class="samples">
${renderSample('request', `Request to ${operationId}`, 'Request', html`${curlOf(publicUrl, path, method, operation)}`)}
${successes.map(([status, { content }]) =>
  namedExamples(content).map(([name, value], _index, { length }) => {
    const which = length > 1 ? `, ${name}` : ''
    return renderSample(
      'response',
      `Response of ${operationId}${which}`,
      `Response ${status}${which}`,
      html`${typeof value === 'string' ? value : markUpJson(value)}`,
    )
  }),
)}
</div>
<div class="facts">
${parameters.length > 0 && html`<h4>Parameters</h4>${renderParameters(document, parameters)}`}
${
  requestBody &&
  html`<h4>Body</h4>${renderFields(document, schemaOf(requestBody.content), 'Fields of the body', 'required')}`
}
${successes.map(([status, response]) => {
  return html`<h4>Response <span class="status">${status}</span></h4>
${renderFields(document, schemaOf(response.content), `Fields of response ${status}`, 'optional')}
${renderHeaders(document, response)}`
})}
<h4>Errors</h4>
${renderErrors(errors, shown)}
</div>
</div>
</article>
`
}

const isSuccess = (status: string) => status.startsWith('2')

function renderPath(path: string): Html[] {
  return path.split(/(?=\/)/).map((part) => {
    const [slash, name] = [part.slice(0, 1), part.slice(1)]
    return html`${slash}<wbr>${name.startsWith('{') ? html`<var>${name}</var>` : name}`
  })
}

function renderSample(kind: 'request' | 'response', label: string, caption: string, text: Html): Html {
  // A region that scrolls must be reachable by keyboard, and so it needs a name.
  return html`<figure class="${kind}">
<figcaption>${caption}</figcaption>
<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
</figure>
`
}

function renderParameters(document: Document, parameters: readonly Parameter[]): Html {
  return renderTable(
    'Parameters',
    'Name',
    parameters.map(({ name, in: place, required, description = '', schema }) => ({
      name: renderName('', name),
      type: `${place}, ${typeOf(document, schema)}`,
      mark: required ? 'required' : '',
      meaning: html`${renderProse(description)}${renderValues(schema)}`,
    })),
  )
}

type Mark = 'required' | 'optional'

/** Every field, however deep, by its path. `mark` says which kind is worth pointing out. */
function renderFields(document: Document, schema: Schema, caption: string, mark: Mark): Html {
  const root = resolve(document, schema)
  const list = root.items !== undefined
  if (root.type === 'string') return html`<div class="prose">${renderProse(root.description ?? '')}</div>`
  const about = list ? `An array. ${root.description ?? ''}` : (root.description ?? '')
  return html`${about !== '' && html`<div class="prose">${renderProse(about)}</div>`}${renderTable(
    caption,
    'Field',
    fieldsOf(document, root, list ? '[].' : '', mark),
  )}`
}

function fieldsOf(document: Document, schema: Schema, prefix: string, mark: Mark): Row[] {
  const { properties = {}, required = [], items } = resolve(document, schema)
  if (items !== undefined) return fieldsOf(document, items, prefix, mark)
  return Object.entries(properties).flatMap(([name, given]) => {
    const field = resolve(document, given)
    const marked = required.includes(name) === (mark === 'required')
    const row = {
      name: renderName(prefix, name),
      type: typeOf(document, field),
      mark: marked ? mark : '',
      meaning: html`${renderProse(field.description ?? '')}${renderValues(field)}`,
    }
    const below = `${prefix}${name}${field.items === undefined ? '.' : '[].'}`
    return [row, ...fieldsOf(document, field, below, mark)]
  })
}

function renderName(prefix: string, name: string): Html {
  const steps = prefix.split(/(?<=\.)/).filter((step) => step !== '')
  return html`<code>${steps.map((step) => html`<span class="above">${step}</span><wbr>`)}<span class="own">${breakable(name)}</span></code>`
}

/** Lets a long name break between its words, and nowhere else. */
function breakable(name: string): Html[] {
  return name.split(/(?<=[a-z])(?=[A-Z])/).map((word, index) => html`${index > 0 && html`<wbr>`}${word}`)
}

interface Row {
  readonly name: Html
  readonly type: string
  readonly mark: string
  readonly meaning: Html
}

function renderTable(caption: string, head: string, rows: readonly Row[]): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${head}</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map(({ name, type, mark, meaning }) => {
  return html`<tr><th scope="row">${name}<span class="type">${type}</span>${
    mark !== '' && html`<span class="mark ${mark}">${mark}</span>`
  }</th><td>${meaning}</td></tr>
`
})}</tbody>
</table>
`
}

/** What a value is, in a word or two. */
function typeOf(document: Document, schema: Schema): string {
  const { type, format, anyOf, items } = resolve(document, schema)
  if (anyOf !== undefined) return anyOf.map((option) => typeOf(document, option)).join(' or ')
  if (items !== undefined) return `array of ${typeOf(document, items)}s`
  return [type ?? 'any', format].filter((word) => word !== undefined).join(', ')
}

function renderValues({ enum: values, maxLength }: Schema): Html | undefined {
  if (values !== undefined) {
    const named = values.map((value, index) => {
      return html`${index > 0 && ', '}<code>${value === '' ? '""' : String(value)}</code>`
    })
    return html`<p class="limits">${values.length === 1 ? 'Always' : 'One of'} ${named}.</p>`
  }
  if (maxLength === undefined) return undefined
  return html`<p class="limits">At most ${maxLength.toLocaleString('en')} characters.</p>`
}

function renderHeaders(document: Document, { headers = {} }: Response): Html | undefined {
  const names = Object.keys(headers)
  if (names.length === 0) return undefined
  return renderTable(
    'Headers of the response',
    'Header',
    names.map((name) => {
      const { description, schema } = document.components.headers[name] as Header
      return {
        name: html`<code>${name}</code>`,
        type: typeOf(document, schema),
        mark: '',
        meaning: renderProse(description),
      }
    }),
  )
}

/** `shown` are the headers that have been described already. */
function renderErrors(errors: readonly (readonly [string, Response])[], shown: readonly string[]): Html {
  return html`<table class="errors">
<caption>Errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When, and in which words</th></tr></thead>
<tbody>
${errors.map(([status, { description, content, headers = {} }]) => {
  const sentences = namedExamples(content).map(([, value]) => (value as { error: string }).error)
  const others = Object.keys(headers).filter((name) => !shown.includes(name))
  return html`<tr><th scope="row"><span class="status">${status}</span></th><td>${renderProse(description)}
${others.length > 0 && html`<p class="limits">With the header ${others.map((name) => html`<code>${name}</code>`)}.</p>`}<ul class="sentences">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></td></tr>
`
})}</tbody>
</table>
`
}

function renderAllErrors(entries: readonly Entry[]): Html {
  const meanings = new Map<string, { readonly when: string; readonly where: string[] }>()
  for (const { operation } of entries) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (isSuccess(status)) continue
      const known = meanings.get(status) ?? { when: description, where: [] }
      known.where.push(operation.operationId)
      meanings.set(status, known)
    }
  }
  const rows = [...meanings].sort(([a], [b]) => a.localeCompare(b))
  return html`<section class="group" aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p class="lead">Every error, from every endpoint, has one shape.</p>
<div class="columns">
<div class="facts">
<table class="errors">
<caption>Errors of all endpoints</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When</th></tr></thead>
<tbody>
${rows.map(([status, { when, where }]) => {
  const places = where.map((id, index) => html`${index > 0 && ', '}<a href="#${id}">${id}</a>`)
  return html`<tr><th scope="row"><span class="status">${status}</span></th><td>${renderProse(when)}<p class="limits">${
    where.length === entries.length ? 'Every endpoint.' : places
  }</p></td></tr>
`
})}</tbody>
</table>
</div>
<div class="samples">
${renderSample('response', 'Shape of an error', 'Shape', html`${markUpJson({ error: 'dateFrom is required.' })}`)}
</div>
</div>
</section>
`
}

/** Paragraphs, `code` and **strong**: as much Markdown as our descriptions use. */
function renderProse(text: string): Html {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph !== '')
  return html`${paragraphs.map((paragraph) => {
    return html`<p>${paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(renderSpan)}</p>`
  })}`
}

function renderSpan(span: string): Html {
  if (/^`.+`$/.test(span)) return html`<code>${span.slice(1, -1)}</code>`
  if (/^\*\*.+\*\*$/.test(span)) return html`<strong>${span.slice(2, -2)}</strong>`
  return html`${span}`
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolve(document, document.components.schemas[name] ?? {})
}

/** A body has one media type: JSON, but for a calendar file. */
const schemaOf = (content: Content): Schema => Object.values(content)[0]?.schema ?? {}

const namedExamples = (content: Content): [string, unknown][] =>
  Object.entries(Object.values(content)[0]?.examples ?? {}).map(([name, { value }]) => [name, value])
