import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type Api, type ApiOptions, openApi, type Question } from './api-client.ts'
import { dateIn, firstOpening, guessSettings, type Offered } from './calendly-guesses.ts'
import {
  bookingRows,
  eventTypeRow,
  formRow,
  hostRow,
  idOf,
  membershipRow,
  organizationRow,
  scheduleRows,
  teamRow,
  userRow,
  webhookRow,
} from './calendly-rows.ts'
import type { Read } from './reading.ts'
import { type Tree, textOf, treeOf, treesOf } from './trees.ts'

export interface CalendlySource {
  /** Of a person, or of an admin of the organization. */
  readonly token: string
  readonly api?: string | undefined
}

export interface CalendlyOptions extends ApiOptions {
  readonly now?: (() => number) | undefined
}

const CALENDLY = 'https://api.calendly.com'

/** The most that a page may have. */
const PAGE = 100

/** As far as one request for available times may reach, and how many are made. */
const RANGE = 31 * 86_400_000
const MOST_RANGES = 4

interface Reader {
  readonly api: Api
  readonly now: number
  /** Of the organization or of the person: what lists are asked for. */
  readonly scope: Readonly<Record<string, string>>
  readonly me: Tree
  readonly organization: string
  /** Default hours, by the id of the person. */
  readonly hours: Map<string, Tree>
  /** When meetings to come begin, by the id of their event type. */
  readonly coming: Map<string, number[]>
}

/** Reads a person, or with an admin's token the organization, from Calendly's API v2. */
export async function* readCalendlyApi(
  { token, api: base = CALENDLY }: CalendlySource,
  { now = Date.now, ...options }: CalendlyOptions,
): AsyncGenerator<Read> {
  const api = openApi({ ...options, service: 'Calendly', base, token })
  try {
    const me = treeOf(treeOf(await api.get({ path: '/users/me' })).resource)
    const organization = textOf(me.current_organization)
    if (textOf(me.uri) === '' || organization === '')
      throw new Problem(
        'invalid',
        sentence`${'Calendly'} did not answer as expected. Please check the address.`,
      )
    const memberships = await allOf(api, { path: '/organization_memberships', query: { organization } })
    const isAdmin = memberships !== undefined
    const reader: Reader = {
      api,
      now: now(),
      scope: isAdmin ? { organization } : { user: textOf(me.uri) },
      me,
      organization,
      hours: new Map(),
      coming: new Map(),
    }
    yield* readPeople(reader, memberships ?? [])
    await readComing(reader)
    const groups = new Set<string>()
    yield* readEventTypes(reader, groups)
    yield* readForms(reader)
    yield* readWebhooks(reader, isAdmin)
    yield* readBookings(reader, groups)
  } finally {
    api.close()
  }
}

/** The pages of a list, as they come; nothing if the token may not read it. */
async function* pagesOf(api: Api, { path, query }: Question): AsyncGenerator<readonly Tree[], boolean> {
  let token: string | undefined
  for (;;) {
    const answer = await api.get({
      path,
      query: { ...query, count: PAGE, page_token: token },
      optional: true,
    })
    if (answer === undefined) return false
    yield treesOf(treeOf(answer).collection)
    const next = textOf(treeOf(treeOf(answer).pagination).next_page_token)
    if (next === '' || next === token) return true
    token = next
  }
}

/** A list as a whole; undefined if the token may not read it. */
async function allOf(api: Api, question: Question): Promise<Tree[] | undefined> {
  const all: Tree[] = []
  const pages = pagesOf(api, question)
  for (;;) {
    const { done, value } = await pages.next()
    if (done) return value ? all : undefined
    all.push(...value)
  }
}

async function* readPeople(reader: Reader, memberships: readonly Tree[]): AsyncGenerator<Read> {
  const { api, me, organization, hours } = reader
  const organizationId = idOf(organization)
  const about = treeOf(await api.get({ path: `/organizations/${organizationId}`, optional: true }))
  yield organizationRow(organizationId, treeOf(about.resource))
  const people = memberships.length > 0 ? memberships.map(({ user }) => treeOf(user)) : [me]
  for (const user of people) {
    const answer = await api.get({
      path: '/user_availability_schedules',
      query: { user: textOf(user.uri) },
      optional: true,
    })
    const schedules = treesOf(treeOf(answer).collection)
    const usual = schedules.find((schedule) => schedule.default === true)
    if (usual !== undefined) hours.set(idOf(user.uri), usual)
    yield userRow(user, organizationId, usual && idOf(usual.uri))
    for (const schedule of schedules) yield* scheduleRows(schedule)
  }
  yield* memberships.map(membershipRow)
}

async function* readEventTypes(reader: Reader, groups: Set<string>): AsyncGenerator<Read> {
  const { api, scope, organization } = reader
  const teams = new Map<string, Set<string>>()
  for (const type of (await allOf(api, { path: '/event_types', query: scope })) ?? []) {
    // Polls and one-off meetings have no page that stays.
    if (type.deleted_at || type.type === 'AdhocEventType' || type.booking_method === 'poll') continue
    const id = idOf(type.uri)
    if (type.kind === 'group') groups.add(id)
    const { type: kind, owner } = treeOf(type.profile)
    const query = { event_type: textOf(type.uri) }
    const hosts = kind === 'Team' ? await allOf(api, { path: '/event_type_memberships', query }) : undefined
    const users = (hosts ?? []).map(userOfHost).filter(Boolean)
    const team = idOf(owner)
    if (kind === 'Team') {
      if (!teams.has(team)) yield teamRow(type, idOf(organization))
      const members = teams.get(team) ?? new Set()
      teams.set(team, members)
      for (const userId of users) {
        if (members.has(userId)) continue
        members.add(userId)
        yield {
          table: 'Membership',
          row: { id: `${team}-${userId}`, teamId: team, userId, accepted: true, role: 'MEMBER' },
        }
      }
    }
    yield eventTypeRow(type, await guess(reader, type, kind === 'Team' ? users[0] : team))
    yield* users.map((userId) => hostRow(id, userId, type.pooling_type === 'collective'))
  }
}

/** Finds out how full the days are, which tells limits. */
async function readComing({ api, now, scope, coming }: Reader): Promise<void> {
  const query = { ...scope, status: 'active', min_start_time: new Date(now).toISOString() }
  for await (const events of pagesOf(api, { path: '/scheduled_events', query })) {
    for (const { event_type: type, start_time: start } of events) {
      const startsAt = Date.parse(textOf(start))
      if (Number.isNaN(startsAt)) continue
      const before = coming.get(idOf(type))
      if (before === undefined) coming.set(idOf(type), [startsAt])
      else before.push(startsAt)
    }
  }
}

/** A host is told as a person, or with their URI. */
function userOfHost({ member, user }: Tree): string {
  const found = member ?? user
  return idOf(typeof found === 'string' ? found : treeOf(found).uri)
}

async function guess({ api, now, hours, coming }: Reader, type: Tree, host: string | undefined) {
  if (type.active === false) return {}
  const offered: Offered[] = []
  let until = now + 60_000
  for (let range = 0; range < MOST_RANGES; range++) {
    const start = until
    until += RANGE
    const query = {
      event_type: textOf(type.uri),
      start_time: new Date(start).toISOString(),
      end_time: new Date(until).toISOString(),
    }
    const answer = treeOf(await api.get({ path: '/event_type_available_times', query, optional: true }))
    const found = treesOf(answer.collection).filter(({ status }) => status === 'available')
    for (const { start_time: at, invitees_remaining: remaining } of found) {
      const startsAt = Date.parse(textOf(at))
      if (!Number.isNaN(startsAt)) offered.push({ startsAt, remaining: Number(remaining) || 0 })
    }
    if (found.length === 0) break
  }
  offered.sort((a, b) => a.startsAt - b.startsAt)
  const schedule = hours.get(host ?? '')
  const opensAt = schedule && firstOpening(schedule, now)
  const timeZone = zoneOf(schedule)
  const meetings = new Map<string, number>()
  for (const startsAt of coming.get(idOf(type.uri)) ?? []) {
    const date = dateIn(timeZone, startsAt)
    meetings.set(date, (meetings.get(date) ?? 0) + 1)
  }
  return guessSettings({ now, offered, until, opensAt, isGroup: type.kind === 'group', meetings, timeZone })
}

/** UTC where the zone is not known to us. */
function zoneOf(schedule: Tree | undefined): string {
  const zone = textOf(schedule?.timezone)
  try {
    dateIn(zone, 0)
    return zone
  } catch {
    return 'UTC'
  }
}

async function* readForms({ api, me, organization }: Reader): AsyncGenerator<Read> {
  const forms = (await allOf(api, { path: '/routing_forms', query: { organization } })) ?? []
  if (forms.length > 0)
    yield {
      note: sentence`Calendly's API does not say where routing forms lead. Please add their rules here.`,
    }
  yield* forms.map((form) => formRow(form, idOf(me.uri)))
}

async function* readWebhooks({ api, me, organization }: Reader, isAdmin: boolean): AsyncGenerator<Read> {
  const path = '/webhook_subscriptions'
  const own = { organization, scope: 'user', user: textOf(me.uri) }
  const all = isAdmin ? [{ organization, scope: 'organization' }, own] : [own]
  for (const query of all) yield* ((await allOf(api, { path, query })) ?? []).map(webhookRow)
}

async function* readBookings({ api, scope }: Reader, groups: ReadonlySet<string>): AsyncGenerator<Read> {
  const query = { ...scope, sort: 'start_time:asc' }
  for await (const events of pagesOf(api, { path: '/scheduled_events', query })) {
    // Those who were invited, and the next page.
    api.expect(events.length + (events.length === PAGE ? 1 : 0))
    for (const event of events) {
      const invitees = await allOf(api, { path: `/scheduled_events/${idOf(event.uri)}/invitees` })
      yield* bookingRows(event, invitees ?? [], groups.has(idOf(event.event_type)))
    }
  }
}
