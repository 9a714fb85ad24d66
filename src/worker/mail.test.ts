import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import { onEveryDatabase } from '../../test/databases.ts'
import { jobsOf, runDueJobs } from '../../test/jobs.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../test/kit.ts'
import { alwaysOpen } from '../../test/server-process.ts'
import { type ReceivedMail, type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import type { BookingChangeType, ChangeRecord } from '../domain/bookings/change.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import { GiveUp, type Job, type JobKind } from '../domain/job.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { type SmtpMailer, smtpMailer } from '../outside/mail/mail.ts'
import { isManageToken, manageToken } from '../services/bookings/guest/manage-link.ts'
import { getBookingChange } from '../services/bookings/load-change.ts'
import type { Context } from '../services/context.ts'
import { type MailJobData, mailJobsFor, type ReminderJobData } from '../services/mail/jobs.ts'
import { newId } from '../store/new-id.ts'
import { updateUser } from '../store/people/users.ts'
import { deliverMail } from './handlers/deliver-mail.ts'
import { remind } from './handlers/remind.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR

/** A calendar as mail programs keep it: what has a UID is replaced by a higher SEQUENCE, and removed by CANCEL. */
class Calendar {
  readonly entries = new Map<string, { readonly start: number; readonly sequence: number }>()
  readonly #highest = new Map<string, number>()

  receive({ mail }: ReceivedMail): void {
    for (const { mimeType, content, method } of mail.attachments) {
      if (mimeType !== 'text/calendar') continue
      const ics = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
      const calendar = new ICAL.Component(ICAL.parse(ics))
      const inside = calendar.getFirstPropertyValue('method')
      assert.equal(inside, method)
      for (const component of calendar.getAllSubcomponents('vevent')) {
        const { uid, sequence, startDate } = new ICAL.Event(component)
        if (sequence <= (this.#highest.get(uid) ?? -1)) continue
        this.#highest.set(uid, sequence)
        if (inside === 'CANCEL') this.entries.delete(uid)
        else this.entries.set(uid, { start: startDate.toUnixTime() * 1000, sequence })
      }
    }
  }
}

onEveryDatabase('mail about bookings', ({ db }) => {
  const clock = stoppedClock()
  let sink: SmtpSink
  let mailer: SmtpMailer
  let context: Context
  let app: Awaited<ReturnType<typeof appOn>>['app']
  let ada: Scheduler
  let intro: EventType

  before(async () => {
    sink = await startSmtpSink()
    mailer = smtpMailer(sink.url, 'Punctual <mail@book.example>')
    const under = await appOn(db(), { now: clock.now })
    app = under.app
    context = { ...under.context, mailer: mailer.send }
    ada = await addUser(db(), 'ada', alwaysOpen)
    intro = await addEventType(db(), ada, { name: 'Intro call', slug: 'intro' })
  })
  after(async () => {
    await app?.close()
    await mailer?.close()
    await sink?.close()
  })

  let hour = 0
  /** Books the next free hour over HTTP, as a guest does. */
  async function book(eventType = intro, owner = ada, given: Record<string, unknown> = {}) {
    const startsAt = (given.startsAt as number | undefined) ?? TUESDAY_NINE + hour++ * HOUR
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${owner.slug}/${eventType.slug}/book`,
      payload: bookingOf(eventType, startsAt, given),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return recordOf(answer.json().id, 'created', {
      startsAt,
      endsAt: startsAt + eventType.durationMinutes * 60_000,
    })
  }

  /** The stored record of a change. */
  function recordOf(
    bookingId: string,
    type: BookingChangeType,
    given: Pick<ChangeRecord, 'startsAt' | 'endsAt'> & Partial<ChangeRecord>,
  ): ChangeRecord {
    return {
      id: newId(),
      type,
      bookingId,
      by: 'guest',
      reason: '',
      status: 'Confirmed',
      previousStartsAt: null,
      sequence: 0,
      at: clock.now(),
      ...given,
    }
  }

  /** Does the jobs of one kind that a change brings, and returns what arrived. */
  async function spread(record: ChangeRecord, kind: 'mail' | 'reminder' = 'mail'): Promise<ReceivedMail[]> {
    const count = sink.received.length
    const change = await getBookingChange(context.db, record)
    for (const job of mailJobsFor(change, clock.now()).filter((each) => each.kind === kind)) {
      if (kind === 'mail') await deliverMail(context, asJob(kind, job.data))
      else await remind(context, asJob(kind, job.data))
    }
    return sink.received.slice(count)
  }

  const asJob = <Data>(kind: JobKind, data: unknown): Job<Data> => ({
    id: 1,
    kind,
    // As it comes back from the outbox.
    data: JSON.parse(JSON.stringify(data)),
    attempts: 0,
    createdAt: clock.now(),
  })

  it('invites those whom a guest brings, moves and cancels with them, and gives them no way to change it', async () => {
    const party = await addEventType(db(), ada, { name: 'Party', slug: 'party', maxGuests: 3 })
    const given = {
      inviteeEmail: 'grace@guests.example',
      guests: ['tom@guests.example', 'una@guests.example'],
      inviteeNotes: 'Buy now at evil.example',
    }
    const record = await book(party, ada, given)
    const told = await spread(record)
    assert.deepEqual(
      told.map(({ to }) => to),
      ['grace@guests.example', ...given.guests, 'ada@hosts.example'],
    )
    const calendars = told.map(() => new Calendar())
    const receive = (mails: readonly ReceivedMail[]) => {
      for (const [i, mail] of mails.entries()) calendars[i]?.receive(mail)
    }
    receive(told)
    for (const { mail } of told.slice(1, 3)) {
      assert.match(mail.subject ?? '', /^Invitation: Party with Name of ada/)
      const ics = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString()).join()
      const all = `${mail.text}${mail.html}${ics}`
      assert.doesNotMatch(all, /token=|\/booking\/|\/app\//)
      assert.doesNotMatch(`${mail.text}${mail.html}`, /evil/)
      const unfolded = ics.replaceAll(/\r?\n /g, '')
      for (const email of ['grace@guests.example', ...given.guests]) {
        assert.match(unfolded, new RegExp(`ATTENDEE.*mailto:${email}`, 'i'))
      }
    }
    assert.match(told[3]?.mail.text ?? '', /tom@guests\.example/)
    const moved = { startsAt: record.startsAt + DAY, endsAt: record.endsAt + DAY }
    const previous = { previousStatus: 'Confirmed', previousStartsAt: record.startsAt } as const
    receive(await spread(recordOf(record.bookingId, 'rescheduled', { ...moved, ...previous, sequence: 1 })))
    for (const { entries } of calendars) {
      assert.deepEqual([...entries.values()], [{ start: moved.startsAt, sequence: 1 }])
    }
    const off = { ...moved, status: 'Cancelled', previousStatus: 'Confirmed', sequence: 2 } as const
    receive(await spread(recordOf(record.bookingId, 'cancelled', off)))
    for (const { entries } of calendars) assert.equal(entries.size, 0)
    // They never hear of what is not confirmed, nor get reminders.
    const pending = { ...moved, status: 'PendingApproval', sequence: 3 } as const
    assert.equal((await spread(recordOf(record.bookingId, 'created', pending))).length, 2)
    const again = recordOf(record.bookingId, 'created', { ...record, sequence: 4 })
    const reminded = mailJobsFor(await getBookingChange(context.db, again), clock.now())
    const roles = reminded.flatMap(({ kind, data }) => {
      return kind === 'reminder' ? (data as MailJobData).recipient.role : []
    })
    assert.deepEqual(roles, ['guest', 'host'])
  })

  it('writes times as each reader’s clock shows them, and zones by their city', async () => {
    const bea = await addUser(db(), 'bea', alwaysOpen)
    await updateUser(db(), bea.id, { timeFormat: '24h' })
    const talk = await addEventType(db(), bea, { name: 'Talk', slug: 'talk' })
    const startsAt = TUESDAY_NINE + 6 * HOUR
    const given = { startsAt, inviteeTimezone: 'Asia/Kolkata', inviteeLocale: 'en-US' }
    const [guests, hosts] = await spread(await book(talk, bea, given))
    assert.match(guests?.mail.text ?? '', /8:30 PM – 9:00 PM\n.*India Standard Time \(Kolkata\)/)
    assert.match(hosts?.mail.text ?? '', /15:00 – 15:30\n.*Coordinated Universal Time \(UTC\)/)
  })

  it('tells guest and host of a booking, each able to answer the other', async () => {
    const record = await book(intro, ada, { inviteeEmail: 'grace@guests.example' })
    const [guests, hosts, ...others] = await spread(record)
    assert.ok(guests && hosts && others.length === 0)
    assert.deepEqual([guests.to, hosts.to], ['grace@guests.example', 'ada@hosts.example'])
    for (const { mail, from } of [guests, hosts]) {
      assert.equal(from, 'mail@book.example')
      assert.deepEqual([mail.from?.name, mail.from?.address], ['Name of ada', 'mail@book.example'])
    }
    assert.deepEqual(guests.mail.replyTo, [{ name: 'Name of ada', address: 'ada@hosts.example' }])
    assert.deepEqual(hosts.mail.replyTo, [{ name: 'Grace Guest', address: 'grace@guests.example' }])
    assert.match(guests.mail.subject ?? '', /^Confirmed: Intro call with Name of ada/)
    assert.match(hosts.mail.subject ?? '', /^New booking: Intro call with Grace Guest/)
    const [, id, token] = /\/booking\/([\w-]+)\?token=([\w-]+)/.exec(guests.mail.text ?? '') ?? []
    assert.equal(id, record.bookingId)
    assert.ok(isManageToken(context, record.bookingId, token ?? ''))
    assert.doesNotMatch(hosts.mail.html ?? '', /token=/)
  })

  it('has a Message-ID that is the same on a repeat, and on nothing else', async () => {
    const record = await book()
    const idsOf = async (of: ChangeRecord, kind?: 'reminder') =>
      (await spread(of, kind)).map(({ mail }) => mail.messageId)
    const first = await idsOf(record)
    assert.deepEqual(await idsOf(record), first)
    const all = [...first, ...(await idsOf(record, 'reminder')), ...(await idsOf({ ...record, id: newId() }))]
    assert.equal(new Set(all).size, all.length)
    for (const id of all) assert.match(id ?? '', /^<[\w.-]+@book\.example\.com>$/)
    assert.ok(first.every((id) => id?.includes(record.id)))
  })

  it('leaves a calendar empty after booking, moving and cancelling, also when a mail comes twice or late', async () => {
    const created = await book()
    const { bookingId } = created
    const [startsAt, endsAt] = [created.startsAt + DAY, created.endsAt + DAY]
    const moved = recordOf(bookingId, 'rescheduled', {
      startsAt,
      endsAt,
      previousStartsAt: created.startsAt,
      sequence: 1,
    })
    const cancelled = recordOf(bookingId, 'cancelled', { startsAt, endsAt, status: 'Cancelled', sequence: 2 })
    for (const place of [0, 1]) {
      const calendar = new Calendar()
      const show = async (record: ChangeRecord) =>
        calendar.receive((await spread(record))[place] as ReceivedMail)
      await show(created)
      const uid = `${bookingId}@punctual`
      assert.deepEqual([...calendar.entries], [[uid, { start: created.startsAt, sequence: 0 }]])
      await show(moved)
      await show(moved)
      assert.deepEqual([...calendar.entries], [[uid, { start: startsAt, sequence: 1 }]])
      await show(cancelled)
      assert.equal(calendar.entries.size, 0)
      await show(moved)
      assert.equal(calendar.entries.size, 0)
    }
  })

  it('keeps unconfirmed bookings out of calendars', async () => {
    const talk = await addEventType(db(), ada, { slug: 'talk', requiresApproval: true })
    const asked: ChangeRecord = { ...(await book(talk)), status: 'PendingApproval' }
    const { bookingId } = asked
    const calendar = new Calendar()
    const show = async (record: ChangeRecord) => {
      const [mail] = await spread(record)
      calendar.receive(mail as ReceivedMail)
      return mail?.mail.subject
    }
    assert.match((await show(asked)) ?? '', /^Request received/)
    assert.equal(calendar.entries.size, 0)
    const times = { startsAt: asked.startsAt, endsAt: asked.endsAt }
    await show(recordOf(bookingId, 'approved', { ...times, by: 'host', sequence: 1 }))
    assert.equal(calendar.entries.size, 1)
    // Moved, it has to be approved again: until then there is no such meeting.
    const moved = { startsAt: asked.startsAt + DAY, endsAt: asked.endsAt + DAY }
    const again = {
      ...moved,
      status: 'PendingApproval' as const,
      previousStartsAt: asked.startsAt,
      sequence: 2,
    }
    assert.match((await show(recordOf(bookingId, 'rescheduled', again))) ?? '', /^New time requested/)
    assert.equal(calendar.entries.size, 0)
    await show(recordOf(bookingId, 'approved', { ...moved, by: 'host', sequence: 3 }))
    assert.deepEqual([...calendar.entries.values()], [{ start: moved.startsAt, sequence: 3 }])
    const declined = {
      ...moved,
      by: 'host' as const,
      status: 'Declined' as const,
      reason: 'No.',
      sequence: 4,
    }
    const [mail] = await spread(recordOf(bookingId, 'declined', declined))
    assert.match(mail?.mail.text ?? '', /Message: No\./)
    assert.equal(mail?.mail.attachments.length, 0)
  })

  it('removes from no calendar what was never in one', async () => {
    const talk = await addEventType(db(), ada, { slug: 'asked', requiresApproval: true })
    const asked: ChangeRecord = { ...(await book(talk)), status: 'PendingApproval' }
    const pending = { ...asked, id: newId(), previousStatus: 'PendingApproval', sequence: 1 } as const
    const later = { startsAt: asked.startsAt + DAY, endsAt: asked.endsAt + DAY }
    for (const change of [
      { ...pending, ...later, type: 'rescheduled', previousStartsAt: asked.startsAt },
      { ...pending, type: 'cancelled', status: 'Cancelled' },
    ] as const) {
      const mails = await spread(change)
      assert.equal(mails.length, 2)
      for (const { mail } of mails)
        assert.deepEqual([mail.subject, mail.attachments.length], [mail.subject, 0])
    }
  })

  it('writes to every host of a team, and takes the meeting from the one who no longer hosts it', async () => {
    const team = await addTeam(db(), 'crew')
    const [bo, cy, di] = await Promise.all([
      addUser(db(), 'bo', alwaysOpen),
      addUser(db(), 'cy', alwaysOpen),
      addUser(db(), 'di'),
    ])
    const hosts = [bo, cy].map(({ id }) => ({ hostId: id, fixed: true }))
    const collective = await addEventType(db(), team, { slug: 'all' }, hosts)
    const record = await book(collective, team)
    const received = await spread(record)
    assert.deepEqual(
      received
        .map(({ to }) => to)
        .slice(1)
        .sort(),
      ['bo@hosts.example', 'cy@hosts.example'],
    )
    assert.ok(received.every(({ mail }) => mail.from?.name === 'Name of crew'))

    const moved = recordOf(record.bookingId, 'rescheduled', {
      startsAt: record.startsAt + DAY,
      endsAt: record.endsAt + DAY,
      previousStartsAt: record.startsAt,
      hostIds: [bo.id, di.id],
      formerHostIds: [cy.id],
      sequence: 1,
    })
    const told = await spread(moved)
    assert.deepEqual(told.map(({ to }) => to).slice(1), [
      'bo@hosts.example',
      'di@hosts.example',
      'cy@hosts.example',
    ])
    const calendar = new Calendar()
    calendar.receive(received.find(({ to }) => to === 'cy@hosts.example') as ReceivedMail)
    assert.equal(calendar.entries.size, 1)
    calendar.receive(told.at(-1) as ReceivedMail)
    assert.equal(calendar.entries.size, 0)
    assert.match(told.at(-1)?.mail.subject ?? '', /^Reassigned/)
  })

  it('gives up if the recipient’s server refuses, and retries after any other failure', async () => {
    const record = await book()
    const job = asJob<MailJobData>('mail', { change: record, recipient: { role: 'guest' } })
    sink.refuse('RCPT TO', 550)
    await assert.rejects(deliverMail(context, job), GiveUp)
    sink.refuse('RCPT TO', 450)
    await assert.rejects(deliverMail(context, job), (error) => !(error instanceof GiveUp))
    sink.accept()
    const count = sink.received.length
    await deliverMail(context, job)
    assert.equal(sink.received.length, count + 1)
  })

  it('gives up if the booking is gone, and does not email deleted hosts', async () => {
    const record = await book()
    const gone = { ...record, bookingId: newId() }
    await assert.rejects(
      deliverMail(context, asJob('mail', { change: gone, recipient: { role: 'guest' } })),
      GiveUp,
    )
    const count = sink.received.length
    const recipient = { role: 'host', hostId: newId() }
    await deliverMail(context, asJob('mail', { change: record, recipient }))
    assert.equal(sink.received.length, count)
  })

  describe('reminders', () => {
    const set = (id: string, change: { status?: string; starts_at?: number; sequence?: number }) =>
      db().updateTable('bookings').set(change).where('id', '=', id).execute()
    const reminderOf = (record: ChangeRecord) =>
      asJob<ReminderJobData>('reminder', { change: record, recipient: { role: 'guest' }, minutesBefore: 60 })
    const arrives = async (job: Job<ReminderJobData>) => {
      const count = sink.received.length
      await remind(context, job)
      return sink.received.length > count
    }

    it('reach both parties, without an invitation', async () => {
      const record = await book()
      const received = await spread(record, 'reminder')
      assert.deepEqual(new Set(received.map(({ to }) => to)).size, 2)
      for (const { mail } of received) {
        assert.match(mail.subject ?? '', /^Reminder: Intro call/)
        assert.equal(mail.attachments.length, 0)
      }
    })

    it('of a time that a meeting has left are withdrawn with the move', async () => {
      await db().deleteFrom('outbox').execute()
      const [one, other] = [
        await book(intro, ada, { startsAt: clock.now() + 10 * DAY }),
        await book(intro, ada, { startsAt: clock.now() + 11 * DAY }),
      ]
      await runDueJobs(context)
      const dues = async ({ bookingId }: ChangeRecord) =>
        (await jobsOf(db(), 'reminder'))
          .filter(({ data }) => data.change.bookingId === bookingId)
          .map(({ dueAt }) => dueAt)
      const [before, others] = [await dues(one), await dues(other)]
      assert.ok(before.length > 0)
      const url = `/api/public/bookings/${one.bookingId}/reschedule?token=${manageToken(context, one.bookingId)}`
      const payload = { startTime: new Date(one.startsAt + 7 * DAY).toISOString() }
      const moved = await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })
      assert.equal(moved.statusCode, 200, moved.body)
      await runDueJobs(context)
      assert.deepEqual(
        await dues(one),
        before.map((dueAt) => dueAt + 7 * DAY),
      )
      assert.deepEqual(await dues(other), others)
    })

    it('that came due during an outage arrive once', async () => {
      const now = clock.now()
      const { startsAt, ...record } = await book(intro, ada, { startsAt: clock.now() + 3 * DAY })
      const change = await getBookingChange(context.db, { startsAt, ...record })
      const jobs = mailJobsFor(change, clock.now()).filter(({ kind }) => kind === 'reminder')
      clock.moveTo(startsAt - HOUR / 2)
      const count = sink.received.length
      for (const job of jobs) await remind(context, asJob(job.kind, job.data))
      const recipients = sink.received.slice(count).map(({ to }) => to)
      assert.equal(recipients.length, 2)
      assert.equal(new Set(recipients).size, 2)
      clock.moveTo(now)
    })

    it('die with the meeting', async () => {
      const record = await book()
      assert.ok(await arrives(reminderOf(record)))
      for (const status of ['Cancelled', 'Declined', 'PendingApproval', 'Completed', 'NoShow']) {
        await set(record.bookingId, { status })
        assert.ok(!(await arrives(reminderOf(record))), status)
      }
      const gone = { ...record, bookingId: newId() }
      assert.ok(!(await arrives(reminderOf(gone))))
    })

    it('move with it, and do not come twice when it moves back', async () => {
      const record = await book()
      await set(record.bookingId, { starts_at: record.startsAt + 7 * DAY, sequence: 1 })
      assert.ok(!(await arrives(reminderOf(record))))
      const moved = {
        ...record,
        startsAt: record.startsAt + 7 * DAY,
        endsAt: record.endsAt + 7 * DAY,
        sequence: 1,
      }
      assert.ok(await arrives(reminderOf(moved)))
      await set(record.bookingId, { starts_at: record.startsAt, sequence: 2 })
      assert.ok(!(await arrives(reminderOf(record))))
      assert.ok(await arrives(reminderOf({ ...record, sequence: 2 })))
    })

    it('are not sent once the meeting has begun', async () => {
      const record = await book()
      clock.moveTo(record.startsAt - 1)
      assert.ok(await arrives(reminderOf(record)))
      clock.moveTo(record.startsAt)
      assert.ok(!(await arrives(reminderOf(record))))
      clock.moveTo(MONDAY_NOON)
    })

    it('reach the host of a seated meeting once, and each of its guests', async () => {
      const class_ = await addEventType(db(), ada, { slug: 'class', name: 'Class', seats: 5 })
      const startsAt = TUESDAY_NINE + 7 * DAY
      const records = []
      for (let guest = 0; guest < 3; guest++) records.push(await book(class_, ada, { startsAt }))
      const received = []
      for (const record of records) received.push(...(await spread(record, 'reminder')))
      const toHost = received.filter(({ to }) => to === 'ada@hosts.example')
      // A day and an hour ahead.
      assert.equal(toHost.length, 2)
      assert.equal(received.length - toHost.length, 3 * 2)
      assert.match(toHost[0]?.mail.subject ?? '', /Class with Grace Guest \+2/)
    })
  })
})
