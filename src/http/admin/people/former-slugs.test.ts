import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { type AppUnderTest, addTeam, addUser, appOn } from '../../../../test/kit.ts'
import { untilSomeoneWaits } from '../../../../test/standstill.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { changePage } from '../../../services/people/me.ts'
import { addUser as addByCommand } from '../../../services/people/users.ts'
import { exportWorkspace } from '../../../services/workspace/document/export.ts'
import { importWorkspace } from '../../../services/workspace/document/import.ts'
import { findUser } from '../../../store/people/users.ts'

const CLI = { userId: null, email: 'command line' }

onEveryDatabase('former addresses', ({ db, url, engine }) => {
  let under: AppUnderTest
  let app: FastifyInstance
  let mailbox: Mail[]
  let admin: Host
  let ada: Host
  let bob: Host
  before(async () => {
    under = await appOn(db(), { signup: 'open' })
    ;({ app, mailbox } = under)
    admin = await signIn(app, mailbox, 'admin@hosts.example')
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
  })

  function assertFormer(answer: LightMyRequestResponse, slug: string): void {
    assert.equal(answer.statusCode, 409, answer.body)
    assert.match(
      answer.json().error,
      new RegExp(`^"${slug}" is a former address that still leads to the new one\\.`),
    )
    assert.equal(answer.headers['error-field'], 'slug')
  }

  const nameAt = async (path: string) => {
    const answer = await app.inject({ url: `/api/public/scheduling/${path}` })
    return answer.statusCode === 200 ? answer.json().profile.name : answer.statusCode
  }

  it('of people lead to them alone, who may take them back', async () => {
    await ada.patch('/me', { slug: 'lovelace' })
    const before = (await bob.get('/me')).json()
    assertFormer(await bob.patch('/me', { slug: 'ada' }), 'ada')
    assert.equal((await bob.get('/me')).json().slug, before.slug)
    assertFormer(await bob.post('/teams', { slug: 'ada', name: 'Crew' }), 'ada')
    assertFormer(await ada.post('/teams', { slug: 'ada', name: 'Crew' }), 'ada')
    const { id } = (await bob.post('/teams', { slug: 'crew', name: 'Crew' })).json()
    assertFormer(await bob.patch(`/teams/${id}`, { slug: 'ada' }), 'ada')
    assert.equal((await bob.get(`/teams/${id}`)).json().slug, 'crew')
    assert.equal(await nameAt('ada'), 'ada')
    assert.equal((await ada.patch('/me', { slug: 'ada' })).statusCode, 200)
    assertFormer(await bob.patch('/me', { slug: 'lovelace' }), 'lovelace')
    assert.equal(await nameAt('lovelace'), 'ada')
  })

  it('of teams lead to them, until the team is deleted', async () => {
    const { id } = (await ada.post('/teams', { slug: 'choir', name: 'Choir' })).json()
    await ada.patch(`/teams/${id}`, { slug: 'singers' })
    assertFormer(await bob.post('/teams', { slug: 'choir', name: 'Fakes' }), 'choir')
    assert.equal(await nameAt('choir'), 'Choir')
    assert.equal((await ada.del(`/teams/${id}`)).statusCode, 204)
    assert.equal((await bob.post('/teams', { slug: 'choir', name: 'Choir' })).statusCode, 201)
  })

  it('of event types and forms lead to them, until their owner wants them for another', async () => {
    const type = { slug: 'talk', name: 'Talk', durationMinutes: 15 }
    const form = {
      slug: 'talk',
      name: 'Talk',
      fields: [],
      rules: [],
      fallback: { action: 'message', message: 'Hi' },
    }
    for (const [path, body] of [
      ['/event-types', type],
      ['/routing-forms', form],
    ] as const) {
      const made = await ada.post(path, body)
      assert.equal(made.statusCode, 201, made.body)
      const { id } = made.json()
      assert.equal((await ada.patch(`${path}/${id}`, { slug: 'chat' })).statusCode, 200)
      // Under another owner it is another address.
      assert.equal((await bob.post(path, body)).statusCode, 201)
      const led = path === '/event-types' ? 'scheduling/ada/talk/abuse-config' : 'routing/ada/talk'
      assert.equal((await app.inject(`/api/public/${led}`)).statusCode, 200)
      assert.equal((await ada.post(path, body)).statusCode, 201)
      assert.equal((await ada.get(`${path}/${id}`)).json().slug, 'chat')
    }
  })

  it('get a number where a slug is chosen for someone', async () => {
    const carl = await signIn(app, mailbox, 'carl@hosts.example')
    await carl.patch('/me', { slug: 'carlos' })
    const namesake = await signIn(app, mailbox, 'carl@elsewhere.example')
    assert.equal(namesake.user.slug, 'carl-2')
    const { id } = (await carl.post('/event-types', { slug: 'one', name: 'One', durationMinutes: 15 })).json()
    const copy = (await carl.post(`/event-types/${id}/clone`)).json()
    await carl.patch(`/event-types/${copy.id}`, { slug: 'other-one' })
    assert.deepEqual(
      [copy.slug, (await carl.post(`/event-types/${id}/clone`)).json().slug],
      ['one-2', 'one-3'],
    )
  })

  it('are not for accounts of the command line, nor for imports', async () => {
    await assert.rejects(
      addByCommand(under.context, CLI, { email: 'x@hosts.example', slug: 'carl' }),
      (error) => {
        assert.ok(error instanceof Problem)
        return error.code === 'slug_taken' && error.message.startsWith('"carl" is a former address')
      },
    )
    await addUser(db(), 'dora')
    const exported = await exportWorkspace(db(), { users: ['dora'], teams: [], withBookings: false }, 0)
    const [dora] = exported.users
    assert.ok(dora)
    const file = JSON.stringify({
      ...exported,
      users: [{ ...dora, email: 'new@hosts.example', slug: 'carl' }],
    })
    await assert.rejects(importWorkspace(under.context, CLI, file, { rename: false }), {
      code: 'slug_taken',
      message: /Taken here already: carl\./,
    })
    const [imported] = await importWorkspace(under.context, CLI, file, { rename: true })
    assert.equal(imported?.slug, 'carl-3')
  })

  it('of someone who left lead to their successor, who alone may take them', async () => {
    const eve = await signIn(app, mailbox, 'eve@hosts.example')
    await eve.patch('/me', { slug: 'evelyn' })
    const gone = await admin.del(`/people/${eve.user.id}?handOverTo=${ada.user.id}`)
    assert.ok(gone.statusCode < 300, gone.body)
    for (const slug of ['eve', 'evelyn']) {
      assertFormer(await bob.patch('/me', { slug }), slug)
      assert.equal(await nameAt(slug), 'ada')
    }
    assert.equal((await ada.patch('/me', { slug: 'eve' })).statusCode, 200)
    assert.equal((await ada.patch('/me', { slug: 'ada' })).statusCode, 200)
  })

  it('of someone who is disabled lead nowhere, and are still not free', async () => {
    const fay = await signIn(app, mailbox, 'fay@hosts.example')
    await fay.patch('/me', { slug: 'fayette' })
    assert.equal(await nameAt('fay'), 'fay')
    assert.equal((await admin.patch(`/people/${fay.user.id}`, { disabled: true })).statusCode, 200)
    assert.deepEqual([await nameAt('fay'), await nameAt('fayette')], [404, 404])
    assertFormer(await bob.patch('/me', { slug: 'fay' }), 'fay')
  })

  it('can’t be collected without end', async () => {
    const tom = await signIn(app, mailbox, 'tom@hosts.example')
    for (let number = 1; number <= 50; number++) {
      assert.equal((await tom.patch('/me', { slug: `tom-${number}` })).statusCode, 200)
    }
    const refused = await tom.patch('/me', { slug: 'tom-51' })
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /^This page has had 50 other addresses already\./)
    assert.equal((await tom.get('/me')).json().slug, 'tom-50')
    assert.equal((await tom.patch('/me', { slug: 'tom-7' })).statusCode, 200)
    assert.equal((await bob.post('/teams', { slug: 'tom-51', name: 'Free' })).statusCode, 201)
  })

  it('are never lost to someone who claims them while their owner leaves them', async () => {
    for (let number = 1; number <= 8; number++) {
      const [slug, next] = [`race-${number}`, `race-${number + 1}`]
      if (number === 1) await ada.patch('/me', { slug })
      const answers = await Promise.all([
        ada.patch('/me', { slug: next }),
        bob.patch('/me', { slug }),
        admin.post('/teams', { slug, name: 'Fast' }),
      ])
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [200, 409, 409],
      )
      assert.equal(await nameAt(slug), 'ada')
    }
  })

  if (engine === 'postgres') {
    it('are refused to someone who waited for the owner’s change', async () => {
      const other = openPatiently(url())
      const renamed = Promise.withResolvers<void>()
      const commit = Promise.withResolvers<void>()
      const leaving = other.transaction().execute(async (trx) => {
        const user = await findUser(trx, ada.user.id)
        assert.ok(user)
        await changePage(trx, user, { slug: 'left' })
        renamed.resolve()
        await commit.promise
      })
      try {
        await renamed.promise
        // Past the check that comes before: it still found the slug taken.
        const claiming = db()
          .transaction()
          .execute((trx) => addTeam(trx, 'race-9'))
        const refused = assert.rejects(claiming, {
          code: 'slug_taken',
          message: /^"race-9" is a former address/,
        })
        await untilSomeoneWaits(db(), claiming)
        commit.resolve()
        await leaving
        await refused
        assert.equal(await nameAt('race-9'), 'ada')
      } finally {
        commit.resolve()
        await other.destroy()
      }
    })
  }
})
