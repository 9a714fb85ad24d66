import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import ICAL from 'ical.js'
import { onEveryDatabase } from '../../test/databases.ts'
import { jobsOf, runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  stoppedClock,
  weekdays,
} from '../../test/kit.ts'
import { addWebhook } from '../../test/webhooks.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import { DAY, HOUR } from '../domain/interval.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import type { Mail } from '../outside/mail/mail.ts'
import { noteAnswer } from '../services/bookings/guest/mail-cap.ts'

const FIRST = Date.UTC(2027, 2, 16, 9)
const GUEST = 'grace@guests.example'

interface Meeting {
  readonly id: string
  readonly startTime: string
  readonly manageUrl: string
}

onEveryDatabase('mails about a series', ({ db }) => {
  let under: AppUnderTest
  const clock = stoppedClock()
  let people = 0

  before(async () => {
    under = await appOn(db(), { now: clock.now })
  })
  after(() => under.app.close())

  async function booked(
    given: Partial<EventType> = {},
    inviteeEmail = GUEST,
    prepare: (host: Scheduler) => Promise<unknown> = async () => {},
  ) {
    const host = await addUser(db(), `mailed-${people++}`, weekdays('Europe/Berlin'))
    const series = { every: ['week'], most: 12 } as const
    const talk = await addEventType(db(), host, {
      slug: 'talk',
      series,
      window: { kind: 'unlimited' },
      ...given,
    })
    await prepare(host)
    // So that they can book, move and cancel as often as the tests want.
    await noteAnswer(under.context, inviteeEmail)
    const reply = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.slug}/talk/book`,
      headers: fromSomeoneNew(),
      payload: { ...bookingOf(talk, FIRST, { inviteeEmail }), repeat: { every: 'week', count: 4 } },
    })
    assert.equal(reply.statusCode, 201, reply.body)
    return { host, meetings: reply.json().series as Meeting[], seriesId: reply.json().seriesId as string }
  }

  it('come with one webhook for each meeting, which names the series', async () => {
    const { host, meetings, seriesId } = await booked({}, 'ida@guests.example', (host) =>
      addWebhook(db(), host),
    )
    await work()
    const sent = await db()
      .selectFrom('webhook_deliveries')
      .select(['booking_id', 'body'])
      .where('event', '=', 'booking.created')
      .where(
        'booking_id',
        'in',
        meetings.map(({ id }) => id),
      )
      .orderBy('booking_id')
      .execute()
    assert.deepEqual(
      sent.map(({ booking_id }) => booking_id),
      meetings.map(({ id }) => id).sort(),
    )
    for (const { body } of sent) assert.equal(JSON.parse(body).data.seriesId, seriesId)
    await db().deleteFrom('webhooks').where('scheduler_id', '=', host.id).execute()
  })

  /** Does what is due, and returns the mails. */
  async function work(): Promise<Mail[]> {
    const already = under.mailbox.length
    await runDueJobs(under.context)
    return under.mailbox.slice(already)
  }

  async function change(meeting: Meeting | undefined, action: string, body: object): Promise<Mail[]> {
    const { pathname, search } = new URL(meeting?.manageUrl ?? '')
    const reply = await under.app.inject({
      method: 'POST',
      url: `/api/public/bookings${pathname.replace('/booking', '')}/${action}${search}`,
      headers: fromSomeoneNew(),
      payload: body,
    })
    assert.equal(reply.statusCode, 200, reply.body)
    return work()
  }

  const toGuest = (mails: readonly Mail[]) => {
    const [mail, ...others] = mails.filter(({ to }) => to === GUEST)
    assert.ok(mail)
    assert.equal(others.length, 0)
    return mail
  }

  /** The starts to which a calendar expands the text, by the zone in it. */
  function startsIn(ics: string): string[] {
    const calendar = new ICAL.Component(ICAL.parse(ics))
    const zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') as ICAL.Component)
    const [master, ...moved] = calendar.getAllSubcomponents('vevent').map((part) => new ICAL.Event(part))
    for (const one of moved) master?.relateException(one)
    const starts: string[] = []
    const iterator = master?.iterator()
    for (let next = iterator?.next(); next; next = iterator?.next()) {
      const start = master?.getOccurrenceDetails(next).startDate.clone() as ICAL.Time
      start.zone = zone
      starts.push(`${new Date(start.toUnixTime() * 1000).toISOString().slice(0, 19)}Z`)
    }
    return starts.sort()
  }

  it('are one for each person, with one event that repeats, and reminders for each meeting', async () => {
    const { meetings, seriesId, host } = await booked()
    const mails = await work()
    assert.deepEqual(mails.map(({ to }) => to).sort(), [GUEST, `${host.slug}@hosts.example`].sort())
    for (const { invitation, text } of mails) {
      assert.equal(invitation?.method, 'REQUEST')
      const ics = invitation?.ics ?? ''
      assert.match(ics, new RegExp(`\\r\\nUID:${seriesId}@punctual\\r\\n`))
      assert.match(ics, /\r\nRRULE:FREQ=WEEKLY;COUNT=4;/)
      assert.match(ics, /\r\nDTSTART;TZID=Europe\/Berlin:20270316T100000\r\n/)
      assert.deepEqual(
        startsIn(ics),
        meetings.map(({ startTime }) => startTime),
      )
      assert.equal([...text.matchAll(/2027, .*–/g)].length, 4, text)
    }
    const reminders = await jobsOf(db(), 'reminder')
    const reminded = reminders.filter(({ data }) =>
      meetings.some(({ id }) => JSON.stringify(data).includes(id)),
    )
    assert.equal(reminded.length, 4 * 2 * 2)
  })

  it('name one meeting that moves or is cancelled by RECURRENCE-ID', async () => {
    const { meetings } = await booked()
    await work()
    const startTime = new Date(FIRST + 8 * DAY).toISOString()
    const moved = toGuest(await change(meetings[1], 'reschedule', { startTime }))
    assert.equal(moved.invitation?.method, 'REQUEST')
    assert.match(moved.invitation?.ics ?? '', /RECURRENCE-ID;TZID=Europe\/Berlin:20270323T100000/)
    assert.match(moved.invitation?.ics ?? '', /DTSTART;TZID=Europe\/Berlin:20270324T100000/)
    assert.match(moved.invitation?.ics ?? '', /SEQUENCE:1\r\n/)
    assert.doesNotMatch(moved.invitation?.ics ?? '', /RRULE/)
    const cancelled = toGuest(await change(meetings[2], 'cancel', { scope: 'one' }))
    assert.equal(cancelled.invitation?.method, 'CANCEL')
    assert.match(cancelled.invitation?.ics ?? '', /RECURRENCE-ID;TZID=Europe\/Berlin:20270330T100000/)
    assert.match(cancelled.invitation?.ics ?? '', /SEQUENCE:2\r\n/)
  })

  it('shorten the rule when this and the following meetings are cancelled', async () => {
    const { meetings } = await booked()
    await work()
    const mail = toGuest(await change(meetings[2], 'cancel', { scope: 'following' }))
    assert.equal(mail.invitation?.method, 'REQUEST')
    assert.match(mail.invitation?.ics ?? '', /RRULE:FREQ=WEEKLY;COUNT=2;/)
    assert.equal([...mail.text.matchAll(/2027, .*–/g)].length, 2, mail.text)
    const last = toGuest(await change(meetings[0], 'cancel', { scope: 'following' }))
    assert.equal(last.invitation?.method, 'CANCEL')
    assert.match(last.invitation?.ics ?? '', /STATUS:CANCELLED/)
  })

  it('move all that follow in one event', async () => {
    const { meetings } = await booked()
    await work()
    const startTime = new Date(FIRST + 7 * DAY + HOUR).toISOString()
    const mail = toGuest(await change(meetings[1], 'reschedule', { startTime, scope: 'following' }))
    assert.deepEqual(startsIn(mail.invitation?.ics ?? ''), [
      '2027-03-16T09:00:00Z',
      '2027-03-23T10:00:00Z',
      '2027-03-30T09:00:00Z',
      '2027-04-06T09:00:00Z',
    ])
  })

  it('come with the first approval of all, and the file of the page has the whole series', async () => {
    const { meetings } = await booked({ requiresApproval: true })
    const asked = toGuest(await work())
    assert.equal(asked.invitation, undefined)
    const [first] = meetings
    const { pathname, search } = new URL(first?.manageUrl ?? '')
    await db()
      .updateTable('bookings')
      .set({ status: 'Confirmed' })
      .where('id', '=', first?.id ?? '')
      .execute()
    const file = await under.app.inject(
      `/api/public/bookings${pathname.replace('/booking', '')}/calendar.ics${search}`,
    )
    assert.equal(file.statusCode, 200)
    assert.doesNotMatch(file.body, /METHOD/)
    assert.match(file.body, /RRULE:FREQ=WEEKLY;COUNT=1;/)
  })
})
