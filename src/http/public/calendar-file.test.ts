import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import ICAL from 'ical.js'
import { onEveryDatabase } from '../../../test/databases.ts'
import { jobsOf } from '../../../test/jobs.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { ChangeRecord } from '../../domain/bookings/change.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { getGuestBooking } from '../../services/bookings/guest/guest-view.ts'
import { approve } from '../../services/bookings/host/approve.ts'
import { getBookingChange } from '../../services/bookings/load-change.ts'
import type { Context } from '../../services/context.ts'
import { sendBookingMail } from '../../services/mail/send.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const iso = (instant: number) => new Date(instant).toISOString()

/** What two versions of an event must have in common for a calendar to take them for one. */
function eventIn(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics))
  const [event, ...others] = calendar.getAllSubcomponents('vevent')
  assert.ok(event && others.length === 0)
  const people = (name: string) =>
    event.getAllProperties(name).map((property) => [property.getFirstValue(), property.getParameter('cn')])
  const value = (name: string) => event.getFirstPropertyValue(name)?.toString()
  return {
    method: calendar.getFirstPropertyValue('method'),
    status: value('status'),
    same: {
      ...Object.fromEntries(
        ['uid', 'sequence', 'dtstart', 'dtend', 'summary', 'location', 'description', 'url'].map((name) => [
          name,
          value(name),
        ]),
      ),
      organizer: people('organizer'),
      attendee: people('attendee'),
    },
  }
}

onEveryDatabase('GET /api/public/bookings/{id}/calendar.ics', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let mailbox: Mail[]
  let people = 0

  before(async () => {
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now }))
  })
  after(() => app.close())

  const newHost = () => addUser(db(), `host-${people++}`)

  /** Books over HTTP, and returns what the guest can ask for with their link. */
  async function book(owner: Scheduler, talk: EventType, given: Record<string, unknown> = {}) {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${owner.slug}/${talk.slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(talk, TUESDAY_NINE, given),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const link = new URL(String(answer.headers.location))
    const at = (rest: string) => `${link.pathname}${rest}${link.search}`
    const id: string = answer.json().id
    return {
      id,
      at,
      file: () => app.inject(at('/calendar.ics')),
      view: async () => (await app.inject(at(''))).json(),
      post: async (rest: string, payload: object) => {
        const done = await app.inject({ method: 'POST', url: at(rest), headers: fromSomeoneNew(), payload })
        assert.equal(done.statusCode, 200, done.body)
      },
      /** The mail to the guest about the latest change. */
      mail: async (): Promise<Mail> => {
        const records = (await jobsOf(db(), 'announce')).map(({ data }) => data as ChangeRecord)
        const latest = records.findLast(({ bookingId }) => bookingId === id) as ChangeRecord
        await sendBookingMail(context, await getBookingChange(db(), latest), { role: 'guest' })
        return mailbox.at(-1) as Mail
      },
    }
  }

  it('is the emailed event, through its whole life', async () => {
    const host = await newHost()
    const talk = await addEventType(db(), host, { slug: 'talk', name: 'A talk; long, and good' })
    const { file, mail, post } = await book(host, talk, { inviteeName: 'Grace "Amazing" Guest' })
    const check = async (method: string, status: string, sequence: string) => {
      const answer = await file()
      assert.equal(answer.statusCode, 200, answer.body)
      const [downloaded, mailed] = [eventIn(answer.body), eventIn((await mail()).invitation?.ics ?? '')]
      assert.deepEqual(downloaded.same, mailed.same)
      assert.deepEqual([downloaded.method, mailed.method], [null, method])
      assert.deepEqual([downloaded.status, mailed.status], [status, status])
      assert.equal((downloaded.same as Record<string, unknown>).sequence, sequence)
      return downloaded.same as Record<string, unknown>
    }
    const created = await check('REQUEST', 'CONFIRMED', '0')
    assert.equal(created.location, 'https://meet.example.com/room')
    assert.match(String(created.description), /https:\/\/book\.example\.com\/booking\/[\w-]+\?token=/)
    await post('/reschedule', { startTime: iso(TUESDAY_NINE + HOUR) })
    const moved = await check('REQUEST', 'CONFIRMED', '1')
    assert.deepEqual([moved.uid, moved.dtstart], [created.uid, '2027-01-12T10:00:00Z'])
    await post('/cancel', {})
    const cancelled = await check('CANCEL', 'CANCELLED', '2')
    assert.equal(cancelled.uid, created.uid)
    assert.equal(cancelled.location, 'Video call', 'a cancelled meeting has no link to join it')
  })

  it('says what the mail says, in the same order, and the API has it all', async () => {
    const host = await newHost()
    const questions = [
      { key: 'why', label: 'Why?', type: 'text', required: true, options: [] },
      { key: 'news', label: 'Newsletter', type: 'checkbox', required: false, options: [] },
    ] as const
    const settings = { maxGuests: 2, cancelNoticeMinutes: 60, questions }
    const talk = await addEventType(db(), host, { slug: 'facts', name: 'Facts', ...settings })
    const { file, mail, view } = await book(host, talk, {
      guests: ['bob@guests.example'],
      customFields: { why: 'To learn', news: true },
      inviteeNotes: 'Bring cake',
    })
    const description = String((eventIn((await file()).body).same as Record<string, unknown>).description)
    const [facts = ''] = description.split('\n\n')
    assert.match(
      facts,
      /^Event: Facts\nHost: .+\nWhen: .+\n.+\n.+\nWhere: Video call\n {2}Join: https:.+\nGuests: bob@guests\.example\nWhy\? To learn\nNewsletter: Yes\nNotes: Bring cake\nCancellation: You can cancel until .+\.$/,
    )
    assert.ok((await mail()).text.includes(facts))
    const own = await view()
    assert.deepEqual(own.guests, ['bob@guests.example'])
    assert.deepEqual(own.answers, [
      { label: 'Why?', value: 'To learn', isTick: false },
      { label: 'Newsletter', value: 'true', isTick: true },
    ])
    assert.deepEqual([own.notes, own.cancelUntil], ['Bring cake', '2027-01-12T08:00:00Z'])
    assert.deepEqual(own.hosts, [{ name: host.name, avatarUrl: '' }])
  })

  it('names all hosts of a team’s meeting, also once their time is free again', async () => {
    const [team, bo, cy] = [await addTeam(db(), `team-${people++}`), await newHost(), await newHost()]
    const hosts = [bo, cy].map(({ id }) => ({ hostId: id, fixed: true }))
    const all = await addEventType(db(), team, { slug: 'all' }, hosts)
    const { file, mail, post } = await book(team, all, { inviteeLocale: 'de' })
    for (const change of [undefined, '/reschedule', '/cancel']) {
      if (change !== undefined) await post(change, { startTime: iso(TUESDAY_NINE + HOUR) })
      const { same } = eventIn((await file()).body)
      assert.deepEqual(same, eventIn((await mail()).invitation?.ics ?? '').same)
      assert.equal(same.attendee.length, 2)
    }
  })

  it('is a file to save, which no cache keeps', async () => {
    const host = await newHost()
    const { file } = await book(host, await addEventType(db(), host, { slug: 'talk' }))
    const { headers, body } = await file()
    assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="talk.ics"')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(body, /\r\nEND:VCALENDAR\r\n$/)
  })

  it('is not there while the host has not confirmed, and neither are the links', async () => {
    const host = await newHost()
    const { id, file, view, post } = await book(
      host,
      await addEventType(db(), host, { requiresApproval: true }),
    )
    const pending = async () => {
      assert.equal((await file()).statusCode, 409)
      assert.deepEqual((await view()).calendarLinks, [])
    }
    await pending()
    const actor = { userId: host.id, email: 'host@hosts.example' }
    await approve(context, { by: 'host', actor }, await getGuestBooking(context, id))
    assert.equal((await file()).statusCode, 200)
    assert.equal((await view()).calendarLinks.length, 3)
    await post('/reschedule', { startTime: iso(TUESDAY_NINE + HOUR) })
    await pending()
    await post('/cancel', {})
    assert.deepEqual((await view()).calendarLinks, [])
    assert.match((await file()).body, /STATUS:CANCELLED/)
    assert.doesNotMatch((await file()).body, /meet\.example\.com/)
  })

  it('comes with the links of the mail, in which a space is %20', async () => {
    const host = await newHost()
    const { view, mail } = await book(host, await addEventType(db(), host, { name: 'Tea + cake & more' }))
    const links: { name: string; url: string }[] = (await view()).calendarLinks
    assert.deepEqual(
      links.map(({ name }) => name),
      ['Google', 'Outlook.com', 'Microsoft 365'],
    )
    const { text } = await mail()
    for (const { name, url } of links) {
      assert.ok(text.includes(`${name}: ${url}`), `${name} is ${url}, but the mail says\n${text}`)
      assert.doesNotMatch(url, /\+/)
      const { searchParams } = new URL(url)
      const title = searchParams.get('text') ?? searchParams.get('subject')
      assert.equal(title, `Tea + cake & more: Grace Guest & ${host.name}`)
    }
  })
})
