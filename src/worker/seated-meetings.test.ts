import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import ICAL from 'ical.js'
import type { CalDavServer } from '../../test/caldav-server.ts'
import { onEveryCalDavServer } from '../../test/calendar-servers.ts'
import { bearer, type Host, signIn } from '../../test/host-api.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { uidOf } from '../domain/bookings/booking.ts'
import { HOUR } from '../domain/interval.ts'
import type { Job, JobKind } from '../domain/job.ts'
import type { Mail } from '../outside/mail/mail.ts'
import { HANDLERS } from './handlers.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

/** An event as a test looks at it. */
interface Entry {
  readonly uid: string
  readonly sequence: number
  readonly start: number
  readonly summary: string
  readonly description: string
  readonly attendees: readonly string[]
}

function entriesIn(ics: string): Entry[] {
  const calendar = new ICAL.Component(ICAL.parse(ics) as unknown[])
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      sequence: event.sequence,
      start: event.startDate.toUnixTime() * 1000,
      summary: event.summary,
      description: event.description,
      attendees: event.attendees.map((attendee) => String(attendee.getFirstValue())),
    }
  })
}

onEveryCalDavServer('a seated meeting', ({ db }, startCalDav) => {
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

  interface Workshop {
    readonly host: Host
    readonly calendarId: string
    readonly feed: string
  }

  /** A host with a workshop of five seats, whose bookings are written to a calendar. */
  async function workshop(settings: object = {}): Promise<Workshop> {
    const signedIn = await signIn(under.app, under.mailbox, `seats-${++hosts}@hosts.example`)
    const { token } = (await signedIn.post('/tokens', { name: 'Test', scopes: ['write'] })).json()
    const host: Host = { ...signedIn, ...bearer(under.app, token) }
    const made = await host.post('/event-types', {
      slug: 'workshop',
      name: 'Workshop',
      durationMinutes: 60,
      noticeMinutes: 0,
      seats: 5,
      abuse: plainEventType().abuse,
      ...settings,
    })
    assert.equal(made.statusCode, 201, made.body)
    const { username, password } = remote
    // Not busy: these hosts share one calendar, and would be in each other's way.
    const shared = { kind: 'caldav', name: 'Work', url: remote.work, username, password, busy: false }
    const calendar = { ...shared, writeTo: true }
    const connected = await host.post('/calendars', calendar)
    assert.equal(connected.statusCode, 201, connected.body)
    const rotated = await signedIn.post('/me/calendar-feed')
    assert.equal(rotated.statusCode, 201, rotated.body)
    const { pathname, search } = new URL(rotated.json().url)
    return { host, calendarId: connected.json().id, feed: pathname + search }
  }

  async function join({ host }: Workshop, name: string, start = TUESDAY_TEN): Promise<string> {
    const given = { inviteeName: name, inviteeEmail: `${name.toLowerCase()}@of-${host.user.slug}.example` }
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/workshop/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start, given),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  const act = async ({ host }: Workshop, bookingId: string, action: string, body: object = {}) => {
    const answer = await host.post(`/bookings/${bookingId}/${action}`, body)
    assert.equal(answer.statusCode, 200, answer.body)
  }

  const moveTo = (start: number) => ({ startTime: new Date(start).toISOString().replace('.000', '') })

  async function take(kind: JobKind): Promise<Job[]> {
    const rows = await db().selectFrom('outbox').selectAll().where('kind', '=', kind).orderBy('id').execute()
    return rows.map((row) => ({
      id: row.id,
      kind,
      data: JSON.parse(row.data),
      attempts: 0,
      createdAt: row.created_at,
    }))
  }

  const run = async (job: Job) => {
    await HANDLERS[job.kind](under.context, job, () => {})
    await db().deleteFrom('outbox').where('id', '=', job.id).execute()
  }

  /** Does what waits in the outbox, and returns the mails. */
  async function work(): Promise<Mail[]> {
    const before = under.mailbox.length
    for (const kind of ['announce', 'mail', 'calendar-write'] as const) {
      for (const job of await take(kind)) await run(job)
    }
    return under.mailbox.slice(before)
  }

  const meetingOf = async (bookingId: string) => {
    const row = await db()
      .selectFrom('bookings')
      .select('meeting_id')
      .where('id', '=', bookingId)
      .executeTakeFirst()
    return row?.meeting_id ?? ''
  }

  /** Everything that the host's calendar has of these meetings and bookings. */
  async function inCalendar(...ids: string[]): Promise<Entry[]> {
    const found: Entry[] = []
    for (const id of new Set(ids)) {
      const { status, text } = await remote.request('GET', `${remote.work}${id}.ics`)
      if (status === 200) found.push(...entriesIn(text))
    }
    return found
  }

  const inFeed = async ({ feed }: Workshop) => {
    const { body } = await under.app.inject({ url: feed })
    return body.includes('BEGIN:VEVENT') ? entriesIn(body) : []
  }

  const toHost = ({ host }: Workshop, mails: readonly Mail[]) =>
    mails.filter(({ to }) => to === host.user.email)

  const invitationsIn = (mails: readonly Mail[]) =>
    mails.map(({ invitation }) => {
      assert.ok(invitation)
      const [entry] = entriesIn(invitation.ics)
      assert.ok(entry)
      return { method: invitation.method, ...entry }
    })

  it('is one entry for its host, with its guests counted and listed', async () => {
    const course = await workshop()
    const ids: string[] = []
    const mails: Mail[] = []
    for (const name of ['Ann', 'Bob', 'Cyd']) {
      ids.push(await join(course, name))
      mails.push(...(await work()))
    }
    const meetingId = await meetingOf(ids[0] ?? '')
    const entries = await inCalendar(meetingId, ...ids)
    assert.deepEqual(
      entries.map(({ uid, summary }) => [uid, summary]),
      [[uidOf(meetingId), 'Workshop: 3 of 5 seats']],
    )
    assert.match(entries[0]?.description ?? '', /^3 of 5 seats: Ann, Bob, Cyd\n/)
    assert.match(entries[0]?.description ?? '', /cyd@of-/)

    const listed = await inFeed(course)
    assert.deepEqual(
      listed.map(({ uid, summary }) => [uid, summary]),
      [[uidOf(meetingId), 'Workshop: 3 of 5 seats']],
    )

    const invitations = invitationsIn(toHost(course, mails))
    assert.deepEqual(
      invitations.map(({ method, uid, sequence, summary }) => [method, uid, sequence, summary]),
      [1, 2, 3].map((n) => ['REQUEST', uidOf(meetingId), n, `Workshop: ${n} of 5 seats`]),
    )
    assert.match(invitations[2]?.description ?? '', /^3 of 5 seats: Ann, Bob, Cyd\n/)
    // A calendar that writes to attendees would show guests to each other.
    assert.deepEqual(invitations[2]?.attendees, [`MAILTO:${course.host.user.email}`])
  })

  it('is an entry of their own for each guest, and shows them nobody else', async () => {
    const course = await workshop()
    const ids = [await join(course, 'Ann'), await join(course, 'Bob')]
    const mails = await work()
    for (const [i, name] of ['ann', 'bob'].entries()) {
      const own = mails.filter(({ to }) => to.startsWith(`${name}@`))
      const [invitation, ...others] = invitationsIn(own)
      assert.equal(others.length, 0)
      assert.equal(invitation?.uid, uidOf(ids[i] ?? ''))
      const other = name === 'ann' ? /bob/i : /ann/i
      assert.doesNotMatch(JSON.stringify([invitation, own[0]?.text, own[0]?.subject]), other)
    }
  })

  it('loses guests, and goes with the last', async () => {
    const course = await workshop()
    const [ann, bob] = [await join(course, 'Ann'), await join(course, 'Bob')]
    const meetingId = await meetingOf(ann)
    const last = invitationsIn(toHost(course, await work())).at(-1)?.sequence ?? 0

    await act(course, ann, 'cancel')
    const left = toHost(course, await work())
    assert.match(left[0]?.text ?? '', /Ann no longer attends this meeting\. The other guests still do\./)
    assert.deepEqual(
      invitationsIn(left).map(({ method, uid, sequence, summary }) => [method, uid, sequence, summary]),
      [['REQUEST', uidOf(meetingId), last + 1, 'Workshop: 1 of 5 seats']],
    )
    const [entry, ...others] = await inCalendar(meetingId, ann, bob)
    assert.equal(others.length, 0)
    assert.match(entry?.description ?? '', /^1 of 5 seats: Bob\n/)

    await act(course, bob, 'cancel')
    assert.deepEqual(
      invitationsIn(toHost(course, await work())).map(({ method, uid, sequence }) => [method, uid, sequence]),
      [['CANCEL', uidOf(meetingId), last + 2]],
    )
    assert.deepEqual(await inCalendar(meetingId, ann, bob), [])
    assert.deepEqual(await inFeed(course), [])
  })

  it('is two meetings when a guest moves to another time, and each has its entry', async () => {
    const course = await workshop()
    const [ann, bob] = [await join(course, 'Ann'), await join(course, 'Bob')]
    const before = await meetingOf(ann)
    await work()
    await act(course, ann, 'reschedule', moveTo(TUESDAY_TEN + HOUR))
    const after = await meetingOf(ann)
    const invitations = invitationsIn(toHost(course, await work()))
    assert.deepEqual(
      invitations.map(({ method, uid, summary, start }) => [method, uid, summary, start]),
      [
        ['REQUEST', uidOf(after), 'Workshop: 1 of 5 seats', TUESDAY_TEN + HOUR],
        ['REQUEST', uidOf(before), 'Workshop: 1 of 5 seats', TUESDAY_TEN],
      ],
    )
    const entries = await inCalendar(before, after, ann, bob)
    assert.deepEqual(
      entries.map(({ uid, start }) => [uid, start]),
      [
        [uidOf(before), TUESDAY_TEN],
        [uidOf(after), TUESDAY_TEN + HOUR],
      ],
    )

    // The other guest follows: their meeting is gone, and its entry with it.
    await act(course, bob, 'reschedule', moveTo(TUESDAY_TEN + HOUR))
    assert.deepEqual(
      invitationsIn(toHost(course, await work())).map(({ method, uid, summary }) => [method, uid, summary]),
      [
        ['REQUEST', uidOf(after), 'Workshop: 2 of 5 seats'],
        ['CANCEL', uidOf(before), 'Workshop'],
      ],
    )
    assert.deepEqual(
      (await inCalendar(before, after, ann, bob)).map(({ uid, summary }) => [uid, summary]),
      [[uidOf(after), 'Workshop: 2 of 5 seats']],
    )
    assert.equal((await inFeed(course)).length, 1)
  })

  it('takes its entry along when its only guest moves', async () => {
    const course = await workshop()
    const ann = await join(course, 'Ann')
    const meetingId = await meetingOf(ann)
    await work()
    await act(course, ann, 'reschedule', moveTo(TUESDAY_TEN + HOUR))
    assert.deepEqual(
      invitationsIn(toHost(course, await work())).map(({ method, uid, start }) => [method, uid, start]),
      [['REQUEST', uidOf(meetingId), TUESDAY_TEN + HOUR]],
    )
    const entries = await inCalendar(meetingId, ann)
    assert.deepEqual(
      entries.map(({ uid, start }) => [uid, start]),
      [[uidOf(meetingId), TUESDAY_TEN + HOUR]],
    )
  })

  it('shows a guest who needs approval once the host has approved', async () => {
    const course = await workshop({ requiresApproval: true })
    const [ann, bob] = [await join(course, 'Ann'), await join(course, 'Bob')]
    assert.deepEqual(toHost(course, await work()).filter(({ invitation }) => invitation).length, 0)
    assert.deepEqual(await inCalendar(ann, bob), [])
    await act(course, bob, 'approve')
    const [approved] = invitationsIn(toHost(course, await work()))
    assert.match(approved?.description ?? '', /^1 of 5 seats: Bob\n/)
    const [entry] = await inCalendar(await meetingOf(ann))
    assert.match(entry?.description ?? '', /^1 of 5 seats: Bob\n/)
  })

  it('has all its guests when they join at once and their jobs run at once, or in the wrong order', async () => {
    const course = await workshop()
    const names = ['Ann', 'Bob', 'Cyd', 'Dee']
    const ids = await Promise.all(names.map((name) => join(course, name)))
    const meetingId = await meetingOf(ids[0] ?? '')
    await Promise.all((await take('announce')).map(run))
    const jobs = await take('calendar-write')
    assert.ok(jobs.length > 0)
    // As after an expired lease: two workers do the same job, and it is repeated later.
    await Promise.all([...jobs, ...jobs].map(run))
    await act(course, ids[3] ?? '', 'cancel')
    await Promise.all((await take('announce')).map(run))
    for (const job of [...(await take('calendar-write')), ...jobs.toReversed()]) await run(job)
    const [entry, ...others] = await inCalendar(meetingId, ...ids)
    assert.equal(others.length, 0)
    assert.equal(entry?.summary, 'Workshop: 3 of 5 seats')
    for (const name of names.slice(0, 3)) assert.match(entry?.description ?? '', new RegExp(name))

    const invitations = invitationsIn(
      toHost(
        course,
        (await work()).filter(({ invitation }) => invitation),
      ),
    )
    assert.deepEqual(
      invitations.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5],
    )
  })

  it('takes over the entries that older versions wrote for each guest', async () => {
    const course = await workshop()
    const ids = [await join(course, 'Ann'), await join(course, 'Bob'), await join(course, 'Cyd')]
    const meetingId = await meetingOf(ids[0] ?? '')
    await db().deleteFrom('outbox').execute()
    for (const id of ids) {
      const href = `${remote.work}${id}.ics`
      const event = `UID:${uidOf(id)}\r\nSEQUENCE:0\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270112T100000Z\r\nDTEND:20270112T110000Z\r\nSUMMARY:Old`
      const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:Old\r\nBEGIN:VEVENT\r\n${event}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
      assert.equal((await remote.request('PUT', href, text)).status, 201)
      await db()
        .insertInto('calendar_events')
        .values({ calendar_id: course.calendarId, meeting_id: id, href })
        .execute()
    }
    // A job that an older version has left behind.
    await run({
      id: 0,
      kind: 'calendar-write',
      data: { calendarId: course.calendarId, action: 'put', change: { bookingId: ids[1] } },
      attempts: 0,
      createdAt: 0,
    })
    await act(course, ids[2] ?? '', 'cancel')
    await work()
    assert.deepEqual(
      (await inCalendar(meetingId, ...ids)).map(({ uid, summary }) => [uid, summary]),
      [[uidOf(meetingId), 'Workshop: 2 of 5 seats']],
    )
  })
})
