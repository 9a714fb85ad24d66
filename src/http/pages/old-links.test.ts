import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  addUser,
  appOn,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { FORM_DEFAULTS, type RoutingForm } from '../../domain/forms/routing.ts'
import { HOUR } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { wholeUid } from '../../services/bookings/guest/manage-link.ts'
import { hashSecret } from '../../services/secret.ts'
import { insertBooking } from '../../store/bookings/bookings.ts'
import { insertPrivateLink } from '../../store/bookings/private-links.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'

const SHORT_UID = 'kGv1AbCdEfGhJkLmNpQr23'
const SEAT_UID = '7e4d3ad0-4f2c-4d55-9a4f-0f6c4f3b1a11'
const SEATED_UID = 'seatedMeetingsOwnUid22'
const OLD_LINK = 'wXyZ1234567890AbCdEf12'
const FORM_ID = '948ae412-d995-4865-885a-48302588de03'

onEveryDatabase('addresses of the service before', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let team: Scheduler
  let user: Scheduler
  let talk: EventType
  let bookingId = ''
  let seatId = ''

  before(async () => {
    under = await appOn(db(), { now: clock.now })
    team = await addTeam(db(), 'sales-2')
    user = await addUser(db(), 'demi')
    const support = await addTeam(db(), 'support')
    await addEventType(db(), support, { slug: 'help' }, [{ hostId: user.id, fixed: false }])
    talk = await addEventType(db(), team, { slug: 'talk' }, [{ hostId: user.id, fixed: false }])
    const own = await addEventType(db(), user, { slug: 'intro' })
    bookingId = await addBooking(own, newId())
    seatId = await addBooking(own, newId(), MONDAY_NOON + 70 * HOUR)
    const form: RoutingForm = {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: team.id,
      slug: 'where-to',
      name: 'Where to',
      fields: [
        {
          id: 'company-size',
          label: 'How many are you?',
          type: 'select',
          required: true,
          options: [
            { id: 'small', label: '1-10' },
            { id: 'large', label: '11-50' },
          ],
        },
        { id: 'email', label: 'Email', type: 'email', required: false, options: [] },
      ],
      rules: [
        {
          when: { field: 'company-size', operator: 'equals', value: 'large' },
          target: { action: 'routeToEvent', eventTypeId: talk.id },
        },
        {
          when: { field: 'email', operator: 'endsWith', value: '@rival.example' },
          target: { action: 'message', message: 'Nothing <b>here</b>.' },
        },
      ],
      fallback: { action: 'redirect', url: 'https://small.example/?a=b' },
    }
    await db()
      .transaction()
      .execute(async (trx) => {
        await insertForm(trx, form)
        const ends = { uses: null, used: 0, expiresAt: null, durationMinutes: null, hostIds: [] }
        const link = { ...ends, id: newId(), eventTypeId: own.id, answers: {}, note: '', createdAt: 0 }
        await insertPrivateLink(trx, link, hashSecret(OLD_LINK))
        await insertPrivateLink(trx, { ...link, id: newId(), expiresAt: 1 }, hashSecret('ended-link'))
        await trx
          .insertInto('import_uids')
          .values([
            { uid: SHORT_UID, booking_id: bookingId, meeting_id: bookingId },
            { uid: SEAT_UID, booking_id: seatId, meeting_id: seatId },
            { uid: SEATED_UID, booking_id: null, meeting_id: seatId },
          ])
          .execute()
        await trx
          .insertInto('old_links')
          .values([
            { path: '/team/sales', kind: 'team', object_id: team.id },
            { path: '/team/sales/hello', kind: 'event-type', object_id: talk.id },
            { path: '/org/acme', kind: 'team', object_id: team.id },
            { path: '/demi-lovely', kind: 'user', object_id: user.id },
            { path: `/forms/${FORM_ID}`, kind: 'form', object_id: form.id },
          ])
          .execute()
      })
  })
  after(() => under.app.close())

  async function addBooking(eventType: EventType, id: string, startsAt = MONDAY_NOON + 46 * HOUR) {
    const booking: Booking = {
      id,
      eventTypeId: eventType.id,
      meetingId: id,
      status: 'Confirmed',
      startsAt,
      endsAt: startsAt + HOUR,
      invitee: { name: 'Grace', email: `${id}@guests.example`, phone: '', timeZone: 'UTC', locale: 'en' },
      guests: [],
      location: { type: 'InPerson', value: '1 High Street' },
      notes: '',
      customFields: {},
      source: 'BookingPage',
      utm: {},
      createdAt: 0,
      sequence: 1,
      reason: '',
      uid: `${SHORT_UID}@Cal.com`,
    }
    const { schedulerId } = eventType
    await db()
      .transaction()
      .execute((trx) =>
        insertBooking(trx, { booking, schedulerId, hostId: user.id, seat: 1, seats: 1, duplicateKey: id }),
      )
    return id
  }

  const ask = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    under.app.inject({ method, url, headers: { accept: 'text/html', ...fromSomeoneNew() } })
  const responses = async () =>
    (await db().selectFrom('routing_responses').select('answers').orderBy('id').execute()).map((row) =>
      JSON.parse(row.answers),
    )

  it('lead to their pages for good where nothing is secret', async () => {
    const leads: readonly (readonly [string, string])[] = [
      ['/team/sales', '/sales-2'],
      ['/team/sales/', '/sales-2'],
      ['/Team/Sales/hello', '/sales-2/talk'],
      ['/team/sales/talk', '/sales-2/talk'],
      [
        '/team/sales/hello?name=Ada&utm_source=x&month=2027-02&token=t',
        '/sales-2/talk?name=Ada&utm_source=x&month=2027-02',
      ],
      ['/org/acme', '/sales-2'],
      ['/org/acme/team/sales/hello', '/sales-2/talk'],
      ['/org/acme/demi/intro', '/demi/intro'],
      ['/org/acme/demi', '/demi'],
      ['/demi-lovely', '/demi'],
      ['/demi-lovely/intro', '/demi/intro'],
      [`/forms/${FORM_ID}?email=a%40b.example`, '/sales-2/forms/where-to?email=a%40b.example'],
      [`/apps/routing-forms/routing-link/${FORM_ID}`, '/sales-2/forms/where-to'],
    ]
    for (const [from, to] of leads) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await ask(from, method)
        assert.deepEqual([from, answer.statusCode, answer.headers.location], [from, 301, to])
      }
    }
  })

  it('lead to teams that were made here, if the names fit', async () => {
    for (const [from, to] of [
      ['/team/support', '/support'],
      ['/team/Support/help?month=2027-02', '/support/help?month=2027-02'],
      ['/org/acme/team/support/help', '/support/help'],
    ] as const) {
      const answer = await ask(from)
      assert.deepEqual([from, answer.statusCode, answer.headers.location], [from, 301, to])
    }
    const lost = ['/team/support/talk', '/team/support/help/more', '/team/demi/intro', '/team/nobody/help']
    for (const url of lost) assert.equal((await ask(url)).statusCode, 404, url)
  })

  it('open the booking that they opened there, for who has its uid', async () => {
    for (const [from, id, step] of [
      [`/booking/${SHORT_UID}`, bookingId, null],
      [`/booking/${SHORT_UID}?cancel=true&allRemainingBookings=false`, bookingId, null],
      [`/booking/${SEAT_UID}`, seatId, null],
      [`/booking/${SEATED_UID}?seatReferenceUid=${SEAT_UID}`, seatId, null],
      [`/reschedule/${SHORT_UID}`, bookingId, 'reschedule'],
      [`/reschedule/${SEATED_UID}?seatReferenceUid=${SEAT_UID}`, seatId, 'reschedule'],
      [`/demi/intro?rescheduleUid=${SHORT_UID}`, bookingId, 'reschedule'],
    ] as const) {
      const answer = await ask(from)
      assert.equal(answer.statusCode, 302, from)
      const to = new URL(answer.headers.location ?? '', 'http://here')
      assert.equal(to.pathname, `/booking/${id}`)
      assert.equal(to.searchParams.get('step'), step)
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(String(answer.headers['x-robots-tag']), /noindex/)
      const token = to.searchParams.get('token')
      const own = await under.app.inject(`/api/public/bookings/${id}?token=${token}`)
      assert.equal(own.statusCode, 200, own.body)
    }
    const framed = await ask(`/reschedule/${SHORT_UID}?embed=cal&theme=dark&other=1`)
    const { searchParams } = new URL(framed.headers.location ?? '', 'http://here')
    assert.deepEqual([...searchParams.keys()].sort(), ['embed', 'step', 'theme', 'token'])
    const cancelled = await ask(`/booking/${SHORT_UID}`)
    const token = new URL(cancelled.headers.location ?? '', 'http://here').searchParams.get('token')
    const done = await under.app.inject({
      method: 'POST',
      url: `/api/public/bookings/${bookingId}/cancel?token=${token}`,
      headers: fromSomeoneNew(),
    })
    assert.equal(done.statusCode, 200, done.body)
  })

  it('give no token for a meeting whose guests each have a seat, nor for anything unknown', async () => {
    const unknown = await ask('/booking/nothing-here')
    for (const uid of [SEATED_UID, 'nothing-here', '%00', 'x'.repeat(190)]) {
      const answer = await ask(`/booking/${uid}`)
      assert.equal(answer.headers.location, undefined, uid)
      assert.equal(answer.statusCode, unknown.statusCode)
    }
    assert.equal((await ask(`/reschedule/${SEATED_UID}`)).statusCode, 404)
  })

  it('open bookings by the uids that programs have from /v2, as often as they like', async () => {
    const uid = wholeUid(under.context, seatId)
    const headers = { accept: 'text/html', ...fromSomeoneNew() }
    for (let tries = 0; tries < 12; tries++) {
      for (const [url, step] of [
        [`/booking/${uid}`, null],
        [`/reschedule/${uid}`, 'reschedule'],
        [`/demi/intro?rescheduleUid=${uid}`, 'reschedule'],
      ] as const) {
        const answer = await under.app.inject({ url, headers })
        assert.equal(answer.statusCode, 302, url)
        const to = new URL(answer.headers.location ?? '', 'http://here')
        assert.equal(`${to.pathname.slice('/booking/'.length)}_${to.searchParams.get('token')}`, uid)
        assert.equal(to.searchParams.get('step'), step)
      }
    }
    const other = wholeUid(under.context, bookingId).slice(36)
    assert.equal((await ask(`/reschedule/${seatId}${other}`)).statusCode, 404)
  })

  it('tell nobody who tries many uids whether one of them was right', async () => {
    const as = { accept: 'text/html', ...fromSomeoneNew() }
    const api = { ...as, 'cal-api-version': '2024-08-13' }
    const slots =
      '/v2/slots/available?eventTypeSlug=intro&username=demi&startTime=2027-01-12&endTime=2027-01-12'
    const uses = (uid: string) =>
      [
        [`/booking/${uid}`, as],
        [`/reschedule/${uid}`, as],
        [`/demi/intro?rescheduleUid=${uid}`, as],
        [`/v2/bookings/${uid}`, api],
        [`${slots}&rescheduleUid=${uid}`, as],
      ] as const
    for (let tries = 0; tries < 6; tries++) {
      for (const [url, headers] of uses(`guess-${tries}`)) {
        const answer = await under.app.inject({ url, headers })
        assert.notEqual(answer.statusCode, 429, url)
      }
    }
    for (const uid of ['guess-7', SHORT_UID]) {
      for (const [url, headers] of uses(uid)) {
        const answer = await under.app.inject({ url, headers })
        assert.equal(answer.statusCode, 429, url)
        assert.equal(answer.headers.location, undefined)
        assert.ok(Number(answer.headers['retry-after']) > 0)
      }
      const cancel = { method: 'POST', url: `/v2/bookings/${uid}/cancel`, headers: api, payload: {} } as const
      assert.equal((await under.app.inject(cancel)).statusCode, 429)
    }
    const own = (await ask(`/booking/${SHORT_UID}`)).headers.location ?? ''
    assert.equal((await under.app.inject({ url: own, headers: as })).statusCode, 200, 'links of ours')
  })

  it('open event types by links that keep their old token', async () => {
    const answer = await ask(`/d/${OLD_LINK}/intro?name=Ada`)
    assert.deepEqual(
      [answer.statusCode, answer.headers.location],
      [302, `/demi/intro?name=Ada&link=${OLD_LINK}`],
    )
    assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    const framed = 'embed_domain=site.example&embed_type=Inline&hide_event_type_details=1'
    const calendly = await ask(`/d/${OLD_LINK}/intro?${framed}`)
    assert.equal(calendly.headers.location, `/demi/intro?${framed}&link=${OLD_LINK}`)
    const slots = await under.app.inject(
      `/api/public/scheduling/demi/intro/slots?timezone=UTC&dateFrom=2027-01-12&dateTo=2027-01-12&link=${OLD_LINK}`,
    )
    assert.equal(slots.statusCode, 200, slots.body)
    const ended = await ask('/d/ended-link/intro')
    assert.equal(ended.headers.location, '/demi/intro?link=ended-link')
  })

  it('answer a form by its fields’ identifiers, and lead where it leads', async () => {
    const large = await ask(
      `/router?form=${FORM_ID}&company-size=11-50&email=ada%40guests.example&utm_source=x`,
    )
    assert.equal(large.statusCode, 302, large.body)
    const to = new URL(large.headers.location ?? '', 'http://here')
    assert.equal(to.pathname, '/sales-2/talk')
    assert.equal(to.searchParams.get('utm_source'), 'x')
    assert.ok(to.searchParams.get('routing'))
    assert.equal(large.headers['cache-control'], 'no-store')
    assert.deepEqual(await responses(), [{ 'company-size': 'large', email: 'ada@guests.example' }])

    const small = await ask(`/router?form=${FORM_ID}&Company%20Size=small`)
    assert.deepEqual([small.statusCode, small.headers.location], [302, 'https://small.example/?a=b'])
    const told = await ask(`/router?form=${FORM_ID}&company-size=small&email=a%40rival.example`)
    assert.equal(told.statusCode, 200)
    assert.match(told.body, /Nothing &lt;b&gt;here/)
    assert.equal((await responses()).length, 3)

    // What is missing is asked for; nothing is recorded by a look.
    const missing = await ask(`/router?form=${FORM_ID}&email=a%40b.example`)
    assert.equal(missing.headers.location, '/sales-2/forms/where-to?email=a%40b.example')
    const looked = await ask(`/router?form=${FORM_ID}&company-size=large`, 'HEAD')
    assert.equal(looked.headers.location, '/sales-2/talk?company-size=large')
    assert.equal((await responses()).length, 3)
  })

  it('are not found, as everything else, where nothing was', async () => {
    const other = await ask('/nobody/nothing/at/all')
    for (const url of [
      '/team/nobody',
      '/team/sales/nothing',
      '/org/acme/nobody/intro',
      '/org/acme/team/nobody/x',
      `/d/${'x'.repeat(22)}/intro`,
      '/forms/unknown',
      '/router',
      '/router?form=unknown',
      '/reschedule/unknown',
      '/team/%00',
      '/router?form=%00',
      `/team/${'x'.repeat(180)}`,
    ]) {
      const answer = await ask(url)
      assert.equal(answer.statusCode, 404, url)
      assert.equal(answer.headers.location, undefined)
      assert.doesNotMatch(answer.body, /token=/)
      assert.equal(answer.headers['cache-control'], other.headers['cache-control'] ?? 'no-store', url)
    }
    assert.equal((await ask('/team/%E0%A4%A')).statusCode, 400)
    assert.equal((await ask('/team/sales', 'POST')).statusCode, 404)
    assert.equal((await under.app.inject('/api/team/sales')).statusCode, 404)
  })
})
