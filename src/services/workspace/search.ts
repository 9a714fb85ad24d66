import { invalidField } from '../../domain/problem.ts'
import { foldQuery, rankOf } from '../../domain/search-rank.ts'
import { listOf, type Sentence, sentence, type Value } from '../../domain/sentence.ts'
import { findGuests } from '../../store/bookings/list.ts'
import { findColleagues } from '../../store/people/members.ts'
import { findPossiblePeople } from '../../store/people/people.ts'
import { findMemberships } from '../../store/people/teams.ts'
import { findUser } from '../../store/people/users.ts'
import { findEventTypeNames, findNamed } from '../../store/workspace/named.ts'
import type { Context } from '../context.ts'
import { visibleBookings, visibleSchedulers } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'

/** What can be found; of equally good finds, those of the first kind come first. */
export const FOUND_KINDS = ['event-type', 'form', 'team', 'person', 'booking'] as const

export type FoundKind = (typeof FOUND_KINDS)[number]

export interface Found {
  readonly kind: FoundKind
  readonly id: string
  readonly title: string
  readonly detail: Sentence
  /** The page of the dashboard that shows it. */
  readonly url: string
}

/** Something that fits. */
interface Fitting extends Omit<Found, 'detail'> {
  readonly detail: string
  /** Orders what fits equally well; less is better. */
  readonly after?: number
  readonly booked?: { readonly eventTypeId: string; readonly time: Value }
}

interface Ranked extends Fitting {
  /** How well it fits: less is better. */
  readonly rank: number
}

const MOST_FOUND = 20

/** Of one kind, as long as there is anything else: many meetings must not hide the one form. */
const MOST_OF_A_KIND = 8

/** Names that are compared one by one. */
const MOST_NAMES = 5000

/** People and bookings that are compared one by one where the index can't help, such as for a single letter. */
const MOST_COMPARED = 250

interface Asked {
  readonly context: Context
  readonly principal: Principal
  /** As the index takes it. */
  readonly text: string
  /** As it is compared. */
  readonly wanted: string
}

/** What has this text in its name or address and may be seen by the user, the best first. */
export async function search(context: Context, principal: Principal, text: string): Promise<Found[]> {
  const wanted = foldQuery(text)
  if (wanted === '') throw invalidField('q', sentence`{field} is required.`)
  const asked = { context, principal, text: text.trim().replace(/\s+/g, ' '), wanted }
  // Together: someone waits while they type.
  const found = (
    await Promise.all([searchNames(asked), searchTeams(asked), searchPeople(asked), searchBookings(asked)])
  )
    .flat()
    .sort(byRank)
  const counts = new Map<FoundKind, number>()
  const isAmongFirst = ({ kind }: Ranked) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return (counts.get(kind) ?? 0) <= MOST_OF_A_KIND
  }
  const { first = [], rest = [] } = Object.groupBy(found, (one) => (isAmongFirst(one) ? 'first' : 'rest'))
  const best = [...first, ...rest].slice(0, MOST_FOUND).sort(byRank)
  return nameEventTypes(asked, best)
}

const byRank = (a: Ranked, b: Ranked) =>
  a.rank - b.rank ||
  FOUND_KINDS.indexOf(a.kind) - FOUND_KINDS.indexOf(b.kind) ||
  (a.after ?? 0) - (b.after ?? 0) ||
  (a.title < b.title ? -1 : 1)

/** Ranks what was read, and leaves out what does not fit. */
function fitting<T>(
  { wanted }: Asked,
  read: readonly T[],
  texts: (one: T) => readonly [title: string, ...others: string[]],
  show: (one: T) => Fitting,
): Ranked[] {
  return read.flatMap((one) => {
    const [title, ...others] = texts(one)
    const rank = rankOf(wanted, title, others)
    return rank === undefined ? [] : [{ ...show(one), rank }]
  })
}

async function searchNames(asked: Asked): Promise<Ranked[]> {
  const { db } = asked.context
  const owners = await visibleSchedulers(db, asked.principal)
  const eventTypes = await findNamed(db, 'event_types', owners, MOST_NAMES)
  const forms = await findNamed(db, 'routing_forms', owners, MOST_NAMES)
  const shownAs = (kind: 'event-type' | 'form', path: string) => (one: (typeof forms)[number]) => ({
    kind,
    id: one.id,
    title: one.name,
    detail: `/${one.ownerSlug}/${path}${one.slug}`,
    url: `/app/${kind}s/${one.id}`,
  })
  return [
    ...fitting(asked, eventTypes, ({ name, slug }) => [name, slug], shownAs('event-type', '')),
    ...fitting(asked, forms, ({ name, slug }) => [name, slug], shownAs('form', 'forms/')),
  ]
}

async function searchTeams(asked: Asked): Promise<Ranked[]> {
  const { context, principal } = asked
  const teams = await findMemberships(context.db, principal.userId, { after: undefined, limit: MOST_NAMES })
  return fitting(
    asked,
    teams,
    ({ team }) => [team.name, team.slug],
    ({ team }) => ({
      kind: 'team',
      id: team.id,
      title: team.name,
      detail: `/${team.slug}`,
      url: `/app/teams/${team.id}`,
    }),
  )
}

/** Admins of the instance find everyone, all others those who share a team with them. */
async function searchPeople(asked: Asked): Promise<Ranked[]> {
  const { context, principal, text } = asked
  const { db } = context
  const people = principal.admin
    ? (await findPossiblePeople(db, text, MOST_COMPARED)).map((person) => ({
        ...person,
        url: `/app/people?${new URLSearchParams({ search: person.email })}`,
      }))
    : await findTeamMates(asked)
  return fitting(
    asked,
    people,
    ({ name, email }) => [name, email],
    ({ id, name, email, url }) => ({ kind: 'person', id, title: name, detail: email, url }),
  )
}

async function findTeamMates({ context, principal }: Asked) {
  const teamIds = (await visibleSchedulers(context.db, principal)).filter((id) => id !== principal.userId)
  const members = await findColleagues(context.db, teamIds, MOST_NAMES)
  return [...new Map(members.map((one) => [one.id, { ...one, url: `/app/teams/${one.teamId}` }])).values()]
}

/** By guest; of those who fit equally well, the one whose meeting is nearest to now comes first. */
async function searchBookings(asked: Asked): Promise<Ranked[]> {
  const { context, principal, text } = asked
  const { db } = context
  const now = context.now()
  const owners = await visibleBookings(db, principal, undefined)
  const guests = await findGuests(db, owners, text, { at: now, limit: MOST_COMPARED })
  const zone = (await findUser(db, principal.userId))?.timeZone ?? 'UTC'
  return fitting(
    asked,
    guests,
    ({ name, email }) => [name, email],
    ({ id, name, email, eventTypeId, startsAt }) => ({
      kind: 'booking',
      id,
      title: name,
      detail: email,
      url: `/app/bookings/${id}`,
      booked: { eventTypeId, time: { instant: startsAt, timeZone: zone } },
      after: Math.abs(startsAt - now),
    }),
  )
}

/** Names the event types of the bookings that are shown: of all that were compared, few are. */
async function nameEventTypes({ context }: Asked, best: readonly Ranked[]): Promise<Found[]> {
  const ids = new Set(best.flatMap(({ booked }) => (booked === undefined ? [] : [booked.eventTypeId])))
  const names = await findEventTypeNames(context.db, [...ids])
  return best.map(({ kind, id, title, detail, url, booked }) => {
    const about = [detail, ...(booked ? [names.get(booked.eventTypeId) ?? '', booked.time] : [])]
    return { kind, id, title, detail: listOf(about), url }
  })
}
