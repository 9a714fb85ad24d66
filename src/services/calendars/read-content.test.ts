import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, it } from 'node:test'
import type { Event } from '@microsoft/microsoft-graph-types'
import type { FastifyInstance } from 'fastify'
import { connect } from '../../../test/connections.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../test/host-api.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { appOn, MONDAY_NOON } from '../../../test/kit.ts'
import { type GoogleStandIn, RATE_LIMITED, startGoogle } from '../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../test/outside/microsoft.ts'
import type { Fate } from '../../../test/outside/pushes.ts'
import type { Fault } from '../../../test/outside/stand-in.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { knownSpan, type Tentative, unknownSpan } from '../../domain/calendars/calendar.ts'
import { DAY, HOUR, type Interval, MINUTE, merge } from '../../domain/interval.ts'
import { readBusy } from '../../format/icalendar/read.ts'
import { googleProvider } from '../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../outside/calendars/microsoft/microsoft.ts'
import { newId } from '../../store/new-id.ts'
import { keepChannels } from './channels.ts'
import { refreshDueCalendars } from './refresh.ts'
import { findWritten } from './written-entries.ts'

const ZONE = 'Europe/Berlin'
const GOOGLE_CALENDAR = 'team@group.example'
const MICROSOFT_CALENDAR = 'AAMkAGI2-calendar='
const EMAIL = 'host@hosts.example'

/** What a host may do to one occurrence of a repeating event. */
type Exception = 'deleted' | 'free' | 'declined' | { readonly laterBy: number }

/** A random event, in no provider's words. */
interface Plan {
  readonly id: string
  readonly zone: string
  readonly day: Temporal.PlainDate
  /** Undefined: the whole day. */
  readonly time: Temporal.PlainTime | undefined
  /** Minutes, or days. */
  readonly length: number
  readonly everyDays: number
  readonly count: number
  readonly status: 'confirmed' | 'tentative' | 'cancelled'
  readonly free: boolean
  readonly declined: boolean
  readonly exceptions: ReadonlyMap<number, Exception>
}

function randomPlan(random: () => number, id: string): Plan {
  const among = <T>(...values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const wholeDay = random() < 0.25
  const count = random() < 0.5 ? 1 : 2 + Math.floor(random() * 8)
  const exceptions = new Map<number, Exception>()
  for (let n = 0; n < count && count > 1; n++) {
    if (random() < 0.25) exceptions.set(n, among<Exception>('deleted', 'free', 'declined', { laterBy: 90 }))
  }
  return {
    id,
    zone: among(ZONE, 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
    day: Temporal.PlainDate.from('2027-01-12').add({ days: Math.floor(random() * 120) }),
    time: wholeDay ? undefined : new Temporal.PlainTime(Math.floor(random() * 24), among(0, 15, 30)),
    length: wholeDay ? among(1, 1, 3) : among(15, 30, 60, 240, 1500),
    everyDays: among(1, 2, 7),
    count,
    status: among('confirmed', 'confirmed', 'tentative', 'cancelled'),
    free: random() < 0.15,
    declined: random() < 0.15,
    exceptions,
  }
}

interface Occurrence {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly exception: Exception | undefined
}

/** Each occurrence, in milliseconds; a whole day is from one midnight of UTC to another. */
function occurrencesOf({ day, time, zone, length, everyDays, count, exceptions }: Plan): Occurrence[] {
  return Array.from({ length: count }, (_, index) => {
    const date = day.add({ days: index * everyDays })
    const exception = exceptions.get(index)
    const later = typeof exception === 'object' && time ? exception.laterBy * MINUTE : 0
    const wall = time ? { timeZone: zone, plainTime: time } : { timeZone: 'UTC' }
    const at = date.toZonedDateTime(wall).epochMilliseconds
    const start = at + later
    return { index, start, end: start + length * (time ? MINUTE : DAY), exception }
  })
}

const stamp = (time: number) => new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

function asICalendar(plans: readonly Plan[]): string {
  const events = plans.flatMap((plan) => {
    const { id, day, time, zone, length } = plan
    const local = (date: Temporal.PlainDate) =>
      time
        ? `;TZID=${zone}:${date.toString().replaceAll('-', '')}T${time.toString().replaceAll(':', '')}`
        : `;VALUE=DATE:${date.toString().replaceAll('-', '')}`
    const lines = (status: string, free: boolean, declined: boolean) => [
      `DURATION:${time ? `PT${length}M` : `P${length}D`}`,
      `STATUS:${status.toUpperCase()}`,
      `TRANSP:${free ? 'TRANSPARENT' : 'OPAQUE'}`,
      ...(declined ? [`ATTENDEE;PARTSTAT=DECLINED:mailto:${EMAIL}`] : []),
    ]
    const event = (...more: string[]) => ['BEGIN:VEVENT', `UID:${id}@else.example`, ...more, 'END:VEVENT']
    const rule = plan.count === 1 ? [] : [`RRULE:FREQ=DAILY;INTERVAL=${plan.everyDays};COUNT=${plan.count}`]
    const gone = occurrencesOf(plan).filter(({ exception }) => exception === 'deleted')
    const nth = (index: number) => day.add({ days: index * plan.everyDays })
    const replaced = occurrencesOf(plan).flatMap(({ index, start, exception }) => {
      if (exception === undefined || exception === 'deleted') return []
      return event(
        `RECURRENCE-ID${local(nth(index))}`,
        time ? `DTSTART:${stamp(start)}` : `DTSTART${local(nth(index))}`,
        ...lines(plan.status, plan.free || exception === 'free', plan.declined || exception === 'declined'),
      )
    })
    return [
      ...event(
        `DTSTART${local(day)}`,
        ...rule,
        ...gone.map(({ index }) => `EXDATE${local(nth(index))}`),
        ...lines(plan.status, plan.free, plan.declined),
      ),
      ...replaced,
    ]
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:t', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

/** Puts a plan into Google's stand-in as single instances, and takes away those that are no longer there. */
function putToGoogle(google: GoogleStandIn, plan: Plan): void {
  const log = google.eventsOf(GOOGLE_CALENDAR)
  const wanted = plan.status === 'cancelled' ? [] : occurrencesOf(plan)
  const ids = new Set<string>()
  for (const { index, start, end, exception } of wanted) {
    if (exception === 'deleted') continue
    const id = plan.count === 1 ? plan.id : `${plan.id}_${index}`
    ids.add(id)
    const time = (at: number) => (plan.time ? { dateTime: new Date(at).toISOString() } : { date: dateOf(at) })
    const declined = plan.declined || exception === 'declined'
    log.put({
      id,
      iCalUID: `${plan.id}@google.example`,
      ...(plan.count > 1 && { recurringEventId: plan.id }),
      status: plan.status,
      start: time(start),
      end: time(end),
      ...((plan.free || exception === 'free') && { transparency: 'transparent' }),
      attendees: [{ email: EMAIL, self: true, responseStatus: declined ? 'declined' : 'accepted' }],
    })
  }
  removeOthers(log, plan, ids)
}

/** Puts a plan into Microsoft's stand-in: of a repeating event, occurrences have their times alone. */
function putToMicrosoft(microsoft: MicrosoftStandIn, plan: Plan): void {
  const log = microsoft.eventsOf(MICROSOFT_CALENDAR)
  const ids = new Set<string>()
  const details = (exception?: Exception): Event => ({
    iCalUId: `${plan.id}@outlook.example`,
    isAllDay: plan.time === undefined,
    isCancelled: plan.status === 'cancelled',
    showAs: plan.free || exception === 'free' ? 'free' : plan.status === 'tentative' ? 'tentative' : 'busy',
    responseStatus: { response: plan.declined || exception === 'declined' ? 'declined' : 'organizer' },
  })
  const put = (id: string, event: Event) => {
    ids.add(id)
    log.put({ id, ...event })
  }
  const time = (at: number) => ({
    dateTime: `${new Date(at).toISOString().slice(0, -1)}0000`,
    timeZone: 'UTC',
  })
  const isSeries = plan.count > 1
  if (isSeries) put(plan.id, { type: 'seriesMaster', ...details() })
  for (const { index, start, end, exception } of occurrencesOf(plan)) {
    if (exception === 'deleted' || (isSeries && plan.status === 'cancelled')) continue
    const times = { start: time(start), end: time(end) }
    const series = { type: 'occurrence' as const, seriesMasterId: plan.id }
    if (!isSeries) put(plan.id, { type: 'singleInstance', ...times, ...details() })
    else if (exception === undefined) put(`${plan.id}_${index}`, { ...series, ...times })
    else put(`${plan.id}_${index}`, { ...series, type: 'exception', ...times, ...details(exception) })
  }
  removeOthers(log, plan, ids)
}

function removeOthers(
  log: { readonly events: readonly { id?: string | null | undefined }[]; remove: (id: string) => void },
  { id }: Pick<Plan, 'id'>,
  kept: ReadonlySet<string>,
): void {
  const ours = log.events.flatMap((event) => event.id ?? []).filter((one) => one.split('_')[0] === id)
  for (const one of ours) if (!kept.has(one)) log.remove(one)
}

onEveryDatabase('calendars of Google and Microsoft', ({ db }) => {
  let app: FastifyInstance
  let under: Awaited<ReturnType<typeof appOn>>
  let host: Host
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let ids: { readonly google: string; readonly microsoft: string }
  let time = MONDAY_NOON
  const now = () => time

  before(async () => {
    google = await startGoogle({ now })
    microsoft = await startMicrosoft({ now })
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
    }
    under = await appOn(db(), { now, signup: 'open', providers })
    app = under.app
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    for (const pushes of [google.channels.pushes, microsoft.subscriptions.pushes]) {
      pushes.reach('https://book.example.com', `http://127.0.0.1:${port}`)
    }
    host = await signInWithToken(app, under.mailbox, EMAIL)
    await host.patch('/me', { timezone: ZONE })
    google.timeZone = ZONE
    const make = async (kind: 'google' | 'microsoft', externalId: string) => {
      const connectionId = await connect(app, host, kind, kind === 'google' ? google : microsoft)
      const made = await host.post('/calendars', { kind, connectionId, externalId })
      assert.equal(made.statusCode, 201, made.body)
      return made.json().id as string
    }
    ids = {
      google: await make('google', GOOGLE_CALENDAR),
      microsoft: await make('microsoft', MICROSOFT_CALENDAR),
    }
  })
  after(async () => {
    await app.close()
    await google.close()
    await microsoft.close()
  })
  beforeEach(() => {
    for (const log of [google.eventsOf(GOOGLE_CALENDAR), microsoft.eventsOf(MICROSOFT_CALENDAR)]) {
      for (const { id } of log.events) log.remove(id ?? '')
    }
  })

  const refresh = async (later = 11 * MINUTE) => {
    time += later
    await refreshDueCalendars(under.context)
  }
  const view = async (kind: keyof typeof ids) => (await host.get(`/calendars/${ids[kind]}`)).json()

  /** The busy times that we have stored, without what is beyond them. */
  async function busyOf(kind: keyof typeof ids): Promise<Interval[]> {
    const rows = await db()
      .selectFrom('busy_times')
      .select(['starts_at as start', 'ends_at as end'])
      .where('calendar_id', '=', ids[kind])
      .orderBy('starts_at')
      .execute()
    return rows
  }

  /** What the same events take as iCalendar. */
  function expected(plans: readonly Plan[], tentative: Tentative = 'busy'): Interval[] {
    const question = { span: knownSpan(time), timeZone: ZONE, own: [], addresses: [EMAIL], tentative }
    const { busy, skipped } = readBusy([asICalendar(plans)], question, under.context.slots.zones)
    assert.equal(skipped, 0)
    return merge([...busy, unknownSpan(time)])
  }

  function put(plan: Plan): void {
    putToGoogle(google, plan)
    putToMicrosoft(microsoft, plan)
  }

  it('block the same times as the same events do as iCalendar', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = seededRandom(seed)
      const plans = Array.from({ length: 12 }, (_, n) => randomPlan(random, `s${seed}e${n}`))
      google.pageSize = microsoft.pageSize = seed % 2 === 0 ? 3 : 2500
      // Half of the rounds begin anew, the others continue.
      if (seed % 2 === 0) google.eventsOf(GOOGLE_CALENDAR).forget()
      if (seed % 2 === 0) microsoft.eventsOf(MICROSOFT_CALENDAR).forget()
      for (const plan of plans) put(plan)
      await refresh()
      for (const kind of ['google', 'microsoft'] as const) {
        assert.equal((await view(kind)).lastError, '', `${kind}, seed ${seed}`)
        assert.deepEqual(await busyOf(kind), expected(plans), `${kind}, seed ${seed}`)
      }
      for (const plan of plans) put({ ...plan, status: 'cancelled' })
    }
  })

  it('block no tentative times if the host wants so, and block them again', async () => {
    const random = seededRandom(31)
    const plans = Array.from({ length: 12 }, (_, n) => randomPlan(random, `t${n}`))
    for (const plan of plans) put(plan)
    for (const kind of ['google', 'microsoft'] as const) {
      const wrong = await host.patch(`/calendars/${ids[kind]}`, { tentative: 'maybe' })
      assert.equal(wrong.statusCode, 400, wrong.body)
      assert.equal(wrong.headers['error-field'], 'tentative')
      assert.equal((await view(kind)).tentative, 'busy')
    }
    for (const tentative of ['free', 'busy'] as const) {
      for (const kind of ['google', 'microsoft'] as const) {
        const changed = await host.patch(`/calendars/${ids[kind]}`, { tentative })
        assert.equal(changed.json().tentative, tentative, changed.body)
      }
      await refresh(0)
      for (const kind of ['google', 'microsoft'] as const) {
        assert.deepEqual(await busyOf(kind), expected(plans, tentative), `${kind}, ${tentative}`)
      }
    }
    assert.notDeepEqual(expected(plans, 'free'), expected(plans, 'busy'))
  })

  it('agree after lost, doubled and late notices and failures, and are read in full once', async () => {
    const fates: readonly Fate[] = ['sent', 'sent', 'lost', 'doubled', 'late']
    const faults: readonly Fault[] = [
      { status: 500 },
      { status: 429, headers: { 'retry-after': '30' } },
      RATE_LIMITED,
      'truncated',
      'reset',
    ]
    await keepChannels(under.context)
    await refresh()
    const before = { google: { ...google.readings }, microsoft: { ...microsoft.readings } }
    const random = seededRandom(77)
    const pushes = [google.channels.pushes, microsoft.subscriptions.pushes]
    for (const one of pushes) one.fate = () => fates[Math.floor(random() * fates.length)] as Fate
    const plans = new Map<string, Plan>()
    for (let round = 0; round < 40; round++) {
      const plan = randomPlan(random, `r${Math.floor(random() * 10)}`)
      plans.set(plan.id, plan)
      put(plan)
      for (const standIn of [google, microsoft]) {
        if (random() < 0.2) {
          const fault = faults[Math.floor(random() * faults.length)] as Fault
          standIn.misbehave(/events$|delta$|watch$|subscriptions/, fault)
        }
      }
      // What is late comes some rounds later, if a reading is under way or not.
      const late = random() < 0.3
      for (const one of pushes) await one.settled({ late })
      await refresh(Math.floor(random() * 5 * MINUTE))
      if (round % 10 === 9) await keepChannels(under.context)
    }
    assert.ok(pushes.every(({ statuses }) => statuses.filter((status) => status === 202).length > 20))
    // Quiet: whatever has failed is tried again.
    for (const one of pushes) {
      one.fate = () => 'sent'
      await one.settled()
    }
    google.behave()
    microsoft.behave()
    for (let n = 0; n < 2; n++) await refresh(6 * HOUR)
    for (const kind of ['google', 'microsoft'] as const) {
      const standIn = kind === 'google' ? google : microsoft
      assert.equal((await view(kind)).lastError, '', kind)
      assert.deepEqual(await busyOf(kind), expected([...plans.values()]), kind)
      assert.equal(standIn.readings.full, before[kind].full, `${kind} was not read in full again`)
      assert.ok(standIn.readings.changes > before[kind].changes)
    }
  })

  it('are read in full again when the provider has forgotten where we were, and once a month', async () => {
    await refresh()
    const plan = {
      ...randomPlan(seededRandom(5), 'again'),
      status: 'confirmed',
      free: false,
      declined: false,
    } as const
    put(plan)
    google.eventsOf(GOOGLE_CALENDAR).forget()
    microsoft.eventsOf(MICROSOFT_CALENDAR).forget()
    const before = [google.readings.full, microsoft.readings.full]
    await refresh()
    assert.deepEqual(
      [google.readings.full, microsoft.readings.full],
      before.map((count) => count + 1),
    )
    for (const kind of ['google', 'microsoft'] as const)
      assert.deepEqual(await busyOf(kind), expected([plan]))
    for (let week = 0; week < 6; week++) await refresh(7 * DAY)
    assert.deepEqual(
      [google.readings.full, microsoft.readings.full],
      before.map((count) => count + 2),
    )
  })

  it('keep their busy times while they can’t be read, and say why', async () => {
    put({ ...randomPlan(seededRandom(9), 'kept'), status: 'confirmed', free: false, declined: false })
    await refresh()
    const known = [await busyOf('google'), await busyOf('microsoft')]
    assert.equal((await host.patch(`/calendars/${ids.google}`, { writeTo: true })).statusCode, 200)
    const comesWithEvent = async () => (await findWritten(under.context, host.user.id, newId())) === 'written'
    assert.equal(await comesWithEvent(), true)
    const list = google.calendars.get(google.oauth.visitor.account.subject) ?? []
    google.calendars.set(
      google.oauth.visitor.account.subject,
      list.filter(({ id }) => id !== GOOGLE_CALENDAR),
    )
    microsoft.misbehave(/delta$/, { status: 403, body: { error: { code: 'ErrorAccessDenied' } } })
    await refresh()
    // A deleted calendar answers 404 to everything. The host is told at once, and once.
    assert.match((await view('google')).lastError, /^This calendar was deleted, or is no longer shared/)
    const { id } = await view('google')
    const told = async () =>
      (await jobsOf(db(), 'calendar-failed')).filter(({ data }) => data.calendarId === id).length
    assert.equal(await told(), 1)
    assert.equal(await comesWithEvent(), false, 'then the mail has an invitation')
    assert.match((await view('microsoft')).lastError, /refused/)
    assert.deepEqual([await busyOf('google'), await busyOf('microsoft')], known)
    await refresh(HOUR)
    assert.equal(await told(), 1)
    google.calendars.set(google.oauth.visitor.account.subject, list)
    await refresh(6 * HOUR)
    assert.equal((await view('google')).lastError, '')
    assert.equal(await comesWithEvent(), true)
    await host.patch(`/calendars/${ids.google}`, { writeTo: false })
  })

  it('wait as long as the provider asks', async () => {
    google.misbehave(/events$/, { status: 429, headers: { 'retry-after': '3000' } })
    await refresh(6 * HOUR)
    const { nextRefreshAt, lastError } = await view('google')
    assert.match(lastError, /fewer requests/)
    assert.ok(Date.parse(nextRefreshAt) >= time + 2_999_000, nextRefreshAt)
    await refresh(6 * HOUR)
    assert.equal((await view('google')).lastError, '')
  })

  it('ask the host to reconnect when a new token is refused as well', async () => {
    const unauthorized = { status: 401, body: { error: { code: 401, message: 'Invalid Credentials' } } }
    google.misbehave(/events$/, unauthorized)
    await refresh()
    assert.equal((await view('google')).lastError, '', 'a new token was enough')
    google.misbehave(/events$/, unauthorized, unauthorized)
    await refresh()
    const status = async () => {
      const { items } = (await host.get('/connections')).json()
      return items.find(({ provider }: { provider: string }) => provider === 'google').status
    }
    assert.match((await view('google')).lastError, /does not accept our access/)
    assert.equal(await status(), 'reconnect')
    await connect(app, host, 'google', google)
    assert.equal(await status(), 'ok')
    await refresh(MINUTE)
    assert.equal((await view('google')).lastError, '', 'read as soon as it works again')
  })
})
