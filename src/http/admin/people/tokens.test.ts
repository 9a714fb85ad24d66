import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { startFeedServer } from '../../../../test/feed-server.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'
import { updateUser } from '../../../store/people/users.ts'

const DAY = 24 * 3_600_000
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('/api/admin/tokens', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let eve: Host
  let mallory: Host

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    mallory = await signIn(app, mailbox, 'mallory@hosts.example')
  })

  async function newToken(body: object = {}, host: Host = ada) {
    const answer = await host.post('/tokens', { name: 'robot', scopes: ['write'], ...body })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }

  const statusFor = async (token: string) => (await bearer(app, token).get('/me')).statusCode

  it('shows a token once, and never again', async () => {
    const made = await newToken({ name: ' robot ', scopes: ['read'] })
    assert.deepEqual(Object.keys(made).sort(), ['createdAt', 'expiresAt', 'id', 'name', 'scopes', 'token'])
    assert.deepEqual([made.name, made.scopes, made.expiresAt], ['robot', ['read'], null])
    assert.equal(await statusFor(made.token), 200)
    const list = await ada.get('/tokens')
    assert.ok(!list.body.includes(made.token))
    const { token: _, ...listed } = made
    assert.deepEqual(list.json().items[0], { ...listed, made: { webhooks: [], calendars: [], feed: false } })
    const stored = JSON.stringify(await db().selectFrom('api_tokens').selectAll().execute())
    assert.ok(!stored.includes(made.token.split('.')[2]))
  })

  it('acts only for the user who created it', async () => {
    const { token } = await newToken({}, eve)
    const me = (await bearer(app, token).get('/me')).json()
    assert.equal(me.email, 'eve@hosts.example')
  })

  it('is worth nothing from the moment it is revoked', async () => {
    const { id, token } = await newToken()
    assert.equal(await statusFor(token), 200)
    assert.equal((await ada.del(`/tokens/${id}`)).statusCode, 204)
    assert.equal(await statusFor(token), 401)
    assert.equal((await ada.del(`/tokens/${id}`)).statusCode, 404)
  })

  it('lists what it made, which ends with it only if asked to', async (t) => {
    const feed = await startFeedServer()
    t.after(() => feed.close())
    for (const end of [false, true]) {
      const { id, token } = await newToken({ name: `maker ${end}` }, eve)
      const robot = bearer(app, token)
      const webhook = (await robot.post('/webhooks', { url: 'https://93.184.215.14/hook' })).json()
      const own = (await eve.post('/webhooks', { url: 'https://93.184.215.14/hook' })).json()
      const calendar = await robot.post('/calendars', {
        kind: 'feed',
        name: 'Work',
        url: `${feed.url}/mine.ics`,
      })
      assert.equal(calendar.statusCode, 201, calendar.body)
      const { url } = (await robot.post('/me/calendar-feed', {})).json()
      const { pathname, search } = new URL(url)
      const feedStatus = async () => (await app.inject(pathname + search)).statusCode
      assert.equal(await feedStatus(), 200)

      const { made } = (await eve.get('/tokens')).json().items[0]
      assert.deepEqual(made, {
        webhooks: [{ id: webhook.id, ownerId: eve.user.id, url: webhook.url }],
        calendars: [{ id: calendar.json().id, name: 'Work' }],
        feed: true,
      })
      const reply = await eve.del(`/tokens/${id}${end ? '?end=true' : ''}`)
      assert.equal(reply.statusCode, 204, reply.body)
      const left = end ? 404 : 200
      assert.equal((await eve.get(`/webhooks/${webhook.id}`)).statusCode, left)
      assert.equal((await eve.get(`/calendars/${calendar.json().id}`)).statusCode, left)
      assert.equal(await feedStatus(), left)
      assert.equal((await eve.get(`/webhooks/${own.id}`)).statusCode, 200)
    }
    const actions = (await eve.get('/audit?limit=4')).json().items
    assert.deepEqual(
      // Entries of one millisecond have no order.
      actions
        .map(({ action, objectType }: { action: string; objectType: string }) => `${action} ${objectType}`)
        .sort(),
      ['deleted api-token', 'deleted calendar', 'deleted calendar-feed', 'deleted webhook'],
    )
  })

  it('no longer counts as the maker of a link that its user replaced', async () => {
    const { id, token } = await newToken({}, eve)
    await bearer(app, token).post('/me/calendar-feed', {})
    await eve.post('/me/calendar-feed', {})
    const listed = (await eve.get('/tokens')).json().items[0]
    assert.deepEqual([listed.id, listed.made.feed], [id, false])
  })

  it('can revoke itself', async () => {
    const { id, token } = await newToken()
    assert.equal((await bearer(app, token).del(`/tokens/${id}`)).statusCode, 204)
    assert.equal(await statusFor(token), 401)
  })

  it('cannot make another, which would outlive it', async () => {
    const { token } = await newToken()
    const answer = await bearer(app, token).post('/tokens', { name: 'successor', scopes: ['write'] })
    assert.equal(answer.statusCode, 403)
    const { items } = (await ada.get('/tokens')).json()
    assert.ok(!items.some(({ name }: { name: string }) => name === 'successor'))
  })

  it('reads when it may read, and writes when it may write', async () => {
    const [reader, writer] = [
      bearer(app, (await newToken({ scopes: ['read'] })).token),
      bearer(app, (await newToken({ scopes: ['write'] })).token),
    ]
    assert.equal((await reader.get('/me')).statusCode, 200)
    assert.equal((await writer.get('/me')).statusCode, 200)
    const refused = [
      await reader.patch('/me', { bio: 'By a reader.' }),
      await reader.post('/teams', { slug: 'readers', name: 'Readers' }),
      await reader.post('/tokens', { name: 'more', scopes: ['write'] }),
      await reader.del(`/tokens/${UNKNOWN_ID}`),
      await reader.post(`/invitations/${UNKNOWN_ID}/accept`),
    ]
    assert.deepEqual(
      refused.map(({ statusCode }) => statusCode),
      refused.map(() => 403),
    )
    assert.equal((await writer.patch('/me', { bio: 'By a writer.' })).statusCode, 200)
    assert.equal((await ada.get('/me')).json().bio, 'By a writer.')
  })

  it('ends on the day it was made to end', async () => {
    const { token, expiresAt } = await newToken({ expiresInDays: 30 })
    assert.equal(expiresAt, '2027-02-10T12:00:00Z')
    clock.moveTo(MONDAY_NOON + 30 * DAY - 1000)
    assert.equal(await statusFor(token), 200)
    clock.moveTo(MONDAY_NOON + 30 * DAY)
    assert.equal(await statusFor(token), 401)
    clock.moveTo(MONDAY_NOON)
  })

  it('is worth nothing while its user is disabled', async () => {
    const { token } = await newToken({}, mallory)
    await updateUser(db(), mallory.user.id, { disabledAt: 1 })
    assert.equal(await statusFor(token), 401)
    await updateUser(db(), mallory.user.id, { disabledAt: null })
    assert.equal(await statusFor(token), 200)
  })

  it('is no business of anyone else', async () => {
    const { id, token } = await newToken()
    assert.equal((await eve.del(`/tokens/${id}`)).statusCode, 404)
    for (const other of [UNKNOWN_ID, 'x', "' or 1=1 --", ada.user.id]) {
      assert.equal((await ada.del(`/tokens/${other}`)).statusCode, 404)
    }
    const { items } = (await eve.get('/tokens')).json()
    assert.ok(!items.some((item: { id: string }) => item.id === id))
    assert.equal(await statusFor(token), 200)
  })

  it('refuses an id, a user or an end that come with the input for one', async () => {
    const input = { name: 'Mine', scopes: ['read'] }
    for (const more of [{ id: UNKNOWN_ID }, { userId: eve.user.id }, { expiresAt: null }, { admin: true }]) {
      assert.equal((await ada.post('/tokens', { ...input, ...more })).statusCode, 400)
    }
    const made = await newToken({ ...input, expiresInDays: 1 })
    assert.equal(made.expiresAt, '2027-01-12T12:00:00Z')
    const me = (await bearer(app, made.token).get('/me')).json()
    assert.equal(me.id, ada.user.id)
  })

  it('refuses what cannot be a token', async () => {
    for (const input of [
      {},
      { name: 'x' },
      { name: '', scopes: ['read'] },
      { name: 'two\nlines', scopes: ['read'] },
      { name: 'x'.repeat(101), scopes: ['read'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['admin'] },
      { name: 'x', scopes: 'read' },
      { name: 'x', scopes: ['read'], expiresInDays: 0 },
      { name: 'x', scopes: ['read'], expiresInDays: 1.5 },
      { name: 'x', scopes: ['read'], expiresInDays: 1e9 },
      { name: 'x', scopes: ['read'], expiresInDays: '7' },
    ]) {
      assert.equal((await ada.post('/tokens', input)).statusCode, 400, JSON.stringify(input))
    }
  })

  it('is listed newest first, page by page', async () => {
    const made: string[] = []
    for (const name of ['one', 'two', 'three']) made.push((await newToken({ name }, eve)).id)
    const seen: string[] = []
    let cursor = ''
    do {
      const page = (await eve.get(`/tokens?limit=2${cursor && `&cursor=${cursor}`}`)).json()
      for (const { id } of page.items) seen.push(id)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    // Ids grow with time.
    assert.deepEqual(seen, seen.toSorted().reverse())
    for (const id of made) assert.ok(seen.includes(id))
  })
})
