import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { HOUR, MINUTE } from '../../src/domain/interval.ts'
import { say } from '../../src/domain/sentence.ts'
import { kindsOf } from '../../src/outside/kinds/kind.ts'
import { REGISTERED } from '../../src/outside/registry.ts'
import { refreshDueCalendars } from '../../src/services/calendars/refresh.ts'
import { checkProviders } from '../../src/services/workspace/checks/check-providers.ts'
import { readWorkspace } from '../../src/services/workspace/document/document.ts'
import { exportWorkspace } from '../../src/services/workspace/document/export.ts'
import { readSettings } from '../../src/settings.ts'
import { providersOf, surroundingsOf } from '../../src/start.ts'
import { sampleWork } from '../../src/store/work-sample.ts'
import { connect } from '../connections.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { runDueJobs } from '../jobs.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../kit.ts'
import { NEIL, ORBIT_CALENDAR, type OrbitStandIn, startOrbit } from '../outside/orbit.ts'
import { orbit } from './orbit/kind.ts'

// The one line with which the registry gets another provider.
const KINDS = kindsOf([...REGISTERED, orbit])

const SITE = 'https://book.example.com'
const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

onEveryDatabase('a fourth provider, with one folder and one line', ({ db }) => {
  const clock = stoppedClock()
  let outside: OrbitStandIn
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    outside = await startOrbit({ now: clock.now })
    const settings = readSettings(outside.environment, KINDS)
    const providers = providersOf(settings, KINDS)
    under = await appOn(db(), { now: clock.now, signup: 'open', providers, kinds: KINDS })
    await under.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = under.app.server.address() as AddressInfo
    outside.pushes.reach(SITE, `http://127.0.0.1:${port}`)
  })
  after(async () => {
    await under.app.close()
    await outside.close()
  })

  const later = (wait: number) => clock.moveTo(clock.now() + wait)

  interface OrbitHost extends Host {
    readonly connectionId: string
    readonly calendarId: string
  }

  /** A host with a calendar at Orbit that is checked for conflicts and gets the bookings. */
  async function hostAtOrbit(): Promise<OrbitHost> {
    for (const { id } of outside.events) outside.move(id, 0, 1)
    const host = await signInWithToken(under.app, under.mailbox, `orbit-${++hosts}@hosts.example`)
    const connectionId = await connect(under.app, host, 'orbit', outside)
    const body = { kind: 'orbit', connectionId, externalId: ORBIT_CALENDAR, writeTo: true }
    const made = await host.post('/calendars', body)
    assert.equal(made.statusCode, 201, made.body)
    const eventType = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
      location: { type: 'Video', value: '', provider: 'orbit-room' },
    })
    assert.equal(eventType.statusCode, 201, eventType.body)
    await settle()
    return { ...host, connectionId, calendarId: made.json().id }
  }

  /** Does all that is due: jobs, notices, readings. */
  async function settle(): Promise<void> {
    await runDueJobs(under.context)
    await outside.pushes.settled()
    later(3000)
    await refreshDueCalendars(under.context)
  }

  const starts = async ({ user }: Host): Promise<string[]> => {
    const range = new URLSearchParams({ dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' })
    const answer = await under.app.inject({
      url: `/api/public/scheduling/${user.slug}/talk/slots?${range}`,
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return [...answer.body.matchAll(/"startTime":"[^"]*T(\d\d:\d\d)/g)].map(([, time = '']) => time)
  }

  const book = ({ user }: Host, startsAt = TUESDAY_TEN) =>
    under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), startsAt),
      headers: fromSomeoneNew(),
    })

  it('tells the dashboard what it is called and what it can do', async () => {
    const host = await hostAtOrbit()
    const { kinds } = (await host.get('/connections/kinds')).json()
    assert.deepEqual(kinds.at(-1), {
      name: 'orbit',
      title: 'Orbit',
      calendars: 'account',
      live: true,
      account: true,
      asksPermissions: true,
      link: { name: 'orbit-room', title: 'Orbit Room', withEvent: true },
    })
    assert.deepEqual((await host.get('/connections/providers')).json(), {
      providers: ['orbit'],
      meetingLinks: ['orbit-room'],
    })
    const [connection] = (await host.get('/connections')).json().items
    assert.deepEqual([connection.provider, connection.account], ['orbit', NEIL.address])
    const { calendars } = (await host.get(`/connections/${host.connectionId}/calendars`)).json()
    assert.deepEqual(
      calendars.map(({ name }: { name: string }) => name),
      ['Tranquility'],
    )
    const refused = await host.post('/calendars', { kind: 'elsewhere' })
    assert.match(refused.body, /microsoft, orbit/)
  })

  it('is read, so that a busy time is not offered', async () => {
    const host = await hostAtOrbit()
    assert.ok((await starts(host)).includes('10:00'))
    outside.add('lunch', TUESDAY_TEN, TUESDAY_TEN + HOUR)
    assert.equal((await host.post(`/calendars/${host.calendarId}/refresh`)).statusCode, 200)
    assert.ok(!(await starts(host)).includes('10:00'))
  })

  it('tells us of a change, and the calendar is read again', async () => {
    const host = await hostAtOrbit()
    assert.deepEqual(outside.watches.length > 0, true)
    outside.add('call', TUESDAY_TEN + HOUR, TUESDAY_TEN + 2 * HOUR)
    await settle()
    assert.ok(outside.pushes.statuses.includes(202))
    assert.ok(!(await starts(host)).includes('11:00'))
    const forged = await under.app.inject({
      method: 'POST',
      url: '/api/hooks/orbit',
      payload: { watch: outside.watches[0]?.name, secret: 'guessed' },
      headers: fromSomeoneNew(),
    })
    assert.equal(forged.statusCode, 404)
  })

  it('is asked at the moment of booking', async () => {
    const host = await hostAtOrbit()
    later(2 * MINUTE)
    outside.pushes.fate = () => 'lost'
    outside.add('surprise', TUESDAY_TEN, TUESDAY_TEN + HOUR)
    const answer = await book(host)
    outside.pushes.fate = () => 'sent'
    assert.equal(answer.statusCode, 400, answer.body)
    assert.match(answer.json().error, /no longer available/)
  })

  it('gets bookings with their rooms, follows them, and notices what the host has moved', async () => {
    const host = await hostAtOrbit()
    const answer = await book(host)
    assert.equal(answer.statusCode, 201, answer.body)
    const { id } = answer.json()
    await settle()
    const ours = () => outside.events.filter(({ meeting }) => meeting === id)
    assert.deepEqual(
      ours().map(({ title, from, to }) => ({ title, from, to })),
      [{ title: 'Talk: Grace Guest', from: TUESDAY_TEN, to: TUESDAY_TEN + HOUR }],
    )
    const [{ room = '' } = {}] = ours()
    assert.match(room, /^https:\/\/rooms\.orbit\.example\//)
    const shown = async () => (await host.get(`/bookings/${id}`)).json()
    assert.equal((await shown()).location.value, room)

    const startTime = new Date(TUESDAY_TEN + 2 * HOUR).toISOString()
    assert.equal((await host.post(`/bookings/${id}/reschedule`, { startTime })).statusCode, 200)
    await settle()
    assert.deepEqual(
      ours().map(({ from, room }) => ({ from, room })),
      [{ from: TUESDAY_TEN + 2 * HOUR, room }],
    )

    outside.move(ours()[0]?.id ?? '', TUESDAY_TEN + 3 * HOUR, TUESDAY_TEN + 4 * HOUR)
    await settle()
    assert.match(JSON.stringify(await shown()), /"moved"/)

    assert.equal((await host.post(`/bookings/${id}/cancel`, {})).statusCode, 200)
    await settle()
    assert.deepEqual(ours(), [])
  })

  it('can be exported and imported, and is counted', async () => {
    const host = await hostAtOrbit()
    const file = JSON.stringify(
      await exportWorkspace(db(), { users: [host.user.slug], teams: [], withBookings: false }, clock.now()),
    )
    const { users } = readWorkspace(file, KINDS)
    const own = users.find(({ email }) => email === host.user.email)
    assert.equal(own?.eventTypes[0]?.location.provider, 'orbit-room')
    assert.throws(() => readWorkspace(file), /location/)
    const { calendars } = await sampleWork(db(), clock.now(), KINDS.names.calendars)
    assert.ok((calendars.orbit?.working ?? 0) > 0)
  })

  it('is disconnected with its channel and its tokens', async () => {
    const host = await hostAtOrbit()
    const [watches, revoked] = [outside.watches.length, outside.oauth.revoked.length]
    assert.equal((await host.del(`/connections/${host.connectionId}`)).statusCode, 204)
    await settle()
    assert.equal(outside.watches.length, watches - 1)
    assert.deepEqual((await host.get('/calendars')).json().items, [])
    assert.ok(outside.oauth.revoked.length >= revoked)
  })

  it('is named in the mail about an account that must be connected again', async () => {
    const host = await hostAtOrbit()
    outside.oauth.endAccess(NEIL.subject)
    assert.equal((await host.post(`/calendars/${host.calendarId}/refresh`)).statusCode, 200)
    under.mailbox.length = 0
    await runDueJobs(under.context)
    const mail = under.mailbox.find(({ to }) => to === host.user.email)
    assert.match(mail?.text ?? '', /Orbit/)
    const [connection] = (await host.get('/connections')).json().items
    assert.equal(connection.status, 'reconnect')
  })

  it('is examined by the doctor', async () => {
    const examine = async (given: object = {}) => {
      const settings = readSettings({ ...outside.environment, PUBLIC_URL: SITE, ...given }, KINDS)
      const findings = await checkProviders(surroundingsOf(settings), providersOf(settings, KINDS))
      return findings.map(({ what, state, says, advice }) => ({
        what: say(what),
        state,
        says: say(says),
        ...(advice && { advice: say(advice) }),
      }))
    }
    assert.deepEqual(await examine(), [
      {
        what: 'Orbit',
        state: 'ok',
        says: `answers; its client must have the redirect address ${SITE}/connections/orbit/callback`,
      },
    ])
    const [wrong] = await examine({ ORBIT_CLIENT_SECRET: 'of-last-year' })
    assert.equal(wrong?.state, 'broken')
    assert.match(wrong?.advice ?? '', /ORBIT_CLIENT_SECRET/)
    assert.throws(() => readSettings({ ORBIT_CLIENT_ID: 'alone' }, KINDS), /ORBIT_CLIENT_SECRET/)
  })
})
