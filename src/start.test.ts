import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freshDatabase } from '../test/databases.ts'
import { readSettings } from './settings.ts'
import { openService } from './start.ts'

describe('the signing secret', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-start-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const secretOf = async (environment: Record<string, string>) => {
    const { context, close } = await openService(readSettings(environment))
    await close()
    return context.jwtSecret
  }

  it('is the one that is given', async () => {
    const given = 'a-secret-that-an-operator-has-chosen'
    assert.equal(await secretOf({ DATA_DIR: join(folder, 'given'), JWT_SECRET: given }), given)
  })

  it('is made once and kept in the database, on either engine', async () => {
    const fresh = await freshDatabase('postgres')
    try {
      for (const environment of [{ DATA_DIR: join(folder, 'made') }, { DATABASE_URL: fresh.url }]) {
        const made = await secretOf(environment)
        assert.equal(Buffer.from(made, 'base64url').length, 32)
        assert.equal(await secretOf(environment), made)
      }
    } finally {
      await fresh.drop()
    }
  })

  it('is taken from the file where it used to be', async () => {
    await writeFile(join(folder, 'secret'), 'from-an-earlier-version-of-the-service\n')
    assert.equal(await secretOf({ DATA_DIR: folder }), 'from-an-earlier-version-of-the-service')
    await rm(join(folder, 'secret'))
    assert.equal(await secretOf({ DATA_DIR: folder }), 'from-an-earlier-version-of-the-service')
  })
})
