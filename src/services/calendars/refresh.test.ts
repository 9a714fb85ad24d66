import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { calendarOf, calendarText, type FeedServer, startFeedServer } from '../../../test/feed-server.ts'
import { type Host, type signIn, signInWithToken } from '../../../test/host-api.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { appOn, bookingOf, fromSomeoneNew, plainEventType, stoppedClock } from '../../../test/kit.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import { findAnyCalendar, leaseCalendar } from '../../store/calendars/calendars.ts'
import type { Db } from '../../store/engine/database.ts'
import { type Context, createContext } from '../context.ts'
import { calendarFailedMail } from './failed-mail.ts'
import { refreshDueCalendars } from './refresh.ts'

const at = (text: string) => Date.parse(`2027-01-${text}Z`)

/** A one-hour event on that day of January. */
const event = (start: string, ...more: string[]) => [`DTSTART:202701${start}00Z`, 'DURATION:PT1H', ...more]

onEveryDatabase('connected calendars', ({ db, url }) => {
  const clock = stoppedClock(at('11T06:00'))
  let app: FastifyInstance
  let context: Context
  let mailbox: Parameters<typeof signIn>[1]
  let feeds: FeedServer
  let hosts = 0

  before(async () => {
    feeds = await startFeedServer()
    const under = await appOn(db(), { now: clock.now, signup: 'open' })
    ;({ app, context, mailbox } = under)
  })
  after(async () => {
    await app.close()
    await feeds.close()
  })

  /** A host with an event type and a connected feed that answers like this. */
  async function hostWith(answer: Parameters<FeedServer['answer']>[1], more: object = {}) {
    const host = await signInWithToken(app, mailbox, `host-${++hosts}@hosts.example`)
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      abuse: plainEventType().abuse,
    })
    assert.equal(made.statusCode, 201, made.body)
    const path = `/feed-${hosts}.ics`
    feeds.answer(path, calendarOf())
    const connected = await connect(host, path, more)
    feeds.answer(path, answer)
    return { host, eventTypeId: made.json().id as string, path, id: connected.id as string }
  }

  async function connect(host: Host, path: string, more: object = {}) {
    const body = { kind: 'feed', name: 'Private', url: `${feeds.url}${path}`, ...more }
    const answer = await host.post('/calendars', body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }

  async function starts(host: Host, day: string, on: FastifyInstance = app): Promise<string[]> {
    const query = `dateFrom=2027-01-${day}&dateTo=2027-01-${day}&timezone=UTC`
    const answer = await on.inject(`/api/public/scheduling/${host.user.slug}/talk/slots?${query}`)
    const days = answer.json() as { slots: { startTime: string }[] }[]
    return days.flatMap(({ slots }) => slots.map(({ startTime }) => startTime.slice(11, 16)))
  }

  const bookAt = (host: Host, start: number) =>
    app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start),
      headers: fromSomeoneNew(),
    })

  const ALL = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']
  const without = (...gone: string[]) => ALL.filter((time) => !gone.includes(time))
  const seen = async (host: Host, id: string) => (await host.get(`/calendars/${id}`)).json()

  it('block busy times from the next refresh on, and free them when the event is gone', async () => {
    const { host, id, path, eventTypeId } = await hostWith(calendarOf(event('12T1000'), event('12T1430')))
    assert.deepEqual(await starts(host, '12'), ALL)
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '12'), without('10:00', '14:00', '15:00'))
    const { busyTimes, refreshedAt, lastError } = await seen(host, id)
    assert.deepEqual([busyTimes, refreshedAt, lastError], [2, '2027-01-11T06:00:00Z', ''])

    const refused = await bookAt(host, at('12T10:00'))
    assert.equal(refused.statusCode, 400, refused.body)
    const why = await host.get(`/event-types/${eventTypeId}/explain?start=2027-01-12T10:00:00Z`)
    assert.match(why.body, /Your calendar \\"Private\\" has something from 2027-01-12T10:00:00Z/)

    feeds.answer(path, calendarOf(event('12T1430')))
    clock.moveTo(clock.now() + 10 * MINUTE)
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '12'), without('14:00', '15:00'))
    assert.equal((await bookAt(host, at('12T10:00'))).statusCode, 201)
  })

  it('mail their host once when they have failed for a day, and again only after they worked', async () => {
    const { host, id, path } = await hostWith(calendarOf())
    const waiting = async () =>
      (await jobsOf(db(), 'calendar-failed')).filter(
        ({ data }) => (data as { calendarId: string }).calendarId === id,
      ).length
    const failFor = async (time: number) => {
      feeds.answer(path, (response) => response.writeHead(500).end())
      for (const end = clock.now() + time; clock.now() < end; ) {
        clock.moveTo(clock.now() + HOUR)
        await refreshDueCalendars(context)
      }
    }
    const begun = clock.now()
    await refreshDueCalendars(context)
    await failFor(20 * HOUR)
    assert.equal(await waiting(), 0)
    await failFor(4 * DAY)
    assert.equal(await waiting(), 1)
    const mail = await calendarFailedMail(context, id)
    assert.equal(mail?.to, host.user.email)
    assert.match(mail?.text ?? '', /your calendar “Private” for a day\. /)
    await db().updateTable('schedulers').set({ locale: 'de-AT' }).where('id', '=', host.user.id).execute()
    const german = await calendarFailedMail(context, id)
    assert.match(
      german?.text ?? '',
      /seit einem Tag nicht gelesen werden\. Der Server hat mit 500 geantwortet\. /,
    )
    assert.match(german?.html ?? '', /<html lang="de-AT"/)
    feeds.answer(path, calendarOf())
    clock.moveTo(clock.now() + DAY)
    await refreshDueCalendars(context)
    assert.equal(await calendarFailedMail(context, id), undefined, 'it works again')
    await failFor(4 * DAY)
    assert.equal(await waiting(), 2)
    feeds.answer(path, calendarOf())
    clock.moveTo(begun)
  })

  it('block nothing when conflict checks are off, or when they are disconnected', async () => {
    const { host, id, path } = await hostWith(calendarOf(event('12T1000')))
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '12'), without('10:00'))
    assert.equal((await host.patch(`/calendars/${id}`, { busy: false })).statusCode, 200)
    assert.deepEqual(await starts(host, '12'), ALL)
    await host.patch(`/calendars/${id}`, { busy: true })
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '12'), without('10:00'))
    assert.equal((await host.del(`/calendars/${id}`)).statusCode, 204)
    assert.deepEqual(await starts(host, '12'), ALL)
    const before = feeds.asked.length
    clock.moveTo(clock.now() + HOUR)
    await refreshDueCalendars(context)
    assert.ok(!feeds.asked.slice(before).includes(path))
  })

  it('keep their last known busy times while they cannot be read, and are read less and less often', async () => {
    const { host, id, path } = await hostWith(calendarOf(event('12T1000')))
    await refreshDueCalendars(context)
    const broken: [Parameters<FeedServer['answer']>[1], RegExp][] = [
      [(response) => response.writeHead(500).end(), /answered 500/],
      [(response) => response.end('<html>Sign in</html>'), /not a calendar/],
      [(response) => response.destroy(), /could not be reached/],
      [(response) => response.writeHead(404).end(), /no calendar at this address/],
      [(response) => response.writeHead(401).end(), /user name and password/],
      [
        (response) =>
          response.writeHead(200, { 'content-length': 9 }).write('BEGIN', () => response.destroy()),
        /reached/,
      ],
      [(response) => response.end(calendarText(event('12T1100')).slice(0, 120)), /incomplete/],
      [(response) => response.writeHead(503).end(), /answered 503/],
    ]
    const waits: number[] = []
    for (const [answer, sentence] of broken) {
      feeds.answer(path, answer)
      const { nextRefreshAt } = await seen(host, id)
      clock.moveTo(Date.parse(nextRefreshAt) - 1)
      const quiet = feeds.asked.filter((one) => one === path).length
      await refreshDueCalendars(context)
      assert.equal(feeds.asked.filter((one) => one === path).length, quiet, 'not before its time')
      clock.moveTo(Date.parse(nextRefreshAt))
      await refreshDueCalendars(context)
      const view = await seen(host, id)
      assert.match(view.lastError, sentence)
      waits.push((Date.parse(view.nextRefreshAt) - clock.now()) / MINUTE)
      assert.equal(view.busyTimes, 1)
      assert.deepEqual(await starts(host, '12'), without('10:00'))
    }
    assert.deepEqual(waits, [10, 20, 40, 80, 160, 320, 360, 360])

    feeds.answer(path, calendarOf(event('12T1100')))
    clock.moveTo(Date.parse((await seen(host, id)).nextRefreshAt))
    await refreshDueCalendars(context)
    const { failures, lastError } = await seen(host, id)
    assert.deepEqual([failures, lastError], [0, ''])
    assert.deepEqual(await starts(host, '12'), without('11:00'))
  })

  it('are asked only for changes, and once a day for everything', async () => {
    const answer = calendarOf(event('12T1000'))
    const statuses: number[] = []
    const { host, id, path } = await hostWith((response, request) => {
      answer(response, request)
      statuses.push(response.statusCode)
    })
    for (const later of [0, 10 * MINUTE, 10 * MINUTE, DAY]) {
      clock.moveTo(clock.now() + later)
      await refreshDueCalendars(context)
    }
    assert.deepEqual(statuses, [200, 304, 304, 200])
    assert.equal((await seen(host, id)).busyTimes, 1)
    // A floating time changes when its host changes zones.
    feeds.answer(path, calendarOf(['DTSTART:20270114T100000', 'DURATION:PT1H']))
    clock.moveTo(clock.now() + 10 * MINUTE)
    await refreshDueCalendars(context)
    await host.patch('/me', { timezone: 'Europe/Berlin' })
    clock.moveTo(clock.now() + 10 * MINUTE)
    await refreshDueCalendars(context)
    const { id: userId } = host.user
    const own = db().selectFrom('busy_times').selectAll().where('user_id', '=', userId)
    const [row] = await own.orderBy('starts_at').execute()
    assert.equal(row?.starts_at, at('14T09:00'))
  })

  it('wait neither for each other nor hold up a request', async () => {
    const held = Promise.withResolvers<void>()
    const hanging = await hostWith((response) => void held.promise.then(() => response.destroy()))
    const reached = feeds.nextAsked(hanging.path)
    const round = refreshDueCalendars(context)
    await reached
    // From here on, that server does not answer.
    const { host } = await hostWith(calendarOf(event('13T1000')))
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '13'), without('10:00'))
    assert.deepEqual(await starts(hanging.host, '13'), ALL)
    assert.equal((await bookAt(hanging.host, at('13T10:00'))).statusCode, 201)
    held.resolve()
    await round
    assert.match((await seen(hanging.host, hanging.id)).lastError, /could not be reached/)
  })

  it('are read by one instance at a time, and by another if that one dies', async () => {
    const { host, id, path } = await hostWith(calendarOf(event('14T1000')))
    const otherDb: Db = openPatiently(url())
    try {
      const other = createContext({ ...context, db: otherDb })
      const reads = () => feeds.asked.filter((one) => one === path).length
      // It was read once when it was connected.
      const connecting = reads()
      const count = () => reads() - connecting
      await Promise.all([refreshDueCalendars(context), refreshDueCalendars(other)])
      assert.equal(count(), 1)
      clock.moveTo(clock.now() + 10 * MINUTE)
      const calendar = await findAnyCalendar(db(), id)
      assert.ok(calendar)
      const until = clock.now() + 2 * MINUTE
      assert.ok(await leaseCalendar(db(), calendar, until, HOUR))
      // Even if its own clock says that the lease is over: that is for the database's to say.
      clock.moveTo(until)
      await refreshDueCalendars(other)
      assert.equal(count(), 1)
      await db().updateTable('calendars').set({ leased_until: 1 }).where('id', '=', id).execute()
      await refreshDueCalendars(other)
      assert.equal(count(), 2)
      assert.deepEqual(await starts(host, '14'), without('10:00'))
    } finally {
      await otherDb.destroy()
    }
  })

  it('stay with the instance that reads them, however long that takes', async (t) => {
    const held = Promise.withResolvers<void>()
    const { id, path } = await hostWith((response, request) => {
      void held.promise.then(() => calendarOf(event('14T1000'))(response, request))
    })
    t.mock.timers.enable({ apis: ['setInterval'] })
    const reached = feeds.nextAsked(path)
    const round = refreshDueCalendars(context)
    await reached
    const leasedUntil = async () => {
      const row = db().selectFrom('calendars').select('leased_until').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).leased_until
    }
    const before = (await leasedUntil()) - MINUTE
    await db().updateTable('calendars').set({ leased_until: before }).where('id', '=', id).execute()
    t.mock.timers.tick(3000)
    while ((await leasedUntil()) === before) await setImmediate()
    assert.ok((await leasedUntil()) > before)
    held.resolve()
    await round
    assert.equal(await leasedUntil(), 0)
    t.mock.timers.tick(9000)
    assert.equal(await leasedUntil(), 0, 'it is no longer renewed')
  })

  it('are read although their next refresh was scheduled by a clock that was months ahead', async () => {
    const { host, id } = await hostWith(calendarOf(event('14T1000')))
    const next_refresh_at = clock.now() + 100 * DAY
    await db().updateTable('calendars').set({ next_refresh_at }).where('id', '=', id).execute()
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '14'), without('10:00'))
  })

  it('are read again if their settings change while they are being read', async () => {
    const held = Promise.withResolvers<void>()
    const { host, id, path } = await hostWith((response, request) => {
      void held.promise.then(() => calendarOf(event('14T1000'))(response, request))
    })
    feeds.answer('/new.ics', calendarOf(event('14T1500')))
    const reached = feeds.nextAsked(path)
    const round = refreshDueCalendars(context)
    await reached
    assert.equal((await host.patch(`/calendars/${id}`, { url: `${feeds.url}/new.ics` })).statusCode, 200)
    held.resolve()
    await round
    assert.deepEqual(await starts(host, '14'), ALL)
    await refreshDueCalendars(context)
    assert.deepEqual(await starts(host, '14'), without('15:00'))
  })

  it('ignore our own bookings, but count one that the host attends as a guest', async () => {
    const { host, id, path } = await hostWith(calendarOf())
    const other = await hostWith(calendarOf())
    const own = (await bookAt(host, at('15T10:00'))).json().id
    const elsewhere = (await bookAt(other.host, at('15T14:00'))).json().id
    feeds.answer(
      path,
      calendarOf(
        event('15T1000', `UID:${own}@punctual`),
        event('15T1400', `UID:${elsewhere}@punctual`),
        event('15T1600', 'UID:00000000-0000-7000-8000-000000000000@punctual'),
      ),
    )
    await refreshDueCalendars(context)
    assert.equal((await seen(host, id)).busyTimes, 2)
    assert.deepEqual(await starts(host, '15'), without('10:00', '14:00', '16:00'))
  })

  it('invalidate caches only if busy times have changed', async () => {
    const { host, path } = await hostWith(calendarOf(event('14T1000')))
    const revision = async () => {
      const found = await db()
        .selectFrom('schedulers')
        .select('revision')
        .where('id', '=', host.user.id)
        .executeTakeFirstOrThrow()
      return found.revision
    }
    await refreshDueCalendars(context)
    const before = await revision()
    // The same time with another title and another version.
    feeds.answer(path, calendarOf(['DTSTART:20270114T100000Z', 'DTEND:20270114T110000Z', 'SUMMARY:New']))
    clock.moveTo(clock.now() + 10 * MINUTE)
    await refreshDueCalendars(context)
    assert.equal(await revision(), before)
    feeds.answer(path, calendarOf(event('14T1000'), event('14T1200')))
    clock.moveTo(clock.now() + 10 * MINUTE)
    await refreshDueCalendars(context)
    assert.equal(await revision(), before + 1)
  })

  it('are not offered beyond what is known of them, neither in the listing nor for booking', async () => {
    const { host, id, eventTypeId } = await hostWith(calendarOf(event('12T1000')))
    await host.patch(`/event-types/${eventTypeId}`, { window: { kind: 'unlimited' } })
    const begun = clock.now()
    // Read before the weekend, 400 days before a Thursday.
    clock.moveTo(at('15T23:59'))
    await refreshDueCalendars(context)
    const dates = async () => {
      const query = 'dateFrom=2028-02-15&dateTo=2028-02-25&timezone=UTC'
      const answer = await app.inject(`/api/public/scheduling/${host.user.slug}/talk/slots?${query}`)
      return (answer.json() as { date: string }[]).map(({ date }) => date)
    }
    assert.deepEqual(await dates(), ['2028-02-15', '2028-02-16', '2028-02-17', '2028-02-18'])
    const monday = Date.parse('2028-02-21T09:00Z')
    assert.equal((await bookAt(host, monday)).statusCode, 400)
    assert.equal((await bookAt(host, Date.parse('2028-02-18T16:00Z'))).statusCode, 201)
    const why = await host.get(`/event-types/${eventTypeId}/explain?start=2028-02-21T09:00:00Z`)
    assert.match(why.body, /Your calendar \\"Private\\" is known only until 2028-02-19T00:00:00Z/)

    // Unchanged, but read again on each new day.
    clock.moveTo(at('18T00:00'))
    await refreshDueCalendars(context)
    assert.deepEqual((await dates()).slice(4), ['2028-02-21'])
    assert.equal((await bookAt(host, monday)).statusCode, 201)
    // A host without calendars is offered at any time.
    await host.del(`/calendars/${id}`)
    assert.deepEqual((await dates()).at(-1), '2028-02-25')
    clock.moveTo(begun)
  })

  it('may hold thousands of events, repeating or not, and rules without an end', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => [
      `DTSTART:${new Date(at('12T00:00') + i * 3 * HOUR).toISOString().replace(/[-:]|\.\d{3}/g, '')}`,
      'DURATION:PT1H',
    ])
    const endless = event('14T1000', 'RRULE:FREQ=SECONDLY')
    const text = calendarText(...many, endless, event('14T1000', 'RRULE:FREQ=DAILY'))
    const { host, id } = await hostWith((response) => response.end(text))
    await refreshDueCalendars(context)
    const view = await seen(host, id)
    assert.equal(view.lastError, '')
    assert.equal(view.skippedEvents, 1)
    assert.ok(view.busyTimes > 3000)
    // Every third hour, and ten o'clock.
    assert.deepEqual(await starts(host, '14'), without('09:00', '10:00', '12:00', '15:00'))
  })
})
