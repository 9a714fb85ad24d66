import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { getListed } from '../../test/bookings.ts'
import { connect } from '../../test/connections.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { signInWithToken } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../test/outside/microsoft.ts'
import type { Author } from '../domain/bookings/decisions/author.ts'
import { HOUR, MINUTE } from '../domain/interval.ts'
import { googleProvider } from '../outside/calendars/google/google.ts'
import { googleEventId } from '../outside/calendars/google/writing.ts'
import { microsoftProvider } from '../outside/calendars/microsoft/microsoft.ts'
import { reassign } from '../services/bookings/host/reassign.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }
const OUTLOOK = 'AAMkAGI2-calendar='

onEveryDatabase('bookings in Google and Microsoft calendars', ({ db }) => {
  const clock = stoppedClock()
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    under = await appOn(db(), {
      now: clock.now,
      signup: 'open',
      providers: {
        google: googleProvider(google.settings),
        microsoft: microsoftProvider(microsoft.settings),
      },
    })
  })
  after(async () => {
    await under.app.close()
    await google.close()
    await microsoft.close()
  })

  const runDue = () => runDueJobs(under.context)

  /** A host whose bookings are written to a calendar of this kind. */
  async function hostWith(kind: 'google' | 'microsoft', location: object = { type: 'Video', value: '' }) {
    const host = await signInWithToken(under.app, under.mailbox, `provider-${++hosts}@hosts.example`)
    const connectionId = await connect(under.app, host, kind, kind === 'google' ? google : microsoft)
    const externalId = kind === 'google' ? ADA.address : OUTLOOK
    const calendar = await host.post('/calendars', {
      kind,
      connectionId,
      externalId,
      busy: false,
      writeTo: true,
    })
    assert.equal(calendar.statusCode, 201, calendar.body)
    const answer = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
      location,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return host
  }

  type ProviderHost = Awaited<ReturnType<typeof hostWith>>

  async function book(host: ProviderHost) {
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), TUESDAY_TEN),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    under.mailbox.length = 0
    const manage = String(answer.headers.location).replace('https://book.example.com', '')
    return { id: answer.json().id as string, manage }
  }

  const move = async (host: ProviderHost, id: string) => {
    const startTime = new Date(TUESDAY_TEN + 2 * HOUR).toISOString()
    const moved = await host.post(`/bookings/${id}/reschedule`, { startTime })
    assert.equal(moved.statusCode, 200, moved.body)
    await runDue()
  }
  const cancel = async (host: ProviderHost, id: string) => {
    assert.equal((await host.post(`/bookings/${id}/cancel`, {})).statusCode, 200)
    clock.moveTo(clock.now() + MINUTE)
    await runDue()
  }
  const shown = async (manage: string) =>
    (await under.app.inject({ url: manage })).json().location.value as string
  /** Who got an invitation with the emails. */
  const invited = () => under.mailbox.filter(({ invitation }) => invitation).map(({ to }) => to)

  it('are written to Google once, follow the booking, and the host gets no second invitation', async () => {
    const host = await hostWith('google')
    google.misbehave(/\/events$/, 'truncated')
    const { id } = await book(host)
    await runDue()
    clock.moveTo(clock.now() + 10_000)
    await runDue()
    const [event, ...others] = google.written.current
    assert.deepEqual(others, [])
    assert.equal(event?.id, googleEventId(id))
    assert.equal(event?.summary, 'Talk: Grace Guest')
    assert.equal(event?.start?.dateTime, '2027-01-12T10:00:00.000Z')
    assert.equal(under.mailbox.length, 2)
    assert.ok(!invited().includes(host.user.email))
    assert.equal(invited().length, 1)
    await move(host, id)
    assert.deepEqual(
      google.written.current.map(({ start }) => start?.dateTime),
      ['2027-01-12T12:00:00.000Z'],
    )
    await cancel(host, id)
    assert.deepEqual(google.written.current, [])
  })

  it('are written to Microsoft once, and follow the booking', async () => {
    const host = await hostWith('microsoft')
    microsoft.misbehave(/\/events$/, 'truncated')
    const { id } = await book(host)
    await runDue()
    clock.moveTo(clock.now() + 10_000)
    await runDue()
    assert.deepEqual(
      microsoft.written.current.map(({ subject, start }) => [subject, start?.dateTime]),
      [['Talk: Grace Guest', '2027-01-12T10:00:00']],
    )
    await move(host, id)
    assert.deepEqual(
      microsoft.written.current.map(({ start }) => start?.dateTime),
      ['2027-01-12T12:00:00'],
    )
    await cancel(host, id)
    assert.deepEqual(microsoft.written.current, [])
  })

  /** Deletes all calendars of the stand-in's only account. Returns what brings them back. */
  function deleteAll<T>(calendars: Map<string, T[]>): () => void {
    const [[subject, all] = ['', []]] = calendars
    calendars.set(subject, [])
    return () => calendars.set(subject, all)
  }

  for (const kind of ['google', 'microsoft'] as const) {
    it(`come with an invitation while the calendar at ${kind} is deleted, of which the host is told once`, async () => {
      // With a link to wait for, and without.
      const provider = kind === 'google' ? 'google-meet' : ''
      const host = await hostWith(kind, { type: 'Video', value: '', provider })
      const restore = kind === 'google' ? deleteAll(google.calendars) : deleteAll(microsoft.calendars)
      const [{ id: calendarId }] = (await host.get('/calendars')).json().items
      const view = async () => (await host.get(`/calendars/${calendarId}`)).json()
      /** The subjects of what the host gets, and which of them come with an invitation. */
      const told = async () => {
        for (const wait of [0, 2000, 2000]) {
          clock.moveTo(clock.now() + wait)
          await runDue()
        }
        const mails = under.mailbox.filter(({ to }) => to === host.user.email)
        return mails
          .map(({ subject, invitation }) => [subject.split(/[:“]/)[0], invitation !== undefined])
          .sort()
      }

      const first = await book(host)
      assert.deepEqual(await told(), [
        ['New booking', true],
        ['We can’t find your calendar ', false],
      ])
      const notice = under.mailbox.find(({ subject }) => subject.startsWith('We can’t find'))
      assert.match(notice?.text ?? '', /This calendar was deleted, or is no longer shared/)
      const { lastError } = await view()
      assert.match(lastError, /^This calendar was deleted, or is no longer shared/)

      // The next one is told at once, and the calendar is no news.
      await cancel(host, first.id)
      const second = await book(host)
      await runDue()
      assert.deepEqual(await told(), [['New booking', true]])

      restore()
      await cancel(host, second.id)
      const third = await book(host)
      // Only writing it shows that the calendar is back.
      await told()
      assert.equal((await view()).lastError, '')
      const { current } = kind === 'google' ? google.written : microsoft.written
      assert.equal(current.length, 1)
      await cancel(host, third.id)
      const last = await book(host)
      assert.deepEqual(await told(), [['New booking', false]])
      await cancel(host, last.id)
      assert.deepEqual([google.written.current, microsoft.written.current], [[], []])
    })
  }

  it('get a link of Google Meet, which is asked for until it is there', async () => {
    const host = await hostWith('google', { type: 'Video', value: '', provider: 'google-meet' })
    google.written.pendingFor = 2
    const { id, manage } = await book(host)
    await runDue()
    assert.equal(under.mailbox.length, 0)
    clock.moveTo(clock.now() + 2000)
    await runDue()
    clock.moveTo(clock.now() + 2000)
    await runDue()
    const url = await shown(manage)
    assert.match(url, /^https:\/\/meet\.example\//)
    assert.equal(under.mailbox.length, 2)
    assert.ok(under.mailbox.every(({ text }) => text.includes(url)))
    await move(host, id)
    assert.equal(await shown(manage), url)
    assert.equal(google.written.current[0]?.hangoutLink, url)
    await cancel(host, id)
    assert.equal(await shown(manage), '')
    assert.deepEqual(google.written.current, [])
  })

  it('leave the calendar of a host who hands them over, and come into the new host’s with its link', async () => {
    const hosts = [await hostWith('google'), await hostWith('microsoft')] as const
    const team = await addTeam(db(), `provider-team-${hosts[0].user.slug}`)
    const seats = hosts.map(({ user }) => ({ hostId: user.id, fixed: false }))
    const location = { type: 'Video', value: '', provider: 'microsoft-teams' } as const
    const given = { slug: 'talk', durationMinutes: 60, assignment: 'round-robin', location } as const
    await addEventType(db(), team, { ...given, reminderMinutes: [] }, seats)
    const { id, manage } = await book({ ...hosts[0], user: { ...hosts[0].user, slug: team.slug } })
    const handOver = async (hostId: string) => {
      await runDue()
      // Hosts hear of it once their calendar has it.
      clock.moveTo(clock.now() + 2000)
      await runDue()
      under.mailbox.length = 0
      await reassign(under.context, HOST, await getListed(db(), id), { hostId, reason: '' })
      await runDue()
      clock.moveTo(clock.now() + MINUTE)
      await runDue()
      assert.equal(under.mailbox.length, 3)
    }
    // Ids are in the order of creation, and the first takes the first turn.
    assert.equal((await getListed(db(), id)).hostId, hosts[0].user.id)
    await runDue()
    assert.deepEqual([google.written.current.length, microsoft.written.current.length], [1, 0])
    assert.equal(await shown(manage), '')
    await handOver(hosts[1].user.id)
    assert.deepEqual([google.written.current.length, microsoft.written.current.length], [0, 1])
    const url = await shown(manage)
    assert.match(url, /^https:\/\/teams\.example\//)
    assert.equal(under.mailbox.filter(({ text }) => text.includes(url)).length, 2)
    // Who has the event in their calendar gets no invitation beside it.
    assert.ok(!invited().includes(hosts[1].user.email))
    await handOver(hosts[0].user.id)
    assert.deepEqual([google.written.current.length, microsoft.written.current.length], [1, 0])
    assert.equal(await shown(manage), '')
    assert.ok(under.mailbox.every(({ text }) => !text.includes(url)))
  })

  it('get a link of Google Meet from the host who takes them over', async () => {
    const hosts = [await hostWith('microsoft'), await hostWith('google')] as const
    const before = [google.written.current.length, microsoft.written.current.length] as const
    const added = () => [
      google.written.current.length - before[0],
      microsoft.written.current.length - before[1],
    ]
    const team = await addTeam(db(), `meet-team-${hosts[0].user.slug}`)
    const seats = hosts.map(({ user }) => ({ hostId: user.id, fixed: false }))
    const location = { type: 'Video', value: '', provider: 'google-meet' } as const
    const given = { slug: 'talk', durationMinutes: 60, assignment: 'round-robin', location } as const
    await addEventType(db(), team, { ...given, reminderMinutes: [] }, seats)
    const { id, manage } = await book({ ...hosts[0], user: { ...hosts[0].user, slug: team.slug } })
    const handOver = async (hostId: string) => {
      await reassign(under.context, HOST, await getListed(db(), id), { hostId, reason: '' })
      // Google is asked until the link is there.
      for (const wait of [2000, 2000, MINUTE]) {
        await runDue()
        clock.moveTo(clock.now() + wait)
      }
      await runDue()
      return shown(manage)
    }
    await runDue()
    assert.equal(await shown(manage), '')
    const url = await handOver(hosts[1].user.id)
    assert.match(url, /^https:\/\/meet\.example\//)
    assert.deepEqual(added(), [1, 0])
    assert.equal(await handOver(hosts[0].user.id), '')
    assert.deepEqual(added(), [0, 1])
    assert.match(await handOver(hosts[1].user.id), /^https:\/\/meet\.example\//)
    assert.deepEqual(added(), [1, 0])
    await reassign(under.context, HOST, await getListed(db(), id), { hostId: hosts[0].user.id, reason: '' })
    await runDue()
  })

  it('get a link of Microsoft Teams, which survives a change', async () => {
    const host = await hostWith('microsoft', { type: 'Video', value: '', provider: 'microsoft-teams' })
    const { id, manage } = await book(host)
    await runDue()
    const url = await shown(manage)
    assert.match(url, /^https:\/\/teams\.example\//)
    assert.equal(under.mailbox.length, 2)
    assert.ok(under.mailbox.every(({ text }) => text.includes(url)))
    await move(host, id)
    assert.equal(microsoft.written.current[0]?.isOnlineMeeting, true)
    assert.equal(await shown(manage), url)
    await cancel(host, id)
    assert.deepEqual(microsoft.written.current, [])
  })
})
