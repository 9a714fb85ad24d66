import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { appOn } from '../../../test/kit.ts'
import type { Document, Operation } from '../docs/openapi.ts'

onEveryDatabase('the OpenAPI document of the host API', ({ db }) => {
  let app: FastifyInstance
  let document: Document
  before(async () => {
    app = (await appOn(db())).app
    document = (await app.inject('/openapi-admin.json')).json()
  })
  after(() => app.close())

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )

  it('gives every operation a unique id, a summary and a tag', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    assert.ok(ids.length > 40)
    assert.equal(new Set(ids).size, ids.length)
    for (const { operation } of operations()) {
      assert.ok(operation.summary.length > 0 && operation.tags.length > 0, operation.operationId)
    }
  })

  it('requires a bearer token for everything under /api/admin, and describes 401', () => {
    for (const { path, operation } of operations()) {
      if (!path.startsWith('/api/admin/')) continue
      const { security } = operation as Operation & { security?: unknown }
      assert.deepEqual(security, [{ bearer: [] }], path)
      assert.ok('401' in operation.responses, `${operation.operationId} does not tell of 401`)
    }
  })

  it('keeps host routes out of the public document', async () => {
    const open: Document = (await app.inject('/openapi.json')).json()
    assert.deepEqual(
      Object.keys(open.paths).filter((path) => !/^\/api\/(?:public|embed)\//.test(path)),
      [],
    )
  })
})
