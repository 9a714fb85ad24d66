import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { CalDavServer } from '../../../test/caldav-server.ts'
import { onEveryCalDavServer } from '../../../test/calendar-servers.ts'
import { connect as connectAccount } from '../../../test/connections.ts'
import { calendarOf, calendarText, type FeedServer, startFeedServer } from '../../../test/feed-server.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import { runDueJobs } from '../../../test/jobs.ts'
import { appOn, bookingOf, fromSomeoneNew, plainEventType, stoppedClock } from '../../../test/kit.ts'
import { type GoogleStandIn, startGoogle } from '../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../test/outside/microsoft.ts'
import { MINUTE } from '../../domain/interval.ts'
import { googleProvider } from '../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../outside/calendars/microsoft/microsoft.ts'
import { manageToken } from '../bookings/guest/manage-link.ts'
import type { Context } from '../context.ts'
import { checkCalendars } from './live-check.ts'
import { refreshDueCalendars } from './refresh.ts'

const at = (text: string) => Date.parse(`2027-01-${text}Z`)

/** Calendars at the stand-ins. */
const EXTERNAL = { google: 'team@group.example', microsoft: 'AAMkAGI2-calendar=' }

type Behaviour = (response: ServerResponse, pass: () => void) => void

const pass: Behaviour = (_, next) => next()

/** Stands before the CalDAV server: counts what comes through, and can be as bad as servers are. */
interface Gate {
  readonly url: string
  /** Bodies of the REPORTs that came, oldest first. */
  readonly reports: string[]
  /** How it answers from now on. */
  behave: Behaviour
  /** Resolves with the next REPORT. */
  nextReport(): Promise<void>
  close(): Promise<void>
}

async function startGate(target: CalDavServer): Promise<Gate> {
  const reports: string[] = []
  let waiting = Promise.withResolvers<void>()
  const forward = async (request: IncomingMessage, body: string, response: ServerResponse) => {
    const { authorization = '', depth = '', 'content-type': type = '' } = request.headers
    const answer = await fetch(`${target.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, depth: String(depth), 'content-type': type },
      ...(body !== '' && { body }),
    })
    const etag = answer.headers.get('etag')
    response.writeHead(answer.status, etag === null ? {} : { etag }).end(await answer.text())
  }
  const server: Server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    if (request.method === 'REPORT') {
      reports.push(body)
      waiting.resolve()
    }
    gate.behave(response, () => void forward(request, body, response).catch(() => response.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    behave: pass,
    nextReport: () => {
      waiting = Promise.withResolvers<void>()
      return waiting.promise
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return gate
}

/** Resolves when that many listeners were added: each check adds two once it knows the host's calendars. */
function listenersOf(signal: AbortSignal, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const add = signal.addEventListener.bind(signal)
  let added = 0
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    add(...args)
    if (++added === count) resolve()
  }
  return promise
}

onEveryCalDavServer('the live check', ({ db }, startCalDav) => {
  const clock = stoppedClock(at('11T06:00'))
  let app: FastifyInstance
  let context: Context
  let mailbox: Parameters<typeof signIn>[1]
  let remote: CalDavServer
  let gate: Gate
  let feeds: FeedServer
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let hosts = 0

  before(async () => {
    remote = await startCalDav()
    gate = await startGate(remote)
    feeds = await startFeedServer()
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
    }
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now, signup: 'open', providers }))
  })
  after(async () => {
    await app.close()
    await Promise.all([gate.close(), remote.stop(), feeds.close(), google.close(), microsoft.close()])
  })
  beforeEach(async () => {
    gate.behave = pass
    for (const name of ['work', 'home'] as const) {
      for (const id of ['one', 'two']) await remote.request('DELETE', `${remote[name]}${id}.ics`)
    }
  })

  const talk = (more: object = {}) => ({
    slug: 'talk',
    name: 'Talk',
    durationMinutes: 60,
    noticeMinutes: 0,
    abuse: plainEventType().abuse,
    ...more,
  })

  /** A host with an event type. */
  async function hostWith(settings: object = {}): Promise<Host> {
    const host = await signIn(app, mailbox, `live-${++hosts}@hosts.example`)
    const made = await host.post('/event-types', talk(settings))
    assert.equal(made.statusCode, 201, made.body)
    return host
  }

  /** Connects a calendar of the CalDAV server, and reads it. */
  async function connect(host: Host, name: 'work' | 'home' = 'work', more: object = {}): Promise<string> {
    const { username, password } = remote
    const url = remote[name].replace(remote.url, gate.url)
    const made = await host.post('/calendars', { kind: 'caldav', name, url, username, password, ...more })
    assert.equal(made.statusCode, 201, made.body)
    const { id } = made.json()
    assert.equal((await host.post(`/calendars/${id}/refresh`)).json().lastError, '')
    return id
  }

  /** Adds an event as the host's phone would. */
  async function enter(start: string, name: 'work' | 'home' = 'work', id = 'one'): Promise<void> {
    const text = calendarText([`UID:${id}`, `DTSTART:202701${start}00Z`, 'DURATION:PT1H'])
    const { status } = await remote.request('PUT', `${remote[name]}${id}.ics`, text)
    assert.equal(status, 201)
  }

  /** Connects a calendar of an account, and reads it. */
  async function connectAt(host: Host, kind: 'google' | 'microsoft'): Promise<string> {
    const connectionId = await connectAccount(app, host, kind, kind === 'google' ? google : microsoft)
    const given = { kind, connectionId, externalId: EXTERNAL[kind], busy: true, writeTo: false }
    const made = await host.post('/calendars', given)
    assert.equal(made.statusCode, 201, made.body)
    const { id } = made.json()
    assert.equal((await host.post(`/calendars/${id}/refresh`)).json().lastError, '')
    return id
  }

  /** Adds an event of an hour, for which the host answered “maybe” or which is certain. */
  async function plan(
    kind: 'google' | 'microsoft' | 'caldav',
    start: string,
    tentative: boolean,
  ): Promise<void> {
    const [from, to] = [at(start), at(start) + 60 * MINUTE].map((time) => new Date(time).toISOString())
    const id = tentative ? 'one' : 'two'
    if (kind === 'google') {
      const response = { self: true, email: 'ada@gmail.example', responseStatus: 'tentative' }
      google.eventsOf(EXTERNAL.google).put({
        id: `plan-${id}`,
        start: { dateTime: from ?? '' },
        end: { dateTime: to ?? '' },
        ...(tentative && { attendees: [response] }),
      })
    } else if (kind === 'microsoft') {
      const time = (text = '') => ({ dateTime: text.slice(0, 19), timeZone: 'UTC' })
      const showAs = tentative ? 'tentative' : 'busy'
      microsoft
        .eventsOf(EXTERNAL.microsoft)
        .put({ id: `plan-${id}`, start: time(from), end: time(to), showAs })
    } else {
      const stamp = (from ?? '').replaceAll(/[-:]|\.000/g, '')
      const lines = [`UID:${id}`, `DTSTART:${stamp}`, 'DURATION:PT1H']
      const text = calendarText([...lines, ...(tentative ? ['STATUS:TENTATIVE'] : [])])
      await remote.request('PUT', `${remote.work}${id}.ics`, text)
    }
  }

  const bookAt = (slug: string, start: number, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${slug}/talk/book`,
      payload: { ...bookingOf(plainEventType({ durationMinutes: 60 }), start), ...more },
      headers: fromSomeoneNew(),
    })

  async function starts(slug: string, day: string): Promise<string[]> {
    const query = `dateFrom=2027-01-${day}&dateTo=2027-01-${day}&timezone=UTC`
    const answer = await app.inject(`/api/public/scheduling/${slug}/talk/slots?${query}`)
    const days = answer.json() as { slots: { startTime: string }[] }[]
    return days.flatMap(({ slots }) => slots.map(({ startTime }) => startTime.slice(11, 16)))
  }

  /** From here on, what is known of every calendar is more than a minute old. */
  const wait = () => clock.moveTo(clock.now() + MINUTE + 1)

  it('refuses a time that was taken a moment ago, and takes it off the listing', async () => {
    const host = await hostWith({ bufferBeforeMinutes: 15, bufferAfterMinutes: 30 })
    const { slug } = host.user
    const id = await connect(host)
    await enter('12T1000')
    const before = gate.reports.length
    assert.equal((await bookAt(slug, at('12T14:00'))).statusCode, 201)
    assert.equal(gate.reports.length, before, 'it was read within the last minute')

    wait()
    assert.ok((await starts(slug, '12')).includes('10:00'))
    const refused = await bookAt(slug, at('12T10:00'))
    assert.equal(refused.statusCode, 400, refused.body)
    assert.match(refused.json().error, /no longer available/)
    assert.equal(gate.reports.length, before + 1)
    assert.match(
      gate.reports.at(-1) ?? '',
      /<c:time-range start="20270112T094500Z" end="20270112T113000Z"\/>/,
    )
    assert.deepEqual(await starts(slug, '12'), ['12:00', '16:00'])

    // The refresh that follows reads everything, so what is gone is free again.
    await remote.request('DELETE', `${remote.work}one.ics`)
    await refreshDueCalendars(context)
    assert.ok((await starts(slug, '12')).includes('10:00'))
    assert.equal((await host.get(`/calendars/${id}`)).json().lastError, '')
    assert.equal((await bookAt(slug, at('12T10:00'))).statusCode, 201)
  })

  for (const kind of ['google', 'microsoft'] as const) {
    it(`asks ${kind} about the time of a booking alone, and does what the event type says without an answer`, async () => {
      const standIn = kind === 'google' ? google : microsoft
      const livePath = kind === 'google' ? /freeBusy$/ : /calendarView$/
      const asked = () => standIn.asked.filter((line) => livePath.test(line.split('?')[0] ?? '')).length
      const host = await hostWith({ liveCheck: 'refuse' })
      const { slug } = host.user
      const externalId = EXTERNAL[kind]
      await connectAt(host, kind)
      assert.equal((await bookAt(slug, at('20T14:00'))).statusCode, 201)
      assert.equal(asked(), 0, 'it was read within the last minute')
      const counts = { ...context.liveChecks }
      const { full } = standIn.readings

      wait()
      const [start, end] = ['2027-01-20T10:00:00', '2027-01-20T11:00:00']
      if (kind === 'google') {
        const time = (dateTime: string) => ({ dateTime: `${dateTime}Z` })
        google.eventsOf(externalId).put({ id: 'busy', start: time(start), end: time(end) })
      } else {
        const time = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
        microsoft.eventsOf(externalId).put({ id: 'busy', start: time(start), end: time(end), showAs: 'busy' })
      }
      assert.ok((await starts(slug, '20')).includes('10:00'))
      assert.equal((await bookAt(slug, at('20T10:00'))).statusCode, 400)
      assert.equal(asked(), 1)
      assert.ok(!(await starts(slug, '20')).includes('10:00'))
      assert.equal((await bookAt(slug, at('20T11:00'))).statusCode, 201)
      await refreshDueCalendars(context)
      assert.ok(!(await starts(slug, '20')).includes('10:00'))
      assert.equal(standIn.readings.full, full, 'only changes were read')

      wait()
      for (const fault of [{ status: 500 }, 'truncated', 'reset'] as const) {
        standIn.misbehave(livePath, fault)
        const refused = await bookAt(slug, at('20T12:00'))
        assert.equal(refused.statusCode, 503, refused.body)
      }
      assert.equal((await bookAt(slug, at('20T12:00'))).statusCode, 201)
      const { free, busy, unknown } = context.liveChecks
      assert.deepEqual([busy - counts.busy, unknown - counts.unknown], [1, 3])
      assert.ok(free > counts.free)
    })
  }

  for (const kind of ['google', 'microsoft', 'caldav'] as const) {
    it(`asks ${kind} about tentative events as the host wants`, async () => {
      const host = await hostWith({ liveCheck: 'refuse' })
      const { slug } = host.user
      const id = kind === 'caldav' ? await connect(host) : await connectAt(host, kind)
      assert.equal((await host.get(`/calendars/${id}`)).json().tentative, 'busy')
      const free = await host.patch(`/calendars/${id}`, { tentative: 'free' })
      assert.equal(free.json().tentative, 'free', free.body)
      assert.equal((await host.post(`/calendars/${id}/refresh`)).json().lastError, '')
      wait()
      await plan(kind, '25T10:00', true)
      await plan(kind, '25T11:00', false)
      assert.equal((await bookAt(slug, at('25T11:00'))).statusCode, 400, 'it is certain')
      const booked = await bookAt(slug, at('25T10:00'))
      assert.equal(booked.statusCode, 201, booked.body)

      await host.patch(`/calendars/${id}`, { tentative: 'busy' })
      assert.equal((await host.post(`/bookings/${booked.json().id}/cancel`)).statusCode, 200)
      assert.equal((await bookAt(slug, at('25T10:00'))).statusCode, 400)
    })
  }

  it('keeps what it found, even from a refresh that began before', async () => {
    const host = await hostWith()
    const { slug } = host.user
    const id = await connect(host)
    wait()
    // Without a change it would not be read.
    await enter('13T1600', 'work', 'two')
    const held = Promise.withResolvers<void>()
    // The refresh has its answer, from before the event, and is slow to read it.
    const empty = '<d:multistatus xmlns:d="DAV:"></d:multistatus>'
    const before = gate.reports.length
    gate.behave = (response, next) => {
      if (gate.reports.length !== before + 1) return next()
      void held.promise.then(() => response.writeHead(207).end(empty))
    }
    const reached = gate.nextReport()
    const refreshed = host.post(`/calendars/${id}/refresh`)
    await reached
    await enter('13T1000')
    assert.equal((await bookAt(slug, at('13T10:00'))).statusCode, 400)
    held.resolve()
    assert.equal((await refreshed).statusCode, 200)
    assert.ok(!(await starts(slug, '13')).includes('10:00'))
  })

  it('does what the event type says if the calendar does not answer', async () => {
    const accepting = await hostWith()
    const refusing = await hostWith({ liveCheck: 'refuse' })
    for (const host of [accepting, refusing]) await connect(host)
    wait()
    const broken: Behaviour[] = [
      (response) => response.writeHead(500).end(),
      (response) => response.destroy(),
      (response) => response.writeHead(207).end('<d:multistatus xmlns:d="DAV:"><d:respo'),
      (response) => response.writeHead(200).end('<html>Sign in</html>'),
    ]
    for (const [index, behave] of broken.entries()) {
      gate.behave = behave
      const start = at(`14T${9 + index}:00`.replace('T9', 'T09'))
      assert.equal((await bookAt(accepting.user.slug, start)).statusCode, 201)
      const refused = await bookAt(refusing.user.slug, start)
      assert.equal(refused.statusCode, 503, refused.body)
      assert.ok(Number(refused.headers['retry-after']) > 0)
      assert.match(refused.json().error, /could not be checked/)
    }
    gate.behave = pass
    assert.equal((await bookAt(refusing.user.slug, at('14T09:00'))).statusCode, 201)
  })

  it('gives up on a calendar that never answers, and lets no one else wait for it', async () => {
    const host = await hostWith({ liveCheck: 'refuse' })
    const other = await hostWith()
    await connect(host)
    wait()
    gate.behave = () => {}
    const reached = gate.nextReport()
    const waiting = bookAt(host.user.slug, at('15T09:00'))
    await reached
    let ended = false
    void waiting.then(() => {
      ended = true
    })
    assert.equal((await bookAt(other.user.slug, at('15T09:00'))).statusCode, 201)
    assert.equal((await starts(host.user.slug, '15')).length, 8)
    assert.equal(ended, false, 'they were answered meanwhile')
    assert.equal((await waiting).statusCode, 503)
  })

  it('asks a calendar that hangs four times at once, and whoever else waits as one', async () => {
    const host = await hostWith()
    await connect(host)
    wait()
    gate.behave = () => {}
    const [ending, patient] = [new AbortController(), new AbortController()]
    const span = { start: at('15T09:00'), end: at('15T10:00') }
    const check = ({ signal }: AbortController, spans = [span]) =>
      checkCalendars(context, [host.user.id], spans, signal)
    const before = gate.reports.length
    const running = [1, 2, 3, 4].map(() => check(ending))
    while (gate.reports.length < before + 4) await gate.nextReport()
    const inLine = listenersOf(patient.signal, 4)
    const late = [
      check(patient, [{ start: at('18T09:00'), end: at('18T10:00') }]),
      check(patient, [{ start: at('16T09:00'), end: at('16T10:00') }]),
    ]
    await inLine
    gate.behave = pass
    ending.abort()
    const unknown = { busy: [], unknown: [host.user.id] }
    const nothing = { busy: [], unknown: [] }
    assert.deepEqual(
      await Promise.all(running),
      running.map(() => unknown),
    )
    assert.deepEqual(await Promise.all(late), [nothing, nothing])
    // One question for both, about the time from the first to the last.
    assert.equal(gate.reports.length, before + 5)
    assert.match(gate.reports.at(-1) ?? '', /start="20270116T090000Z" end="20270118T100000Z"/)
  })

  it('asks about every date of a series with one question', async () => {
    const host = await hostWith({ liveCheck: 'refuse', series: { every: ['week'], most: 12 } })
    const { slug } = host.user
    await connect(host)
    wait()
    const weekly = (count: number) => ({ repeat: { every: 'week', count } })
    const before = gate.reports.length
    const booked = await bookAt(slug, at('11T09:00'), weekly(8))
    assert.equal(booked.statusCode, 201, booked.body)
    assert.equal(gate.reports.length, before + 1)

    wait()
    const text = calendarText(['UID:one', 'DTSTART:20270208T140000Z', 'DURATION:PT1H'])
    await remote.request('PUT', `${remote.work}one.ics`, text)
    const refused = await bookAt(slug, at('11T14:00'), weekly(8))
    assert.equal(refused.statusCode, 400, refused.body)
    assert.match(refused.json().error, /Not available on 2027-02-08\./)
  })

  it('asks for every one of many guests who come at once', async () => {
    const host = await hostWith()
    await connect(host)
    wait()
    const starts = Array.from({ length: 8 }, (_, n) => at(`${19 + (n % 4)}T1${n < 4 ? 0 : 4}:00`))
    const events = starts.map((start, n) => {
      const stamp = new Date(start).toISOString().replaceAll(/[-:]|\.000/g, '')
      return remote.request(
        'PUT',
        `${remote.work}guest-${n}.ics`,
        calendarText([`UID:guest-${n}`, `DTSTART:${stamp}`, 'DURATION:PT1H']),
      )
    })
    await Promise.all(events)
    const answers = await Promise.all(starts.map((start) => bookAt(host.user.slug, start)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      starts.map(() => 400),
    )
    for (const n of starts.keys()) await remote.request('DELETE', `${remote.work}guest-${n}.ics`)
  })

  it('takes no entry of ours for an event of the host', async () => {
    const host = await hostWith()
    const { slug } = host.user
    await connect(host, 'home')
    const booked = await bookAt(slug, at('20T10:00'))
    const { id } = booked.json()
    const entry = (start: string) =>
      calendarText([`UID:${id}@punctual`, `DTSTART:202701${start}00Z`, 'DURATION:PT1H'])
    await remote.request('PUT', `${remote.home}one.ics`, entry('20T1000'))
    wait()
    // The cancelled booking's entry is still there, as it is until the worker has removed it.
    assert.equal((await host.post(`/bookings/${id}/cancel`)).statusCode, 200)
    assert.equal((await bookAt(slug, at('20T10:00'))).statusCode, 201)
  })

  it('takes no entry of ours at Google for an event of the host, until it is known to be gone', async () => {
    const host = await hostWith()
    const { slug } = host.user
    const connectionId = await connectAccount(app, host, 'google', google)
    const given = {
      kind: 'google',
      connectionId,
      externalId: 'team@group.example',
      busy: true,
      writeTo: true,
    }
    const made = await host.post('/calendars', given)
    assert.equal(made.statusCode, 201, made.body)
    const ids: string[] = []
    for (const time of ['21T10:00', '21T12:00']) ids.push((await bookAt(slug, at(time))).json().id)
    await runDueJobs(context)
    assert.equal((await host.post(`/calendars/${made.json().id}/refresh`)).json().lastError, '')
    wait()
    // The worker has not yet told Google.
    assert.equal((await host.post(`/bookings/${ids[0]}/cancel`)).statusCode, 200)
    const moved = await host.post(`/bookings/${ids[1]}/reschedule`, { startTime: '2027-01-21T14:00:00Z' })
    assert.equal(moved.statusCode, 200, moved.body)
    const free = await starts(slug, '21')
    for (const time of ['10:00', '12:00']) {
      assert.ok(free.includes(time))
      const again = await bookAt(slug, at(`21T${time}`))
      assert.equal(again.statusCode, 201, again.body)
    }
  })

  it('asks nothing for hosts without calendars, for feeds, and for bots', async () => {
    const { slug } = (await hostWith()).user
    const fed = await hostWith()
    const path = `/live-${fed.user.slug}.ics`
    feeds.answer(path, calendarOf())
    await fed.post('/calendars', { kind: 'feed', name: 'Feed', url: `${feeds.url}${path}` })
    await refreshDueCalendars(context)
    const guarded = await hostWith({ abuse: { ...plainEventType().abuse, honeypot: true } })
    await connect(guarded)
    const off = await hostWith()
    await connect(off, 'work', { busy: true })
    const [{ id }] = (await off.get('/calendars')).json().items
    await off.patch(`/calendars/${id}`, { busy: false })
    wait()
    const [reports, asked] = [gate.reports.length, feeds.asked.length]
    for (const one of [slug, fed.user.slug, off.user.slug]) {
      assert.equal((await bookAt(one, at('18T09:00'))).statusCode, 201)
    }
    const bot = await bookAt(guarded.user.slug, at('18T09:00'), { honeypotValue: 'x' })
    assert.equal(bot.statusCode, 400)
    // A time that is not offered anyway needs no question either.
    assert.equal((await bookAt(guarded.user.slug, at('18T03:00'))).statusCode, 400)
    assert.deepEqual([gate.reports.length, feeds.asked.length], [reports, asked])
  })

  it('lets a round robin take another host, and asks again when a guest reschedules', async () => {
    const [one, two] = [await hostWith(), await hostWith()]
    await connect(one)
    await connect(two, 'home')
    const team = (await one.post('/teams', { slug: `live-team-${hosts}`, name: 'Team' })).json()
    const { db } = context
    await db
      .insertInto('team_members')
      .values({ team_id: team.id, user_id: two.user.id, role: 'member', created_at: clock.now() })
      .execute()
    const made = await one.post(
      '/event-types',
      talk({
        teamId: team.id,
        assignment: 'round-robin',
        hosts: [one, two].map(({ user }) => ({ userId: user.id, fixed: false })),
      }),
    )
    assert.equal(made.statusCode, 201, made.body)
    wait()
    await enter('19T1000', 'work')
    await enter('19T1100', 'home')
    const booked = await bookAt(team.slug, at('19T10:00'))
    assert.equal(booked.statusCode, 201, booked.body)
    const seen = (await one.get(`/bookings/${booked.json().id}`)).json()
    assert.equal(seen.hostId, two.user.id)

    await enter('19T1400', 'home', 'two')
    await enter('19T1400', 'work', 'two')
    const { id } = booked.json()
    const token = manageToken(context, id)
    const move = (startTime: string) =>
      app.inject({
        method: 'POST',
        url: `/api/public/bookings/${id}/reschedule?token=${token}`,
        payload: { startTime },
      })
    const refused = await move('2027-01-19T14:00:00Z')
    assert.equal(refused.statusCode, 400, refused.body)
    assert.ok(!(await starts(team.slug, '19')).includes('14:00'))
    assert.equal((await move('2027-01-19T15:00:00Z')).statusCode, 200)

    // The host who is to take it over is asked, too.
    wait()
    await enter('19T1500', 'work', 'three')
    const busy = await one.post(`/bookings/${id}/reassign`, { hostId: one.user.id })
    assert.equal(busy.statusCode, 409, busy.body)
    assert.match(busy.json().error, /busy at this time/)
    const { hosts: others } = (await one.get(`/bookings/${id}/hosts`)).json()
    assert.deepEqual(
      others.map((other: { hostId: string; obstacle: string }) => [other.hostId, other.obstacle]),
      [[one.user.id, 'calendar']],
    )
  })
})
