import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import { runDueJobs } from '../../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
  weekdays,
} from '../../../test/kit.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY, HOUR } from '../../domain/interval.ts'

const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const WEEKLY = { every: 'week', count: 4 }
const instant = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
const OFFER = { every: ['week', '2 weeks', 'month'], most: 12 } as const

interface Meeting {
  readonly id: string
  readonly startTime: string
  readonly manageUrl: string
}

onEveryDatabase('a series', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let app: FastifyInstance
  let people = 0

  before(async () => {
    under = await appOn(db(), { now: clock.now, signup: 'open' })
    app = under.app
  })
  after(() => app.close())

  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, headers: { ...fromSomeoneNew(), ...headers }, payload })

  async function offer(given: Partial<EventType> = {}, zone = 'UTC') {
    const host = await addUser(db(), `series-${people++}`, weekdays(zone))
    const talk = await addEventType(db(), host, {
      slug: 'talk',
      series: OFFER,
      window: { kind: 'unlimited' },
      ...given,
    })
    const base = `/api/public/scheduling/${host.slug}/talk`
    const book = (startsAt: number, more: object = {}, headers = {}) =>
      post(`${base}/book`, { ...bookingOf(talk, startsAt), ...more }, headers)
    const listed = async (day: string): Promise<string[]> => {
      const reply = await app.inject(`${base}/slots?dateFrom=${day}&dateTo=${day}&timezone=UTC`)
      return reply.json().flatMap(({ slots }: { slots: Meeting[] }) => slots.map((slot) => slot.startTime))
    }
    return { host, talk, base, book, listed }
  }

  const countOf = async (eventType: EventType) => {
    const rows = await db()
      .selectFrom('bookings')
      .select('id')
      .where('event_type_id', '=', eventType.id)
      .where('status', 'in', ['Confirmed', 'PendingApproval'])
      .execute()
    return rows.length
  }
  const startsOf = (meetings: readonly Meeting[]) => meetings.map(({ startTime }) => startTime)
  const change = (meeting: Meeting | undefined, action: string, body: object) => {
    const { pathname, search } = new URL(meeting?.manageUrl ?? '')
    return post(`/api/public/bookings${pathname.replace('/booking', '')}/${action}${search}`, body)
  }
  const look = async (meeting: Meeting | undefined) => {
    const { pathname, search } = new URL(meeting?.manageUrl ?? '')
    return (await app.inject(`/api/public/bookings${pathname.replace('/booking', '')}${search}`)).json()
  }

  it('is booked as a whole, at the same wall time in the host’s zone', async () => {
    const { book, talk } = await offer({}, 'Europe/Berlin')
    const march = Date.UTC(2027, 2, 16, 9)
    const reply = await book(march, { repeat: WEEKLY })
    assert.equal(reply.statusCode, 201, reply.body)
    const { id, seriesId, series, startTime } = reply.json()
    assert.equal(startTime, '2027-03-16T09:00:00Z')
    assert.deepEqual(startsOf(series), [
      '2027-03-16T09:00:00Z',
      '2027-03-23T09:00:00Z',
      '2027-03-30T08:00:00Z',
      '2027-04-06T08:00:00Z',
    ])
    assert.equal(series[0].id, id)
    assert.equal(await countOf(talk), 4)
    for (const meeting of series) {
      const own = await look(meeting)
      assert.deepEqual([own.id, own.seriesId, own.series.length], [meeting.id, seriesId, 4])
    }
  })

  it('is booked if, and only if, all its times are listed, whatever length is chosen', async () => {
    const limits = { day: 3, week: null, month: null }
    const { book, base, talk } = await offer({ durations: [30, 60], limits, bufferAfterMinutes: 15 })
    const random = seededRandom(7)
    const pick = (count: number) => Math.floor(random() * count)
    const isListed = async (start: number, minutes: number) => {
      const day = new Date(start).toISOString().slice(0, 10)
      const query = `dateFrom=${day}&dateTo=${day}&timezone=UTC&duration=${minutes}`
      return (await app.inject(`${base}/slots?${query}`)).body.includes(`"startTime":"${instant(start)}"`)
    }
    let [taken, refused] = [0, 0]
    for (let round = 0; round < 60; round++) {
      const minutes = pick(2) === 0 ? 30 : 60
      // Two days of four weeks, so that series meet; some times are off the grid, or after hours.
      const start = TUESDAY_NINE + pick(2) * DAY + pick(4) * 7 * DAY + pick(18) * (HOUR / 2)
      const repeat = { every: 'week', count: 2 + pick(2) }
      const starts = Array.from({ length: repeat.count }, (_, i) => start + i * 7 * DAY)
      const wanted = (await Promise.all(starts.map((one) => isListed(one, minutes)))).every(Boolean)
      const before = await countOf(talk)
      const reply = await book(start, { repeat, endTime: instant(start + (minutes * HOUR) / 60) })
      assert.equal(reply.statusCode, wanted ? 201 : 400, reply.body)
      assert.equal(await countOf(talk), wanted ? before + repeat.count : before)
      if (wanted) taken++
      else refused++
    }
    assert.ok(taken > 5 && refused > 5, `${taken} booked, ${refused} refused`)
  })

  it('leaves a plain booking as it was', async () => {
    const { book } = await offer()
    const reply = await book(TUESDAY_NINE)
    assert.equal(reply.statusCode, 201)
    assert.deepEqual(Object.keys(reply.json()), [
      'id',
      'eventTypeId',
      'status',
      'startTime',
      'endTime',
      'invitee',
      'location',
      'createdAt',
    ])
  })

  it('is refused where there is none, or not this one', async () => {
    const { book } = await offer({ series: null })
    const refused = await book(TUESDAY_NINE, { repeat: WEEKLY })
    assert.deepEqual([refused.statusCode, /no series/.test(refused.body)], [400, true])
    const { book: bookShort } = await offer({ series: { every: ['week'], most: 3 } })
    for (const repeat of [
      WEEKLY,
      { every: 'month', count: 2 },
      { every: 'day', count: 2 },
      { every: 'week' },
    ]) {
      assert.equal((await bookShort(TUESDAY_NINE, { repeat })).statusCode, 400)
    }
  })

  it('is refused as a whole, and names the dates', async () => {
    const { book, talk, listed } = await offer()
    assert.equal((await book(TUESDAY_NINE + 7 * DAY)).statusCode, 201)
    assert.equal((await book(TUESDAY_NINE + 21 * DAY)).statusCode, 201)
    const refused = await book(TUESDAY_NINE, { repeat: WEEKLY })
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().error, 'Not available on 2027-01-19, 2027-02-02. Please choose another time.')
    assert.equal(await countOf(talk), 2)
    assert.ok((await listed('2027-01-12')).includes('2027-01-12T09:00:00Z'))
  })

  it('keeps limits, buffers, the window and time off on each date', async () => {
    const limited = await offer({ limits: { day: null, week: null, month: 2 } })
    const refused = await limited.book(TUESDAY_NINE, { repeat: WEEKLY })
    assert.match(refused.json().error, /^Not available on 2027-01-26\./)
    const near = await offer({ window: { kind: 'rolling', days: 10 } })
    assert.match(
      (await near.book(TUESDAY_NINE, { repeat: WEEKLY })).json().error,
      /^Not available on 2027-01-26, 2027-02-02\./,
    )
    const away = await offer()
    await db()
      .insertInto('absences')
      .values({
        id: away.talk.id,
        user_id: away.host.id,
        starts_at: TUESDAY_NINE + 14 * DAY,
        ends_at: TUESDAY_NINE + 15 * DAY,
        note: '',
      })
      .execute()
    assert.match((await away.book(TUESDAY_NINE, { repeat: WEEKLY })).json().error, /on 2027-01-26\./)
    const seated = await offer({ seats: 2 })
    for (const _ of [1, 2])
      assert.equal((await seated.book(TUESDAY_NINE, { repeat: WEEKLY })).statusCode, 201)
    assert.equal((await seated.book(TUESDAY_NINE + 7 * DAY)).statusCode, 400)
  })

  it('names the dates that a guest has already, but not why', async () => {
    const { book } = await offer({ seats: 5 })
    const inviteeEmail = 'twice@guests.example'
    assert.equal((await book(TUESDAY_NINE + 7 * DAY, { inviteeEmail })).statusCode, 201)
    const again = await book(TUESDAY_NINE, { inviteeEmail, repeat: WEEKLY })
    assert.deepEqual(
      [again.statusCode, again.json().error],
      [400, 'Not available on 2027-01-19. Please choose another time.'],
    )
  })

  it('gives a repeated request the same answer', async () => {
    const { base, talk } = await offer()
    const body = { ...bookingOf(talk, TUESDAY_NINE), repeat: WEEKLY }
    const headers = { 'idempotency-key': 'series-once' }
    const replies = await Promise.all([1, 2, 3].map(() => post(`${base}/book`, body, headers)))
    const first = await post(`${base}/book`, body, headers)
    assert.equal(first.statusCode, 201, first.body)
    for (const reply of replies) assert.deepEqual(reply.json(), first.json())
    assert.equal(await countOf(talk), 4)
  })

  it('counts as one for the limits of a guest', async () => {
    const { book } = await offer({ series: { every: ['week'], most: 12 } })
    const inviteeEmail = 'weekly@guests.example'
    const repeat = { every: 'week', count: 12 }
    const headers = fromSomeoneNew()
    for (const hour of [0, 1, 2, 3, 4]) {
      const reply = await book(TUESDAY_NINE + hour * HOUR, { inviteeEmail, repeat }, headers)
      assert.equal(reply.statusCode, 201, reply.body)
    }
    assert.equal((await book(TUESDAY_NINE + 5 * HOUR, { inviteeEmail, repeat }, headers)).statusCode, 429)
  })

  it('has one host throughout, and takes one turn', async () => {
    const team = await addTeam(db(), `series-team-${people++}`)
    const hosts = [await addUser(db(), `series-${people++}`), await addUser(db(), `series-${people++}`)]
    const talk = await addEventType(
      db(),
      team,
      { slug: 'talk', series: OFFER, assignment: 'round-robin', window: { kind: 'unlimited' } },
      hosts.map(({ id }) => ({ hostId: id, fixed: false })),
    )
    const book = (startsAt: number, more = {}) =>
      post(`/api/public/scheduling/${team.slug}/talk/book`, { ...bookingOf(talk, startsAt), ...more })
    const hostsOf = async (seriesId: string) => {
      const rows = await db()
        .selectFrom('bookings')
        .select('host_id')
        .where('series_id', '=', seriesId)
        .execute()
      return rows.map(({ host_id }) => host_id)
    }
    const [one, two] = [
      await book(TUESDAY_NINE, { repeat: WEEKLY }),
      await book(TUESDAY_NINE, { repeat: WEEKLY }),
    ]
    const [first, second] = [await hostsOf(one.json().seriesId), await hostsOf(two.json().seriesId)]
    assert.deepEqual([new Set(first).size, new Set(second).size], [1, 1])
    assert.notEqual(first[0], second[0])
    // Each host has one free date of two: neither can take the series.
    assert.equal((await book(TUESDAY_NINE + 35 * DAY)).statusCode, 201)
    assert.equal((await book(TUESDAY_NINE + 35 * DAY)).statusCode, 201)
    const refused = await book(TUESDAY_NINE + 28 * DAY, { repeat: WEEKLY })
    assert.match(refused.json().error, /^Not available on 2027-02-16\./)
  })

  it('is added to Google’s calendar as a whole, and by no link once its dates are irregular', async () => {
    const { talk, book } = await offer({}, 'Europe/Berlin')
    const linksOf = async (meeting: Meeting) => {
      const { pathname, search } = new URL(meeting.manageUrl)
      const own = await app.inject(`/api/public/bookings${pathname.replace('/booking', '')}${search}`)
      return own.json().calendarLinks as { name: string; url: string }[]
    }
    const repeats = async (startsAt: number, repeat: object, email: string) => {
      const reply = await book(startsAt, { repeat, inviteeEmail: email })
      assert.equal(reply.statusCode, 201, reply.body)
      return reply.json().series as Meeting[]
    }
    const weekly = await repeats(TUESDAY_NINE, WEEKLY, 'every-week@google.example')
    const [link, ...others] = await linksOf(weekly[2] as Meeting)
    assert.deepEqual([link?.name, others], ['Google', []])
    const query = new URL(link?.url ?? '').searchParams
    assert.equal(query.get('dates'), '20270112T100000/20270112T103000')
    assert.equal(query.get('ctz'), 'Europe/Berlin')
    assert.equal(query.get('recur'), 'RRULE:FREQ=WEEKLY;INTERVAL=1;COUNT=4')
    await runDueJobs(under.context)
    const mail = under.mailbox.find(({ to }) => JSON.stringify(to).includes('every-week@google.example'))
    assert.match(mail?.text ?? '', /recur=RRULE%3AFREQ%3DWEEKLY%3BINTERVAL%3D1%3BCOUNT%3D4/)
    assert.doesNotMatch(mail?.text ?? '', /outlook/)

    const monthly = await repeats(
      TUESDAY_NINE + HOUR,
      { every: 'month', count: 3 },
      'every-month@google.example',
    )
    const [inMonths] = await linksOf(monthly[0] as Meeting)
    assert.match(inMonths?.url ?? '', /recur=RRULE%3AFREQ%3DMONTHLY%3BBYDAY%3D2TU%3BCOUNT%3D3/)

    const moved = instant(Date.parse(weekly[1]?.startTime ?? '') + DAY)
    assert.equal((await change(weekly[1], 'reschedule', { startTime: moved })).statusCode, 200)
    assert.deepEqual(await linksOf(weekly[0] as Meeting), [])
    assert.equal(await countOf(talk), 7)
  })

  it('brings the same guests to each meeting', async () => {
    const { book } = await offer({ maxGuests: 2 })
    const reply = await book(TUESDAY_NINE, { repeat: WEEKLY, guests: ['tom@guests.example'] })
    assert.equal(reply.statusCode, 201, reply.body)
    const rows = db().selectFrom('bookings').select('guests')
    const found = await rows.where('series_id', '=', reply.json().seriesId).execute()
    assert.deepEqual(found, Array(4).fill({ guests: '["tom@guests.example"]' }))
  })

  it('is booked by whoever holds its first date', async () => {
    const { book, base, talk } = await offer({ holds: true })
    const { startTime, endTime } = bookingOf(talk, TUESDAY_NINE)
    const { holdId } = (await post(`${base}/hold`, { startTime, endTime })).json()
    const refused = await book(TUESDAY_NINE, { repeat: WEEKLY })
    assert.match(refused.json().error, /^Not available on 2027-01-12\./)
    const reply = await book(TUESDAY_NINE, { repeat: WEEKLY, holdId })
    assert.equal(reply.statusCode, 201, reply.body)
    assert.equal(await countOf(talk), 4)
    const holds = db().selectFrom('claims').select('meeting_id').where('meeting_id', '=', holdId)
    assert.deepEqual(await holds.execute(), [])
  })

  it('is cancelled from one meeting on', async () => {
    const { book, talk, listed } = await offer()
    const { series } = (await book(TUESDAY_NINE, { repeat: WEEKLY })).json()
    const alone = await change(series[1], 'cancel', { scope: 'one' })
    assert.equal(alone.statusCode, 200, alone.body)
    assert.equal(await countOf(talk), 3)
    const rest = await change(series[2], 'cancel', { scope: 'following', reason: 'Enough' })
    assert.equal(rest.statusCode, 200, rest.body)
    assert.equal(rest.json().status, 'Cancelled')
    assert.equal(await countOf(talk), 1)
    assert.deepEqual(
      await Promise.all(series.map(async (meeting: Meeting) => (await look(meeting)).status)),
      ['Confirmed', 'Cancelled', 'Cancelled', 'Cancelled'],
    )
    assert.ok((await listed('2027-02-02')).includes('2027-02-02T09:00:00Z'))
    assert.equal((await change(series[2], 'cancel', { scope: 'following' })).statusCode, 200)
  })

  it('moves from one meeting on, all or none', async () => {
    const { book, talk } = await offer()
    const { series } = (await book(TUESDAY_NINE, { repeat: WEEKLY })).json()
    await book(TUESDAY_NINE + 21 * DAY + HOUR)
    const startTime = (days: number, hours: number) =>
      new Date(TUESDAY_NINE + days * DAY + hours * HOUR).toISOString()
    const refused = await change(series[1], 'reschedule', { startTime: startTime(7, 1), scope: 'following' })
    assert.deepEqual(
      [refused.statusCode, refused.json().error],
      [400, 'Not available on 2027-02-02. Please choose another time.'],
    )
    const starts = async () =>
      Promise.all(series.map(async (meeting: Meeting) => (await look(meeting)).startTime))
    assert.deepEqual(await starts(), startsOf(series))
    const moved = await change(series[1], 'reschedule', { startTime: startTime(8, 2), scope: 'following' })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.deepEqual(await starts(), [
      '2027-01-12T09:00:00Z',
      '2027-01-20T11:00:00Z',
      '2027-01-27T11:00:00Z',
      '2027-02-03T11:00:00Z',
    ])
    // Each takes the time that the next one leaves.
    const again = await change(series[1], 'reschedule', { startTime: startTime(15, 2), scope: 'following' })
    assert.equal(again.statusCode, 200, again.body)
    const back = await change(series[1], 'reschedule', { startTime: startTime(8, 2), scope: 'following' })
    assert.equal(back.statusCode, 200, back.body)
    assert.equal((await starts())[3], '2027-02-03T11:00:00Z')
    assert.equal(await countOf(talk), 5)
  })

  it('moves two meetings to each other’s places', async () => {
    const { book } = await offer()
    const { series } = (await book(TUESDAY_NINE, { repeat: WEEKLY })).json()
    const [, second, third] = startsOf(series)
    const aside = new Date(TUESDAY_NINE + 8 * DAY).toISOString()
    for (const [meeting, startTime] of [
      [series[2], aside],
      [series[1], third],
      [series[2], second],
    ]) {
      assert.equal((await change(meeting, 'reschedule', { startTime })).statusCode, 200)
    }
    const swapped = await change(series[1], 'reschedule', { startTime: second, scope: 'following' })
    assert.equal(swapped.statusCode, 200, swapped.body)
    const starts = series.map(async (meeting: Meeting) => (await look(meeting)).startTime)
    assert.deepEqual(await Promise.all(starts), startsOf(series))
  })

  it('either comes wholly or not at all, whoever takes a date meanwhile', async () => {
    const { book, talk } = await offer()
    const other = await appOn(db(), { now: clock.now })
    const path = `/api/public/scheduling/${(await addressOf(talk)).slug}/talk/book`
    const elsewhere = (startsAt: number, more = {}) =>
      other.app.inject({
        method: 'POST',
        url: path,
        headers: fromSomeoneNew(),
        payload: { ...bookingOf(talk, startsAt), ...more },
      })
    for (const week of [0, 1, 2]) {
      const first = TUESDAY_NINE + week * 35 * DAY
      const replies = await Promise.all([
        book(first, { repeat: WEEKLY }),
        elsewhere(first, { repeat: WEEKLY }),
        elsewhere(first + 21 * DAY),
        book(first + 7 * DAY),
        book(first, { repeat: { every: '2 weeks', count: 2 } }),
      ])
      const taken = replies.filter(({ statusCode }) => statusCode === 201).map((reply) => reply.json())
      for (const { statusCode } of replies) assert.ok(statusCode === 201 || statusCode === 400)
      const meetings = taken.flatMap((one) => one.series?.map((part: Meeting) => part.id) ?? [one.id])
      const rows = await db()
        .selectFrom('bookings')
        .select('id')
        .where('event_type_id', '=', talk.id)
        .where('starts_at', '>=', first)
        .where('starts_at', '<', first + 35 * DAY)
        .execute()
      assert.deepEqual(rows.map(({ id }) => id).sort(), meetings.sort())
    }
    await other.app.close()
  })

  const addressOf = async ({ schedulerId }: EventType) => {
    const row = await db()
      .selectFrom('schedulers')
      .select('slug')
      .where('id', '=', schedulerId)
      .executeTakeFirst()
    return { slug: row?.slug ?? '' }
  }

  it('is approved and declined as a whole, and an answer is undone as a whole', async () => {
    const ada: Host = await signIn(app, under.mailbox, `ada-${people++}@hosts.example`)
    const made = await ada.post('/event-types', {
      slug: 'asked',
      name: 'Asked',
      durationMinutes: 30,
      requiresApproval: true,
      series: OFFER,
    })
    assert.deepEqual(made.json().series, OFFER)
    const book = async (startsAt: number) => {
      const payload = { ...bookingOf({ durationMinutes: 30 } as EventType, startsAt), repeat: WEEKLY }
      return (await post(`/api/public/scheduling/${ada.user.slug}/asked/book`, payload)).json()
    }
    const statuses = async (series: readonly Meeting[]) => {
      const views = await Promise.all(series.map(({ id }) => ada.get(`/bookings/${id}`)))
      return [...new Set(views.map((view) => view.json().status))]
    }
    const { series, seriesId } = await book(TUESDAY_NINE)
    assert.deepEqual(await statuses(series), ['PendingApproval'])
    const seen = (await ada.get(`/bookings/${series[2].id}`)).json()
    assert.deepEqual([seen.seriesId, seen.series.length], [seriesId, 4])
    assert.deepEqual(seen.seriesPlace, { number: 3, count: 4 })
    await ada.post(`/bookings/${series[2].id}/approve`, { undoable: true })
    assert.deepEqual(await statuses(series), ['Confirmed'])
    assert.equal((await ada.post(`/bookings/${series[2].id}/undo`)).statusCode, 200)
    assert.deepEqual(await statuses(series), ['PendingApproval'])
    await ada.post(`/bookings/${series[0].id}/decline`, { undoable: true })
    assert.deepEqual(await statuses(series), ['Declined'])
    const undone = await ada.post(`/bookings/${series[0].id}/undo`)
    assert.equal(undone.statusCode, 200, undone.body)
    assert.deepEqual(await statuses(series), ['PendingApproval'])
    await runDueJobs(under.context)
    under.mailbox.length = 0
    await ada.post(`/bookings/${series[2].id}/approve`)
    await runDueJobs(under.context)
    // One mail about all, with the date of the first.
    const subjects = under.mailbox.map(({ subject }) => subject)
    assert.equal(subjects.length, 2)
    for (const subject of subjects) assert.match(subject, /Jan 12/)
    const rest = await ada.post(`/bookings/${series[1].id}/cancel`, { scope: 'following', reason: 'Ill' })
    assert.equal(rest.statusCode, 200, rest.body)
    const after = (await ada.get(`/bookings/${series[1].id}`)).json().series
    assert.deepEqual(
      after.map(({ status }: { status: string }) => status),
      ['Confirmed', 'Cancelled', 'Cancelled', 'Cancelled'],
    )
  })

  it('is offered only as the domain allows', async () => {
    const ada = await signIn(app, under.mailbox, `ada-${people++}@hosts.example`)
    const talk = { slug: 'talk', name: 'Talk', durationMinutes: 30 }
    for (const [series, field] of [
      [{ every: [], most: 4 }, 'series.every'],
      [{ every: ['week'], most: 1 }, 'series.most'],
      [{ every: ['week', 'week'], most: 4 }, 'series.every.1'],
      [{ every: ['day'], most: 4 }, 'series.every.0'],
    ] as const) {
      const reply = await ada.post('/event-types', { ...talk, series })
      assert.deepEqual([reply.statusCode, reply.headers['error-field']], [400, field], reply.body)
    }
  })
})
