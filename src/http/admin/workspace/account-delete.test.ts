import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { addTeamOf, bookHour, settle, TUESDAY_TEN } from '../../../../test/account.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { askForLink, bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { jobsOf } from '../../../../test/jobs.ts'
import { type AppUnderTest, addTeam, appOn, fromSomeoneNew, stoppedClock } from '../../../../test/kit.ts'
import { addWebhook } from '../../../../test/webhooks.ts'
import { HOUR } from '../../../domain/interval.ts'
import { JOB_KINDS, TryAgainAt } from '../../../domain/job.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { readWorkspace } from '../../../services/workspace/document/document.ts'
import { exportWorkspace } from '../../../services/workspace/document/export.ts'
import { HANDLERS } from '../../../worker/handlers.ts'

onEveryDatabase('DELETE /api/admin/me', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest

  before(async () => {
    under = await appOn(db(), { signup: 'open', now: clock.now })
    // The first user is the admin.
    await enter('admin')
  })
  after(() => under.app.close())

  const enter = (name: string) => signIn(under.app, under.mailbox, `${name}@hosts.example`)

  const leave = (host: Host, query = '', email = host.user.email) =>
    under.app.inject({
      method: 'DELETE',
      url: `/api/admin/me${query}`,
      payload: { email },
      headers: { authorization: `Bearer ${host.token}` },
    })

  /** Does what waits in the outbox until no more follows, and returns the mails. */
  async function work(): Promise<Mail[]> {
    const before = under.mailbox.length
    for (let round = 0, done = 1; done > 0; round++) {
      assert.ok(round < 20, 'the outbox does not empty')
      done = 0
      for (const kind of JOB_KINDS) {
        for (const job of await jobsOf(db(), kind)) {
          if (kind === 'reminder' || kind === 'webhook') continue
          try {
            await HANDLERS[kind](under.context, job, () => {})
            await db().deleteFrom('outbox').where('id', '=', job.id).execute()
          } catch (error) {
            if (!(error instanceof TryAgainAt)) throw error
          }
          done++
        }
      }
    }
    return under.mailbox.slice(before)
  }

  /** Where these texts are found, in any column of any table. */
  async function findTexts(texts: readonly string[]): Promise<string[]> {
    const tables = await db().introspection.getTables()
    const found: string[] = []
    for (const { name } of tables) {
      for (const row of await db()
        .selectFrom(name as 'bookings')
        .selectAll()
        .execute()) {
        for (const [column, value] of Object.entries(row)) {
          const hit = texts.find((text) => String(value).toLowerCase().includes(text.toLowerCase()))
          if (hit !== undefined) found.push(`${name}.${column}: ${value}`)
        }
      }
    }
    return found
  }

  const rowsOf = async () => {
    const counts: Record<string, number> = {}
    for (const { name } of await db().introspection.getTables()) {
      if (['outbox', 'audit', 'rate_limits', 'login_links', 'migrations'].includes(name)) continue
      counts[name] = (
        await db()
          .selectFrom(name as 'bookings')
          .selectAll()
          .execute()
      ).length
    }
    return counts
  }

  it('leaves nothing of the user but a nameless row, tells guests, and lets others be', async () => {
    let bob = await enter('bob')
    await settle(under.app, db(), bob)
    const teamId = await addTeamOf(db(), bob, [])
    const before = await rowsOf()
    let ada = await enter('ada')
    await settle(under.app, db(), ada)
    const hosts = [bob, ada].map(({ user }) => ({ userId: user.id, fixed: true }))
    await db()
      .insertInto('team_members')
      .values({ team_id: teamId, user_id: ada.user.id, role: 'member', created_at: 0 })
      .execute()
    const [panel] = (await bob.get(`/event-types?ownerId=${teamId}`)).json().items
    assert.equal((await bob.patch(`/event-types/${panel.id}`, { hosts })).statusCode, 200)
    await ada.post('/me/email', { email: 'ada@elsewhere.example' })
    assert.equal((await ada.patch('/me', { slug: 'ada-new' })).statusCode, 200)
    assert.equal((await ada.patch('/me', { slug: 'ada' })).statusCode, 200)

    const book = async (path: string, start: number, name: string) => {
      const guest = { inviteeName: name, inviteeEmail: `${name}@guests.example` }
      const booked = await bookHour(under.app, path, start, guest)
      assert.equal(booked.statusCode, 201, booked.body)
      return booked.json().id as string
    }
    await book('ada/talk', TUESDAY_TEN, 'past-own')
    const pastPanel = await book('bob-team/panel', TUESDAY_TEN + 2 * HOUR, 'past-panel')
    await addWebhook(db(), { id: teamId })
    await work()
    clock.moveTo(TUESDAY_TEN + 3 * HOUR)
    ada = await enter('ada')
    bob = await enter('bob')
    await book('ada/talk', TUESDAY_TEN + 24 * HOUR, 'own')
    await book('bob-team/panel', TUESDAY_TEN + 26 * HOUR, 'panel')
    const bobs = await book('bob/talk', TUESDAY_TEN + 28 * HOUR, 'bobs')
    await under.app.inject({
      method: 'POST',
      url: '/api/public/routing/ada/contact/evaluate',
      payload: { answers: { note: 'For Ada' } },
      headers: fromSomeoneNew(),
    })
    await work()

    const refused = await leave(ada)
    assert.equal(refused.statusCode, 409)
    assert.match(
      refused.json().error,
      /^You host 2 upcoming meetings: Jan 13, 2027, 10:00 AM; Jan 13, 2027, 12:00 PM \(times in UTC\)\./u,
    )
    assert.equal((await ada.get('/me')).statusCode, 200)

    const left = await leave(ada, '?cancel=true', ' Ada@Hosts.example ')
    assert.equal(left.statusCode, 202, left.body)
    // At once: signed out, and off the public pages.
    assert.equal((await ada.get('/me')).statusCode, 401)
    assert.equal((await bookHour(under.app, 'ada/talk', TUESDAY_TEN + 48 * HOUR)).statusCode, 404)
    assert.deepEqual((await bob.get(`/teams/${teamId}/members`)).json().items.length, 1)

    const mails = await work()
    for (const guest of ['own', 'panel']) {
      const mail = mails.find(({ to }) => to === `${guest}@guests.example`)
      assert.match(mail?.subject ?? '', /^Cancelled/)
      assert.match(mail?.invitation?.ics ?? '', /METHOD:CANCEL/)
    }
    assert.match(mails.find(({ to }) => to === 'own@guests.example')?.text ?? '', /Name of ada/)
    assert.ok(!mails.some(({ to }) => to === 'bobs@guests.example'))

    assert.deepEqual(
      await findTexts(['ada@', 'Name of ada', 'Bio of ada', 'ada@elsewhere', 'Token of ada']),
      [],
    )
    assert.deepEqual(await findTexts(['/ada', '"ada"', 'calendar of ada', 'own@guests', 'For Ada']), [])
    assert.deepEqual(await rowsOf(), {
      ...before,
      schedulers: (before['schedulers'] ?? 0) + 1,
      // The id of that nameless row, until the search index has seen it.
      search_pending: (before['search_pending'] ?? 0) + 1,
      // What is left: the team's two bookings and bob's, what was sent about them, and bob's second session.
      bookings: (before['bookings'] ?? 0) + 3,
      claims: (before['claims'] ?? 0) + 3,
      webhooks: (before['webhooks'] ?? 0) + 1,
      webhook_deliveries: 4,
      sessions: (before['sessions'] ?? 0) + 1,
      idempotency_keys: before['idempotency_keys'] ?? 0,
    })
    const row = await db()
      .selectFrom('schedulers')
      .select(['name', 'email', 'bio', 'admin'])
      .where('id', '=', ada.user.id)
      .executeTakeFirst()
    assert.deepEqual(row, { name: 'Former host', email: null, bio: '', admin: 0 })
    assert.ok((await bob.get(`/bookings/${pastPanel}`)).json().hostIds.includes(ada.user.id))
    const sent = await db().selectFrom('webhook_deliveries').select('body').execute()
    const about = sent.map(({ body }) => JSON.parse(body).data).find(({ id }) => id === pastPanel)
    const addresses = about.hosts.map(({ email }: { email: string }) => email)
    assert.deepEqual(addresses.toSorted(), ['', 'bob@hosts.example'])
    assert.equal((await bob.get(`/bookings/${bobs}`)).json().status, 'Confirmed')
    const entries = await db().selectFrom('audit').selectAll().where('actor_id', '=', ada.user.id).execute()
    assert.ok(entries.some(({ action, object_type }) => action === 'deleted' && object_type === 'user'))
    assert.ok(entries.every(({ actor, token }) => actor === 'deleted account' && token === ''))
    // What refers to the row can still be moved to another instance.
    const options = { users: [], teams: ['bob-team'], withBookings: true }
    readWorkspace(JSON.stringify(await exportWorkspace(db(), options, clock.now())))

    const again = await enter('ada')
    assert.notEqual(again.user.id, ada.user.id)
    assert.equal(again.user.slug, 'ada')
    assert.deepEqual((await again.get('/event-types')).json().items, [])
  })

  it('asks for the address, and takes no API token', async () => {
    const eve = await enter('eve')
    const { token } = (await eve.post('/tokens', { name: 'Writer', scopes: ['write'] })).json()
    assert.equal((await leave(eve, '', 'admin@hosts.example')).statusCode, 400)
    assert.equal((await leave({ ...eve, ...bearer(under.app, token) })).statusCode, 403)
    assert.equal((await leave(eve)).statusCode, 202)
    await work()
    assert.deepEqual(await findTexts(['eve@']), [])
  })

  it('keeps the only owner of a team, and names it', async () => {
    const owner = await enter('owner')
    const member = await enter('member')
    const teamId = await addTeamOf(db(), owner, [member], 'round-robin')
    const refused = await leave(owner)
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /^You are the only owner of: Team of owner\./)
    const promoted = await owner.patch(`/teams/${teamId}/members/${member.user.id}`, { role: 'owner' })
    assert.equal(promoted.statusCode, 200, promoted.body)
    assert.equal((await leave(owner)).statusCode, 202)
    await work()
    const [panel] = (await member.get(`/event-types?ownerId=${teamId}`)).json().items
    assert.deepEqual(
      panel.hosts.map(({ userId }: { userId: string }) => userId),
      [member.user.id],
    )
  })

  it('keeps the last admin while there are others', async () => {
    const refused = await leave(await enter('admin'))
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /only admin/)
  })

  it('is finished after a crash in between', async () => {
    const cleo = await enter('cleo')
    await settle(under.app, db(), cleo)
    assert.equal((await leave(cleo)).statusCode, 202)
    const [job] = await jobsOf(db(), 'account-delete')
    assert.ok(job)
    // The last step fails: its slug is taken.
    const blocker = await addTeam(db(), `deleted-${cleo.user.id}`)
    await assert.rejects(HANDLERS['account-delete'](under.context, job, () => assert.fail()))
    assert.equal((await askForLink(under.app, 'cleo@hosts.example')).statusCode, 202)
    assert.ok((await findTexts(['cleo@hosts.example'])).length > 0)
    await db().deleteFrom('schedulers').where('id', '=', blocker.id).execute()
    await work()
    assert.deepEqual(await findTexts(['cleo@']), [])
    await HANDLERS['account-delete'](under.context, job, () => assert.fail())
  })
})
