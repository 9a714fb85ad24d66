import { formatDate, parseDate } from '../../calendar-date.ts'
import { checkAbsence, spanOfDays } from '../../event-types/absence.ts'
import { checkSchedule, type Schedule, type WallRange } from '../../event-types/hours.ts'
import { DAY } from '../../interval.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { canonicalZone, localDay } from '../../zone.ts'
import { type Draft, keyOf } from '../draft.ts'
import type { PlannedAbsence, PlannedSchedule, PlannedUser } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import {
  flagIn,
  groupBy,
  idIn,
  instantIn,
  lineOf,
  listOfAny,
  proseOf,
  textIn,
  valueIn,
  wholeOf,
} from '../values.ts'
import { OWNER_STAYS } from '../words.ts'

/** Schedules, and hours of older versions that belong to no schedule. */
export function planSchedules(draft: Draft): void {
  const hours = groupBy(draft.rows('Availability'), (row) => idIn(row, 'scheduleId'))
  const schedules = draft.rows('Schedule')
  const ofUsers = groupBy(schedules, (row) => idIn(row, 'userId'))
  const defaults = new Map(
    draft.rows('users').map((row) => {
      const own = ofUsers.get(idIn(row)) ?? []
      const chosen =
        own.find((one) => idIn(one) === idIn(row, 'defaultScheduleId')) ?? own.find((one) => idIn(one) !== '')
      return [idIn(row), chosen]
    }),
  )
  draft.eachRow(
    'Schedule',
    (row) => textIn(row, 'name'),
    (row, key) => {
      const user = draft.users.get(keyOf('users', idIn(row, 'userId')))
      if (user === undefined) return OWNER_STAYS
      const isDefault = defaults.get(idIn(row, 'userId')) === row
      return planSchedule(
        user,
        key,
        lineOf(textIn(row, 'name'), 200),
        isDefault,
        textIn(row, 'timeZone'),
        hours.get(idIn(row)) ?? [],
      )
    },
  )
  planLooseHours(draft, hours.get('') ?? [], ofUsers)
  leaveOutLost(draft, hours, new Set(schedules.map((row) => idIn(row))))
}

function planSchedule(
  user: PlannedUser,
  key: SourceKey,
  name: string,
  isDefault: boolean,
  zone: string,
  rows: readonly SourceRow[],
  notes: Sentence[] = [],
): PlannedSchedule {
  const timeZone = canonicalZone(zone) ?? user.content.timeZone
  if (zone !== '' && canonicalZone(zone) === undefined)
    notes.push(
      sentence`The time zone “${lineOf(zone, 64)}” is not known here, so it is the one of ${user.name}.`,
    )
  const { weekly, overrides, isBroken } = readHours(rows)
  if (isBroken) notes.push(sentence`Hours that end before they begin were left out.`)
  const schedule: Schedule = { timeZone, weekly, overrides }
  checkSchedule(schedule)
  const shown = name || 'Working hours'
  return {
    kind: 'schedule',
    key,
    unit: user.key,
    name: shown,
    notes,
    content: { ...schedule, user: user.key, name: shown, isDefault },
  }
}

const UNUSED_HOURS = sentence`These hours of one event type were not used there: its schedule comes first.`

/** Hours of an event type or of a user themselves, as older versions had them. */
function planLooseHours(
  draft: Draft,
  rows: readonly SourceRow[],
  ofUsers: ReadonlyMap<string, readonly SourceRow[]>,
): void {
  const eventTypes = new Map(draft.rows('EventType').map((row) => [idIn(row), row]))
  for (const [id, own] of groupBy(rows, (row) => idIn(row, 'eventTypeId'))) {
    if (id === '') continue
    const eventType = eventTypes.get(id)
    const user = eventType && draft.users.get(keyOf('users', idIn(eventType, 'userId')))
    const first = firstId(own)
    if (eventType === undefined || user === undefined || first === '') continue
    // A schedule comes first there, whether the event type's own or its owner's.
    if (idIn(eventType, 'scheduleId') !== '' || ofUsers.has(idIn(eventType, 'userId'))) {
      const { key } = draft.claimKey('Availability', own[0] as SourceRow, 0)
      draft.leaveOut(key, lineOf(textIn(eventType, 'title'), 200), UNUSED_HOURS)
      continue
    }
    const name = lineOf(textIn(eventType, 'title'), 200)
    draft.hoursOf.set(id, keyOf('Availability', first))
    const note = sentence`The hours of one event type, which uses them as a schedule here.`
    draft.add(
      planSchedule(user, keyOf('Availability', first), name, false, textIn(eventType, 'timeZone'), own, [
        note,
      ]),
    )
  }
  const ofPeople = rows.filter((row) => idIn(row, 'eventTypeId') === '')
  for (const [id, own] of groupBy(ofPeople, (row) => idIn(row, 'userId'))) {
    const user = draft.users.get(keyOf('users', id))
    const first = firstId(own)
    if (user === undefined || first === '' || ofUsers.has(id)) continue
    const note = sentence`The hours had no schedule there, so they became one.`
    draft.add(planSchedule(user, keyOf('Availability', first), '', true, '', own, [note]))
  }
}

const firstId = (rows: readonly SourceRow[]) => rows.map((row) => idIn(row)).find((id) => id !== '') ?? ''

function leaveOutLost(
  draft: Draft,
  hours: ReadonlyMap<string, readonly SourceRow[]>,
  schedules: ReadonlySet<string>,
): void {
  for (const [id, rows] of hours) {
    if (id === '' || schedules.has(id)) continue
    for (const [index, row] of rows.entries()) {
      const { key } = draft.claimKey('Availability', row, index)
      draft.leaveOut(key, '', sentence`The schedule of these hours is missing.`)
    }
  }
}

interface Hours extends Pick<Schedule, 'weekly' | 'overrides'> {
  readonly isBroken: boolean
}

/** Weekdays and dates with their hours; a date whose hours are empty is a day off. */
export function readHours(rows: readonly SourceRow[]): Hours {
  const weekly = new Map<number, Minutes[]>()
  const overrides = new Map<string, Minutes[]>()
  let isBroken = false
  for (const row of rows) {
    const range = readRange(textIn(row, 'startTime'), textIn(row, 'endTime'))
    const date = textIn(row, 'date').slice(0, 10)
    if (date !== '') {
      if (parseDate(date) === undefined || range === undefined) {
        isBroken = true
        continue
      }
      const own = overrides.get(date) ?? []
      overrides.set(date, range.opens === range.closes ? own : [...own, range])
      continue
    }
    if (range === undefined || range.opens === range.closes) {
      isBroken ||= range === undefined
      continue
    }
    for (const day of listOfAny(valueIn(row, 'days')).map(wholeOf)) {
      if (day === undefined || day < 0 || day > 6) continue
      const weekday = day === 0 ? 7 : day
      weekly.set(weekday, [...(weekly.get(weekday) ?? []), range])
    }
  }
  return {
    weekly: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [day, merged(weekly.get(day) ?? [])])),
    overrides: Object.fromEntries([...overrides].sort().map(([date, ranges]) => [date, merged(ranges)])),
    isBroken,
  }
}

interface Minutes {
  readonly opens: number
  readonly closes: number
}

const LAST = 24 * 60

/** The last minute of a day and midnight both mean its end. Undefined if it ends before it begins. */
function readRange(start: string, end: string): Minutes | undefined {
  const [opens, closes] = [minutesOf(start), minutesOf(end)]
  if (opens === undefined || closes === undefined) return undefined
  if (opens === closes) return { opens, closes }
  const until = closes === LAST - 1 || (closes === 0 && opens > 0) ? LAST : closes
  return opens < until ? { opens, closes: until } : undefined
}

function minutesOf(time: string): number | undefined {
  const match = /^(?:1970-01-01T)?([01]\d|2[0-4]):([0-5]\d)/.exec(time)
  if (match === null) return undefined
  const minutes = Number(match[1]) * 60 + Number(match[2])
  return minutes > LAST ? undefined : minutes
}

/** Ranges that overlap or touch are one there. */
function merged(ranges: readonly Minutes[]): WallRange[] {
  const all: { opens: number; closes: number }[] = []
  for (const { opens, closes } of ranges.toSorted((a, b) => a.opens - b.opens)) {
    const last = all.at(-1)
    if (last !== undefined && opens <= last.closes) last.closes = Math.max(last.closes, closes)
    else all.push({ opens, closes })
  }
  return all.map(({ opens, closes }) => ({ opens: timeOf(opens), closes: timeOf(closes) }))
}

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const IS_OVER = sentence`It is over.`
const MOST_DAYS = 400

/** Time off: whole dates, in the zone of the person. */
export function planAbsences(draft: Draft): void {
  const nameOf = (row: SourceRow) => lineOf(textIn(row, 'notes'), 200) || textIn(row, 'start').slice(0, 10)
  draft.eachRow('OutOfOfficeEntry', nameOf, (row, key) => planAbsence(draft, row, key))
  draft.eachRow(
    'TravelSchedule',
    (row) => textIn(row, 'timeZone'),
    (row) => {
      const end = instantIn(row, 'endDate')
      if (end !== undefined && end < draft.here.now) return IS_OVER
      return sentence`Travel plans are not known here. Change the time zone of the schedule for that time.`
    },
  )
}

function planAbsence(draft: Draft, row: SourceRow, key: SourceKey): PlannedAbsence | Sentence {
  const user = draft.users.get(keyOf('users', idIn(row, 'userId')))
  if (user === undefined) return OWNER_STAYS
  const [start, end] = [instantIn(row, 'start'), instantIn(row, 'end')]
  if (start === undefined || end === undefined || end < start) return sentence`Its dates can’t be read.`
  const { timeZone } = user.content
  const zone = draft.zones.get(timeZone)
  const first = Math.floor(start / DAY)
  const last = Math.min(Math.floor(end / DAY), first + MOST_DAYS - 2)
  const span = spanOfDays({ startDate: formatDate(first), endDate: formatDate(last) }, zone)
  if (span.endsAt <= draft.here.now) return IS_OVER
  const notes: Sentence[] = []
  if (localDay(zone, start) !== first || localDay(zone, end) !== Math.floor(end / DAY))
    notes.push(sentence`Days off were days in UTC there. Here they are whole days in ${{ zone: timeZone }}.`)
  if (last < Math.floor(end / DAY))
    notes.push(
      sentence`Time off lasts at most ${MOST_DAYS} days here, so it ends on ${{ date: formatDate(last) }}.`,
    )
  const other = idIn(row, 'toUserId')
  const redirectTo = draft.user(other) ?? null
  if (other !== '' && redirectTo === null)
    notes.push(sentence`The person who takes over does not come along.`)
  const note = proseOf(textIn(row, 'notes'), 1000)
  if (note !== '' && flagIn(row, 'showNotePublicly')) notes.push(sentence`Guests don’t see the note here.`)
  try {
    checkAbsence({ ...span, note })
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
  return {
    kind: 'absence',
    key,
    unit: user.key,
    name: note.split('\n')[0]?.slice(0, 100) || formatDate(first),
    notes,
    content: {
      start: span.startsAt,
      end: span.endsAt,
      user: user.key,
      note,
      redirectTo: redirectTo === user.key ? null : redirectTo,
    },
  }
}
