import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import ICAL from 'ical.js'
import { type CalDavServer, startCalDav } from '../../test/caldav-server.ts'
import { connect } from '../../test/connections.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { bearer, type Host, signIn } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  appOn,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../test/outside/microsoft.ts'
import type { Booking } from '../domain/bookings/booking.ts'
import { formatInstant } from '../domain/instant.ts'
import { HOUR, MINUTE } from '../domain/interval.ts'
import { googleProvider } from '../outside/calendars/google/google.ts'
import { microsoftProvider } from '../outside/calendars/microsoft/microsoft.ts'
import type { Mail } from '../outside/mail/mail.ts'
import { manageToken } from '../services/bookings/guest/manage-link.ts'
import { refreshDueCalendars } from '../services/calendars/refresh.ts'
import { insertBooking, insertClaim } from '../store/bookings/bookings.ts'
import { insertMeetingVersion } from '../store/bookings/rosters.ts'
import { insertWritten } from '../store/calendars/entries.ts'
import { newId } from '../store/new-id.ts'
import { bumpRevisions } from '../store/people/schedulers.ts'

const TUESDAY_TEN = MONDAY_NOON + (22 + 7 * 24) * HOUR
const KINDS = ['google', 'microsoft', 'caldav'] as const
type Kind = (typeof KINDS)[number]

/** Bookings from elsewhere, whose guests and hosts have them in their calendars already. */
onEveryDatabase('a booking that was made elsewhere', ({ db }) => {
  const clock = stoppedClock()
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let caldav: CalDavServer
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    caldav = await startCalDav()
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
    await caldav.stop()
  })

  interface Place {
    readonly kind: Kind
    readonly host: Host
    readonly eventTypeId: string
    readonly calendarId: string
    /** Its name at the provider; at CalDAV, its URL. */
    readonly externalId: string
  }

  /** A host whose calendar is read and written. */
  async function hostWith(kind: Kind, settings: object = {}, writeTo = true): Promise<Place> {
    const externalId = kind === 'caldav' ? caldav.work : `calendar-${++hosts}`
    if (kind === 'google') {
      google.calendars.get(ADA.subject)?.push({ id: externalId, summary: externalId, accessRole: 'owner' })
    } else if (kind === 'microsoft') {
      const [all = []] = microsoft.calendars.values()
      all.push({ id: externalId, name: externalId, canEdit: true })
    }
    const signedIn = await signIn(under.app, under.mailbox, `mover-${++hosts}@hosts.example`)
    const { token } = (await signedIn.post('/tokens', { name: 'Test', scopes: ['write'] })).json()
    const host: Host = { ...signedIn, ...bearer(under.app, token) }
    const { username, password } = caldav
    const where =
      kind === 'caldav'
        ? { name: 'Work', url: externalId, username, password, busy: true }
        : {
            connectionId: await connect(under.app, host, kind, kind === 'google' ? google : microsoft),
            externalId,
          }
    const calendar = await host.post('/calendars', { kind, ...where, writeTo })
    assert.equal(calendar.statusCode, 201, calendar.body)
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
      ...settings,
    })
    assert.equal(made.statusCode, 201, made.body)
    return { kind, host, eventTypeId: made.json().id, calendarId: calendar.json().id, externalId }
  }

  /** Puts an event into the calendar, as the old system did; returns its id there. */
  async function writeThere({ kind, externalId }: Place, uid: string, start: number): Promise<string> {
    const id = uid.replace(/@.*/, '').replaceAll('-', '').slice(0, 26)
    const [from, to] = [start, start + HOUR].map((at) => new Date(at).toISOString()) as [string, string]
    if (kind === 'google') {
      const event = {
        id,
        iCalUID: uid,
        status: 'confirmed',
        start: { dateTime: from },
        end: { dateTime: to },
        etag: '"a"',
      }
      google.written.events.set(`${externalId}/${id}`, event)
      google.eventsOf(externalId).put(event)
    } else if (kind === 'microsoft') {
      const at = (text: string) => ({ dateTime: text.slice(0, 19), timeZone: 'UTC' })
      microsoft.written.add(externalId, { id, iCalUId: uid, start: at(from), end: at(to) })
    } else {
      const compact = (text: string) => text.replace(/[-:]|\.000/g, '')
      const lines = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Elsewhere//EN',
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `DTSTAMP:${compact(from)}`,
        `DTSTART:${compact(from)}`,
        `DTEND:${compact(to)}`,
        'SUMMARY:Talk',
        'SEQUENCE:1',
        'END:VEVENT',
        'END:VCALENDAR',
      ]
      const url = `${externalId}${id}.ics`
      const { status } = await caldav.request('PUT', url, lines.map((line) => `${line}\r\n`).join(''))
      assert.ok(status < 300, String(status))
      return url
    }
    return id
  }

  const made = ({ eventTypeId }: Place, start: number, given: Partial<Booking>): Booking => {
    const id = newId()
    return {
      id,
      eventTypeId,
      meetingId: id,
      status: 'Confirmed',
      startsAt: start,
      endsAt: start + HOUR,
      invitee: {
        name: 'Grace',
        email: `guest-${id}@guests.example`,
        phone: '',
        timeZone: 'UTC',
        locale: 'en',
      },
      guests: [],
      location: { type: 'InPerson', value: '1 High Street' },
      notes: '',
      customFields: {},
      source: 'BookingPage',
      utm: {},
      createdAt: 0,
      sequence: 2,
      reason: '',
      ...given,
    }
  }

  /** Stores a meeting as an import does. */
  async function store({ host }: Place, bookings: readonly Booking[], seats = 1): Promise<void> {
    const [first] = bookings as [Booking]
    const { meetingId, eventTypeId, startsAt, endsAt } = first
    const { id } = host.user
    await db()
      .transaction()
      .execute(async (trx) => {
        for (const [index, booking] of bookings.entries()) {
          const duplicateKey = booking.invitee.email
          await insertBooking(trx, {
            booking,
            schedulerId: id,
            hostId: id,
            seat: index + 1,
            seats,
            duplicateKey,
          })
        }
        const claim = { meetingId, eventTypeId, startsAt, endsAt, bufferBefore: 0, bufferAfter: 0 }
        await insertClaim(trx, id, { ...claim, seatsTaken: bookings.length })
        await bumpRevisions(trx, [id])
      })
  }

  const written = (place: Place, meetingId: string, href: string, start: number) =>
    db()
      .transaction()
      .execute((trx) =>
        insertWritten(trx, { calendarId: place.calendarId, meetingId }, href, { start, end: start + HOUR }),
      )

  const guestAsks = (id: string, action: string, payload: object) =>
    under.app.inject({
      method: 'POST',
      url: `/api/public/bookings/${id}/${action}?token=${manageToken(under.context, id)}`,
      payload,
      headers: fromSomeoneNew(),
    })

  async function refresh(): Promise<void> {
    clock.moveTo(clock.now() + 11 * MINUTE)
    await refreshDueCalendars(under.context)
  }

  const busyTimes = async ({ host, calendarId }: Place): Promise<number> =>
    (await host.get('/calendars')).json().items.find((one: { id: string }) => one.id === calendarId).busyTimes

  /** The starts of all events in the calendar, with their ids. */
  async function eventsAt({ kind, externalId }: Place): Promise<[string, string][]> {
    if (kind === 'google') {
      return google.eventsOf(externalId).events.map((one) => [one.id ?? '', one.start?.dateTime ?? ''])
    }
    if (kind === 'microsoft') {
      return microsoft.eventsOf(externalId).events.map((one) => [one.id ?? '', one.start?.dateTime ?? ''])
    }
    const { text } = await caldav.request('REPORT', externalId, '<calendar-query/>')
    const urls = [...text.matchAll(/<[^>]*href[^>]*>([^<]*\.ics)</gi)].map(([, path = '']) =>
      new URL(path, externalId).toString(),
    )
    return Promise.all(
      urls.map(async (url): Promise<[string, string]> => {
        const event = eventIn((await caldav.request('GET', url)).text)
        return [url, event.startDate.toJSDate().toISOString()]
      }),
    )
  }

  const eventIn = (ics: string) => {
    const calendar = new ICAL.Component(ICAL.parse(ics) as unknown[])
    return new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
  }
  const icsOf = (mail: Mail) => mail.invitation?.ics ?? ''
  const mailsTo = (address: string) => under.mailbox.filter(({ to }) => String(to).includes(address))
  const isAt = (text: string, at: number) => Date.parse(text.endsWith('Z') ? text : `${text}Z`) === at

  for (const kind of KINDS) {
    it(`moves and goes with its old event and its old UID (${kind})`, async () => {
      const place = await hostWith(kind)
      const uid = `${newId()}@Cal.com`
      const href = await writeThere(place, uid, TUESDAY_TEN)
      await refresh()
      assert.equal(await busyTimes(place), 1, 'before it came over, it is somebody else’s')

      const booking = made(place, TUESDAY_TEN, { uid })
      await store(place, [booking])
      await written(place, booking.id, href, TUESDAY_TEN)
      clock.moveTo(clock.now() + 25 * HOUR)
      await refresh()
      assert.equal(await busyTimes(place), 0, 'it is the booking’s own')
      const view = await place.host.get(`/bookings/${booking.id}`)
      assert.equal(view.json().calendarDifference, null)

      const startTime = formatInstant(TUESDAY_TEN + 51 * HOUR)
      const moved = await guestAsks(booking.id, 'reschedule', { startTime })
      assert.equal(moved.statusCode, 200, moved.body)
      await runDueJobs(under.context)
      const [mail] = mailsTo(booking.invitee.email) as [Mail]
      const invited = eventIn(icsOf(mail))
      assert.equal(invited.uid, uid)
      assert.equal(invited.sequence, 3)
      const events = await eventsAt(place)
      assert.deepEqual(
        events.map(([id]) => id),
        [href],
        'there is no second event',
      )
      assert.ok(isAt(events[0]?.[1] ?? '', TUESDAY_TEN + 51 * HOUR), JSON.stringify(events))
      await refresh()
      assert.equal(await busyTimes(place), 0)

      const cancelled = await guestAsks(booking.id, 'cancel', {})
      assert.equal(cancelled.statusCode, 200, cancelled.body)
      await runDueJobs(under.context)
      assert.deepEqual(await eventsAt(place), [])
      const last = eventIn(icsOf(mailsTo(booking.invitee.email).at(-1) as Mail))
      assert.deepEqual([last.uid, last.sequence], [uid, 4])
      clock.moveTo(MONDAY_NOON)
    })
  }

  it('is found by its UID where its event is not at the address that we know (caldav)', async () => {
    const place = await hostWith('caldav')
    const uid = `${newId()}@Cal.com`
    const href = await writeThere(place, uid, TUESDAY_TEN)
    const booking = made(place, TUESDAY_TEN, { uid })
    await store(place, [booking])
    await written(place, booking.id, `${href}-gone.ics`, TUESDAY_TEN)
    const moved = await guestAsks(booking.id, 'reschedule', { startTime: formatInstant(TUESDAY_TEN + HOUR) })
    assert.equal(moved.statusCode, 200, moved.body)
    await runDueJobs(under.context)
    const events = await eventsAt(place)
    assert.deepEqual(
      events.map(([id]) => id),
      [href],
    )
    assert.ok(isAt(events[0]?.[1] ?? '', TUESDAY_TEN + HOUR))
    assert.equal((await guestAsks(booking.id, 'cancel', {})).statusCode, 200)
    await runDueJobs(under.context)
    assert.deepEqual(await eventsAt(place), [])
  })

  it('keeps the UID of a seated meeting for its hosts, and that of each seat for its guest', async () => {
    const place = await hostWith('google', { seats: 5 }, false)
    const uid = `${newId()}@Cal.com`
    const href = await writeThere(place, uid, TUESDAY_TEN)
    const meetingId = newId()
    const seats = [1, 2].map(() => made(place, TUESDAY_TEN, { uid, meetingId }))
    await store(place, seats, 5)
    await db()
      .transaction()
      .execute((trx) => insertMeetingVersion(trx, { meetingId, sequence: 7, uid }))
    const feed = await place.host.post('/me/calendar-feed')
    assert.equal(feed.statusCode, 201, feed.body)
    const { pathname, search } = new URL(feed.json().url)
    const text = (await under.app.inject(pathname + search)).body
    assert.deepEqual([eventIn(text).uid, eventIn(text).sequence], [uid, 7])

    const [one] = seats as [Booking]
    assert.equal((await guestAsks(one.id, 'cancel', {})).statusCode, 200)
    await runDueJobs(under.context)
    const guests = eventIn(icsOf(mailsTo(one.invitee.email).at(-1) as Mail))
    assert.deepEqual([guests.uid, guests.sequence], [uid, 3])
    const hosts = mailsTo(place.host.user.email).filter((mail) => icsOf(mail) !== '')
    // Without an event of ours in their calendar, the mail updates the old one.
    const entry = eventIn(icsOf(hosts.at(-1) as Mail))
    assert.deepEqual([entry.uid, entry.sequence], [uid, 8])
    assert.equal(href.length, 26)
  })
})
