import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { addTeam, appOn, stoppedClock } from '../../../../test/kit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { findBlockedEntries } from '../../../store/bookings/guests/blocked-guests.ts'
import { newId } from '../../../store/new-id.ts'
import { findAuditEntries } from '../../../store/people/audit.ts'
import { insertTeamMember } from '../../../store/people/members.ts'

onEveryDatabase('the blocklist in the host API', ({ db }) => {
  let ada: Host
  let bob: Host
  let admin: Host
  let member: Host
  let team: Scheduler

  before(async () => {
    const { app, mailbox } = await appOn(db(), { now: stoppedClock().now, signup: 'open' })
    const enter = (name: string) => signIn(app, mailbox, `${name}@hosts.example`)
    ada = await enter('ada')
    bob = await enter('bob')
    admin = await enter('admin')
    member = await enter('member')
    team = await addTeam(db(), 'crew')
    await insertTeamMember(db(), { teamId: team.id, userId: admin.user.id, role: 'admin' }, 0)
    await insertTeamMember(db(), { teamId: team.id, userId: member.user.id, role: 'member' }, 0)
  })

  const block = async (host: Host, entry: string, given: object = {}) => {
    const reply = await host.post('/blocklist', { entry, ...given })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const entriesOf = async (host: Host, query = '') =>
    (await host.get(`/blocklist${query}`)).json().items.map(({ entry }: { entry: string }) => entry)

  it('keeps each entry in one spelling, and once', async () => {
    const made = await block(ada, ' Bob+News@SPAM.example ')
    assert.deepEqual(made, {
      id: made.id,
      ownerId: ada.user.id,
      entry: 'bob@spam.example',
      createdAt: '2027-01-11T12:00:00Z',
    })
    await block(ada, '@Spam.example')
    for (const again of ['spam.example', '*.spam.example', 'BOB@spam.example']) {
      const reply = await ada.post('/blocklist', { entry: again })
      assert.equal(reply.statusCode, 409, again)
    }
    await block(bob, 'spam.example')
    assert.deepEqual(await entriesOf(ada), ['bob@spam.example', 'spam.example'])
    assert.deepEqual(await findBlockedEntries(db(), [ada.user.id]), ['bob@spam.example', 'spam.example'])
  })

  it('refuses what is neither an address nor a domain', async () => {
    for (const entry of [
      '',
      'com',
      'https://spam.example',
      'a@b@c.example',
      'bell\u0007.example',
      '127.0.0.1',
    ]) {
      const reply = await ada.post('/blocklist', { entry })
      assert.equal(reply.statusCode, 400, entry)
      assert.match(reply.json().error, /address, or a domain/)
    }
    for (const body of [{}, { entry: null }, { entry: 5 }, { entry: 'a'.repeat(300) }]) {
      assert.equal((await ada.post('/blocklist', body)).statusCode, 400)
    }
  })

  it('refuses fields that clients may not set', async () => {
    for (const more of [{ id: newId() }, { ownerId: bob.user.id }, { schedulerId: bob.user.id }]) {
      assert.equal((await ada.post('/blocklist', { entry: 'mass.example', ...more })).statusCode, 400)
    }
  })

  it('removes an entry if its version matches', async () => {
    const made = await ada.post('/blocklist', { entry: 'gone.example' })
    const path = `/blocklist/${made.json().id}`
    assert.equal((await ada.del(path, { 'if-match': '"another"' })).statusCode, 412)
    assert.equal((await ada.del(path, { 'if-match': `${made.headers.etag}` })).statusCode, 204)
    assert.equal((await ada.del(path)).statusCode, 404)
    assert.ok(!(await entriesOf(ada)).includes('gone.example'))
  })

  it('keeps a list for each team, which members read and admins change', async () => {
    const { id, ownerId } = await block(admin, 'team.example', { teamId: team.id })
    assert.equal(ownerId, team.id)
    assert.deepEqual(await entriesOf(member, `?ownerId=${team.id}`), ['team.example'])
    assert.deepEqual(await entriesOf(member), ['team.example'])
    assert.deepEqual(await entriesOf(member, `?ownerId=${member.user.id}`), [])
    const input = { entry: 'other.example', teamId: team.id }
    assert.equal((await member.post('/blocklist', input)).statusCode, 403)
    assert.equal((await member.del(`/blocklist/${id}`)).statusCode, 403)
    assert.equal((await admin.del(`/blocklist/${id}`)).statusCode, 204)
  })

  it('hides the lists of others', async () => {
    const { id } = await block(ada, 'private.example')
    assert.ok(!(await entriesOf(bob)).includes('private.example'))
    for (const ownerId of [ada.user.id, team.id, newId(), 'nonsense']) {
      assert.equal((await bob.get(`/blocklist?ownerId=${ownerId}`)).statusCode, 404, ownerId)
      assert.equal((await bob.post('/blocklist', { entry: 'x.example', teamId: ownerId })).statusCode, 404)
    }
    assert.equal((await bob.del(`/blocklist/${id}`)).statusCode, 404)
    assert.equal((await ada.del('/blocklist/nonsense')).statusCode, 404)
    assert.ok((await entriesOf(ada)).includes('private.example'))
  })

  it('pages through a list', async () => {
    for (let i = 0; i < 5; i++) await block(member, `paged-${i}.example`)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `?ownerId=${member.user.id}&limit=2${cursor && `&cursor=${cursor}`}`
      const { items, nextCursor } = (await member.get(`/blocklist${query}`)).json()
      seen.push(...items.map(({ entry }: { entry: string }) => entry))
      cursor = nextCursor
    }
    assert.deepEqual(
      seen,
      [0, 1, 2, 3, 4].map((i) => `paged-${i}.example`),
    )
  })

  it('adds an entry once when several add it at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => ada.post('/blocklist', { entry: 'raced.example' })),
    )
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [201, ...Array(5).fill(409)])
  })

  it('refuses more than a thousand entries', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      id: newId(),
      scheduler_id: team.id,
      entry: `full-${i}.example`,
      created_at: 0,
    }))
    await db().insertInto('blocked_guests').values(rows).execute()
    const reply = await admin.post('/blocklist', { entry: 'one-more.example', teamId: team.id })
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, /1000/)
  })

  it('audits changes without naming the guest', async () => {
    const { id } = await block(bob, 'someone@private.example')
    await bob.del(`/blocklist/${id}`)
    const entries = await findAuditEntries(db(), [bob.user.id], { limit: 50 })
    const about = entries.filter(({ objectId }) => objectId === id)
    assert.deepEqual(
      about.map(({ action, objectType }) => `${action} ${objectType}`),
      ['deleted blocklist-entry', 'created blocklist-entry'],
    )
    assert.doesNotMatch(JSON.stringify(about), /private\.example/)
  })
})
