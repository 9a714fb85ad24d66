import { checkEventType, EVENT_TYPE_DEFAULTS, type EventTypeSettings } from '../../event-types/event-type.ts'
import { checkReturnUrl } from '../../event-types/return-url.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { type Draft, keyOf } from '../draft.ts'
import { eventTypesOfForms } from '../forms/targets.ts'
import { isOrganization } from '../people/plan-people.ts'
import { assignSlugs, type Named, slugify } from '../people/slugs.ts'
import type { PlannedEventType, PlannedTeam, PlannedUser } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import {
  clamp,
  flagIn,
  groupBy,
  idIn,
  isNo,
  isUnread,
  isYes,
  lineOf,
  listOfAny,
  proseOf,
  textIn,
  treeIn,
  treeOf,
  treesIn,
  valueIn,
  wholeIn,
  wholeOf,
  withoutHtml,
} from '../values.ts'
import { OWNER_STAYS, UNREADABLE_PARTS } from '../words.ts'
import { type PlannedHosts, planTeamHosts } from './plan-hosts.ts'
import { planLocations, VideoServices } from './plan-locations.ts'
import { planTimes } from './plan-times.ts'
import { questionsOf, type ReadQuestions } from './read-questions.ts'

export const nameOfEventType = (row: SourceRow): string =>
  lineOf(textIn(row, 'title'), 200) || lineOf(textIn(row, 'slug'), 200)

/** What all event types have in common. */
interface Surroundings {
  readonly draft: Draft
  readonly slugs: ReadonlyMap<SourceKey, string>
  readonly positions: ReadonlyMap<SourceRow, number>
  readonly hosts: ReadonlyMap<string, readonly SourceRow[]>
  readonly questions: (id: string, language: string) => ReadQuestions
  /** Ids of those that a form leads to. */
  readonly routed: ReadonlySet<string>
  readonly services: VideoServices
  readonly unpublished: ReadonlySet<SourceKey>
}

type Owner = PlannedUser | PlannedTeam

/** Everything that can be booked. */
export function planEventTypes(draft: Draft): void {
  const rows = draft.rows('EventType')
  const older = draft
    .rows('_user_eventtype')
    .map((row) => ({ userId: valueIn(row, 'B'), eventTypeId: valueIn(row, 'A') }))
  const hosts = groupBy(draft.rows('Host'), (row) => idIn(row, 'eventTypeId'))
  const olderHosts = groupBy(older, (row) => idIn(row, 'eventTypeId'))
  const services = new VideoServices(draft)
  const surroundings: Surroundings = {
    draft,
    slugs: slugsOf(draft, rows),
    positions: positionsOf(rows),
    hosts: new Map([...olderHosts, ...hosts]),
    questions: questionsOf(rows, draft.rows('EventTypeCustomInput')),
    routed: eventTypesOfForms(draft),
    services,
    unpublished: new Set(
      draft
        .rows('Team')
        .filter((row) => textIn(row, 'slug') === '')
        .map((row) => keyOf('Team', idIn(row))),
    ),
  }
  draft.eachRow('EventType', nameOfEventType, (row, key) => planEventType(surroundings, row, key))
  services.offer()
}

/** The owner of an event type that comes along, or why it does not. */
function ownerOf(draft: Draft, row: SourceRow): Owner | Sentence {
  if (textIn(row, 'schedulingType') === 'managed')
    return sentence`A managed event type is a template. Its copies come along as event types of their own.`
  const team = idIn(row, 'teamId')
  const user = idIn(row, 'userId')
  if (team === '')
    return user === ''
      ? sentence`It belongs to nobody.`
      : (draft.users.get(keyOf('users', user)) ?? OWNER_STAYS)
  if (draft.rows('Team').some((one) => idIn(one) === team && isOrganization(one)))
    return sentence`It belongs to the organization, which has no event types here. Please make it in a team.`
  return draft.teams.get(keyOf('Team', team)) ?? OWNER_STAYS
}

/** Slugs are unique for each owner. */
function slugsOf(draft: Draft, rows: readonly SourceRow[]): ReadonlyMap<SourceKey, string> {
  const owned = rows
    .toSorted((a, b) => (wholeIn(a, 'id') ?? Infinity) - (wholeIn(b, 'id') ?? Infinity))
    .flatMap((row) => {
      const owner = ownerOf(draft, row)
      const key = keyOf('EventType', idIn(row))
      return 'pattern' in owner || draft.isLeftOut(key) ? [] : [{ row, key, owner }]
    })
  const slugs = new Map<SourceKey, string>()
  for (const [, own] of Map.groupBy(owned, ({ owner }) => owner.key)) {
    const named = [...new Map(own.map((one) => [one.key, one])).values()].map(
      ({ row, key }): Named => ({
        key,
        wanted: textIn(row, 'slug'),
        otherwise: [textIn(row, 'title'), 'meeting'],
      }),
    )
    const owner = own[0]?.owner.content.slug
    const assigned = assignSlugs(
      named,
      (slug) => slug === 'forms' || draft.here.slugsOfOwners.has(`${owner}/${slug}`),
      draft.choices,
    )
    draft.offered.push(...assigned.offered)
    for (const [key, slug] of assigned.slugs) slugs.set(key, slug)
  }
  return slugs
}

/** There, the highest position comes first; here, the lowest. */
function positionsOf(rows: readonly SourceRow[]): ReadonlyMap<SourceRow, number> {
  const sorted = rows.toSorted(
    (a, b) =>
      (wholeIn(b, 'position') ?? 0) - (wholeIn(a, 'position') ?? 0) ||
      (wholeIn(a, 'id') ?? 0) - (wholeIn(b, 'id') ?? 0),
  )
  const counts = new Map<string, number>()
  return new Map(
    sorted.map((row) => {
      const owner = `${idIn(row, 'teamId')}/${idIn(row, 'userId')}`
      const position = counts.get(owner) ?? 0
      counts.set(owner, position + 1)
      return [row, Math.min(position, 1_000_000)]
    }),
  )
}

function planEventType(all: Surroundings, row: SourceRow, key: SourceKey): PlannedEventType | Sentence {
  const { draft } = all
  const owner = ownerOf(draft, row)
  if ('pattern' in owner) return owner
  const slug = all.slugs.get(key) as string
  const notes: Sentence[] = []
  if (idIn(row, 'parentId') !== '')
    notes.push(sentence`Was a copy of a managed event type. It is edited on its own here.`)
  const { hosts, assignment, schedule } =
    owner.kind === 'team'
      ? planTeamHosts(draft, owner, row, all.hosts.get(idIn(row)) ?? [], notes)
      : planOwnHost(draft, owner, row, notes)
  const hours = draft.schedules.get(schedule ?? defaultOf(draft, hosts[0]?.user) ?? 'Schedule/')
  const times = planTimes(row, draft.zones.get(owner.content.timeZone), hours, notes)
  if ('pattern' in times) return times
  const { closed, ...rules } = times
  const seats = planSeats(row, assignment, notes)
  const { questions, notes: questionNotes } = all.questions(idIn(row), owner.content.locale)
  notes.push(...questionNotes)
  const access = planAccess(all, row, owner, closed, notes)
  const settings: EventTypeSettings = {
    ...EVENT_TYPE_DEFAULTS,
    ...rules,
    ...access,
    ...planLocations(row, idIn(row), seats, all.services, notes),
    description: proseOf(withoutHtml(textIn(row, 'description')), 5000),
    seats,
    maxGuests: mayBringGuests(row) ? 10 : 0,
    requiresApproval: planApproval(row, notes),
    confirmEmail: flagIn(row, 'requiresBookerEmailVerification'),
    questions: questions.map(({ question }) => question),
    assignment,
    position: all.positions.get(row) ?? 0,
    // There, only workflows remind.
    reminderMinutes: [],
    returnUrl: planReturnUrl(row, notes),
  }
  if (isUnread(row, TREES)) notes.push(UNREADABLE_PARTS)
  noteGuesses(row, notes)
  noteOthers(row, owner.content.locale, notes)
  const name = nameOfEventType(row) || slug
  try {
    checkEventType({ ...settings, slug, name })
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
  const old = lineOf(textIn(row, 'slug'), 200).toLowerCase()
  if (old !== '' && old !== slug)
    notes.push(sentence`Its link ends in “${slug}” here. The old link still works.`)
  return {
    kind: 'event-type',
    key,
    unit: owner.key,
    name,
    notes,
    content: {
      owner: owner.key,
      slug,
      name,
      settings,
      schedule,
      hosts,
      oldSlugs: isFormer(all, owner, old) ? [old] : [],
    },
  }
}

/** Whether an old name leads to nothing else of this owner. */
function isFormer({ draft, slugs }: Surroundings, owner: Owner, old: string): boolean {
  if (old === '' || old !== slugify(old) || draft.here.slugsOfOwners.has(`${owner.content.slug}/${old}`))
    return false
  return !draft
    .rows('EventType')
    .some((row) => slugs.get(keyOf('EventType', idIn(row))) === old && ownerOf(draft, row) === owner)
}

const TREES = ['locations', 'metadata', 'bookingFields', 'bookingLimits', 'durationLimits', 'recurringEvent']

const defaultOf = (draft: Draft, user: SourceKey | undefined): SourceKey | undefined =>
  [...draft.schedules.values()].find(({ content }) => content.user === user && content.isDefault)?.key

/** An event type of a person has one host. */
function planOwnHost(draft: Draft, owner: PlannedUser, row: SourceRow, notes: Sentence[]): PlannedHosts {
  const id = idIn(row, 'scheduleId')
  const own = id === '' ? draft.hoursOf.get(idIn(row)) : keyOf('Schedule', id)
  const schedule = draft.schedules.get(own ?? 'Schedule/')
  const isOwn = schedule?.content.user === owner.key
  if (own !== undefined && !isOwn)
    notes.push(sentence`Its schedule does not come along, so the default one applies.`)
  return {
    hosts: [{ user: owner.key, fixed: false, weight: 1 }],
    assignment: 'collective',
    schedule: isOwn ? (schedule?.key ?? null) : null,
  }
}

function planSeats(row: SourceRow, assignment: PlannedHosts['assignment'], notes: Sentence[]): number {
  const seats = clamp(wholeIn(row, 'seatsPerTimeSlot') ?? 1, 1, 10_000)
  if (seats === 1) return 1
  if (assignment === 'round-robin') {
    notes.push(
      sentence`Round robin and seats don’t go together here, so every guest has a meeting of their own.`,
    )
    return 1
  }
  if (flagIn(row, 'seatsShowAttendees'))
    notes.push(sentence`Guests who share a meeting don’t see each other’s names here.`)
  return seats
}

/** Guests may bring others unless that is turned off, here or there. */
function mayBringGuests(row: SourceRow): boolean {
  const field = treesIn(row, 'bookingFields').find((one) => textIn(one, 'name') === 'guests')
  return !flagIn(row, 'disableGuests') && !(field !== undefined && flagIn(field, 'hidden'))
}

function planApproval(row: SourceRow, notes: Sentence[]): boolean {
  const isForAll = flagIn(row, 'requiresConfirmation')
  if (!isForAll) {
    if (!flagIn(row, 'requiresConfirmationForFreeEmail')) return false
    notes.push(sentence`Only guests with a free mailbox needed approval there. Here everyone does.`)
    return true
  }
  const threshold = treeOf(valueIn(treeIn(row, 'metadata'), 'requiresConfirmationThreshold'))
  if ((wholeOf(valueIn(threshold, 'time')) ?? 0) > 0)
    notes.push(sentence`Only bookings on short notice needed approval there. Here all of them do.`)
  if (isNo(valueIn(row, 'requiresConfirmationWillBlockSlot')))
    notes.push(sentence`A request blocks its time here until it is answered.`)
  return true
}

/** Who finds it, and who may book it. */
function planAccess(
  { draft, routed, unpublished }: Surroundings,
  row: SourceRow,
  owner: Owner,
  closed: boolean,
  notes: Sentence[],
): Pick<EventTypeSettings, 'hidden' | 'linkOnly'> {
  const price = priceOf(row)
  if (price !== undefined)
    // Otherwise guests would get for nothing what they paid for.
    notes.push(
      sentence`It costs ${price} there. Connect Stripe and set its price here; until then only private links open it.`,
    )
  const needsAccount = flagIn(row, 'bookingRequiresAuthentication')
  if (needsAccount)
    notes.push(sentence`Only people with an account could book it there. Here only private links open it.`)
  const hidden = flagIn(row, 'hidden')
  const isRouted = hidden && routed.has(idIn(row))
  if (isRouted)
    notes.push(
      sentence`Forms don’t lead to hidden event types here. Only forms and private links open this one.`,
    )
  return {
    hidden: hidden && !isRouted,
    linkOnly:
      closed ||
      needsAccount ||
      isRouted ||
      price !== undefined ||
      (unpublished.has(owner.key) && draft.teams.has(owner.key)),
  }
}

const CURRENCY = /^[a-z]{3}$/i

/** Such as `25.00 EUR`; undefined if it is free. */
function priceOf(row: SourceRow): string | undefined {
  const apps = treeOf(valueIn(treeIn(row, 'metadata'), 'apps'))
  const paid = Object.values(apps)
    .map(treeOf)
    .find((app) => isYes(valueIn(app, 'enabled')) && (wholeOf(valueIn(app, 'price')) ?? 0) > 0)
  const stripe = treeOf(valueIn(apps, 'stripe'))
  const isOff = Object.keys(stripe).length > 0 && isNo(valueIn(stripe, 'enabled'))
  const cents =
    paid === undefined ? (isOff ? 0 : (wholeIn(row, 'price') ?? 0)) : (wholeOf(valueIn(paid, 'price')) ?? 0)
  if (cents <= 0) return undefined
  const currency = (paid && textIn(paid, 'currency')) || textIn(row, 'currency')
  return `${(cents / 100).toFixed(2)} ${CURRENCY.test(currency) ? currency.toUpperCase() : ''}`.trim()
}

function planReturnUrl(row: SourceRow, notes: Sentence[]): string {
  const url = textIn(row, 'successRedirectUrl').trim()
  if (url === '') return ''
  try {
    checkReturnUrl(url)
    if (url.isWellFormed()) return url
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  notes.push(sentence`The page after booking is not an address with https, so guests stay on ours.`)
  return ''
}

/** Settings without a counterpart, by what hosts call them. */
const OTHERS: readonly (readonly [isSet: (row: SourceRow) => boolean, name: Sentence])[] = [
  [(row) => flagIn(row, 'isInstantEvent'), sentence`instant meetings`],
  [(row) => flagIn(row, 'lockTimeZoneToggleOnBookingPage'), sentence`a fixed time zone for guests`],
  [(row) => textIn(row, 'eventName').trim() !== '', sentence`a title of its own in calendars`],
  [(row) => flagIn(row, 'hideOrganizerEmail'), sentence`hiding the host’s email address`],
  [
    (row) => flagIn(row, 'hideCalendarEventDetails') || flagIn(row, 'hideCalendarNotes'),
    sentence`hiding details in calendars`,
  ],
  [(row) => textIn(row, 'customReplyToEmail') !== '', sentence`an address for replies`],
  [(row) => (wholeIn(row, 'maxActiveBookingsPerBooker') ?? 0) > 0, sentence`a limit for each guest`],
  [(row) => flagIn(row, 'onlyShowFirstAvailableSlot'), sentence`showing only the first time of a day`],
  [(row) => flagIn(row, 'enablePerHostLocations'), sentence`a location for each host`],
  [
    (row) => isYes(valueIn(treeOf(valueIn(treeIn(row, 'metadata'), 'disableStandardEmails')), 'all')),
    sentence`emails that are turned off`,
  ],
  [(row) => flagIn(row, 'useEventLevelSelectedCalendars'), sentence`calendars of its own`],
  [
    (row) => (wholeIn(row, 'maxLeadThreshold') ?? 0) > 0,
    sentence`a limit on how uneven the round robin gets`,
  ],
]

const OWN_LANGUAGE = sentence`a language of its own`

function noteOthers(row: SourceRow, locale: string, notes: Sentence[]): void {
  const names = OTHERS.filter(([isSet]) => isSet(row)).map(([, name]) => name)
  const language = textIn(row, 'interfaceLanguage').slice(0, 2).toLowerCase()
  if (language !== '' && language !== locale) names.push(OWN_LANGUAGE)
  if (names.length > 0) notes.push(sentence`Not known here: ${names}.`)
}

const WINDOW = sentence`the booking window`
const GUESSED: Readonly<Record<string, Sentence>> = {
  minimumBookingNotice: sentence`the minimum notice`,
  periodType: WINDOW,
  periodDays: WINDOW,
  seatsPerTimeSlot: sentence`the number of seats`,
  bookingLimits: sentence`the limits`,
}

/** Some sources don't tell everything: their readers guess it from the times that are offered, and say so. */
function noteGuesses(row: SourceRow, notes: Sentence[]): void {
  const columns = listOfAny(valueIn(treeIn(row, 'metadata'), 'guessed'))
  const names = columns.flatMap((column) =>
    typeof column === 'string' && Object.hasOwn(GUESSED, column) ? [GUESSED[column] as Sentence] : [],
  )
  if (names.length > 0)
    notes.push(sentence`We guessed from the times that it offered: ${[...new Set(names)]}. Please check.`)
}
