import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '../test/databases.ts'
import { addForm } from '../test/forms.ts'
import { addUser } from '../test/kit.ts'
import { addWebhook } from '../test/webhooks.ts'
import { openSecret } from './services/webhooks/secret.ts'
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
      for (const environment of [
        { DATA_DIR: join(folder, 'made') },
        { DATABASE_URL: fresh.url, DATABASE_TIMEOUT_SECONDS: '300' },
      ]) {
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

describe('the time that PostgreSQL may take', () => {
  it('is one setting, of which waiting for a lock and a statement have their shares', async (t) => {
    const fresh = await freshDatabase('postgres')
    t.after(() => fresh.drop())
    const { context, close } = await openService(
      readSettings({ DATABASE_URL: fresh.url, DATABASE_TIMEOUT_SECONDS: '200' }),
    )
    const { rows } = await sql`
      select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`.execute(
      context.db,
    )
    await close()
    assert.deepEqual(rows, [{ lock: '1min', statement: '160s' }])
  })
})

describe('a webhook’s secret', () => {
  it('that an earlier version stored as it is gets sealed at the start, and still signs', async (t) => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const fresh = await freshDatabase(engine)
      t.after(() => fresh.drop())
      const at =
        engine === 'sqlite'
          ? { DATA_DIR: fresh.url.replace(/[^/]*$/, '') }
          : { DATABASE_URL: fresh.url, DATABASE_TIMEOUT_SECONDS: '300' }
      const open = () => openService(readSettings(at))
      const first = await open()
      const ada = await addUser(first.context.db, 'ada')
      const plain = await addWebhook(first.context.db, ada, {
        previousSecret: 'whsec_b2xk',
        previousSecretUntil: 9,
      })
      await first.close()

      const { context, close } = await open()
      const stored = (await context.db.selectFrom('webhooks').selectAll().executeTakeFirst()) ?? assert.fail()
      await close()
      for (const [sealed, secret] of [
        [stored.secret, plain.secret],
        [stored.previous_secret ?? '', 'whsec_b2xk'],
      ] as const) {
        assert.match(sealed, /^sealed:/)
        assert.equal(openSecret(context, plain.id, sealed), secret)
      }
    }
  })
})

describe('notifications in browsers', () => {
  it('have a key that is made once, unless they are turned off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'punctual-start-'))
    const keyWith = async (environment: Record<string, string>) => {
      const { context, close } = await openService(readSettings({ DATA_DIR: folder, ...environment }))
      await close()
      return context.webPush?.publicKey
    }
    const key = await keyWith({})
    assert.match(key ?? '', /^[\w-]{87}$/)
    assert.equal(await keyWith({ PUBLIC_URL: 'https://book.example.com' }), key)
    assert.equal(await keyWith({ WEB_PUSH: 'off' }), undefined)
    await rm(folder, { recursive: true, force: true })
  })
})

describe('stopping', () => {
  it('saves how often forms were opened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'punctual-start-'))
    const open = () => openService(readSettings({ DATA_DIR: folder }))
    const { context, close } = await open()
    const { id: formId } = await addForm(context.db, await addUser(context.db, 'ann'))
    context.formCounts.add({ formId, day: 20_464, step: 'opened', field: '', count: 2 })
    await close()
    const next = await open()
    const counts = await next.context.db.selectFrom('form_counts').select('count').execute()
    await next.close()
    await rm(folder, { recursive: true, force: true })
    assert.deepEqual(counts, [{ count: 2 }])
  })
})
