import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { appOn } from '../../../test/kit.ts'
import type { Db } from '../../store/engine/database.ts'
import { openDatabase } from '../../store/engine/open-database.ts'

const KB = 1024
/** Each with what it may weigh, compressed. */
const FILES: Readonly<Record<string, number>> = {
  '/embed.js': 6 * KB,
  '/embed.v1.js': 6 * KB,
  '/embed/embed.js': 8 * KB,
  '/assets/external/widget.js': 8 * KB,
  '/assets/external/widget.css': KB,
}

describe('the files that other sites load', () => {
  let db: Db
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  before(async () => {
    db = openDatabase(':memory:')
    app = (await appOn(db)).app
  })
  after(() => db.destroy())

  for (const [path, budget] of Object.entries(FILES)) {
    it(`has at most ${budget / KB} KB, compressed, at ${path}, and needs nothing else`, async () => {
      const { body, headers } = await get(path)
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      assert.equal(headers['content-type'], `${type}; charset=utf-8`)
      const size = gzipSync(body, { level: 9 }).length
      assert.ok(size <= budget, `${size} bytes`)
      assert.doesNotMatch(body, /\bimport\b|\bexport\b|\beval\b|\burl\(|innerHTML|document\.write/)
      const packed = await get(path, { 'accept-encoding': 'gzip' })
      assert.ok(packed.rawPayload.length <= budget)
      assert.equal(gunzipSync(packed.rawPayload).toString(), body)
    })
  }

  it('may be loaded by every site', async () => {
    for (const path of Object.keys(FILES)) {
      const { statusCode, headers } = await get(path)
      assert.equal(statusCode, 200)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    }
  })

  it('is revalidated soon, and sent again only if it has changed', async () => {
    for (const path of Object.keys(FILES)) {
      const { headers } = await get(path)
      assert.match(String(headers['cache-control']), /max-age=600\b/)
      const known = await get(path, { 'if-none-match': String(headers.etag) })
      assert.equal(known.statusCode, 304)
      assert.equal(known.body, '')
      assert.equal((await get(path, { 'if-none-match': 'W/"older"' })).statusCode, 200)
    }
  })

  it('is cached forever under a name with its digest', async () => {
    const { body, headers } = await get('/embed.v1.js')
    const [, digest] = /^W\/"([\w-]+)"$/.exec(String(headers.etag)) ?? []
    const named = await get(`/embed.v1.${digest}.js`)
    assert.equal(named.body, body)
    assert.match(String(named.headers['cache-control']), /immutable/)
    // An older name redirects to the current file, and the redirect is not cached.
    const older = await get('/embed.v1.AAAAAAAAAAAAAAAA.js')
    assert.equal(older.statusCode, 302)
    assert.equal(older.headers.location, '/embed.v1.js')
    assert.equal(older.headers['cache-control'], 'no-store')
  })

  it('says that it has not been built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'punctual-embed-'))
    const { app: bare } = await appOn(db, { pagesFolder: folder })
    for (const path of Object.keys(FILES)) {
      const { statusCode, body } = await bare.inject(path)
      assert.equal(statusCode, 503)
      assert.match(body, /built/)
    }
    await rm(folder, { recursive: true })
  })
})
