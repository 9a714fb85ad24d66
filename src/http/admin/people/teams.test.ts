import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { updateUser } from '../../../store/people/users.ts'

const DAY = 24 * 3_600_000
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const statuses = (answers: readonly LightMyRequestResponse[]) => answers.map(({ statusCode }) => statusCode)

onEveryDatabase('/api/admin/teams', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]
  let ada: Host
  let bob: Host
  let eve: Host
  let count = 0

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now }))
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
  })

  const newSlug = () => `team-${++count}`

  async function newTeam(owner: Host = ada): Promise<string> {
    const answer = await owner.post('/teams', { slug: newSlug(), name: 'A team' })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  /** Makes someone a member, by an invitation that they accept. */
  async function join(team: string, member: Host, role: string, owner: Host = ada): Promise<void> {
    const invited = await owner.post(`/teams/${team}/invitations`, { email: member.user.email, role })
    assert.equal(invited.statusCode, 201, invited.body)
    const accepted = await member.post(`/invitations/${invited.json().id}/accept`)
    assert.equal(accepted.statusCode, 200, accepted.body)
  }

  async function someone(name: string): Promise<Host> {
    return signIn(app, mailbox, `${name}-${++count}@hosts.example`)
  }

  const roleOf = async (team: string, member: Host) =>
    (await ada.get(`/teams/${team}/members/${member.user.id}`)).json().role

  async function addEventType(team: string, hosts: readonly Host[], more: object = {}) {
    const answer = await ada.post('/event-types', {
      teamId: team,
      slug: `event-${++count}`,
      name: 'Together',
      durationMinutes: 30,
      noticeMinutes: 0,
      hosts: hosts.map(({ user }) => ({ userId: user.id, fixed: true })),
      ...more,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }

  it('makes the creator of a team its owner', async () => {
    const slug = newSlug()
    const answer = await ada.post('/teams', { slug, name: 'Sales', branding: { primaryColor: '#00ff00' } })
    assert.equal(answer.statusCode, 201)
    const { id, ...team } = answer.json()
    assert.deepEqual(team, {
      role: 'owner',
      slug,
      name: 'Sales',
      bio: '',
      avatarUrl: '',
      timezone: 'UTC',
      locale: 'en',
      germanAddress: 'sie',
      theme: 'auto',
      branding: { primaryColor: '#00ff00', logoUrl: '' },
      membersSeeAll: false,
    })
    const profile = (await app.inject(`/api/public/scheduling/${slug}`)).json()
    assert.deepEqual([profile.kind, profile.profile.name], ['team', 'Sales'])
    const { items } = (await ada.get(`/teams/${id}/members`)).json()
    assert.deepEqual(items, [
      {
        userId: ada.user.id,
        email: 'ada@hosts.example',
        name: 'ada',
        role: 'owner',
        joinedAt: '2027-01-11T12:00:00Z',
        hoursConfirmed: true,
        attributes: {},
      },
    ])
  })

  it('refuses an id, a kind, an owner or a role that come with a new team', async () => {
    const input = { slug: 'plain', name: 'Plain' }
    for (const more of [{ id: UNKNOWN_ID }, { kind: 'user' }, { ownerId: UNKNOWN_ID }, { role: 'member' }]) {
      assert.equal((await ada.post('/teams', { ...input, ...more })).statusCode, 400)
    }
  })

  it('refuses reserved slugs, and slugs that are taken', async () => {
    const slug = newSlug()
    await ada.post('/teams', { slug, name: 'First' })
    const cases: [string, number][] = [
      ['api', 400],
      ['app', 400],
      ['docs', 400],
      ['embed', 400],
      ['Not A Slug', 400],
      ['', 400],
      [slug, 409],
      ['bob', 409],
    ]
    for (const [input, status] of cases) {
      const answer = await ada.post('/teams', { slug: input, name: 'Second' })
      assert.equal(answer.statusCode, status, `${input}: ${answer.body}`)
    }
  })

  it('gives a slug to one of those who take it at the same moment', async () => {
    const slug = newSlug()
    await Promise.all([ada.get('/teams'), bob.get('/teams'), eve.get('/teams')])
    const answers = await Promise.all(
      [ada, bob, eve].map((host) => host.post('/teams', { slug, name: 'Mine' })),
    )
    assert.deepEqual(statuses(answers).sort(), [201, 409, 409])
  })

  it('lists the user’s teams with their role, page by page', async () => {
    const host = await someone('lister')
    const teams = [await newTeam(host), await newTeam(host), await newTeam(host)]
    await newTeam(bob)
    const seen: string[] = []
    let cursor = ''
    do {
      const page = (await host.get(`/teams?limit=2${cursor && `&cursor=${cursor}`}`)).json()
      for (const { id, role } of page.items) seen.push(`${id} ${role}`)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    assert.deepEqual(seen, teams.map((id) => `${id} owner`).sort())
  })

  it('is 404 for those who are not members', async () => {
    const team = await newTeam()
    const member = `/teams/${team}/members/${ada.user.id}`
    const answers = await Promise.all([
      eve.get(`/teams/${team}`),
      eve.patch(`/teams/${team}`, { name: 'Mine' }),
      eve.del(`/teams/${team}`),
      eve.get(`/teams/${team}/members`),
      eve.get(member),
      eve.patch(member, { role: 'member' }),
      eve.del(member),
      eve.del(`/teams/${team}/members/${eve.user.id}`),
      eve.get(`/teams/${team}/invitations`),
      eve.post(`/teams/${team}/invitations`, { email: 'eve@hosts.example', role: 'owner' }),
      eve.del(`/teams/${team}/invitations/${UNKNOWN_ID}`),
    ])
    assert.deepEqual(statuses(answers), Array(answers.length).fill(404))
    assert.equal((await ada.get(`/teams/${team}`)).json().name, 'A team')
  })

  it('is 404 for the id of a user, and for what is not an id', async () => {
    for (const id of [ada.user.id, bob.user.id, UNKNOWN_ID, 'x', "' or 1=1 --", '%00']) {
      for (const path of [`/teams/${id}`, `/teams/${id}/members`, `/teams/${id}/invitations`]) {
        assert.equal((await ada.get(path)).statusCode, 404, path)
      }
      assert.equal((await ada.patch(`/teams/${id}`, { name: 'x' })).statusCode, 404)
      assert.equal((await ada.del(`/teams/${id}`)).statusCode, 404)
    }
    assert.equal((await ada.get('/me')).statusCode, 200)
  })

  it('is changed by its admins and owners, and seen by its members', async () => {
    const team = await newTeam()
    const [admin, member] = [await someone('admin'), await someone('member')]
    await join(team, admin, 'admin')
    await join(team, member, 'member')
    assert.equal((await admin.patch(`/teams/${team}`, { bio: 'By an admin.' })).statusCode, 200)
    assert.equal((await member.patch(`/teams/${team}`, { bio: 'By a member.' })).statusCode, 403)
    const seen = (await member.get(`/teams/${team}`)).json()
    assert.deepEqual([seen.bio, seen.role], ['By an admin.', 'member'])
  })

  it('keeps its old address when it takes a new one, and nobody else gets that', async () => {
    const [old, next] = [newSlug(), newSlug()]
    const { id } = (await ada.post('/teams', { slug: old, name: 'Moving' })).json()
    assert.equal((await ada.patch(`/teams/${id}`, { slug: next })).statusCode, 200)
    assert.equal((await app.inject(`/api/public/scheduling/${old}`)).json().slug, next)
    assert.equal((await bob.post('/teams', { slug: old, name: 'Newcomer' })).statusCode, 409)
    assert.equal((await app.inject(`/api/public/scheduling/${old}`)).json().profile.name, 'Moving')
    assert.equal((await app.inject(`/api/public/scheduling/${next}`)).json().profile.name, 'Moving')
  })

  it('refuses a change that was made for an older version', async () => {
    const team = await newTeam()
    const { etag } = (await ada.get(`/teams/${team}`)).headers
    const first = await ada.patch(`/teams/${team}`, { name: 'First' }, { 'if-match': String(etag) })
    const second = await ada.patch(`/teams/${team}`, { name: 'Second' }, { 'if-match': String(etag) })
    const deleted = await ada.del(`/teams/${team}`, { 'if-match': String(etag) })
    assert.deepEqual(statuses([first, second, deleted]), [200, 412, 412])
    const latest = { 'if-match': String(first.headers.etag) }
    assert.equal((await ada.patch(`/teams/${team}`, { name: 'Second' }, latest)).statusCode, 200)
  })

  it('refuses invalid settings of the page', async () => {
    const team = await newTeam()
    for (const input of [
      { name: ' ' },
      { name: 'two\nlines' },
      { timezone: 'Mars/Olympus' },
      { avatarUrl: 'javascript:alert(1)' },
      { branding: { primaryColor: 'red' } },
      { theme: 'neon' },
      { slug: 'admin' },
      { name: 5 },
    ]) {
      assert.equal((await ada.patch(`/teams/${team}`, input)).statusCode, 400, JSON.stringify(input))
    }
  })

  it('is deleted by an owner, with its event types, its address and its members', async () => {
    const slug = newSlug()
    const { id } = (await ada.post('/teams', { slug, name: 'Short-lived' })).json()
    const admin = await someone('admin')
    await join(id, admin, 'admin')
    const eventType = await addEventType(id, [ada])
    assert.equal((await admin.del(`/teams/${id}`)).statusCode, 403)
    assert.equal((await ada.del(`/teams/${id}`)).statusCode, 204)
    assert.equal((await app.inject(`/api/public/scheduling/${slug}`)).statusCode, 404)
    assert.equal((await ada.get(`/event-types/${eventType.id}`)).statusCode, 404)
    assert.deepEqual((await admin.get('/teams')).json().items, [])
    assert.equal((await bob.post('/teams', { slug, name: 'Successor' })).statusCode, 201)
  })

  it('is not deleted while it has bookings, and says how many', async () => {
    const slug = newSlug()
    const { id } = (await ada.post('/teams', { slug, name: 'Booked' })).json()
    const eventType = await addEventType(id, [ada])
    const slot = plainEventType({ durationMinutes: 30 })
    for (const hour of [0, 1]) {
      const booked = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/${slug}/${eventType.slug}/book`,
        headers: fromSomeoneNew(),
        payload: bookingOf(slot, MONDAY_NOON + DAY + hour * 3_600_000),
      })
      assert.equal(booked.statusCode, 201, booked.body)
    }
    const answer = await ada.del(`/teams/${id}`)
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().error, /has 2 bookings/)
  })

  it('lets members change roles by these rules only', async () => {
    const team = await newTeam()
    const hosts = {
      owner: await someone('owner'),
      admin: await someone('admin'),
      admin2: await someone('admin'),
      member: await someone('member'),
    }
    for (const [name, host] of Object.entries(hosts)) await join(team, host, name.replace(/\d/, ''))
    type Name = keyof typeof hosts
    const attempts: [who: Name, whom: Name, role: string, status: number, field?: string][] = [
      // No one promotes themself.
      ['member', 'member', 'admin', 403, 'role'],
      ['member', 'member', 'owner', 403, 'role'],
      ['admin', 'admin', 'owner', 403, 'role'],
      // Members change no one.
      ['member', 'admin', 'member', 403],
      ['member', 'owner', 'member', 403],
      // Admins make no owners, and change none.
      ['admin', 'member', 'owner', 403, 'role'],
      ['admin', 'owner', 'member', 403],
      ['admin', 'owner', 'owner', 403],
      // They manage up to their own role.
      ['admin', 'member', 'admin', 200],
      ['admin', 'member', 'member', 200],
      ['admin', 'admin2', 'member', 200],
      // Owners appoint.
      ['owner', 'admin2', 'owner', 200],
      ['owner', 'admin2', 'admin', 200],
      // One may step down.
      ['admin2', 'admin2', 'member', 200],
      ['admin2', 'admin2', 'admin', 403, 'role'],
    ]
    for (const [who, whom, role, status, field] of attempts) {
      const answer = await hosts[who].patch(`/teams/${team}/members/${hosts[whom].user.id}`, { role })
      assert.equal(answer.statusCode, status, `${who} makes ${whom} ${role}: ${answer.body}`)
      assert.equal(answer.headers['error-field'], field, `${who} makes ${whom} ${role}`)
      if (status === 200) assert.equal(answer.json().role, role)
    }
  })

  it('refuses other fields sent with a role', async () => {
    const team = await newTeam()
    const member = await someone('member')
    await join(team, member, 'member')
    const path = `/teams/${team}/members/${member.user.id}`
    for (const more of [{ userId: ada.user.id }, { email: 'x@hosts.example' }, { teamId: UNKNOWN_ID }]) {
      assert.equal((await ada.patch(path, { role: 'admin', ...more })).statusCode, 400)
    }
    assert.equal((await ada.patch(path, { role: 'emperor' })).statusCode, 400)
    assert.equal((await ada.patch(path, {})).statusCode, 400)
    const answer = await ada.patch(path, { role: 'admin' })
    assert.deepEqual([answer.statusCode, answer.json().userId], [200, member.user.id])
    assert.equal(await roleOf(team, ada), 'owner')
  })

  it('lets no one change the members of another team', async () => {
    const team = await newTeam()
    for (const userId of [bob.user.id, UNKNOWN_ID, 'x', team]) {
      assert.equal((await ada.patch(`/teams/${team}/members/${userId}`, { role: 'owner' })).statusCode, 404)
      assert.equal((await ada.del(`/teams/${team}/members/${userId}`)).statusCode, 404)
    }
  })

  it('keeps its last owner', async () => {
    const team = await newTeam()
    const admin = await someone('admin')
    await join(team, admin, 'admin')
    const self = `/teams/${team}/members/${ada.user.id}`
    const demoted = await ada.patch(self, { role: 'member' })
    const removed = await ada.del(self)
    for (const answer of [demoted, removed]) {
      assert.equal(answer.statusCode, 409)
      assert.match(answer.json().error, /needs an owner/)
    }
    assert.deepEqual(
      [demoted, removed].map(({ headers }) => headers['error-field']),
      ['role', undefined],
    )
    await ada.patch(`/teams/${team}/members/${admin.user.id}`, { role: 'owner' })
    assert.equal((await ada.patch(self, { role: 'admin' })).statusCode, 200)
  })

  it('keeps one of two owners who step down at the same moment', async () => {
    const team = await newTeam()
    const other = await someone('owner')
    await join(team, other, 'owner')
    const answers = await Promise.all(
      [ada, other].map((host) => host.del(`/teams/${team}/members/${host.user.id}`)),
    )
    assert.deepEqual(statuses(answers).sort(), [204, 409])
  })

  it('does not count an owner who is disabled', async () => {
    const team = await newTeam()
    const gone = await someone('owner')
    await join(team, gone, 'owner')
    await updateUser(db(), gone.user.id, { disabledAt: 1 })
    assert.equal((await ada.del(`/teams/${team}/members/${ada.user.id}`)).statusCode, 409)
    assert.equal((await ada.del(`/teams/${team}/members/${gone.user.id}`)).statusCode, 204)
  })

  it('lets members leave, and higher roles remove them', async () => {
    const team = await newTeam()
    const [admin, first, second, third] = await Promise.all(['admin', 'a', 'b', 'c'].map(someone))
    assert.ok(admin && first && second && third)
    await join(team, admin, 'admin')
    for (const member of [first, second, third]) await join(team, member, 'member')
    const path = (host: Host) => `/teams/${team}/members/${host.user.id}`
    assert.equal((await first.del(path(second))).statusCode, 403)
    assert.equal((await admin.del(path(ada))).statusCode, 403)
    assert.equal((await admin.del(path(first))).statusCode, 204)
    assert.equal((await second.del(path(second))).statusCode, 204)
    assert.equal((await ada.del(path(admin))).statusCode, 204)
    assert.equal((await admin.get(`/teams/${team}`)).statusCode, 404)
    const { items } = (await ada.get(`/teams/${team}/members`)).json()
    assert.deepEqual(
      items.map(({ userId }: { userId: string }) => userId),
      [ada.user.id, third.user.id].sort(),
    )
  })

  it('refuses a change to a member that was made for an older version', async () => {
    const team = await newTeam()
    const member = await someone('member')
    await join(team, member, 'member')
    const path = `/teams/${team}/members/${member.user.id}`
    const etag = String((await ada.get(path)).headers.etag)
    assert.equal((await ada.patch(path, { role: 'admin' }, { 'if-match': etag })).statusCode, 200)
    assert.equal((await ada.patch(path, { role: 'owner' }, { 'if-match': etag })).statusCode, 412)
    assert.equal((await ada.del(path, { 'if-match': etag })).statusCode, 412)
  })

  it('removes a former member from its event types immediately', async () => {
    const slug = newSlug()
    const { id: team } = (await ada.post('/teams', { slug, name: 'Hosts' })).json()
    const member = await someone('host')
    await join(team, member, 'member')
    const own = (await member.get('/schedules')).json().items[0].id
    const eventType = await addEventType(team, [ada, member], { scheduleId: own })
    const url = `/api/public/scheduling/${slug}/${eventType.slug}/slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC`
    const days = async () => (await app.inject(url)).json().length
    // The member has that day off, so no guest can meet both.
    await member.patch(`/schedules/${own}`, { overrides: { '2027-01-12': [] } })
    assert.equal(await days(), 0)
    assert.equal((await ada.del(`/teams/${team}/members/${member.user.id}`)).statusCode, 204)
    assert.equal(await days(), 1)
    const left = (await ada.get(`/event-types/${eventType.id}`)).json()
    assert.deepEqual(left.hosts, [{ userId: ada.user.id, fixed: true, weight: 1 }])
    assert.equal(left.scheduleId, null)
  })

  it('refuses to remove the only host of an event type, and names it', async () => {
    const team = await newTeam()
    const member = await someone('host')
    await join(team, member, 'member')
    const eventType = await addEventType(team, [member], { name: 'Solo' })
    const path = `/teams/${team}/members/${member.user.id}`
    const refused = await ada.del(path)
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /only host of: Solo/)
    await ada.patch(`/event-types/${eventType.id}`, { hosts: [{ userId: ada.user.id, fixed: true }] })
    assert.equal((await ada.del(path)).statusCode, 204)
  })

  it('lets the only host leave, and hides the event type', async () => {
    const team = await newTeam()
    const member = await someone('host')
    await join(team, member, 'member')
    const [solo, shared] = [await addEventType(team, [member]), await addEventType(team, [member, ada])]
    assert.equal((await member.del(`/teams/${team}/members/${member.user.id}`)).statusCode, 204)
    const hidden = async (id: string) => (await ada.get(`/event-types/${id}`)).json().hidden
    assert.equal(await hidden(solo.id), true)
    assert.equal(await hidden(shared.id), false)
  })
})

onEveryDatabase('/api/admin/teams/{id}/invitations', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]
  let ada: Host
  let admin: Host
  let member: Host
  let team: string
  let invitations: string
  let count = 0

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'first', now: clock.now }))
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew <b>&</b> Co' })).json().id
    invitations = `/teams/${team}/invitations`
    admin = await newcomer('admin', 'admin')
    member = await newcomer('member', 'member')
  })

  const newAddress = () => `invited-${++count}@hosts.example`

  /** Someone who signs up by an invitation to the team. */
  async function newcomer(name: string, role: string): Promise<Host> {
    const email = `${name}-${++count}@hosts.example`
    const answer = await ada.post(invitations, { email, role })
    assert.equal(answer.statusCode, 201, answer.body)
    return signIn(app, mailbox, email)
  }

  /** Someone who has an account, and nothing to do with the team. */
  async function outsider(): Promise<Host> {
    const email = `outsider-${++count}@hosts.example`
    await ada.post('/instance-invitations', { email })
    return signIn(app, mailbox, email)
  }

  const openTo = async (email: string) =>
    (await ada.get(`${invitations}?limit=100`))
      .json()
      .items.filter((item: { email: string }) => item.email === email)

  it('offers no times of an invited host before they have saved their hours', async () => {
    const host = await newcomer('unset', 'member')
    const made = await ada.post('/event-types', {
      teamId: team,
      slug: 'robin',
      name: 'Robin',
      durationMinutes: 30,
      hosts: [{ userId: host.user.id, fixed: false }],
    })
    assert.equal(made.statusCode, 201, made.body)
    const offered = async () => {
      const query = 'dateFrom=2027-01-13&dateTo=2027-01-13&timezone=UTC'
      return (
        (await app.inject(`/api/public/scheduling/crew/robin/slots?${query}`)).json()[0]?.slots.length ?? 0
      )
    }
    const listed = async () => {
      const { items } = (await ada.get(`/teams/${team}/members?limit=100`)).json()
      return items.find(({ userId }: { userId: string }) => userId === host.user.id).hoursConfirmed
    }
    const [hours] = (await host.get('/schedules')).json().items
    assert.deepEqual([hours.confirmed, await offered(), await listed()], [false, 0, false])
    const saved = await host.patch(`/schedules/${hours.id}`, { timezone: 'Europe/Berlin' })
    assert.equal(saved.json().confirmed, true)
    assert.deepEqual([await offered(), await listed()], [16, true])
  })

  it('are emailed, with a link that signs in', async () => {
    const email = newAddress()
    const answer = await ada.post(invitations, { email, role: 'member' })
    assert.equal(answer.statusCode, 201)
    const { id, ...invitation } = answer.json()
    assert.deepEqual(invitation, {
      email,
      role: 'member',
      createdAt: '2027-01-11T12:00:00Z',
      expiresAt: '2027-01-25T12:00:00Z',
    })
    const mails = mailbox.filter(({ to }) => to === email)
    assert.equal(mails.length, 1)
    const [mail] = mails
    assert.match(mail?.text ?? '', /^ada invites you to the team Crew <b>&<\/b> Co on Punctual\./m)
    assert.match(mail?.text ?? '', /\nhttps:\/\/book\.example\.com\/app\/sign-in#token=[\w-]{43}\n/)
    assert.match(mail?.html ?? '', /Crew &lt;b&gt;&amp;&lt;\/b&gt; Co/)
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, new RegExp(id))
  })

  it('can be created, listed and withdrawn by admins and owners only', async () => {
    const email = newAddress()
    const { id } = (await admin.post(invitations, { email })).json()
    assert.equal((await openTo(email))[0].role, 'member')
    const refused = [
      await member.get(invitations),
      await member.post(invitations, { email: newAddress() }),
      await member.del(`${invitations}/${id}`),
    ]
    assert.deepEqual(statuses(refused), [403, 403, 403])
    assert.equal((await admin.del(`${invitations}/${id}`)).statusCode, 204)
    assert.equal((await admin.del(`${invitations}/${id}`)).statusCode, 404)
  })

  it('cannot give a role above the inviter’s', async () => {
    const email = newAddress()
    assert.equal((await admin.post(invitations, { email, role: 'owner' })).statusCode, 403)
    assert.equal((await admin.post(invitations, { email, role: 'admin' })).statusCode, 201)
    assert.equal((await ada.post(invitations, { email, role: 'owner' })).statusCode, 201)
    assert.equal((await ada.post(invitations, { email, role: 'emperor' })).statusCode, 400)
  })

  it('replace an earlier invitation', async () => {
    const email = newAddress()
    const first = (await ada.post(invitations, { email, role: 'owner' })).json()
    const second = (await ada.post(invitations, { email: email.toUpperCase(), role: 'member' })).json()
    assert.notEqual(second.id, first.id)
    assert.deepEqual(
      (await openTo(email)).map(({ id, role }: { id: string; role: string }) => `${id} ${role}`),
      [`${second.id} member`],
    )
    const joined = await signIn(app, mailbox, email)
    assert.equal((await joined.get(`/teams/${team}`)).json().role, 'member')
  })

  it('are refused for members', async () => {
    const answer = await ada.post(invitations, { email: member.user.email, role: 'owner' })
    assert.equal(answer.statusCode, 409)
    assert.equal((await member.get(`/teams/${team}`)).json().role, 'member')
  })

  it('refuse fields that clients may not set', async () => {
    const email = newAddress()
    const chosen = [{ id: UNKNOWN_ID }, { teamId: UNKNOWN_ID }, { expiresAt: '2099-01-01T00:00:00Z' }]
    for (const more of chosen) {
      assert.equal((await ada.post(invitations, { email, ...more })).statusCode, 400)
    }
    const answer = (await ada.post(invitations, { email })).json()
    assert.equal(answer.expiresAt, '2027-01-25T12:00:00Z')
    assert.equal((await openTo(email)).length, 1)
  })

  it('need an email address', async () => {
    for (const email of ['x', 'a@hosts.example\r\nBcc: b@evil.example', 'a@b.example,c@d.example', 5, null]) {
      const before = mailbox.length
      assert.equal((await ada.post(invitations, { email })).statusCode, 400, String(email))
      assert.equal(mailbox.length, before)
    }
  })

  it('wait for the consent of someone who has an account: signing in is not joining', async () => {
    const host = await outsider()
    const { id } = (await ada.post(invitations, { email: host.user.email, role: 'admin' })).json()
    const again = await signIn(app, mailbox, host.user.email)
    assert.deepEqual((await again.get('/teams')).json().items, [])
    const { items } = (await again.get('/invitations')).json()
    assert.deepEqual(items, [
      {
        id,
        role: 'admin',
        team: { id: team, slug: 'crew', name: 'Crew <b>&</b> Co' },
        createdAt: '2027-01-11T12:00:00Z',
        expiresAt: '2027-01-25T12:00:00Z',
      },
    ])
    const joined = await again.post(`/invitations/${id}/accept`)
    assert.deepEqual([joined.statusCode, joined.json().id, joined.json().role], [200, team, 'admin'])
    assert.equal((await again.post(`/invitations/${id}/accept`)).statusCode, 404)
    assert.deepEqual((await again.get('/invitations')).json().items, [])
  })

  it('can be declined', async () => {
    const host = await outsider()
    const { id } = (await ada.post(invitations, { email: host.user.email })).json()
    assert.equal((await host.del(`/invitations/${id}`)).statusCode, 204)
    assert.deepEqual(await openTo(host.user.email), [])
    assert.equal((await host.post(`/invitations/${id}/accept`)).statusCode, 404)
  })

  it('work only for the person who was invited', async () => {
    const [host, thief] = [await outsider(), await outsider()]
    const { id } = (await ada.post(invitations, { email: host.user.email, role: 'owner' })).json()
    const stolen = [await thief.post(`/invitations/${id}/accept`), await thief.del(`/invitations/${id}`)]
    assert.deepEqual(statuses(stolen), [404, 404])
    assert.deepEqual((await thief.get('/invitations')).json().items, [])
    assert.equal((await host.post(`/invitations/${id}/accept`)).statusCode, 200)
  })

  it('let one of two who accept at the same moment in, once', async () => {
    const host = await outsider()
    const { id } = (await ada.post(invitations, { email: host.user.email })).json()
    const answers = await Promise.all([1, 2, 3].map(() => host.post(`/invitations/${id}/accept`)))
    assert.deepEqual(statuses(answers).sort(), [200, 404, 404])
  })

  it('are over after two weeks', async () => {
    const host = await outsider()
    const { id } = (await ada.post(invitations, { email: host.user.email })).json()
    clock.moveTo(MONDAY_NOON + 14 * DAY)
    const [owner, late] = [
      await signIn(app, mailbox, ada.user.email),
      await signIn(app, mailbox, host.user.email),
    ]
    assert.deepEqual((await late.get('/invitations')).json().items, [])
    assert.equal((await late.post(`/invitations/${id}/accept`)).statusCode, 404)
    assert.deepEqual((await owner.get(invitations)).json().items, [])
    clock.moveTo(MONDAY_NOON)
  })

  it('of someone who is removed or demoted are withdrawn: they are no way back', async () => {
    const [removed, demoted] = [await newcomer('removed', 'admin'), await newcomer('demoted', 'admin')]
    const addresses = [newAddress(), newAddress()]
    await removed.post(invitations, { email: addresses[0], role: 'admin' })
    await demoted.post(invitations, { email: addresses[1], role: 'admin' })
    await ada.del(`/teams/${team}/members/${removed.user.id}`)
    await ada.patch(`/teams/${team}/members/${demoted.user.id}`, { role: 'member' })
    for (const email of addresses) assert.deepEqual(await openTo(email as string), [])
  })

  it('are withdrawn only from the team they are to', async () => {
    const { id: other } = (await member.post('/teams', { slug: `other-${++count}`, name: 'Other' })).json()
    const { id } = (await ada.post(invitations, { email: newAddress() })).json()
    assert.equal((await member.del(`/teams/${other}/invitations/${id}`)).statusCode, 404)
    assert.equal((await ada.del(`/instance-invitations/${id}`)).statusCode, 404)
    assert.equal((await ada.del(`${invitations}/${id}`)).statusCode, 204)
  })

  it('are limited, so that they cannot be used to flood someone', async () => {
    const email = newAddress()
    for (let i = 0; i < 5; i++) assert.equal((await admin.post(invitations, { email })).statusCode, 201)
    const refused = await admin.post(invitations, { email })
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal(mailbox.filter(({ to }) => to === email).length, 5)
  })

  it('to the instance are for those who run it', async () => {
    const email = newAddress()
    const refused = [
      await admin.get('/instance-invitations'),
      await admin.post('/instance-invitations', { email }),
      await admin.del(`/instance-invitations/${UNKNOWN_ID}`),
    ]
    assert.deepEqual(statuses(refused), [403, 403, 403])
    const greedy = await ada.post('/instance-invitations', { email, admin: true })
    assert.equal(greedy.statusCode, 400)
    const made = await ada.post('/instance-invitations', { email })
    assert.equal(made.statusCode, 201)
    const { items } = (await ada.get('/instance-invitations?limit=100')).json()
    assert.ok(items.some((item: { id: string }) => item.id === made.json().id))
    const invited = await signIn(app, mailbox, email)
    const me = (await invited.get('/me')).json()
    assert.deepEqual([me.admin, me.teams], [false, []])
    assert.equal((await ada.post('/instance-invitations', { email })).statusCode, 409)
  })
})
