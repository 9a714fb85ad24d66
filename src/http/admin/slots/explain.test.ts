import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { signIn } from '../../../../test/host-api.ts'
import { type AppUnderTest, addEventType, addUser, appOn, MONDAY_NOON } from '../../../../test/kit.ts'

onEveryDatabase('GET /api/admin/event-types/{id}/explain', ({ db }) => {
  let under: AppUnderTest
  before(async () => {
    under = await appOn(db(), { now: () => MONDAY_NOON, signup: 'open' })
  })
  after(() => under.app.close())

  it('explains a start of the length that is asked for', async () => {
    const ben = await signIn(under.app, under.mailbox, 'ben@hosts.example')
    const { id } = await addEventType(db(), ben.user, { durationMinutes: 30, durations: [30, 60] })
    const ask = async (duration: string) =>
      (await ben.get(`/event-types/${id}/explain?start=2027-01-12T16:30:00Z${duration}`)).json()
    assert.equal((await ask('')).offered, true)
    assert.equal((await ask('&duration=30')).offered, true)
    assert.equal((await ask('&duration=60')).offered, false, 'the host leaves at five')
    assert.match((await ask('&duration=45')).error, /must be 30 or 60/)
  })

  it('explains with settings that are not saved, to those who may change them', async () => {
    const dan = await signIn(under.app, under.mailbox, 'dan@hosts.example')
    const fay = await signIn(under.app, under.mailbox, 'fay@hosts.example')
    const { id } = await addEventType(db(), dan.user, { durationMinutes: 30 })
    const path = `/event-types/${id}/explain?start=2027-01-12T16:30:00Z`
    const ask = async (settings: object) => (await dan.post(path, settings)).json()
    assert.equal((await ask({})).offered, true)
    const longer = await ask({ durationMinutes: 60 })
    assert.equal(longer.offered, false)
    assert.ok(longer.groups[0].reasons.length > 0)
    const hours = { weekly: { 1: [{ opens: '09:00', closes: '10:00' }] }, name: 'Mondays', timezone: 'UTC' }
    const scheduleId = (await dan.post('/schedules', hours)).json().id
    assert.equal((await ask({ scheduleId })).offered, false)
    assert.equal((await ask({ hosts: [] })).groups[0].reasons[0], 'The event type has no hosts.')
    const refused = await dan.post(path, { hosts: [{ userId: fay.user.id, fixed: true }] })
    assert.deepEqual([refused.statusCode, refused.json().error], [400, 'Hosts must be members of the team.'])
    assert.equal((await fay.post(path, {})).statusCode, 404)
    const saved = (await dan.get(`/event-types/${id}`)).json()
    assert.deepEqual([saved.durationMinutes, saved.scheduleId, saved.hosts.length], [30, null, 1])
  })

  it('says that a host is disabled without whom nothing can take place', async () => {
    const cleo = await signIn(under.app, under.mailbox, 'cleo@hosts.example')
    const gone = await addUser(db(), 'gone')
    await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', gone.id).execute()
    const seat = (hostId: string, fixed: boolean) => ({ hostId, fixed })
    const both = (fixed: boolean) => [seat(cleo.user.id, false), seat(gone.id, fixed)]
    const listed = async (slug: string, assignment: 'collective' | 'round-robin', fixed: boolean) => {
      const { id } = await addEventType(db(), cleo.user, { slug, assignment }, both(fixed))
      const path = `/api/public/scheduling/${cleo.user.slug}/${slug}/slots`
      const query = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'
      const days = (await under.app.inject(`${path}?${query}`)).json()
      const why = (await cleo.get(`/event-types/${id}/explain?start=2027-01-12T10:00:00Z`)).json()
      return [days.length, why.offered, why.groups[0].hostIds, why.groups[0].reasons[0]]
    }
    const reason = 'A host’s account is disabled, and meetings need this host. Choose other hosts.'
    assert.deepEqual(await listed('all', 'collective', false), [0, false, [gone.id], reason])
    assert.deepEqual(await listed('fixed', 'round-robin', true), [0, false, [gone.id], reason])
    assert.deepEqual(await listed('turns', 'round-robin', false), [1, true, [cleo.user.id], undefined])
  })

  it('says that a host has not confirmed their hours', async () => {
    const ada = await signIn(under.app, under.mailbox, 'ada@hosts.example')
    const { id } = await addEventType(db(), ada.user)
    await db().updateTable('schedules').set({ confirmed: 0 }).where('user_id', '=', ada.user.id).execute()
    const why = await ada.get(`/event-types/${id}/explain?start=2027-01-12T10:00:00Z`)
    assert.equal(why.statusCode, 200, why.body)
    assert.deepEqual(why.json().groups[0].reasons, ['The host has not confirmed their hours yet.'])
  })

  it('gives reasons in the language of the request', async () => {
    const ada = await signIn(under.app, under.mailbox, 'ada@hosts.example')
    const { id } = await addEventType(db(), ada.user)
    const url = `/api/admin/event-types/${id}/explain?start=2020-01-01T10:07:00Z`
    const headers = { authorization: `Bearer ${ada.token}`, 'accept-language': 'de' }
    const why = await under.app.inject({ url, headers })
    assert.equal(why.json().groups[0].reasons[0], 'Die Zeit liegt in der Vergangenheit.')
  })
})
