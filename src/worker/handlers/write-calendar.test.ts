import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import type { CalDavServer } from '../../../test/caldav-server.ts'
import { onEveryCalDavServer } from '../../../test/calendar-servers.ts'
import { type Host, signInWithToken } from '../../../test/host-api.ts'
import { jobsOf } from '../../../test/jobs.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import { anyText } from '../../../test/nasty-text.ts'
import { type Booking, uidOf } from '../../domain/bookings/booking.ts'
import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import { unknownSpan } from '../../domain/calendars/calendar.ts'
import { HOUR, MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { writeCalendarEvents } from '../../format/icalendar/event.ts'
import { completeBookings } from '../../services/bookings/complete.ts'
import { calendarJobsFor } from '../../services/calendars/jobs.ts'
import { refreshDueCalendars } from '../../services/calendars/refresh.ts'
import type { Context } from '../../services/context.ts'
import { seal } from '../../services/seal.ts'
import { eraseGuest } from '../../services/workspace/erasure/erase.ts'
import { findBooking } from '../../store/bookings/list.ts'
import { newId } from '../../store/new-id.ts'
import { HANDLERS } from '../handlers.ts'
import { writeCalendar } from './write-calendar.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

onEveryCalDavServer('bookings in a CalDAV calendar', ({ db }, startCalDav) => {
  let remote: CalDavServer
  let context: Context
  let under: Awaited<ReturnType<typeof appOn>>
  const clock = stoppedClock()
  let hosts = 0

  before(async () => {
    remote = await startCalDav()
    under = await appOn(db(), { now: clock.now, signup: 'open' })
    context = under.context
  })
  after(async () => {
    await under.app.close()
    await remote.stop()
  })

  const connect = async (host: Host, url: string, more: object = {}) => {
    const { username, password } = remote
    // Not busy: these hosts share one calendar, and would be in each other's way.
    const shared = { kind: 'caldav', name: 'Work', username, password, busy: false, writeTo: true }
    const body = { ...shared, url, ...more }
    const answer = await host.post('/calendars', body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id as string
  }

  /** A host who has bookings written to the calendar `work`, and one booking. */
  async function booked(start = TUESDAY_TEN, more: object = {}) {
    const host = await signInWithToken(under.app, under.mailbox, `writer-${++hosts}@hosts.example`)
    await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk, and; more',
      durationMinutes: 60,
      noticeMinutes: 0,
      abuse: plainEventType().abuse,
    })
    const calendarId = await connect(host, remote.work, more)
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start, { inviteeNotes: 'Tea,\nplease' }),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const found = await findBooking(db(), answer.json().id)
    assert.ok(found)
    return { host, calendarId, booking: found.booking }
  }

  function changeOf(booking: Booking, host: Host, given: Partial<ChangeRecord> = {}): BookingChange {
    const record: ChangeRecord = {
      id: newId(),
      type: 'created',
      bookingId: booking.id,
      by: 'guest',
      reason: '',
      status: 'Confirmed',
      startsAt: booking.startsAt,
      endsAt: booking.endsAt,
      previousStartsAt: null,
      sequence: 0,
      at: clock.now(),
      ...given,
    }
    const { id, slug, name, email } = host.user
    const shared = { id, slug, name, timeZone: 'UTC', locale: 'en' }
    return {
      ...record,
      booking: {
        ...booking,
        status: record.status,
        startsAt: record.startsAt,
        endsAt: record.endsAt,
      },
      eventType: plainEventType({ name: 'Talk, and; more' }),
      scheduler: { ...shared, kind: 'user', primaryColor: '', logoUrl: '', avatarUrl: '' },
      hosts: [{ ...shared, email }],
    }
  }

  /** Stores the change, as its service does, and returns its jobs. */
  const jobsFor = async (change: BookingChange): Promise<NewJob[]> => {
    const { bookingId, status, startsAt: starts_at, endsAt: ends_at, sequence } = change
    await db()
      .updateTable('bookings')
      .set({ status, starts_at, ends_at, sequence })
      .where('id', '=', bookingId)
      .execute()
    await db().updateTable('claims').set({ starts_at, ends_at }).where('meeting_id', '=', bookingId).execute()
    if (status === 'Cancelled') {
      await db().deleteFrom('claims').where('meeting_id', '=', bookingId).execute()
    }
    return db()
      .transaction()
      .execute((trx) => calendarJobsFor(trx, [change], clock.now()))
  }

  /** Does the jobs of a change, as the worker would. */
  async function spread(change: BookingChange, jobs?: NewJob[]): Promise<NewJob[]> {
    const found = jobs ?? (await jobsFor(change))
    // What survives JSON, as in the outbox.
    for (const [id, job] of found.entries()) {
      const data = JSON.parse(JSON.stringify(job.data))
      await writeCalendar(context, { id, kind: job.kind, data, attempts: 0, createdAt: clock.now() })
    }
    return found
  }

  const eventUrl = (booking: Booking, calendar = remote.work) => `${calendar}${booking.id}.ics`

  async function eventAt(url: string): Promise<ICAL.Event | undefined> {
    const { status, text } = await remote.request('GET', url)
    if (status === 404) return undefined
    assert.equal(status, 200, text)
    const component = new ICAL.Component(ICAL.parse(text) as unknown[])
    const found = component.getFirstSubcomponent('vevent')
    assert.ok(found)
    return new ICAL.Event(found)
  }

  const startOf = (event: ICAL.Event | undefined) => event && event.startDate.toUnixTime() * 1000

  const moved = (change: BookingChange, by: number, sequence: number): Partial<ChangeRecord> => ({
    type: 'rescheduled',
    startsAt: change.startsAt + by,
    endsAt: change.endsAt + by,
    previousStartsAt: change.startsAt,
    sequence,
  })

  it('are written again without a guest who was erased, also when they are over', async () => {
    const { host, booking } = await booked(TUESDAY_TEN + 4 * HOUR)
    await spread(changeOf(booking, host))
    assert.match((await eventAt(eventUrl(booking)))?.description ?? '', /Grace Guest/)
    clock.moveTo(TUESDAY_TEN + 24 * HOUR)
    await completeBookings(context)
    await eraseGuest(context, { userId: null, email: 'command line' }, booking.invitee.email, 'all')
    const jobs = (await jobsOf(db(), 'calendar-write')).filter(({ lane }) => lane?.includes(booking.id))
    await spread(changeOf(booking, host), jobs)
    clock.moveTo(MONDAY_NOON)
    const event = await eventAt(eventUrl(booking))
    assert.match(event?.summary ?? '', /Erased guest/)
    assert.doesNotMatch(`${event?.summary} ${event?.description}`, /Grace|@|Tea/)
  })

  it('are put there, moved, and removed, with one UID and a growing sequence', async () => {
    const { host, booking, calendarId } = await booked()
    const created = changeOf(booking, host)
    const [job, ...more] = await spread(created)
    assert.equal(more.length, 0)
    assert.equal(job?.kind, 'calendar-write')
    assert.equal(job?.lane, `calendar:${calendarId}:${booking.id}`)
    const event = await eventAt(eventUrl(booking))
    assert.equal(event?.uid, uidOf(booking.id))
    assert.equal(startOf(event), booking.startsAt)
    assert.equal((event?.endDate.toUnixTime() ?? 0) * 1000, booking.endsAt)
    assert.equal(event?.summary, 'Talk, and; more: Grace Guest')
    assert.match(event?.description ?? '', /Tea,\nplease/)
    // A server would write to attendees, who have had our mail.
    assert.deepEqual(event?.attendees, [])

    const rescheduled = changeOf(booking, host, moved(created, HOUR, 1))
    await spread(rescheduled)
    const later = await eventAt(eventUrl(booking))
    assert.equal(startOf(later), booking.startsAt + HOUR)
    assert.equal(later?.sequence, 1)

    await spread(changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 2 }))
    assert.equal(await eventAt(eventUrl(booking)), undefined)
  })

  it('get there from the outbox, when a guest books and when the host cancels', async () => {
    const { host, booking } = await booked(TUESDAY_TEN + 2 * HOUR)
    const work = async (kind: 'announce' | 'calendar-write') => {
      const rows = await db()
        .selectFrom('outbox')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('id')
        .execute()
      for (const row of rows.filter(({ data }) => data.includes(booking.id))) {
        const job = { id: row.id, kind, data: JSON.parse(row.data), attempts: 0, createdAt: row.created_at }
        await HANDLERS[kind]?.(context, job, () => {})
        await db().deleteFrom('outbox').where('id', '=', row.id).execute()
      }
    }
    await work('announce')
    await work('calendar-write')
    assert.equal(startOf(await eventAt(eventUrl(booking))), booking.startsAt)
    const cancelled = await host.post(`/bookings/${booking.id}/cancel`, {})
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    await work('announce')
    await work('calendar-write')
    assert.equal(await eventAt(eventUrl(booking)), undefined)
  })

  it('are done once, however often they are tried', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    const jobs = await spread(created)
    const before = await remote.request('GET', eventUrl(booking))
    await spread(created, jobs)
    assert.equal((await remote.request('GET', eventUrl(booking))).etag, before.etag)

    const cancelled = changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 1 })
    const removal = await spread(cancelled)
    await spread(cancelled, removal)
    // A late announcement does not bring a cancelled booking back.
    await spread(created, jobs)
    assert.equal(await eventAt(eventUrl(booking)), undefined)
  })

  it('are left alone by an older change than the one that is there', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    const jobs = await spread(created)
    await spread(changeOf(booking, host, moved(created, HOUR, 1)))
    await spread(created, jobs)
    assert.equal(startOf(await eventAt(eventUrl(booking))), booking.startsAt + HOUR)
  })

  it('are put back in their place when someone has touched or deleted them in the calendar', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    await spread(created)
    const { text } = await remote.request('GET', eventUrl(booking))
    await remote.request('PUT', eventUrl(booking), text.replace('Grace Guest', 'Another Guest'))
    await spread(changeOf(booking, host, moved(created, HOUR, 1)))
    assert.match((await eventAt(eventUrl(booking)))?.summary ?? '', /Grace Guest/)
    await remote.request('DELETE', eventUrl(booking))
    await spread(changeOf(booking, host, moved(created, 2 * HOUR, 2)))
    assert.equal(startOf(await eventAt(eventUrl(booking))), booking.startsAt + 2 * HOUR)
    await remote.request('DELETE', eventUrl(booking))
    await spread(changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 3 }))
  })

  it('keep the alarm that the host has added', async () => {
    const { host, booking } = await booked(TUESDAY_TEN + 4 * HOUR)
    const created = changeOf(booking, host)
    await spread(created)
    const { text } = await remote.request('GET', eventUrl(booking))
    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Go\r\nTRIGGER:-PT2H\r\nEND:VALARM\r\n'
    await remote.request('PUT', eventUrl(booking), text.replace('END:VEVENT', `${alarm}END:VEVENT`))
    await spread(changeOf(booking, host, moved(created, HOUR, 1)))
    const event = await eventAt(eventUrl(booking))
    assert.equal(startOf(event), booking.startsAt + HOUR)
    assert.equal(event?.component.getAllSubcomponents('valarm').length, 1)
  })

  it('take over an event that the host’s program made of the invitation', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    const accepted = writeCalendarEvents([
      {
        meetingId: booking.id,
        uid: uidOf(booking.id),
        bookings: [booking],
        eventTypeName: 'Accepted',
        questions: [],
        seats: '',
        sequence: 0,
        changedAt: clock.now(),
      },
    ]).replace('DTSTART:2027', 'DTSTART:2028')
    const url = `${remote.work}accepted-${booking.id}.ics`
    assert.equal((await remote.request('PUT', url, accepted)).status, 201)
    await spread(created)
    assert.equal(await eventAt(eventUrl(booking)), undefined)
    assert.equal(startOf(await eventAt(url)), booking.startsAt)
    await spread(changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 1 }))
    assert.equal(await eventAt(url), undefined)
  })

  it('move to another calendar with the next change after the host has chosen it', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    await spread(created)
    const home = await connect(host, remote.home)
    const listed = (await host.get('/calendars')).json().items as { id: string; writeTo: boolean }[]
    assert.deepEqual(
      listed.filter(({ writeTo }) => writeTo).map(({ id }) => id),
      [home],
    )
    await spread(changeOf(booking, host, moved(created, HOUR, 1)))
    assert.equal(await eventAt(eventUrl(booking)), undefined)
    assert.ok(await eventAt(eventUrl(booking, remote.home)))
    await spread(changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 2 }))
    assert.equal(await eventAt(eventUrl(booking, remote.home)), undefined)
  })

  it('are not there before they are approved, nor when they are declined', async () => {
    const { host, booking } = await booked()
    const pending = { ...booking, status: 'PendingApproval' as const }
    assert.deepEqual(await jobsFor(changeOf(pending, host, { status: 'PendingApproval' })), [])
    assert.deepEqual(
      await jobsFor(changeOf(pending, host, { type: 'declined', status: 'Declined', sequence: 1 })),
      [],
    )
    await spread(changeOf(pending, host, { type: 'approved', status: 'Confirmed', sequence: 1 }))
    assert.ok(await eventAt(eventUrl(booking)))
  })

  it('that are cancelled before they were written are removed after they were', async () => {
    const { host, booking } = await booked()
    const created = changeOf(booking, host)
    const put = await jobsFor(created)
    const cancelled = changeOf(booking, host, { type: 'cancelled', status: 'Cancelled', sequence: 1 })
    const removal = await jobsFor(cancelled)
    await spread(created, put)
    await spread(cancelled, removal)
    assert.equal(await eventAt(eventUrl(booking)), undefined)
  })

  it('are tried again when the server cannot be reached, and not when the calendar is gone', async () => {
    const { host, booking, calendarId } = await booked()
    const created = changeOf(booking, host)
    const jobs = await jobsFor(created)
    const sealed_password = seal(context, calendarId, 'changed since')
    await db().updateTable('calendars').set({ sealed_password }).where('id', '=', calendarId).execute()
    await assert.rejects(spread(created, jobs), /refused the user name and password/)
    await host.del(`/calendars/${calendarId}`)
    await spread(created, jobs)
    assert.equal(await eventAt(eventUrl(booking)), undefined)
  })

  it('do not take their own time when they are read back, but what else is there does', async () => {
    const { host, booking, calendarId } = await booked(TUESDAY_TEN + 24 * HOUR, { busy: true })
    await spread(changeOf(booking, host))
    const other = writeCalendarEvents([
      {
        meetingId: booking.id,
        uid: uidOf(booking.id),
        bookings: [{ ...booking, startsAt: booking.startsAt + 2 * HOUR, endsAt: booking.endsAt + 2 * HOUR }],
        eventTypeName: 'Private',
        questions: [],
        seats: '',
        sequence: 0,
        changedAt: 0,
      },
    ]).replace(uidOf(booking.id), `private-${booking.id}`)
    await remote.request('PUT', `${remote.work}private-${booking.id}.ics`, other)
    await refreshDueCalendars(context)
    const busy = await db()
      .selectFrom('busy_times')
      .select('starts_at')
      .where('calendar_id', '=', calendarId)
      .where('starts_at', '>=', booking.startsAt - MINUTE)
      .where('starts_at', '<', unknownSpan(clock.now()).start)
      .execute()
    assert.deepEqual(
      busy.map((row) => row.starts_at),
      [booking.startsAt + 2 * HOUR],
    )
    const view = (await host.get(`/calendars/${calendarId}`)).json()
    assert.equal(view.lastError, '')
  })
})

it('whatever a guest types stays inside the event', () => {
  const text = anyText({ maxLength: 60 })
  const nasty = fc.oneof(
    text,
    fc.constantFrom('\r\nATTENDEE:mailto:x@y.z', 'a\\;b,c:"d"', '\u2028END:VEVENT'),
  )
  fc.assert(
    fc.property(nasty, nasty, nasty, (name, notes, answer) => {
      const ics = writeCalendarEvents([
        {
          meetingId: newId(),
          uid: 'one@punctual',
          seats: '2 of 5 seats',
          bookings: [
            {
              status: 'Confirmed',
              startsAt: MONDAY_NOON,
              endsAt: MONDAY_NOON + HOUR,
              invitee: { name, email: 'g@guests.example', phone: '', timeZone: 'UTC', locale: 'en' },
              location: { type: 'Link', value: notes },
              notes,
              customFields: { topic: answer },
            },
          ],
          eventTypeName: 'Talk',
          questions: [{ key: 'topic', label: 'Topic', type: 'text', required: false, options: [] }],
          sequence: 3,
          changedAt: MONDAY_NOON,
        },
      ])
      const parsed = new ICAL.Component(ICAL.parse(ics) as unknown[])
      const [event, ...others] = parsed.getAllSubcomponents()
      assert.equal(others.length, 0)
      const names = new Set(event?.getAllProperties().map((property) => property.name))
      const known = [
        'uid',
        'sequence',
        'dtstamp',
        'dtstart',
        'dtend',
        'summary',
        'description',
        'location',
        'status',
      ]
      assert.deepEqual(
        [...names].filter((one) => !known.includes(one)),
        [],
      )
    }),
  )
})
