import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { connect } from '../../test/connections.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { bearer, type Host, signIn } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../test/outside/microsoft.ts'
import type { Fault } from '../../test/outside/stand-in.ts'
import { formatInstant } from '../domain/instant.ts'
import { HOUR, MINUTE } from '../domain/interval.ts'
import { googleProvider } from '../outside/calendars/google/google.ts'
import { microsoftProvider } from '../outside/calendars/microsoft/microsoft.ts'
import { refreshDueCalendars } from '../services/calendars/refresh.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR
const KINDS = ['google', 'microsoft'] as const
type Kind = (typeof KINDS)[number]

onEveryDatabase('an event that we wrote, read back from its provider', ({ db }) => {
  const clock = stoppedClock()
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
    }
    under = await appOn(db(), { now: clock.now, signup: 'open', providers })
  })
  after(async () => {
    await under.app.close()
    await google.close()
    await microsoft.close()
  })

  interface Talk {
    readonly kind: Kind
    readonly host: Host
    readonly bookingId: string
    /** Other hosts' meetings would block time in a shared calendar. */
    readonly externalId: string
    /** The provider's id of the event. */
    readonly eventId: string
  }

  const writtenAt = (kind: Kind) => (kind === 'google' ? google.written : microsoft.written)
  const readingsOf = (kind: Kind) => (kind === 'google' ? google.readings : microsoft.readings)

  /** Adds a calendar to the account. */
  function addCalendar(kind: Kind, externalId: string): void {
    if (kind === 'google') {
      google.calendars.get(ADA.subject)?.push({ id: externalId, summary: externalId, accessRole: 'owner' })
    } else {
      const [all = []] = microsoft.calendars.values()
      all.push({ id: externalId, name: externalId, canEdit: true })
    }
  }

  /** Connects another calendar of the host's account, and returns its name at the provider. */
  async function connectSecond({ kind, host }: Talk): Promise<string> {
    const externalId = `second-${hosts}`
    addCalendar(kind, externalId)
    const [{ id: connectionId }] = (await host.get('/connections')).json().items
    const calendar = await host.post('/calendars', { kind, connectionId, externalId })
    assert.equal(calendar.statusCode, 201, calendar.body)
    await refresh()
    return externalId
  }

  /** The host's events in a calendar, by their times. */
  const startsAt = (kind: Kind, externalId: string) =>
    (kind === 'google' ? google : microsoft)
      .eventsOf(externalId)
      .events.map(({ start }) => start?.dateTime?.slice(11, 16))

  /** A host with one meeting on Tuesday at ten, which is in a calendar that blocks time as well. */
  async function talk(kind: Kind, ...faults: readonly Fault[]): Promise<Talk> {
    const externalId = `calendar-${++hosts}`
    addCalendar(kind, externalId)
    const signedIn = await signIn(under.app, under.mailbox, `reader-${hosts}@hosts.example`)
    const { token } = (await signedIn.post('/tokens', { name: 'Test', scopes: ['write'] })).json()
    const host: Host = { ...signedIn, ...bearer(under.app, token) }
    const connectionId = await connect(under.app, host, kind, kind === 'google' ? google : microsoft)
    const calendar = await host.post('/calendars', { kind, connectionId, externalId, writeTo: true })
    assert.equal(calendar.statusCode, 201, calendar.body)
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
    })
    assert.equal(made.statusCode, 201, made.body)
    await refresh()
    const before = writtenAt(kind).current.length
    const standIn = kind === 'google' ? google : microsoft
    const booked = await book(host, TUESDAY_TEN)
    assert.equal(booked.statusCode, 201, booked.body)
    standIn.misbehave(/\/events$/, ...faults)
    await runDueJobs(under.context)
    assert.equal(writtenAt(kind).current.length, before + 1)
    const eventId = writtenAt(kind).current.at(-1)?.id ?? ''
    return { kind, host, bookingId: booked.json().id, externalId, eventId }
  }
  const book = (host: Host, start: number) =>
    under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start),
      headers: fromSomeoneNew(),
    })
  async function refresh(): Promise<void> {
    clock.moveTo(clock.now() + 11 * MINUTE)
    await refreshDueCalendars(under.context)
  }
  const viewOf = async ({ host, bookingId }: Talk) => (await host.get(`/bookings/${bookingId}`)).json()
  const differenceOf = async (of: Talk) => (await viewOf(of)).calendarDifference
  const act = ({ host, bookingId }: Talk, action: string) => host.post(`/bookings/${bookingId}/${action}`, {})
  const startsIn = async ({ host }: Talk): Promise<string[]> => {
    const query = 'timezone=UTC&dateFrom=2027-01-12&dateTo=2027-01-12'
    const answer = await under.app.inject(`/api/public/scheduling/${host.user.slug}/talk/slots?${query}`)
    const days = answer.json() as { slots: { startTime: string }[] }[]
    return days.flatMap(({ slots }) => slots.map(({ startTime }) => startTime))
  }
  const busyTimesOf = async ({ host }: Talk) =>
    (await host.get('/calendars')).json().items.map((one: { busyTimes: number }) => one.busyTimes)
  /** The event's start as the provider has it; undefined if it is gone. */
  const startAt = ({ kind, eventId }: Talk) => {
    const event = writtenAt(kind).current.find(({ id }) => id === eventId)
    const text = event?.start?.dateTime
    return text && Date.parse(text.endsWith('Z') ? text : `${text}Z`)
  }

  for (const kind of KINDS) {
    for (const isRead of [true, false]) {
      const when = isRead ? 'once it was read' : 'before anything was read'
      it(`is followed to the host’s second calendar, ${when} (${kind})`, async () => {
        const own = await talk(kind)
        const second = await connectSecond(own)
        writtenAt(kind).moveTo(own.eventId, second)
        if (isRead) {
          for (let n = 0; n < 2; n++) await refresh()
          assert.equal(await differenceOf(own), null)
          assert.deepEqual(await busyTimesOf(own), [0, 0])
        }
        const startTime = formatInstant(TUESDAY_TEN + 3 * HOUR)
        const moved = await own.host.post(`/bookings/${own.bookingId}/reschedule`, { startTime })
        assert.equal(moved.statusCode, 200, moved.body)
        await runDueJobs(under.context)
        assert.deepEqual(startsAt(kind, second), ['13:00'])
        assert.deepEqual(startsAt(kind, own.externalId), [])
        await refresh()
        assert.equal(await differenceOf(own), null)

        // What the host does to it there is seen, too.
        const [event] = writtenAt(kind).current.slice(-1)
        writtenAt(kind).move(event?.id ?? '', TUESDAY_TEN + 5 * HOUR, TUESDAY_TEN + 6 * HOUR)
        await refresh()
        assert.equal((await differenceOf(own)).kind, 'moved')
        assert.equal((await act(own, 'cancel')).statusCode, 200)
        await runDueJobs(under.context)
        assert.deepEqual(startsAt(kind, second), [])
        assert.deepEqual(startsAt(kind, own.externalId), [])
      })
    }

    it(`is removed from the host’s second calendar with its booking (${kind})`, async () => {
      const own = await talk(kind)
      const second = await connectSecond(own)
      writtenAt(kind).moveTo(own.eventId, second)
      assert.equal((await act(own, 'cancel')).statusCode, 200)
      await runDueJobs(under.context)
      assert.deepEqual(startsAt(kind, second), [])
    })

    it(`is ours, and blocks nothing twice (${kind})`, async () => {
      const own = await talk(kind)
      const { full, changes } = { ...readingsOf(kind) }
      await refresh()
      assert.equal(readingsOf(kind).full, full, 'only changes are read')
      assert.ok(readingsOf(kind).changes > changes)
      assert.equal(await differenceOf(own), null)
      assert.deepEqual(await busyTimesOf(own), [0])
      // Once cancelled, nothing is left of it, here or there.
      assert.equal((await act(own, 'cancel')).statusCode, 200)
      await runDueJobs(under.context)
      assert.equal(startAt(own), undefined)
      await refresh()
      assert.ok((await startsIn(own)).includes(formatInstant(TUESDAY_TEN)))
    })

    it(`is ours before we know its id, because the answer was lost (${kind})`, async () => {
      const own = await talk(kind, 'truncated')
      const { href } = await db()
        .selectFrom('calendar_events')
        .select('href')
        .where('meeting_id', '=', own.bookingId)
        .executeTakeFirstOrThrow()
      assert.equal(href, '')
      await refresh()
      assert.deepEqual(await busyTimesOf(own), [0])
      await runDueJobs(under.context)
      await refresh()
      assert.equal(await differenceOf(own), null)
      assert.deepEqual(await busyTimesOf(own), [0])
    })

    it(`blocks where its host has moved it, and can be followed or put back (${kind})`, async () => {
      const moved = await talk(kind)
      const later = TUESDAY_TEN + 3 * HOUR
      writtenAt(kind).move(moved.eventId, later, later + HOUR)
      await refresh()
      const { seenAt, ...difference } = await differenceOf(moved)
      assert.ok(seenAt)
      assert.deepEqual(difference, {
        kind: 'moved',
        startTime: formatInstant(later),
        endTime: formatInstant(later + HOUR),
      })
      for (const start of [TUESDAY_TEN, later]) {
        assert.ok(!(await startsIn(moved)).includes(formatInstant(start)))
        assert.equal((await book(moved.host, start)).statusCode, 400)
      }
      assert.equal((await act(moved, 'restore-calendar')).statusCode, 200)
      await runDueJobs(under.context)
      assert.equal(startAt(moved), TUESDAY_TEN)
      await refresh()
      assert.equal(await differenceOf(moved), null)
      assert.ok((await startsIn(moved)).includes(formatInstant(later)))

      writtenAt(kind).move(moved.eventId, later, later + HOUR)
      await refresh()
      const followed = await act(moved, 'follow-calendar')
      assert.equal(followed.statusCode, 200, followed.body)
      assert.equal(followed.json().startTime, formatInstant(later))
      await runDueJobs(under.context)
      await refresh()
      assert.equal(await differenceOf(moved), null)
      assert.equal(startAt(moved), later)
      assert.ok((await startsIn(moved)).includes(formatInstant(TUESDAY_TEN)))
    })

    it(`changes nothing when its host has deleted it, until they say so (${kind})`, async () => {
      const deleted = await talk(kind)
      await refresh()
      writtenAt(kind).remove(deleted.eventId)
      await refresh()
      assert.equal((await differenceOf(deleted)).kind, 'deleted')
      assert.equal((await viewOf(deleted)).status, 'Confirmed')
      assert.equal((await book(deleted.host, TUESDAY_TEN)).statusCode, 400)

      assert.equal((await act(deleted, 'restore-calendar')).statusCode, 200)
      await runDueJobs(under.context)
      await refresh()
      assert.equal(await differenceOf(deleted), null)
      const [restored] = writtenAt(kind).current.slice(-1)
      assert.ok(restored?.id)

      writtenAt(kind).remove(restored.id)
      await refresh()
      const followed = await act(deleted, 'follow-calendar')
      assert.equal(followed.statusCode, 200, followed.body)
      assert.equal(followed.json().status, 'Cancelled')
      await runDueJobs(under.context)
      await refresh()
      assert.ok((await startsIn(deleted)).includes(formatInstant(TUESDAY_TEN)))
    })
  }
})
