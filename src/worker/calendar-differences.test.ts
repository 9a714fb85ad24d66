import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CalDavServer } from '../../test/caldav-server.ts'
import { onEveryCalDavServer } from '../../test/calendar-servers.ts'
import { type Host, signInWithToken } from '../../test/host-api.ts'
import { jobsOf } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { formatInstant } from '../domain/instant.ts'
import { HOUR, MINUTE } from '../domain/interval.ts'
import type { Mail } from '../outside/mail/mail.ts'
import { refreshDueCalendars } from '../services/calendars/refresh.ts'
import { findAnyCalendar, leaseCalendar, updateRefreshState } from '../store/calendars/calendars.ts'
import { findUpcomingEntries, updateDifference } from '../store/calendars/entries.ts'
import { HANDLERS } from './handlers.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR
const NEW_CALENDAR = `<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set>
  <d:prop><d:displayname>Work</d:displayname><c:supported-calendar-component-set><c:comp name="VEVENT"/>
  </c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`
const stamp = (instant: number) => formatInstant(instant).replaceAll(/[-:]/g, '')

onEveryCalDavServer('a calendar that its host has changed', ({ db }, startCalDav) => {
  let remote: CalDavServer
  let under: AppUnderTest
  const clock = stoppedClock()
  let hosts = 0

  before(async () => {
    remote = await startCalDav()
    under = await appOn(db(), { now: clock.now, signup: 'open' })
  })
  after(async () => {
    await under.app.close()
    await remote.stop()
  })

  interface Talk {
    readonly host: Host
    readonly calendarId: string
    readonly bookingId: string
    readonly url: string
  }

  /** A host with one meeting on Tuesday at ten, which is in their calendar. */
  async function talk(settings: object = {}): Promise<Talk> {
    const host = await signInWithToken(under.app, under.mailbox, `mover-${++hosts}@hosts.example`)
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      abuse: plainEventType().abuse,
      ...settings,
    })
    assert.equal(made.statusCode, 201, made.body)
    const { username, password } = remote
    // Other hosts' meetings would block time in a shared one.
    const url = `${remote.url}/${username}/of-${host.user.slug}/`
    const created = await remote.request('MKCALENDAR', url, NEW_CALENDAR)
    assert.equal(created.status, 201, created.text)
    const calendar = { kind: 'caldav', name: 'Work', url, username, password, writeTo: true }
    const connected = await host.post('/calendars', calendar)
    assert.equal(connected.statusCode, 201, connected.body)
    const booked = await book(host, TUESDAY_TEN)
    assert.equal(booked.statusCode, 201, booked.body)
    const bookingId: string = booked.json().id
    await work()
    await refresh()
    const talk = { host, calendarId: connected.json().id, bookingId, url: `${url}${bookingId}.ics` }
    assert.equal(await differenceOf(talk), null)
    return talk
  }

  let guests = 0
  const book = (host: Host, start: number) =>
    under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start, {
        inviteeEmail: `guest-${++guests}@guests.example`,
      }),
      headers: fromSomeoneNew(),
    })

  /** Does what waits in the outbox, and returns the mails. */
  async function work(): Promise<Mail[]> {
    const before = under.mailbox.length
    for (const kind of ['announce', 'mail', 'calendar-write'] as const) {
      for (const job of await jobsOf(db(), kind)) {
        await HANDLERS[kind](under.context, job, () => {})
        await db().deleteFrom('outbox').where('id', '=', job.id).execute()
      }
    }
    return under.mailbox.slice(before)
  }

  /** Reads all calendars, as happens every ten minutes. */
  async function refresh(): Promise<void> {
    await db().updateTable('calendars').set({ next_refresh_at: 0, leased_until: 0 }).execute()
    await refreshDueCalendars(under.context)
  }

  /** Moves the event by hand, as the host's program does. */
  async function moveByHand({ url }: Talk, start: number, end = start + HOUR): Promise<void> {
    const { text } = await remote.request('GET', url)
    const moved = text
      .replace(/^DTSTART.*$/m, `DTSTART:${stamp(start)}`)
      .replace(/^DTEND.*$/m, `DTEND:${stamp(end)}`)
      // Some programs count their own changes.
      .replace(/^SEQUENCE.*$/m, 'SEQUENCE:7')
    const { status } = await remote.request('PUT', url, moved)
    // RFC 9110 asks for 204 where something is replaced. Radicale does so since 3.5.2.
    assert.ok(status === 204 || status === 201, String(status))
  }

  const viewOf = async ({ host, bookingId }: Talk) => {
    const answer = await host.get(`/bookings/${bookingId}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const differenceOf = async (talk: Talk) => (await viewOf(talk)).calendarDifference

  const startsIn = async ({ host }: Talk): Promise<string[]> => {
    const query = 'timezone=UTC&dateFrom=2027-01-12&dateTo=2027-01-12'
    const url = `/api/public/scheduling/${host.user.slug}/talk/slots?${query}`
    const answer = await under.app.inject({ url })
    assert.equal(answer.statusCode, 200, answer.body)
    const days = answer.json() as { slots: { startTime: string }[] }[]
    return days.flatMap(({ slots }) => slots.map(({ startTime }) => startTime))
  }

  const startInCalendar = async ({ url }: Talk) => {
    const { status, text } = await remote.request('GET', url)
    return status === 200 ? /^DTSTART[^:]*:(\S+)/m.exec(text)?.[1] : undefined
  }

  const act = ({ host, bookingId }: Talk, action: string) => host.post(`/bookings/${bookingId}/${action}`, {})

  const seenAt = formatInstant(MONDAY_NOON)
  const movedTo = (start: number, end = start + HOUR) => ({
    kind: 'moved',
    startTime: formatInstant(start),
    endTime: formatInstant(end),
    seenAt,
  })

  it('blocks where an event was moved to, besides the meeting’s own time, and the host sees it', async () => {
    const moved = await talk()
    await moveByHand(moved, TUESDAY_TEN + 3 * HOUR)
    await refresh()
    assert.deepEqual(await differenceOf(moved), movedTo(TUESDAY_TEN + 3 * HOUR))
    const [listed] = (await moved.host.get('/bookings')).json().items
    assert.deepEqual(listed.calendarDifference, movedTo(TUESDAY_TEN + 3 * HOUR))
    const starts = await startsIn(moved)
    assert.ok(starts.includes(formatInstant(TUESDAY_TEN + 2 * HOUR)))
    for (const start of [TUESDAY_TEN, TUESDAY_TEN + 3 * HOUR]) {
      assert.ok(!starts.includes(formatInstant(start)))
      assert.equal((await book(moved.host, start)).statusCode, 400)
    }
    // By their own hand, the two agree again.
    await moveByHand(moved, TUESDAY_TEN)
    await refresh()
    assert.equal(await differenceOf(moved), null)
    assert.ok((await startsIn(moved)).includes(formatInstant(TUESDAY_TEN + 3 * HOUR)))
  })

  it('is followed: the meeting moves to the calendar’s time, and the guest is told', async () => {
    const moved = await talk()
    // Off the grid, outside the hours, and longer.
    const [start, end] = [TUESDAY_TEN + 12 * HOUR + 420_000, TUESDAY_TEN + 14 * HOUR]
    await moveByHand(moved, start, end)
    await refresh()
    const followed = await act(moved, 'follow-calendar')
    assert.equal(followed.statusCode, 200, followed.body)
    assert.equal(followed.json().startTime, formatInstant(start))
    assert.equal(followed.json().endTime, formatInstant(end))
    const mails = await work()
    assert.equal(mails.length, 2)
    for (const { subject, invitation } of mails) {
      assert.match(subject, /New time/)
      assert.match(invitation?.ics ?? '', new RegExp(`DTSTART:${stamp(start)}`))
    }
    assert.equal(await startInCalendar(moved), stamp(start))
    await refresh()
    assert.equal(await differenceOf(moved), null)
    assert.ok((await startsIn(moved)).includes(formatInstant(TUESDAY_TEN)))
    const again = await act(moved, 'follow-calendar')
    assert.equal(again.statusCode, 409, again.body)
  })

  it('is not followed into another meeting', async () => {
    const moved = await talk()
    assert.equal((await book(moved.host, TUESDAY_TEN + 2 * HOUR)).statusCode, 201)
    await moveByHand(moved, TUESDAY_TEN + 2.5 * HOUR)
    await refresh()
    const refused = await act(moved, 'follow-calendar')
    assert.equal(refused.statusCode, 400, refused.body)
    assert.equal((await viewOf(moved)).startTime, formatInstant(TUESDAY_TEN))
  })

  it('is put back where the host asks for it', async () => {
    const moved = await talk()
    await moveByHand(moved, TUESDAY_TEN + 3 * HOUR)
    await refresh()
    const restored = await act(moved, 'restore-calendar')
    assert.equal(restored.statusCode, 200, restored.body)
    assert.equal((await work()).length, 0)
    assert.equal(await startInCalendar(moved), stamp(TUESDAY_TEN))
    assert.equal(await differenceOf(moved), null)
    // The write made the calendar due, so the time is free again soon.
    await refreshDueCalendars(under.context)
    assert.ok((await startsIn(moved)).includes(formatInstant(TUESDAY_TEN + 3 * HOUR)))
    assert.equal((await act(moved, 'restore-calendar')).statusCode, 409)
  })

  it('changes nothing about a meeting whose event was deleted, until the host says so', async () => {
    const deleted = await talk()
    await remote.request('DELETE', deleted.url)
    await refresh()
    assert.deepEqual(await differenceOf(deleted), { kind: 'deleted', seenAt })
    assert.equal((await viewOf(deleted)).status, 'Confirmed')
    assert.equal((await book(deleted.host, TUESDAY_TEN)).statusCode, 400)

    assert.equal((await act(deleted, 'restore-calendar')).statusCode, 200)
    await work()
    assert.equal(await startInCalendar(deleted), stamp(TUESDAY_TEN))
    assert.equal(await differenceOf(deleted), null)

    await remote.request('DELETE', deleted.url)
    await refresh()
    const followed = await act(deleted, 'follow-calendar')
    assert.equal(followed.statusCode, 200, followed.body)
    assert.equal(followed.json().status, 'Cancelled')
    assert.equal(followed.json().calendarDifference, null)
    const mails = await work()
    assert.deepEqual(
      mails.map(({ invitation }) => invitation?.method),
      ['CANCEL', 'CANCEL'],
    )
  })

  it('has no difference while we are about to write the event again', async () => {
    const leaving = await talk()
    const startTime = formatInstant(TUESDAY_TEN + 2 * HOUR)
    const moved = await leaving.host.post(`/bookings/${leaving.bookingId}/reschedule`, { startTime })
    assert.equal(moved.statusCode, 200, moved.body)
    await moveByHand(leaving, TUESDAY_TEN + 4 * HOUR)
    await refresh()
    assert.equal(await differenceOf(leaving), null)
  })

  it('moves or cancels a seated meeting with all its guests', async () => {
    const moved = await talk({ seats: 3 })
    const second: string = (await book(moved.host, TUESDAY_TEN)).json().id
    await work()
    await moveByHand(moved, TUESDAY_TEN + 3 * HOUR)
    await refresh()
    assert.equal((await act({ ...moved, bookingId: second }, 'follow-calendar')).statusCode, 200)
    for (const bookingId of [moved.bookingId, second]) {
      const { startTime, meetingId } = await viewOf({ ...moved, bookingId })
      assert.deepEqual([startTime, meetingId], [formatInstant(TUESDAY_TEN + 3 * HOUR), moved.bookingId])
    }
    assert.equal((await work()).filter(({ to }) => to !== moved.host.user.email).length, 2)
    assert.equal(await startInCalendar(moved), stamp(TUESDAY_TEN + 3 * HOUR))

    await remote.request('DELETE', moved.url)
    await refresh()
    assert.equal((await act(moved, 'follow-calendar')).statusCode, 200)
    for (const bookingId of [moved.bookingId, second]) {
      assert.equal((await viewOf({ ...moved, bookingId })).status, 'Cancelled')
    }
    await work()
  })

  it('stays as the host has left it when a guest joins', async () => {
    const moved = await talk({ seats: 3 })
    await moveByHand(moved, TUESDAY_TEN + 3 * HOUR)
    await refresh()
    assert.equal((await book(moved.host, TUESDAY_TEN)).statusCode, 201)
    await work()
    assert.equal(await startInCalendar(moved), stamp(TUESDAY_TEN + 3 * HOUR))
    assert.match((await remote.request('GET', moved.url)).text, /SUMMARY:Talk: 2 of 3 seats/)
    await refresh()
    assert.deepEqual(await differenceOf(moved), movedTo(TUESDAY_TEN + 3 * HOUR))
  })

  it('has no difference because we have written the event while the calendar was read', async () => {
    const written = await talk()
    const calendar = { id: written.calendarId, userId: written.host.user.id }
    const span = { start: MONDAY_NOON, end: TUESDAY_TEN + HOUR }
    const [entry] = await findUpcomingEntries(db(), calendar, span)
    assert.ok(entry)
    const store = (version: number) =>
      db()
        .transaction()
        .execute((trx) => {
          const key = { calendarId: calendar.id, meetingId: entry.meetingId }
          return updateDifference(trx, { ...key, version }, { kind: 'deleted' }, MONDAY_NOON)
        })
    await store(entry.version - 1)
    assert.equal(await differenceOf(written), null)
    await store(entry.version)
    assert.deepEqual(await differenceOf(written), { kind: 'deleted', seenAt })
  })

  it('is seen to be as before our writing, also by a refresh that began before it', async () => {
    const deleted = await talk()
    await remote.request('DELETE', deleted.url)
    await refresh()
    const begun = await findAnyCalendar(db(), deleted.calendarId)
    assert.ok(begun)
    const leasedUntil = begun.nextRefreshAt + MINUTE
    assert.ok(await leaseCalendar(db(), begun, leasedUntil, MINUTE))
    assert.equal((await act(deleted, 'restore-calendar')).statusCode, 200)
    await work()
    // What it has read is true no more.
    assert.ok(await updateRefreshState(db(), { id: begun.id, leasedUntil }, begun, begun.notices))
    assert.equal(await differenceOf(deleted), null)
    await remote.request('DELETE', deleted.url)
    await refresh()
    assert.deepEqual(await differenceOf(deleted), { kind: 'deleted', seenAt })
  })

  it('is nobody’s concern but the host’s', async () => {
    const [own, other] = [await talk(), await talk()]
    await moveByHand(own, TUESDAY_TEN + 3 * HOUR)
    await refresh()
    for (const action of ['follow-calendar', 'restore-calendar']) {
      assert.equal((await act({ ...own, host: other.host }, action)).statusCode, 404)
    }
  })
})
