import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn, verify } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('/api/admin/people', ({ db }) => {
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let again: (email: string) => Promise<Host>

  before(async () => {
    const made = await appOn(db(), { signup: 'open' })
    app = made.app
    again = (email) => signIn(app, made.mailbox, email)
    ada = await again('ada@hosts.example')
    bob = await again('bob@hosts.example')
    await bob.patch('/me', { name: 'Björn Ölund' })
  })

  const person = async (host: Host) => (await ada.get(`/people/${host.user.id}`)).json()

  it('lists everyone with their teams, sessions and tokens', async () => {
    const team = (await bob.post('/teams', { slug: 'sales', name: 'Sales' })).json()
    await bob.post('/tokens', { name: 'robot', scopes: ['read'] })
    const { items } = (await ada.get('/people')).json()
    assert.deepEqual(
      items.map(({ email, role, disabled }: Record<string, unknown>) => [email, role, disabled]),
      [
        ['ada@hosts.example', 'admin', false],
        ['bob@hosts.example', 'member', false],
      ],
    )
    const { createdAt, ...rest } = await person(bob)
    assert.match(createdAt, /^20/)
    assert.deepEqual(rest, {
      id: bob.user.id,
      slug: 'bob',
      email: 'bob@hosts.example',
      name: 'Björn Ölund',
      role: 'member',
      disabled: false,
      teams: [{ id: team.id, name: 'Sales', role: 'owner' }],
      sessions: 1,
      tokens: 1,
      singleSignOn: false,
      passkeys: 0,
    })
  })

  it('finds people by part of a name or an address, page by page', async () => {
    const found = async (search: string) => {
      const query = new URLSearchParams({ search, limit: '1' })
      const { items } = (await ada.get(`/people?${query}`)).json()
      return items.map(({ email }: { email: string }) => email)
    }
    assert.deepEqual(await found('ölund'), ['bob@hosts.example'])
    assert.deepEqual(await found('BOB@'), ['bob@hosts.example'])
    assert.deepEqual(await found('%'), [])
    const first = (await ada.get('/people?limit=1')).json()
    const second = (await ada.get(`/people?limit=1&cursor=${first.nextCursor}`)).json()
    assert.deepEqual(
      [first, second].map(({ items }) => items[0].email),
      ['ada@hosts.example', 'bob@hosts.example'],
    )
  })

  it('sorts people by name or age, page by page', async () => {
    const sorted = async (sort: string) => {
      const emails: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`
        const answer = await ada.get(`/people?limit=1&sort=${sort}${more}`)
        assert.equal(answer.statusCode, 200, answer.body)
        const { items, nextCursor } = answer.json()
        emails.push(...items.map(({ email }: { email: string }) => email))
        cursor = nextCursor
      }
      return emails
    }
    const [first, second] = ['ada@hosts.example', 'bob@hosts.example']
    await ada.patch('/me', { name: 'Zora' })
    assert.deepEqual(await sorted('created'), [first, second])
    assert.deepEqual(await sorted('-created'), [second, first])
    assert.deepEqual(await sorted('name'), [second, first])
    assert.deepEqual(await sorted('-name'), [first, second])
    const refused = await ada.get('/people?sort=age')
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /created, -created, name, -name/)
  })

  it('is for admins of the instance alone', async () => {
    const path = `/people/${ada.user.id}`
    for (const answer of await Promise.all([
      bob.get('/people'),
      bob.get(path),
      bob.patch(path, { role: 'member' }),
      bob.patch(path, { nonsense: 1 }),
      bob.post(`${path}/sign-out`),
    ])) {
      assert.equal(answer.statusCode, 403, answer.body)
    }
    assert.equal((await ada.get(`/people/${UNKNOWN_ID}`)).statusCode, 404)
    assert.equal((await ada.patch(`/people/${UNKNOWN_ID}`, { disabled: true })).statusCode, 404)
    assert.equal((await ada.patch(`/people/${bob.user.id}`, { role: 'owner' })).statusCode, 400)
    assert.equal((await ada.patch(`/people/${bob.user.id}`, { admin: true })).statusCode, 400)
  })

  it('disables someone: sessions, tokens and page end at once, and enabling brings the page back', async () => {
    const { token } = (await bob.post('/tokens', { name: 'leaked', scopes: ['write'] })).json()
    const disabled = (await ada.patch(`/people/${bob.user.id}`, { disabled: true })).json()
    assert.deepEqual([disabled.disabled, disabled.sessions, disabled.tokens], [true, 0, 0])
    const page = async () => (await app.inject('/api/public/scheduling/bob')).statusCode
    assert.deepEqual([(await bob.get('/me')).statusCode, await page()], [401, 404])
    assert.equal((await ada.patch(`/people/${bob.user.id}`, { disabled: false })).json().disabled, false)
    assert.deepEqual([(await bearer(app, token).get('/me')).statusCode, await page()], [401, 200])
    bob = await again('bob@hosts.example')
  })

  it('ends a person’s sessions and tokens', async () => {
    assert.equal((await ada.post(`/people/${bob.user.id}/sign-out`)).statusCode, 204)
    assert.equal((await bob.get('/me')).statusCode, 401)
    bob = await again('bob@hosts.example')
  })

  it('passes the instance on, and never loses its last admin', async () => {
    const lastOnes = await Promise.all([
      ada.patch(`/people/${ada.user.id}`, { role: 'member' }),
      ada.patch(`/people/${ada.user.id}`, { disabled: true }),
    ])
    for (const answer of lastOnes) {
      assert.equal(answer.statusCode, 409)
      assert.match(answer.json().error, /only admin/)
    }
    assert.equal((await ada.patch(`/people/${bob.user.id}`, { role: 'admin' })).json().role, 'admin')
    // Each takes the other's role at once: one of them stays.
    const both = await Promise.all([
      ada.patch(`/people/${bob.user.id}`, { role: 'member' }),
      bob.patch(`/people/${ada.user.id}`, { role: 'member' }),
    ])
    assert.ok(both.some(({ statusCode }) => statusCode === 200))
    const admins = await db().selectFrom('schedulers').select('email').where('admin', '=', 1).execute()
    assert.equal(admins.length, 1)
  })
})

onEveryDatabase('the link of an invitation', ({ db }) => {
  it('creates the account of the invited person, once', async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'first' })
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const team = (await ada.post('/teams', { slug: 'sales', name: 'Sales' })).json()
    await ada.post('/instance-invitations', { email: 'new@hosts.example' })
    await ada.post(`/teams/${team.id}/invitations`, { email: 'new@hosts.example' })
    const tokens = mailbox
      .filter(({ to }) => to === 'new@hosts.example')
      .map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1] ?? '')
    assert.equal(tokens.length, 2)
    const [first = '', second = ''] = tokens
    const both = await Promise.all([verify(app, first), verify(app, first)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 400])
    const [entered] = both.filter(({ statusCode }) => statusCode === 200)
    assert.ok(entered)
    const { accessToken, user } = entered.json()
    assert.equal(user.email, 'new@hosts.example')
    const teams = (await bearer(app, accessToken).get('/teams')).json()
    assert.deepEqual(
      teams.items.map(({ slug }: { slug: string }) => slug),
      ['sales'],
    )
    assert.equal((await verify(app, second)).statusCode, 400)
  })

  it('signs in to no account that exists', async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'open' })
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    await ada.post('/instance-invitations', { email: 'late@hosts.example' })
    const invited = mailbox.find(({ to }) => to === 'late@hosts.example')
    const [, token = ''] = /#token=([\w-]+)/.exec(invited?.text ?? '') ?? []
    await signIn(app, mailbox, 'late@hosts.example')
    assert.equal((await verify(app, token)).statusCode, 400)
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json()
    await ada.post(`/teams/${team.id}/invitations`, { email: 'late@hosts.example' })
    assert.doesNotMatch(mailbox.findLast(({ to }) => to === 'late@hosts.example')?.text ?? '', /#token=/)
  })
})
