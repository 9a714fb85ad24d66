import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signInWithToken } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Context } from '../../../services/context.ts'
import { keepSearchIndex } from '../../../services/search-index.ts'
import type { FoundView } from './search.ts'

const HOUR = 3_600_000
const TALK = {
  durationMinutes: 30,
  noticeMinutes: 0,
  location: { type: 'Video', value: 'https://meet.example.com/room' },
  abuse: { honeypot: false, captcha: '', blocklist: [], detectDuplicates: true, rateLimit: null },
}

onEveryDatabase('/api/admin/search', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  /** An admin of the instance. */
  let root: Host
  let ada: Host
  /** A member of Ada's team. */
  let bob: Host
  let eve: Host
  let team: string

  before(async () => {
    const made = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    context = made.context
    const enter = (name: string) => signInWithToken(app, made.mailbox, `${name}@hosts.example`)
    ;[root, ada, bob, eve] = [await enter('root'), await enter('ada'), await enter('bob'), await enter('eve')]
    await bob.patch('/me', { name: 'Björn Ölund' })
    team = (await ada.post('/teams', { slug: 'sales', name: 'Sales crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email, role: 'member' })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    for (const [slug, name] of [
      ['demo', 'Demo'],
      ['long-demo', 'A long demo'],
      ['demonstration', 'Demonstration'],
      ['cafe', 'Café'],
    ] as const) {
      assert.equal((await ada.post('/event-types', { slug, name, ...TALK })).statusCode, 201)
    }
    const hosts = [{ userId: ada.user.id, fixed: true }]
    const shared = { slug: 'pitch', name: 'Pitch', ...TALK, teamId: team, hosts }
    assert.equal((await ada.post('/event-types', shared)).statusCode, 201)
    await book('ada/demo', MONDAY_NOON + 22 * HOUR, 'Grace Hopper')
    await book('ada/demo', MONDAY_NOON + 46 * HOUR, 'Grace Hopper')
    await book('ada/demo', MONDAY_NOON + 23 * HOUR, 'Zoë Demović')
    await book('sales/pitch', MONDAY_NOON + 24 * HOUR, 'Gracia Patrícia')
  })
  after(() => app?.close())

  async function book(path: string, startsAt: number, inviteeName: string): Promise<void> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${path}/book`,
      payload: bookingOf(plainEventType(), startsAt, { inviteeName }),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  async function find(host: Pick<Host, 'get'>, q: string, headers = {}): Promise<FoundView['items']> {
    const answer = await host.get(`/search?${new URLSearchParams({ q })}`, headers)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().items
  }
  const titles = async (host: Host, q: string) => (await find(host, q)).map(({ title }) => title)

  it('puts the whole name first, whatever its kind, and then what begins with it', async () => {
    assert.deepEqual(await titles(ada, 'demo'), ['Demo', 'Demonstration', 'A long demo', 'Zoë Demović'])
    const [first] = await find(ada, 'gracia patricia')
    assert.deepEqual([first?.kind, first?.title], ['booking', 'Gracia Patrícia'])
  })

  it('finds each kind, with its page', async () => {
    const [eventType] = await find(ada, 'pitch')
    assert.deepEqual([eventType?.kind, eventType?.detail], ['event-type', '/sales/pitch'])
    assert.equal(eventType?.url, `/app/event-types/${eventType?.id}`)
    const form = await ada.post('/routing-forms', {
      slug: 'contact',
      name: 'Contact us',
      fields: [],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: (await find(ada, 'demo'))[0]?.id },
    })
    assert.equal(form.statusCode, 201, form.body)
    const [found] = await find(ada, 'CONTACT')
    assert.deepEqual([found?.kind, found?.url], ['form', `/app/forms/${form.json().id}`])
    const [crew] = await find(ada, 'crew')
    assert.deepEqual([crew?.kind, crew?.id, crew?.url], ['team', team, `/app/teams/${team}`])
    const [colleague] = await find(ada, 'bob@')
    assert.deepEqual([colleague?.kind, colleague?.title], ['person', 'Björn Ölund'])
    assert.equal(colleague?.url, `/app/teams/${team}`)
  })

  it('tells when a booking is, in the asker’s language, and has the next one first', async () => {
    const found = await find(ada, 'hopper', { 'accept-language': 'de' })
    assert.deepEqual(
      found.map(({ kind, url, id }) => [kind, url === `/app/bookings/${id}`]),
      [
        ['booking', true],
        ['booking', true],
      ],
    )
    assert.match(found[0]?.detail ?? '', /@guests\.example, Demo, 12\.01\.2027, 10:00$/)
    assert.match(found[1]?.detail ?? '', /13\.01\.2027, 10:00$/)
  })

  it('ignores case and accents, with the index and without', async () => {
    const everyWay = async () => {
      assert.deepEqual(await titles(ada, 'CAFE'), ['Café'])
      assert.deepEqual(await titles(ada, 'zoe demov'), ['Zoë Demović'])
      assert.deepEqual(await titles(ada, 'grâce h'), ['Grace Hopper', 'Grace Hopper'])
      assert.deepEqual(await titles(root, 'olund'), ['Björn Ölund'])
      assert.deepEqual(await titles(root, 'öl'), ['Björn Ölund'])
    }
    await everyWay()
    await keepSearchIndex({ ...context, now: () => Date.now() + 120_000 })
    await everyWay()
  })

  it('finds only what the asker may see', async () => {
    assert.deepEqual(await titles(eve, 'demo'), [])
    assert.deepEqual(await titles(eve, 'bjorn'), [])
    assert.deepEqual(await titles(eve, 'grac'), [])
    // A member sees the team's event types, but not the guests of others, until the team says so.
    assert.deepEqual(await titles(bob, 'pitch'), ['Pitch'])
    assert.deepEqual(await titles(bob, 'gracia'), [])
    await ada.patch(`/teams/${team}`, { membersSeeAll: true })
    assert.deepEqual(await titles(bob, 'gracia'), ['Gracia Patrícia'])
    // Admins of the instance find everyone, but no guests of others.
    const everyone = await find(root, '@hosts.example')
    assert.equal(everyone.length, 4)
    assert.deepEqual(new Set(everyone.map(({ kind }) => kind)), new Set(['person']))
    assert.deepEqual(await titles(root, 'grac'), [])
  })

  it('has at most 20, and some of each kind', async () => {
    for (let i = 0; i < 25; i++) {
      const made = await eve.post('/event-types', { slug: `many-${i}`, name: `Many ${i}`, ...TALK })
      assert.equal(made.statusCode, 201, made.body)
    }
    await eve.post('/teams', { slug: 'germany', name: 'Germany' })
    const found = await find(eve, 'many')
    assert.equal(found.length, 20)
    assert.ok(found.some(({ kind }) => kind === 'team'))
  })

  it('refuses a text that is blank, missing or too long, and strangers', async () => {
    for (const query of ['', '?q=', '?q=%20%20', `?q=${'a'.repeat(101)}`]) {
      const answer = await ada.get(`/search${query}`)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, /text to search for|q/)
    }
    assert.deepEqual(await titles(ada, 'x'.repeat(100)), [])
    assert.equal((await bearer(app, 'nonsense').get('/search?q=a')).statusCode, 401)
  })
})
