import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { freshDatabase, onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { appOn, askReadiness } from '../../../test/kit.ts'
import type { Db } from '../../store/engine/database.ts'
import { openDatabase } from '../../store/engine/open-database.ts'
import { readRelease } from '../../version.ts'

onEveryDatabase('health and readiness', ({ db }) => {
  let app: FastifyInstance
  before(async () => {
    ;({ app } = await appOn(db()))
  })
  after(() => app.close())

  it('answer if all is well, and are not cached', async () => {
    for (const [path, body] of [
      ['/healthz', { status: 'ok', ...readRelease() }],
      ['/readyz', { status: 'ready' }],
    ] as const) {
      const answer = await (path === '/readyz' ? askReadiness(app) : app.inject(path))
      assert.deepEqual([answer.statusCode, answer.json()], [200, body])
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal((await app.inject({ method: 'HEAD', url: path })).statusCode, 200)
    }
  })

  it('have no rate limit', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => askReadiness(app)))
    assert.ok(answers.every(({ statusCode, headers }) => statusCode === 200 && !('ratelimit' in headers)))
  })

  it('take no other method, and are never a user’s page', async () => {
    assert.equal((await app.inject({ method: 'POST', url: '/readyz' })).statusCode, 404)
    assert.equal((await app.inject('/healthz/intro')).statusCode, 404)
  })

  it('go on beside a newer version that has migrated the database', async () => {
    await db().insertInto('migrations').values({ name: '900-later', ran_at: 0 }).execute()
    try {
      const answer = await askReadiness(app)
      assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'ready' }])
    } finally {
      await db().deleteFrom('migrations').where('name', '=', '900-later').execute()
    }
  })

  it('wait for migrations that a newer version brings', async () => {
    const row = await db().selectFrom('migrations').selectAll().orderBy('name', 'desc').executeTakeFirst()
    const { name = '', ran_at = 0 } = row ?? {}
    await db().deleteFrom('migrations').where('name', '=', name).execute()
    try {
      const answer = await askReadiness(app)
      assert.deepEqual([answer.statusCode, answer.json()], [503, { status: 'migrations pending' }])
    } finally {
      await db().insertInto('migrations').values({ name, ran_at }).execute()
    }
    assert.equal((await askReadiness(app)).statusCode, 200)
  })
})

describe('readiness of an instance', () => {
  let app: FastifyInstance | undefined
  let db: Db | undefined
  after(async () => {
    await app?.close()
    await db?.destroy()
  })

  it('is 503 without a database, while the process says that it is alive', async () => {
    db = openDatabase('postgres://nobody@127.0.0.1:1/none')
    ;({ app } = await appOn(db))
    assert.equal((await app.inject('/healthz')).statusCode, 200)
    const answer = await app.inject('/readyz')
    assert.deepEqual([answer.statusCode, answer.json()], [503, { status: 'database unavailable' }])
  })

  it('is 503 on a database without tables', async () => {
    const fresh = await freshDatabase('sqlite')
    const empty = openPatiently(fresh.url)
    try {
      const under = await appOn(empty)
      assert.equal((await under.app.inject('/readyz')).statusCode, 503)
      await under.app.close()
    } finally {
      await empty.destroy()
      await fresh.drop()
    }
  })
})
