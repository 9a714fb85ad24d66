import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'
import type { BookingStatus } from '../../../domain/bookings/booking.ts'

const DAY = 24 * 3_600_000
const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + DAY - 3 * HOUR
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('/api/admin/bookings', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let eve: Host
  let team: string
  const types: Record<string, { id: string; slug: string; ownerId: string; page: string }> = {}
  const ids: Record<string, string> = {}

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email })
    await bob.post(`/invitations/${invited.json().id}/accept`)

    await addType('intro', ada, {})
    await addType('approved', ada, { requiresApproval: true })
    await addType('workshop', ada, { seats: 3 })
    await addType('together', ada, {
      teamId: team,
      hosts: [ada, bob].map(({ user }) => ({ userId: user.id, fixed: true })),
    })
    await addType('private', bob, {})
    ids.intro = await book('intro', 0, { inviteeName: 'Änne Schmidt', inviteeEmail: 'aenne@guests.example' })
    ids.approved = await book('approved', 1, { inviteeName: 'Pending Person' })
    ids.together = await book('together', 2, { inviteeEmail: 'Team.Guest@Guests.Example' })
    ids.seat1 = await book('workshop', 3)
    ids.seat2 = await book('workshop', 3)
    ids.cancelled = await book('intro', 4)
    ids.private = await book('private', 5)
    await setStatus('cancelled', 'Cancelled')
  })

  async function addType(slug: string, owner: Host, more: object): Promise<void> {
    const answer = await owner.post('/event-types', {
      slug,
      name: `About ${slug}`,
      durationMinutes: 30,
      noticeMinutes: 0,
      ...more,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const { id, ownerId } = answer.json()
    types[slug] = { id, slug, ownerId, page: ownerId === team ? 'crew' : owner.user.slug }
  }

  /** As a guest does, in the hour `hour` of Tuesday’s morning. */
  async function book(slug: string, hour: number, more: object = {}): Promise<string> {
    const startsAt = TUESDAY_NINE + hour * HOUR
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${types[slug]?.page}/${slug}/book`,
      headers: fromSomeoneNew(),
      payload: {
        startTime: new Date(startsAt).toISOString(),
        endTime: new Date(startsAt + 30 * 60_000).toISOString(),
        inviteeName: 'Grace Guest',
        inviteeEmail: `${slug}-${Object.keys(ids).length}@guests.example`,
        inviteeTimezone: 'Europe/Berlin',
        ...more,
      },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  /** There is no way yet to do it over HTTP. */
  const setStatus = (name: string, status: BookingStatus) =>
    db()
      .updateTable('bookings')
      .set({ status })
      .where('id', '=', ids[name] as string)
      .execute()

  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? id

  /** Names of what is found, in the order it is listed. */
  async function find(query = '', host: Host = ada): Promise<string[]> {
    const answer = await host.get(`/bookings${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().items.map(({ id }: { id: string }) => nameOf(id))
  }

  /** Guests of one meeting start together: which comes first is their ids' affair. */
  const seats = () => ['seat1', 'seat2'].sort((a, b) => ((ids[a] as string) < (ids[b] as string) ? -1 : 1))

  it('are those of the user and their teams, by start', async () => {
    assert.deepEqual(await find(), ['intro', 'approved', 'together', ...seats(), 'cancelled'])
    assert.deepEqual(await find('?order=desc'), [
      'cancelled',
      ...seats().reverse(),
      'together',
      'approved',
      'intro',
    ])
    assert.deepEqual(await find('', bob), ['together', 'private'])
    assert.deepEqual(await find('', eve), [])
  })

  it('are found by status, one or several', async () => {
    assert.deepEqual(await find('?status=PendingApproval'), ['approved'])
    assert.deepEqual(await find('?status=PendingApproval,Cancelled'), ['approved', 'cancelled'])
    assert.deepEqual(await find('?status=PendingApproval&status=Cancelled'), ['approved', 'cancelled'])
    assert.deepEqual(await find('?status=NoShow'), [])
  })

  it('are found by one of their hosts', async () => {
    const hostedBy = ({ user }: Host) => find(`?hostId=${user.id}`)
    assert.deepEqual(await hostedBy(bob), ['together'])
    assert.deepEqual(await hostedBy(ada), ['intro', 'approved', 'together', ...seats(), 'cancelled'])
    assert.deepEqual(await hostedBy(eve), [])
    assert.equal((await ada.get('/bookings?hostId=nonsense')).statusCode, 404)
  })

  it('are exported as CSV, as they are filtered', async () => {
    const exported = async (query: string, host = ada) => {
      const answer = await host.get(`/bookings.csv${query}`)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.match(String(answer.headers['content-type']), /^text\/csv/)
      return answer.body.trimEnd().split('\r\n')
    }
    const [header, line, ...more] = await exported('?status=PendingApproval')
    assert.match(header ?? '', /^startTime,endTime,status,eventType,host,guestName/)
    assert.match(
      line ?? '',
      /^2027-01-12T10:00:00Z,2027-01-12T10:30:00Z,PendingApproval,About approved,ada,Pending Person,/,
    )
    assert.deepEqual(more, [])
    assert.equal((await exported('')).length, 7)
    assert.equal((await exported('', eve)).length, 1, 'others see nothing')
    const formula = await book('intro', 30, { inviteeName: '=HYPERLINK("https://x.example")' })
    assert.match((await exported('?text=HYPERLINK'))[1] ?? '', /,"'=HYPERLINK\(""https:\/\/x\.example""\)",/)
    await db().deleteFrom('bookings').where('id', '=', formula).execute()
    assert.equal((await ada.get('/bookings.csv?status=Nonsense')).statusCode, 400)
    assert.equal((await ada.get(`/bookings.csv?ownerId=${UNKNOWN_ID}`)).statusCode, 404)
  })

  it('are found by when they start: from an instant on, and before another', async () => {
    assert.deepEqual(await find('?from=2027-01-12T11:00:00Z'), ['together', ...seats(), 'cancelled'])
    assert.deepEqual(await find('?to=2027-01-12T11:00:00Z'), ['intro', 'approved'])
    assert.deepEqual(await find('?from=2027-01-12T10:00:00Z&to=2027-01-12T11:00:00.001Z'), [
      'approved',
      'together',
    ])
    assert.deepEqual(await find('?from=2027-01-12T10:00:00.0000001Z&to=2027-01-12T11:00:00.0000001Z'), [
      'together',
    ])
    assert.deepEqual(await find('?from=2027-01-13T00:00:00Z&to=2027-01-12T00:00:00Z'), [])
  })

  it('are found by event type and by owner', async () => {
    assert.deepEqual(await find(`?eventTypeId=${types.workshop?.id}`), seats())
    assert.deepEqual(await find(`?ownerId=${team}`), ['together'])
    assert.deepEqual(await find(`?ownerId=${ada.user.id}&status=Confirmed`), ['intro', ...seats()])
    assert.deepEqual(await find(`?ownerId=${team}&eventTypeId=${types.intro?.id}`), [])
  })

  it('are found by the guest’s name or address, in any case of letters', async () => {
    assert.deepEqual(await find('?text=pending'), ['approved'])
    assert.deepEqual(await find('?text=team.guest@guests'), ['together'])
    assert.deepEqual(await find(`?text=${encodeURIComponent('ÄNNE')}`), ['intro'])
    assert.deepEqual(await find('?text=%25'), [])
    assert.deepEqual(await find('?text=_'), [])
    assert.deepEqual(await find(`?text=${encodeURIComponent("' or '1'='1")}`), [])
    assert.deepEqual(await find('?text=%20'), await find())
    assert.deepEqual(await find('?text=grace&status=Cancelled&order=desc'), ['cancelled'])
  })

  it('come in pages that leave nothing out and repeat nothing', async () => {
    for (const order of ['asc', 'desc']) {
      for (const filter of ['', '&status=Confirmed,Cancelled,PendingApproval']) {
        const seen: string[] = []
        let cursor = ''
        do {
          const query = `?limit=2&order=${order}${filter}${cursor && `&cursor=${cursor}`}`
          const page = (await ada.get(`/bookings${query}`)).json()
          assert.ok(page.items.length <= 2)
          seen.push(...page.items.map(({ id }: { id: string }) => nameOf(id)))
          cursor = page.nextCursor ?? ''
        } while (cursor !== '')
        assert.deepEqual(seen, await find(`?order=${order}`))
      }
    }
  })

  it('are refused with the reason when a filter is not valid', async () => {
    for (const query of [
      'status=Lost',
      'status=',
      'status=Confirmed,',
      'from=yesterday',
      'from=2027-01-12',
      'to=2027-01-12T11:00:00',
      'order=random',
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=nonsense',
      `cursor=1_${'x'.repeat(36)}`,
      'cursor=99999999999999999999_01890a5d-ac96-774b-bcce-b302099a8057',
      'text=%00',
      'text=a%0Ab',
      `text=${'x'.repeat(201)}`,
    ]) {
      const answer = await ada.get(`/bookings?${query}`)
      assert.equal(answer.statusCode, 400, `${query}: ${answer.body}`)
    }
  })

  it('are not found by another user’s owner or event type', async () => {
    for (const query of [
      `ownerId=${bob.user.id}`,
      `ownerId=${UNKNOWN_ID}`,
      'ownerId=x',
      `eventTypeId=${types.private?.id}`,
      `eventTypeId=${UNKNOWN_ID}`,
      'eventTypeId=x',
    ]) {
      assert.equal((await ada.get(`/bookings?${query}`)).statusCode, 404, query)
    }
  })

  it('show a host everything that the guest entered', async () => {
    const id = await book('intro', 6, {
      inviteePhone: '+49 30 123456',
      inviteeLocale: 'de',
      inviteeNotes: 'About the weather.',
      customFields: { company: 'Acme', size: { of: [1, 2] } },
      source: 'EmbedWidget',
      utm: { source: 'letter', campaign: 'spring' },
    })
    const answer = await ada.get(`/bookings/${id}`)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers.etag), /^"[\w-]+"$/)
    const { invitee, ...rest } = answer.json()
    assert.deepEqual(invitee.email.split('@')[1], 'guests.example')
    assert.deepEqual(
      { ...invitee, email: '' },
      { name: 'Grace Guest', email: '', phone: '+49 30 123456', timezone: 'Europe/Berlin', locale: 'de' },
    )
    assert.deepEqual(rest, {
      id,
      eventTypeId: types.intro?.id,
      ownerId: ada.user.id,
      hostId: ada.user.id,
      host: { id: ada.user.id, name: 'ada' },
      hostAvatarUrl: '',
      hostNotes: '',
      payment: null,
      series: [],
      hostIds: [ada.user.id],
      meetingId: id,
      status: 'Confirmed',
      startTime: '2027-01-12T15:00:00Z',
      endTime: '2027-01-12T15:30:00Z',
      guests: [],
      location: { type: 'Video', value: '' },
      awaitsLink: true,
      seat: 1,
      seats: 1,
      sequence: 0,
      reason: '',
      source: 'EmbedWidget',
      utm: { source: 'letter', campaign: 'spring' },
      notes: 'About the weather.',
      customFields: { company: 'Acme', size: { of: [1, 2] } },
      createdAt: '2027-01-11T12:00:00Z',
      seriesId: null,
      seriesPlace: null,
      assignment: null,
      routing: null,
      calendarDifference: null,
      refundRule: null,
    })
    const listed = (await ada.get('/bookings?limit=100'))
      .json()
      .items.find((item: { id: string }) => item.id === id)
    const { notes, customFields, utm, hostIds, series, refundRule, ...short } = answer.json()
    assert.deepEqual(listed, short)
  })

  it('have no link to join once they are called off', async () => {
    const link = { type: 'Video', value: 'https://meet.example.com/secret' } as const
    await ada.patch(`/event-types/${types.intro?.id}`, { location: link })
    const id = await book('intro', 26, { inviteeName: 'Linus Linked' })
    assert.deepEqual((await ada.get(`/bookings/${id}`)).json().location, link)
    const gone = await ada.post(`/bookings/${id}/cancel`, {})
    assert.deepEqual(gone.json().location, { type: 'Video', value: '' })
    const csv = (await ada.get('/bookings.csv?text=Linus')).body
    assert.match(csv, /Linus Linked/)
    assert.doesNotMatch(csv, /meet\.example\.com/)
    await db().deleteFrom('bookings').where('id', '=', id).execute()
    await ada.patch(`/event-types/${types.intro?.id}`, { location: { type: 'Video', value: '' } })
  })

  it('name everyone who hosts them', async () => {
    const together = (await bob.get(`/bookings/${ids.together}`)).json()
    assert.deepEqual(together.hostIds.toSorted(), [ada.user.id, bob.user.id].sort())
    assert.ok(together.hostIds.includes(together.hostId))
    assert.equal(together.ownerId, team)
  })

  it('of one meeting share it, each with a seat of its own', async () => {
    const [one, two] = [
      (await ada.get(`/bookings/${ids.seat1}`)).json(),
      (await ada.get(`/bookings/${ids.seat2}`)).json(),
    ]
    assert.equal(one.meetingId, two.meetingId)
    assert.deepEqual([one.seat, two.seat, one.seats], [1, 2, 3])
  })

  it('are 404 for everyone else', async () => {
    for (const id of [ids.intro, ids.approved, ids.together]) {
      assert.equal((await eve.get(`/bookings/${id}`)).statusCode, 404)
    }
    assert.equal((await ada.get(`/bookings/${ids.private}`)).statusCode, 404)
    assert.equal((await bob.get(`/bookings/${ids.intro}`)).statusCode, 404)
    for (const id of [UNKNOWN_ID, 'x', "' or 1=1 --", types.intro?.id]) {
      assert.equal((await ada.get(`/bookings/${id}`)).statusCode, 404)
    }
    assert.equal((await app.inject('/api/admin/bookings')).statusCode, 401)
  })

  it('disappear for a member who leaves the team, and stay with the team', async () => {
    await bob.del(`/teams/${team}/members/${bob.user.id}`)
    assert.deepEqual(await find('', bob), ['private'])
    assert.equal((await bob.get(`/bookings/${ids.together}`)).statusCode, 404)
    assert.ok((await find()).includes('together'))
  })

  it('can be read with an API token', async () => {
    const { token } = (await ada.post('/tokens', { name: 'robot', scopes: ['read'] })).json()
    const answer = await bearer(app, token).get('/bookings?limit=1')
    assert.deepEqual([answer.statusCode, answer.json().items.length], [200, 1])
  })
})
