import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { quietContext, stoppedClock } from '../../../test/kit.ts'
import { html } from '../../format/text/html.ts'
import { createContext } from '../../services/context.ts'
import { openDatabase } from '../../store/engine/open-database.ts'
import { buildApp } from '../app.ts'
import { docsRoutes } from './docs.ts'
import { type Document, openApiOptions } from './openapi.ts'
import { curlOf } from './samples.ts'

const PUBLIC_URL = 'https://book.example.com'
const ODD_URL = `${PUBLIC_URL}/a"b'c<script>alert(1)</script>&amp;{d}`

/** The real app at an address of our choosing; nothing here reaches the database. */
async function appAt(publicUrl: string): Promise<FastifyInstance> {
  const context = createContext({
    ...quietContext,
    db: openDatabase(':memory:'),
    publicUrl,
    captcha: { altchaSecret: 'altcha-secret-of-the-tests', services: {} },
  })
  const rateLimits = () => async () => ({
    name: 'book',
    windowSeconds: 60,
    allowed: true,
    limit: 15,
    remaining: 14,
    resetSeconds: 60,
  })
  return buildApp({ context, rateLimits, isUnavailable: () => false })
}

const pageAt = async (publicUrl: string) => (await appAt(publicUrl)).inject('/docs')

it('sends the documents compressed to clients that ask', async () => {
  const app = await appAt(PUBLIC_URL)
  for (const url of ['/openapi.json', '/openapi-admin.json', '/docs']) {
    const plain = await app.inject(url)
    assert.equal(plain.headers['content-encoding'], undefined)
    // A second time from what was compressed before.
    for (let time = 0; time < 2; time++) {
      const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } })
      assert.equal(packed.headers['content-encoding'], 'br')
      assert.equal(packed.headers.vary, 'accept-encoding')
      assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body)
      assert.ok(packed.rawPayload.length * 3 < plain.rawPayload.length)
    }
  }
})

/** What a reader sees. */
function textOf(page: string): string {
  return page
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

const attributes = (page: string, name: string) =>
  [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '')

describe('the reference at /docs', () => {
  it('names every operation, its address, its fields and its errors', async () => {
    const app = await appAt(PUBLIC_URL)
    const document: Document = (await app.inject('/openapi.json')).json()
    const { body } = await app.inject('/docs')
    const text = textOf(body)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const section = body.split(`<article id="${operation.operationId}"`)[1]?.split('</article>')[0]
        assert.ok(section, `${operation.operationId} has no section`)
        const seen = textOf(section)
        assert.ok(seen.includes(operation.summary), operation.operationId)
        assert.ok(seen.includes(`${method} ${path}`), path)
        assert.ok(seen.includes(`${PUBLIC_URL}/api/`), `${operation.operationId} has no request to try`)
        for (const { name } of operation.parameters ?? []) assert.ok(seen.includes(name), name)
        for (const status of Object.keys(operation.responses)) assert.ok(seen.includes(status), status)
      }
    }
    for (const schema of Object.values(document.components.schemas)) {
      for (const name of Object.keys(schema.properties ?? {})) assert.ok(text.includes(name), name)
    }
  })

  it('loads nothing from another host, and runs nothing', async () => {
    const { body } = await pageAt(PUBLIC_URL)
    for (const name of ['src', 'href', 'action', 'srcset', 'poster', 'data']) {
      for (const value of attributes(body, name)) {
        assert.match(
          value,
          /^(?:#|data:image\/svg\+xml,|https:\/\/book\.example\.com\/(?:openapi\.json|docs\/(?:embed|switching))$)/,
        )
      }
    }
    assert.doesNotMatch(body, /<script|<iframe|<object|<embed|<form| on\w+=| style=/i)
    assert.doesNotMatch(body, /@import|url\(/)
  })

  it('forbids everything but its own style', async () => {
    const { body, headers } = await pageAt(PUBLIC_URL)
    const style = body.match(/<style>(.*?)<\/style>/s)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    assert.deepEqual(String(headers['content-security-policy']).split('; ').sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      `style-src 'sha256-${hash}'`,
    ])
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  })

  it('leads to every place it points at, by names that occur once', async () => {
    const { body } = await pageAt(PUBLIC_URL)
    const ids = attributes(body, 'id')
    assert.equal(new Set(ids).size, ids.length)
    const targets = [
      ...attributes(body, 'href'),
      ...attributes(body, 'aria-labelledby').map((id) => `#${id}`),
    ]
    for (const target of targets) {
      if (target.startsWith('#')) assert.ok(ids.includes(target.slice(1)), `${target} leads nowhere`)
    }
  })

  it('has headings that descend one step at a time, and one at the top', async () => {
    const { body } = await pageAt(PUBLIC_URL)
    const levels = [...body.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    assert.equal(levels.filter((level) => level === 1).length, 1)
    for (const [index, level] of levels.entries()) {
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} skips a level`)
    }
  })

  it('escapes any public address', async () => {
    const { body } = await pageAt(ODD_URL)
    assert.doesNotMatch(body, /<script/)
    assert.ok(textOf(body).includes(`${PUBLIC_URL}/a"b'c<script>alert(1)</script>&amp;%7Bd%7D`))
    assert.ok(
      attributes(body, 'href').includes(
        `${PUBLIC_URL}/a&quot;b&#39;c&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;%7Bd%7D/openapi.json`,
      ),
    )
  })

  it('answers HEAD, and says the same each time', async () => {
    const app = await appAt(PUBLIC_URL)
    const head = await app.inject({ method: 'HEAD', url: '/docs' })
    const [first, second] = [await app.inject('/docs'), await app.inject('/docs')]
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    assert.equal(head.headers['content-length'], first.headers['content-length'])
    assert.equal(head.headers['content-security-policy'], first.headers['content-security-policy'])
    assert.equal(first.body, second.body)
  })

  it('keeps the dates of its examples ahead, however long the server runs', async () => {
    const clock = stoppedClock()
    const app = Fastify()
    await app.register(swagger, openApiOptions(PUBLIC_URL))
    app.get('/slots', {
      schema: {
        operationId: 'listSlots',
        tags: ['Scheduling'],
        querystring: { type: 'object', properties: { dateFrom: { type: 'string' } } },
      },
      handler: () => [],
    })
    await app.register(docsRoutes, { now: clock.now })
    const exampleDate = async () => {
      const document: Document = (await app.inject('/openapi.json')).json()
      return document.paths['/slots']?.get?.parameters?.[0]?.example
    }
    assert.equal(await exampleDate(), '2027-01-18')
    clock.moveTo(Date.UTC(2027, 5, 1))
    assert.equal(await exampleDate(), '2027-06-07')
  })
})

describe('an example request', () => {
  it('reaches the shell whole, whatever it contains', () => {
    const body = { inviteeName: `Conan O'Brien "$(id)" \\ \`x\`` }
    const command = curlOf("https://x.example/it's $HOME", '/book/{slug}', 'post', {
      operationId: 'book',
      summary: 'Book',
      tags: [],
      parameters: [
        { name: 'slug', in: 'path', schema: {}, example: 'a/b' },
        { name: 'zone', in: 'query', schema: {}, example: 'Europe/Berlin' },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: {}, examples: { one: { value: body } } } },
      },
      responses: {},
    })
    const words = execFileSync('sh', ['-c', command.replace('curl', "printf '%s\\0'")], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    assert.deepEqual(words.slice(0, 5), [
      '-X',
      'POST',
      "https://x.example/it's $HOME/book/a%2Fb?zone=Europe%2FBerlin",
      '-H',
      'Content-Type: application/json',
    ])
    assert.deepEqual(JSON.parse(words.at(-1) ?? ''), body)
  })
})

describe('html', () => {
  it('escapes values, and leaves its own markup alone', () => {
    const inner = html`<b>${'<i>'}</b>`
    assert.equal(
      html`<p title="${`"'&`}">${inner}${['a', 1, false, undefined]}</p>`.html,
      '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b>a1</p>',
    )
  })

  it('leaves backslashes alone', () => {
    assert.equal(html`\\${'\\'}`.html, '\\\\')
  })
})
