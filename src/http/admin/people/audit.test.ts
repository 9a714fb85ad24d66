import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'
import type { Mail } from '../../../outside/mail/mail.ts'

interface Entry {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly token: string
  readonly action: string
  readonly objectType: string
  readonly objectId: string
  readonly object: { readonly name: string; readonly url: string } | null
  readonly ownerId: string
  readonly changes: readonly string[]
  readonly fields: readonly string[]
}

const TALK = { durationMinutes: 30, location: { type: 'Phone', value: '+493012345' } }

onEveryDatabase('/api/admin/audit', ({ db }) => {
  let app: FastifyInstance
  let mailbox: Mail[]
  let ada: Host
  let count = 0

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open' }))
    ada = await signIn(app, mailbox, 'ada@hosts.example')
  })

  const someone = () => signIn(app, mailbox, `someone-${++count}@hosts.example`)
  const entriesOf = async (host: Host): Promise<Entry[]> => (await host.get('/audit?limit=100')).json().items
  const told = (entries: readonly Entry[]) => entries.map((entry) => `${entry.action} ${entry.objectType}`)

  async function teamWith(role: string): Promise<{ team: string; member: Host }> {
    const team = (await ada.post('/teams', { slug: `team-${++count}`, name: 'A team' })).json().id
    const member = await someone()
    const invited = await ada.post(`/teams/${team}/invitations`, { email: member.user.email, role })
    await member.post(`/invitations/${invited.json().id}/accept`)
    return { team, member }
  }

  it('tells who changed what, and when', async () => {
    const host = await someone()
    await host.patch('/me', { bio: 'New.', name: 'Someone' })
    const entries = await entriesOf(host)
    assert.deepEqual(told(entries).sort(), ['created user', 'updated user'])
    const { id, at, changes, fields, ...rest } = entries.find(({ action }) => action === 'updated') as Entry
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual([...changes].sort(), ['bio', 'name'])
    assert.deepEqual([...fields].sort(), ['Bio', 'Name'])
    const german = (await host.get('/audit', { 'accept-language': 'de' })).json().items
    assert.deepEqual(german.find(({ action }: Entry) => action === 'updated').fields.sort(), [
      'Name',
      'Über mich',
    ])
    assert.deepEqual(rest, {
      actor: host.user.email,
      token: '',
      action: 'updated',
      objectType: 'user',
      objectId: host.user.id,
      object: { name: 'Someone', url: '/app/profile' },
      ownerId: host.user.id,
    })
  })

  it('names the API token that was used, also after it was revoked', async () => {
    const host = await someone()
    const made = (await host.post('/tokens', { name: 'Nightly sync', scopes: ['write'] })).json()
    const robot = bearer(app, made.token)
    const webhook = await robot.post('/webhooks', { url: 'https://93.184.215.14/hook' })
    assert.equal(webhook.statusCode, 201, webhook.body)
    await host.del(`/tokens/${made.id}`)
    const entries = await entriesOf(host)
    const about = (objectType: string) => entries.find((entry) => entry.objectType === objectType)
    assert.deepEqual([about('webhook')?.token, about('webhook')?.actor], ['Nightly sync', host.user.email])
    assert.equal(about('user')?.token, '')
  })

  it('tells of a team’s whole life', async () => {
    const { team, member } = await teamWith('admin')
    await ada.patch(`/teams/${team}`, { name: 'Another name' })
    await ada.patch(`/teams/${team}/members/${member.user.id}`, { role: 'member' })
    const { id } = (await ada.post(`/teams/${team}/invitations`, { email: 'new@hosts.example' })).json()
    await ada.del(`/teams/${team}/invitations/${id}`)
    await ada.del(`/teams/${team}/members/${member.user.id}`)
    const entries = (await entriesOf(ada)).filter(({ ownerId }) => ownerId === team)
    assert.deepEqual(told(entries).sort(), [
      'created invitation',
      'created invitation',
      'created team',
      'deleted invitation',
      'joined team-member',
      'removed team-member',
      'updated team',
      'updated team-member',
    ])
    await ada.del(`/teams/${team}`)
    const last = (await entriesOf(ada)).find(
      ({ action, objectId }) => action === 'deleted' && objectId === team,
    )
    assert.equal(last?.ownerId, ada.user.id)
  })

  it('tells a team’s admins and owners about it, and not its members', async () => {
    for (const [role, seen] of [
      ['owner', true],
      ['admin', true],
      ['member', false],
    ] as const) {
      const { team, member } = await teamWith(role)
      const entries = await entriesOf(member)
      assert.equal(
        entries.some(({ ownerId }) => ownerId === team),
        seen,
        role,
      )
    }
  })

  it('hides changes of others', async () => {
    const [one, other] = [await someone(), await someone()]
    await one.patch('/me', { bio: 'Mine.' })
    for (const { ownerId } of await entriesOf(other)) assert.equal(ownerId, other.user.id)
  })

  it('records nothing about refused changes', async () => {
    const host = await someone()
    const before = await entriesOf(host)
    await host.patch('/me', { slug: 'admin' })
    await host.post('/teams', { slug: 'ada', name: 'Taken' })
    await host.post('/tokens', { name: '', scopes: ['read'] })
    assert.deepEqual(await entriesOf(host), before)
  })

  it('contains no secrets', async () => {
    const host = await someone()
    const { token } = (await host.post('/tokens', { name: 'robot', scopes: ['write'] })).json()
    await host.patch('/me', { bio: 'a secret of the bio' })
    const { body } = await host.get('/audit')
    for (const secret of [token, token.split('.')[2], host.token, 'a secret of the bio', 'robot']) {
      assert.ok(!body.includes(secret), secret)
    }
    const [entry] = (await entriesOf(host)).filter(({ objectType }) => objectType === 'api-token')
    assert.deepEqual(entry?.changes, ['name', 'scopes'])
  })

  it('lists changes of the user and their teams newest first, page by page, without a gap', async () => {
    const host = await someone()
    const teams: string[] = []
    for (let i = 0; i < 3; i++) {
      teams.push((await host.post('/teams', { slug: `team-${++count}`, name: 'A team' })).json().id)
    }
    for (const team of [...teams, ...teams]) await host.patch(`/teams/${team}`, { bio: String(++count) })
    const all = await entriesOf(host)
    assert.equal(all.length, 1 + 3 + 6)
    const seen: Entry[] = []
    let cursor = ''
    do {
      const page = (await host.get(`/audit?limit=3${cursor && `&cursor=${cursor}`}`)).json()
      seen.push(...page.items)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    assert.deepEqual(seen, all)
    assert.deepEqual(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
  })

  it('names what was changed and leads there, as long as it exists', async () => {
    const host = await someone()
    const { team, member } = await teamWith('member')
    const { id } = (await host.post('/event-types', { ...TALK, slug: 'intro', name: 'Intro' })).json()
    const objectOf = async (of: Host, objectType: string) =>
      (await entriesOf(of)).find((entry) => entry.objectType === objectType)?.object
    await host.patch(`/event-types/${id}`, { name: 'First call' })
    assert.deepEqual(await objectOf(host, 'event-type'), {
      name: 'First call',
      url: `/app/event-types/${id}`,
    })
    assert.deepEqual(await objectOf(ada, 'team-member'), {
      name: member.user.name,
      url: `/app/teams/${team}`,
    })
    await host.del(`/event-types/${id}`)
    assert.equal(await objectOf(host, 'event-type'), null)
  })

  it('is narrowed by person, action, object and time, in the list and as CSV', async () => {
    const host = await someone()
    const { id } = (await host.post('/event-types', { ...TALK, slug: 'intro', name: '=1+1' })).json()
    await host.patch(`/event-types/${id}`, { description: 'New.' })
    await host.patch('/me', { bio: 'New.' })
    const found = async (query: string) => {
      const answer = await host.get(`/audit?${query}`)
      assert.equal(answer.statusCode, 200, answer.body)
      return told(answer.json().items)
    }
    const own = host.user.email.toUpperCase().slice(0, -5)
    assert.deepEqual(await found(`objectType=event-type&actor=${own}`), [
      'updated event-type',
      'created event-type',
    ])
    assert.deepEqual(await found('action=updated'), ['updated user', 'updated event-type'])
    assert.deepEqual(await found('actor=nobody'), [])
    const at = (await entriesOf(host))[0]?.at ?? ''
    const later = new Date(Date.parse(at) + 60_000).toISOString()
    assert.equal((await found(`to=${later}`)).length, 4)
    assert.deepEqual(await found(`from=${later}`), [])

    const csv = await host.get('/audit.csv?objectType=event-type')
    assert.equal(csv.statusCode, 200, csv.body)
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    assert.match(String(csv.headers['content-disposition']), /audit\.csv/)
    const [head, updated, created, ...rest] = csv.body.split('\r\n')
    assert.equal(head, 'at,actor,token,action,objectType,objectName,changes,ownerId,objectId,id')
    assert.match(updated ?? '', /,updated,event-type,'=1\+1,description,/)
    assert.match(created ?? '', /,created,event-type,'=1\+1,slug name durationMinutes location,/)
    assert.deepEqual(rest, [''])

    for (const path of ['/audit?from=yesterday', '/audit.csv?to=1']) {
      const refused = await host.get(path)
      assert.equal(refused.statusCode, 400)
      assert.match(refused.body, /must be a UTC instant such as/)
    }
  })

  it('cannot be changed', async () => {
    const [entry] = await entriesOf(ada)
    for (const answer of [
      await ada.del(`/audit/${entry?.id}`),
      await ada.patch(`/audit/${entry?.id}`, { action: 'x' }),
      await ada.post('/audit', { action: 'x' }),
    ]) {
      assert.equal(answer.statusCode, 404)
    }
    assert.equal((await ada.get('/audit?limit=0')).statusCode, 400)
    assert.equal((await ada.get('/audit?limit=101')).statusCode, 400)
    assert.equal((await ada.get('/audit?cursor=nonsense')).statusCode, 404)
  })
})
