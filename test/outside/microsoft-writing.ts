import type { Event } from '@microsoft/microsoft-graph-types'
import type { ChangeLog } from './change-log.ts'
import { type Answer, type Asked, jsonOf, type Route } from './stand-in.ts'

type Stored = Event & { readonly id: string; readonly calendarId: string; readonly etag: string }

/** What is written to the calendars of the stand-in for Graph. */
export interface GraphEvents {
  readonly current: readonly Stored[]
  /** As another program writes it. */
  add(calendarId: string, event: Event & { readonly id: string }): void
  /** As the host does it in their own calendar. */
  move(id: string, start: number, end: number): void
  remove(id: string): void
  /** Puts an event into another calendar, where it has another id. */
  moveTo(id: string, calendarId: string): void
  /** How often an online meeting has no link yet. */
  pendingFor: number
  readonly methods: readonly {
    readonly verb: Route['method']
    readonly path: RegExp
    readonly query: readonly string[]
    readonly answer: (asked: Asked, id: string) => Answer
  }[]
}

const error = (status: number, code: string): Answer => ({ status, body: { error: { code, message: code } } })

const EVENTS = /^\/v1\.0\/me\/calendars\/([^/]+)\/events$/
const ONE = /^\/v1\.0\/me\/events\/([^/]+)$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** Creating, reading, changing and deleting events, as the reference describes it. */
export function graphEvents(logOf: (calendarId: string) => ChangeLog<Event>): GraphEvents {
  let all: Stored[] = []
  const used = new Set<string>()
  const state = { pendingFor: 0, revision: 0, lastId: 0 }

  /** Lets those hear of an event who read the calendar's changes. Our own property is not among what they get. */
  const log = ({ calendarId, etag, singleValueExtendedProperties, ...event }: Stored) => {
    const time = (at: Event['start']) => ({ dateTime: `${at?.dateTime}.0000000`, timeZone: 'UTC' })
    logOf(calendarId).put({
      type: 'singleInstance',
      iCalUId: `040000008200E00074C5B7101A82E008${event.id}`,
      isAllDay: false,
      isCancelled: false,
      showAs: 'busy',
      responseStatus: { response: 'organizer' },
      ...event,
      start: time(event.start),
      end: time(event.end),
    })
  }
  const replace = (event: Stored, after: Stored) => {
    all = all.map((one) => (one === event ? after : one))
    log(after)
  }
  const drop = (event: Stored) => {
    all = all.filter((one) => one !== event)
    logOf(event.calendarId).remove(event.id)
  }
  const objection = (event: Event): string | undefined => {
    if (event.attendees?.length) return 'ThisStandInHasNoAttendees'
    const times = [event.start, event.end]
    return times.every((time) => time?.timeZone === 'UTC' && TIME.test(time.dateTime ?? ''))
      ? undefined
      : 'ErrorInvalidParameter'
  }
  const view = ({ calendarId, etag, ...event }: Stored) => {
    const isReady = event.isOnlineMeeting && state.pendingFor-- <= 0
    const onlineMeeting = isReady ? { joinUrl: `https://teams.example/l/${event.id}` } : null
    return { ...event, onlineMeeting, '@odata.etag': etag }
  }
  const change = (asked: Asked, id: string, answer: (event: Stored) => Answer): Answer => {
    const event = all.find((one) => one.id === id)
    if (event === undefined) return error(404, 'ErrorItemNotFound')
    const match = asked.headers['if-match']
    return match !== undefined && match !== event.etag
      ? error(412, 'ErrorIrresolvableConflict')
      : answer(event)
  }

  return {
    get current() {
      return all
    },
    add(calendarId, event) {
      const added = { ...event, calendarId, etag: `W/"${++state.revision}"` }
      all.push(added)
      log(added)
    },
    move(id, start, end) {
      const event = all.find((one) => one.id === id)
      const at = (time: number) => ({ dateTime: new Date(time).toISOString().slice(0, 19), timeZone: 'UTC' })
      if (event) replace(event, { ...event, start: at(start), end: at(end), etag: `W/"${++state.revision}"` })
    },
    remove(id) {
      const event = all.find((one) => one.id === id)
      if (event) drop(event)
    },
    moveTo(id, calendarId) {
      const event = all.find((one) => one.id === id)
      if (event === undefined) return
      drop(event)
      const moved = {
        ...event,
        calendarId,
        id: `AAMk-${++state.lastId}=`,
        etag: `W/"${++state.revision}"`,
      }
      all.push(moved)
      log(moved)
    },
    get pendingFor() {
      return state.pendingFor
    },
    set pendingFor(count) {
      state.pendingFor = count
    },
    methods: [
      {
        verb: 'POST',
        path: EVENTS,
        query: [],
        answer: (asked, calendarId) => {
          const event = jsonOf<Event>(asked)
          const wrong = objection(event)
          if (wrong !== undefined) return error(400, wrong)
          const { transactionId } = event
          if (transactionId && used.has(transactionId)) return error(409, 'ErrorDuplicateTransactionId')
          if (transactionId) used.add(transactionId)
          const made = {
            ...event,
            id: `AAMk-${++state.lastId}=`,
            calendarId,
            etag: `W/"${++state.revision}"`,
          }
          all.push(made)
          log(made)
          return { status: 201, body: view(made) }
        },
      },
      {
        verb: 'GET',
        path: EVENTS,
        query: ['$filter', '$select'],
        answer: ({ query }, calendarId) => {
          const filter =
            /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '([^']+)' and ep\/value eq '([^']+)'\)$/.exec(
              query.get('$filter') ?? '',
            )
          if (filter === null) return error(400, 'ErrorInvalidUrlQueryFilter')
          const value = all.filter(
            (one) =>
              one.calendarId === calendarId &&
              one.singleValueExtendedProperties?.some(
                ({ id, value }) => id === filter[1] && value === filter[2],
              ),
          )
          return { status: 200, body: { value: value.map(view) } }
        },
      },
      {
        verb: 'GET',
        path: ONE,
        query: ['$select'],
        answer: (asked, id) => change(asked, id, (event) => ({ status: 200, body: view(event) })),
      },
      {
        verb: 'PATCH',
        path: ONE,
        query: [],
        answer: (asked, id) =>
          change(asked, id, (event) => {
            const changes = jsonOf<Event>(asked)
            const after = { ...event, ...changes, etag: `W/"${++state.revision}"` }
            const wrong = objection(after)
            if (wrong !== undefined) return error(400, wrong)
            if ('transactionId' in changes) return error(400, 'ErrorInvalidPropertySet')
            // A new text without what Teams has put there ends the online meeting.
            if (event.isOnlineMeeting && changes.body) after.isOnlineMeeting = false
            replace(event, after)
            return { status: 200, body: view(after) }
          }),
      },
      {
        verb: 'DELETE',
        path: ONE,
        query: [],
        answer: (asked, id) =>
          change(asked, id, (event) => {
            drop(event)
            return { status: 204 }
          }),
      },
    ],
  }
}
