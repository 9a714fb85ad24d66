import type { SeriesPlace } from '../bookings/series.ts'
import { EVENT_TYPE_DEFAULTS } from '../event-types/event-type.ts'
import { MOST_OF_SERIES } from '../event-types/series-offer.ts'
import { MINUTE } from '../interval.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { Zones } from '../zone.ts'
import { lineFor } from './draft.ts'
import { stepOf } from './event-types/plan-times.ts'
import { questionsOf, type ReadQuestions } from './event-types/read-questions.ts'
import { sameCalendars } from './kinds.ts'
import { readAnswers, readGuest, readOthers, readPlace } from './meetings/read-guests.ts'
import { PlannedPeople, type ReadMeeting, readMeeting } from './meetings/read-meeting.ts'
import { TakenTime } from './meetings/taken-time.ts'
import type {
  Here,
  PlanLine,
  PlannedBooking,
  PlannedEventType,
  PlannedMeeting,
  PlannedUser,
  SettingsPlan,
} from './plan.ts'
import type { SourceBooking, SourceKey, SourceRow, SourceSettings } from './source.ts'
import { idIn, isUnread, isYes, lineOf, proseOf, textIn, treeIn, valueIn, wholeIn } from './values.ts'
import { UNREADABLE_PARTS } from './words.ts'

export interface MeetingVerdict {
  readonly lines: readonly PlanLine[]
  readonly meeting: PlannedMeeting | null
}

/** What is known of a series after the first pass. */
interface KnownSeries {
  readonly eventTypeId: string
  /** Start and number of each of its meetings, one after the other. */
  readonly meetings: number[]
  isMixed: boolean
}

const MOST_MOVES = 100
const MOST_GUESTS = 10

/**
 * Plans bookings one by one. It has to see each of them twice: `note` all of them first, then `plan` them, so that a hundred
 * thousand need little memory.
 */
export class MeetingPlanner {
  readonly #people: PlannedPeople
  readonly #now: number
  readonly #zones = new Zones()
  readonly #taken = new TakenTime()
  readonly #questions: (id: string, language: string) => ReadQuestions
  readonly #eventTypeRows: ReadonlyMap<string, SourceRow>
  readonly #slugs: ReadonlySet<string>
  readonly #homeless = new Map<SourceKey, PlannedUser>()
  /** Ids of calendar entries by the uid of the booking that was moved there. */
  readonly #movedTo = new Map<string, { readonly uid: string; readonly entry: string }>()
  readonly #series = new Map<string, KnownSeries>()
  readonly #numbers = new Map<string, number>()
  readonly #planned = new Set<string>()
  #extras: readonly PlannedEventType[] | undefined
  #unnamed = 0

  constructor(source: SourceSettings, plan: SettingsPlan, here: Here) {
    this.#people = new PlannedPeople(plan)
    this.#now = here.now
    const rows = source.EventType ?? []
    this.#questions = questionsOf(rows, source.EventTypeCustomInput ?? [])
    this.#eventTypeRows = new Map(rows.map((row) => [idIn(row), row]))
    const planned = plan.settings.flatMap((item) =>
      item.kind === 'event-type' ? [`${item.content.owner}/${item.content.slug}`] : [],
    )
    this.#slugs = new Set([...planned, ...here.slugsOfOwners])
  }

  /** Sees a booking for the first time. */
  note(given: SourceBooking): void {
    const { booking } = given
    const [uid, former] = [textIn(booking, 'uid'), textIn(booking, 'fromReschedule')]
    if (uid !== '' && former !== '') this.#movedTo.set(former, { uid, entry: entryOf(booking) })
    const meeting = readMeeting(given, this.#people, this.#now)
    if ('pattern' in meeting) return
    const number = this.#numberOf(booking)
    if (meeting.eventType === undefined) this.#homeless.set(meeting.host.key, meeting.host)
    if (meeting.takesTime)
      for (const host of meeting.hosts) this.#taken.add(host.key, number, meeting, meeting.madeAt)
    this.#noteSeries(booking, meeting, number)
  }

  #noteSeries(booking: SourceRow, { start, movedAway }: ReadMeeting, number: number): void {
    const id = seriesOf(booking)
    if (id === '' || movedAway) return
    const eventTypeId = idIn(booking, 'eventTypeId')
    const known = this.#series.get(id) ?? { eventTypeId, meetings: [], isMixed: false }
    this.#series.set(id, known)
    known.meetings.push(start, number)
    if (known.eventTypeId !== eventTypeId) known.isMixed = true
  }

  /** Numbers are small where ids are numbers, as they nearly always are. */
  #numberOf(booking: SourceRow): number {
    const id = wholeIn(booking, 'id')
    if (id !== undefined && id >= 0) return id
    const name = idIn(booking) || textIn(booking, 'uid')
    const known = this.#numbers.get(name) ?? -1 - this.#numbers.size
    this.#numbers.set(name, known)
    return known
  }

  /** The hidden event types for meetings whose own is gone: one for each host who has such. */
  extras(): readonly PlannedEventType[] {
    this.#extras ??= [...this.#homeless.values()].map((host) => this.#earlierMeetings(host))
    return this.#extras
  }

  #earlierMeetings(host: PlannedUser): PlannedEventType {
    const language = LANGUAGES.find((one) => one === host.content.locale) ?? 'en'
    const name = EARLIER_MEETINGS[language]
    return {
      kind: 'event-type',
      key: earlierKey(host),
      unit: host.key,
      name,
      notes: [
        sentence`For meetings of ${host.name} whose event type does not come along. Guests can’t see or book it.`,
      ],
      content: {
        owner: host.key,
        slug: this.#freeSlug(host),
        name,
        settings: { ...EVENT_TYPE_DEFAULTS, hidden: true, linkOnly: true, reminderMinutes: [] },
        schedule: null,
        hosts: [{ user: host.key, fixed: false, weight: 1 }],
        oldSlugs: [],
      },
    }
  }

  #freeSlug({ key, content }: PlannedUser): string {
    const isFree = (slug: string) =>
      !this.#slugs.has(`${key}/${slug}`) && !this.#slugs.has(`${content.slug}/${slug}`)
    for (let number = 1; ; number++) {
      const slug = number === 1 ? 'earlier-meetings' : `earlier-meetings-${number}`
      if (isFree(slug)) return slug
    }
  }

  /** Sees a booking again, and says what becomes of it. */
  plan(given: SourceBooking): MeetingVerdict {
    const { booking } = given
    const key = this.#keyOf(booking)
    const name =
      lineOf(textIn(booking, 'title'), 200) || lineOf(textIn(given.attendees[0] ?? {}, 'name'), 200) || key
    const leftOut = (reason: Sentence): MeetingVerdict => ({
      lines: [{ state: 'left-out', key, name, sentence: reason }],
      meeting: null,
    })
    if (this.#planned.has(key)) return leftOut(sentence`Another row has the same id.`)
    this.#planned.add(key)
    const meeting = readMeeting(given, this.#people, this.#now)
    if ('pattern' in meeting) return leftOut(meeting)
    const planned = this.#planMeeting(given, meeting, key, name)
    return 'pattern' in planned ? leftOut(planned) : { lines: [lineFor(planned)], meeting: planned }
  }

  #keyOf(booking: SourceRow): SourceKey {
    const id = idIn(booking)
    if (id !== '') return `Booking/${id}`
    this.#unnamed += 1
    return `Booking/#${this.#unnamed}`
  }

  #planMeeting(
    given: SourceBooking,
    meeting: ReadMeeting,
    key: SourceKey,
    name: string,
  ): PlannedMeeting | Sentence {
    const { booking } = given
    const { start, end, host, hosts, eventType, madeAt } = meeting
    const notes: Sentence[] = [...meeting.notes]
    const bookings = this.#planBookings(given, meeting, key, notes)
    if (bookings.length === 0) return sentence`It has no guest whose address we can read.`
    const claims = meeting.takesTime ? this.#planClaims(booking, meeting, notes) : []
    notePayments(given.payments, notes)
    if (isUnread(booking, ['responses', 'metadata', 'customInputs'])) notes.push(UNREADABLE_PARTS)
    if (meeting.takesTime && end > this.#now && isOnOldVideo(given))
      notes.push(sentence`Its video call is on the old system, and works as long as that runs.`)
    const series = this.#placeInSeries(booking, meeting, notes)
    const seats = Math.max(eventType?.content.settings.seats ?? 1, bookings.length)
    return {
      kind: 'meeting',
      key,
      unit: host.key,
      name,
      notes,
      content: {
        start,
        end,
        eventType: eventType?.key ?? earlierKey(host),
        host: host.key,
        hosts: hosts.map((one) => one.key),
        claims,
        seats,
        bookings: bookings.map((one) => ({ ...one, series })),
        uid: this.#entryOf(booking),
        oldUid: lineOf(textIn(booking, 'uid'), 200),
        location: readPlace(given),
        createdAt: madeAt,
        sequence: Math.min(Math.max(wholeIn(booking, 'iCalSequence') ?? 0, 0), 999_999) + 1,
        events: eventsOf(given.references),
        hostNotes: proseOf(
          given.notes
            .map((row) => textIn(row, 'text'))
            .filter((text) => text !== '')
            .join('\n'),
          5000,
        ),
      },
    }
  }

  #planBookings(
    given: SourceBooking,
    meeting: ReadMeeting,
    key: SourceKey,
    notes: Sentence[],
  ): PlannedBooking[] {
    const { booking } = given
    const hosting = new Set(meeting.hosts.map(({ content }) => content.email))
    const guests = given.attendees.filter(
      (attendee) => !hosting.has(textIn(attendee, 'email').trim().normalize('NFC').toLowerCase()),
    )
    const isSeated = given.seats.length > 0 || (meeting.eventType?.content.settings.seats ?? 1) > 1
    const parts =
      isSeated && guests.length > 0
        ? seatsOf(given.seats, guests, key)
        : [{ key, oldUid: '', data: {}, attendees: guests.length > 0 ? guests : [{}] }]
    const older = treeIn(booking, 'customInputs')
    const bookings = parts.flatMap((part): PlannedBooking[] => {
      const own = treeIn(part.data, 'responses')
      const responses = Object.keys(own).length > 0 ? own : treeIn(booking, 'responses')
      const [attendee = {}] = part.attendees
      const number = textIn(booking, 'smsReminderNumber')
      const told = number === '' ? responses : { ...responses, smsReminderNumber: number }
      const invitee = readGuest(attendee, told, meeting.host.content.timeZone, this.#zones)
      if (invitee === undefined) return []
      const others = readOthers(part.attendees.slice(1), invitee)
      if (others.length > MOST_GUESTS)
        notes.push(sentence`A guest brings at most ${MOST_GUESTS} others here: the last ones were left out.`)
      const isNoShow = isYes(valueIn(attendee, 'noShow')) && meeting.start <= this.#now && meeting.takesTime
      const questions = this.#questions(idIn(booking, 'eventTypeId'), meeting.host.content.locale)
      return [
        {
          key: part.key,
          oldUid: part.oldUid,
          status: isNoShow ? 'NoShow' : meeting.status,
          seat: 0,
          invitee,
          guests: others.slice(0, MOST_GUESTS),
          notes: proseOf(textIn(responses, 'notes') || textIn(booking, 'description'), 5000),
          customFields: readAnswers(responses, older, questions),
          utm: utmOf(given.tracking),
          reason: proseOf(textIn(booking, 'cancellationReason') || textIn(booking, 'rejectionReason'), 1000),
          series: null,
        },
      ]
    })
    if (bookings.length < parts.length && bookings.length > 0)
      notes.push(sentence`Guests whose address can’t be read were left out.`)
    return bookings.map((one, index) => ({ ...one, seat: index + 1 }))
  }

  #planClaims(
    booking: SourceRow,
    meeting: ReadMeeting,
    notes: Sentence[],
  ): PlannedMeeting['content']['claims'] {
    const settings = meeting.eventType?.content.settings
    const buffers = {
      bufferBefore: (settings?.bufferBeforeMinutes ?? 0) * MINUTE,
      bufferAfter: (settings?.bufferAfterMinutes ?? 0) * MINUTE,
    }
    const number = this.#numberOf(booking)
    return meeting.hosts.flatMap((host) => {
      const left = this.#taken.leftOf(host.key, number)
      if (left !== undefined)
        notes.push(sentence`Overlaps a meeting of ${host.name} that was booked earlier. Both come along.`)
      return (left ?? [meeting]).map(({ start, end }) => ({ start, end, user: host.key, ...buffers }))
    })
  }

  /** A booking that was moved shares the calendar entry of the one that took its place. */
  #entryOf(booking: SourceRow): string {
    let entry = entryOf(booking)
    let uid = textIn(booking, 'uid')
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const next = this.#movedTo.get(uid)
      if (next === undefined || next.uid === uid) break
      uid = next.uid
      entry = next.entry
    }
    return entry
  }

  #placeInSeries(booking: SourceRow, meeting: ReadMeeting, notes: Sentence[]): SeriesPlace | null {
    const id = seriesOf(booking)
    const known = this.#series.get(id)
    if (known === undefined || meeting.movedAway) return null
    const every = stepOf(treeIn(this.#eventTypeRows.get(known.eventTypeId) ?? {}, 'recurringEvent'))
    const count = known.meetings.length / 2
    const number = this.#numberOf(booking)
    const order = Array.from({ length: count }, (_, index) => ({
      start: known.meetings[index * 2] as number,
      number: known.meetings[index * 2 + 1] as number,
    })).sort((a, b) => a.start - b.start || a.number - b.number)
    const index = order.findIndex((one) => one.number === number)
    const fits = every !== undefined && !known.isMixed && count >= 2 && count <= MOST_OF_SERIES && index >= 0
    if (!fits || meeting.eventType === undefined) {
      notes.push(sentence`Was one of a series that we can’t continue: it is a meeting of its own here.`)
      return null
    }
    const [first] = order
    // All meetings of a series keep the wall time of one zone.
    const timeZone = this.#ownerZone(meeting)
    return { id, every, count, index, firstAt: first?.start ?? meeting.start, timeZone }
  }

  #ownerZone({ eventType, host }: ReadMeeting): string {
    const hosts = eventType?.content.hosts ?? []
    const owner = this.#people.user(eventType?.content.owner ?? '') ?? this.#people.user(hosts[0]?.user ?? '')
    return (owner ?? host).content.timeZone
  }
}

const earlierKey = (host: PlannedUser): SourceKey => `EventType/earlier-${host.key.slice('users/'.length)}`

const EARLIER_MEETINGS: Readonly<Record<Language, string>> = {
  en: 'Earlier meetings',
  de: 'Frühere Termine',
  es: 'Reuniones anteriores',
  fr: 'Rendez-vous antérieurs',
  pt: 'Reuniões anteriores',
  ja: '以前の会議',
}

const entryOf = (booking: SourceRow): string =>
  lineOf(textIn(booking, 'iCalUID'), 500) || `${lineOf(textIn(booking, 'uid'), 200) || idIn(booking)}@Cal.com`

const seriesOf = (booking: SourceRow): string => lineOf(textIn(booking, 'recurringEventId'), 200)

interface Seat {
  readonly key: SourceKey
  readonly oldUid: string
  readonly data: SourceRow
  readonly attendees: readonly SourceRow[]
}

/** A booking for each guest of a meeting with seats. */
function seatsOf(seats: readonly SourceRow[], guests: readonly SourceRow[], key: SourceKey): Seat[] {
  const byGuest = new Map(seats.map((seat) => [idIn(seat, 'attendeeId'), seat]))
  const used = new Set<SourceKey>()
  return guests.map((guest, index) => {
    const id = idIn(guest)
    const seat = byGuest.get(id)
    const own: SourceKey =
      seat !== undefined && idIn(seat) !== ''
        ? `BookingSeat/${idIn(seat)}`
        : id !== ''
          ? `Attendee/${id}`
          : `${key}#${index + 1}`
    const free: SourceKey = used.has(own) ? `${key}#${index + 1}` : own
    used.add(free)
    return {
      key: free,
      oldUid: seat === undefined ? '' : lineOf(textIn(seat, 'referenceUid'), 200),
      data: seat === undefined ? {} : treeIn(seat, 'data'),
      attendees: [guest],
    }
  })
}

const UTM = ['source', 'medium', 'campaign', 'term', 'content']

function utmOf([row = {}]: readonly SourceRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    UTM.flatMap((name) => {
      const value = lineOf(textIn(row, `utm_${name}`), 500)
      return value === '' ? [] : [[name, value]]
    }),
  )
}

function eventsOf(references: readonly SourceRow[]): PlannedMeeting['content']['events'] {
  return references.flatMap((row) => {
    const provider = sameCalendars(textIn(row, 'type'))
    const eventId = lineOf(textIn(row, 'uid'), 1024)
    if (provider === undefined || eventId === '' || isYes(valueIn(row, 'deleted'))) return []
    return [{ provider, eventId, calendar: lineOf(textIn(row, 'externalCalendarId'), 1024) }]
  })
}

/** Cal Video's links are addresses of the source itself. */
const isOnOldVideo = ({ booking, references }: SourceBooking) =>
  textIn(booking, 'location') === 'integrations:daily' ||
  references.some((row) => textIn(row, 'type') === 'daily_video' && !isYes(valueIn(row, 'deleted')))

function notePayments(payments: readonly SourceRow[], notes: Sentence[]): void {
  const paid = payments.find((row) => isYes(valueIn(row, 'success')) && !isYes(valueIn(row, 'refunded')))
  if (paid === undefined) return
  const amount = ((wholeIn(paid, 'amount') ?? 0) / 100).toFixed(2)
  const currency = lineOf(textIn(paid, 'currency'), 3).toUpperCase()
  notes.push(
    sentence`It was paid there: ${`${amount} ${currency}`.trim()}. A refund has to be made there, too.`,
  )
}
