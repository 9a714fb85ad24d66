import type { calendar_v3 } from '@googleapis/calendar'
import type { ChangeLog } from './change-log.ts'
import { type Answer, type Asked, jsonOf, type Route } from './stand-in.ts'

type Event = calendar_v3.Schema$Event

/** What is written to the calendars of the stand-in for Google. */
export interface GoogleEvents {
  /** All events, deleted ones included, as `calendarId/id`. */
  readonly events: Map<string, Event>
  /** Those that are not deleted. */
  readonly current: readonly Event[]
  /** As the host does it in their own calendar. */
  move(id: string, start: number, end: number): void
  remove(id: string): void
  /** Puts an event into another calendar. It keeps its id. */
  moveTo(id: string, calendarId: string): void
  /** How often an event says that its conference is pending before it has one. */
  pendingFor: number
  readonly methods: readonly {
    readonly verb: Route['method']
    readonly path: RegExp
    readonly query: readonly string[]
    readonly answer: (asked: Asked, calendarId: string, id: string) => Answer
  }[]
}

const error = (status: number, reason: string): Answer => ({
  status,
  body: { error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] } },
})

const ONE = /^\/calendar\/v3\/calendars\/([^/]+)\/events\/([^/]+)$/

/** The methods of `events` that write, as the reference describes them. */
export function googleEvents(logOf: (calendarId: string) => ChangeLog<Event>): GoogleEvents {
  const events = new Map<string, Event>()
  const state = { pendingFor: 0, revision: 0 }

  /** Keeps an event, and lets those hear of it who read the calendar's changes. */
  const keep = (key: string, event: Event) => {
    events.set(key, event)
    const [calendarId = '', id = ''] = key.split('/')
    const log = logOf(calendarId)
    if (event.status === 'cancelled') log.remove(id)
    else log.put({ iCalUID: `${id}@google.com`, ...event })
  }
  const keyOf = (id: string) => {
    const keys = [...events.keys()].filter((key) => key.endsWith(`/${id}`))
    return keys.find((key) => events.get(key)?.status !== 'cancelled') ?? keys[0] ?? ''
  }

  const store = (key: string, event: Event, asked: Asked): Answer => {
    if (asked.query.get('sendUpdates') !== 'none') return error(400, 'thisStandInMailsNobody')
    if (event.attendees?.length) return error(400, 'thisStandInHasNoAttendees')
    const [start, end] = [event.start?.dateTime, event.end?.dateTime].map((time) => Date.parse(time ?? ''))
    if (!(Number(start) < Number(end))) return error(400, 'timeRangeEmpty')
    const before = events.get(key)?.conferenceData
    // Without the version, conference data in the body is ignored.
    const asksFor = asked.query.get('conferenceDataVersion') === '1' ? event.conferenceData : before
    const request = asksFor?.createRequest
    const isNew = request?.requestId !== before?.createRequest?.requestId
    const conferenceData = request && {
      ...asksFor,
      createRequest: { ...request, status: { statusCode: 'pending' } },
      ...(!isNew && before),
    }
    const stored = { ...event, ...(conferenceData && { conferenceData }), etag: `"${++state.revision}"` }
    if (conferenceData === undefined) delete stored.conferenceData
    keep(key, stored)
    return { status: 200, body: seen(key) }
  }

  /** The event as it is read; a conference that was pending long enough is made. */
  const seen = (key: string): Event => {
    const event = events.get(key) as Event
    const request = event.conferenceData?.createRequest
    if (request?.status?.statusCode !== 'pending') return event
    if (state.pendingFor-- > 0) return event
    const hangoutLink = `https://meet.example/${event.id?.slice(-10)}`
    const made: Event = {
      ...event,
      hangoutLink,
      conferenceData: {
        createRequest: { ...request, status: { statusCode: 'success' } },
        entryPoints: [{ entryPointType: 'video', uri: hangoutLink }],
      },
    }
    keep(key, made)
    return made
  }

  const found = (asked: Asked, key: string, answer: (event: Event) => Answer): Answer => {
    const event = events.get(key)
    if (event === undefined) return error(404, 'notFound')
    const match = asked.headers['if-match']
    return match !== undefined && match !== event.etag ? error(412, 'conditionNotMet') : answer(event)
  }

  return {
    events,
    get current() {
      return [...events.values()].filter(({ status }) => status !== 'cancelled')
    },
    move(id, start, end) {
      const [key, at] = [keyOf(id), (time: number) => ({ dateTime: new Date(time).toISOString() })]
      keep(key, { ...events.get(key), start: at(start), end: at(end), etag: `"${++state.revision}"` })
    },
    remove(id) {
      const key = keyOf(id)
      keep(key, { ...events.get(key), status: 'cancelled', etag: `"${++state.revision}"` })
    },
    moveTo(id, calendarId) {
      const key = keyOf(id)
      const event = events.get(key)
      keep(key, { ...event, status: 'cancelled', etag: `"${++state.revision}"` })
      keep(`${calendarId}/${id}`, { ...event, etag: `"${++state.revision}"` })
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
        path: /^\/calendar\/v3\/calendars\/([^/]+)\/events$/,
        query: ['sendUpdates', 'conferenceDataVersion', 'maxAttendees', 'supportsAttachments'],
        answer: (asked, calendarId) => {
          const event = jsonOf<Event>(asked)
          const { id = '' } = event
          if (!/^[a-v0-9]{5,1024}$/.test(String(id))) return error(400, 'invalid')
          const key = `${calendarId}/${id}`
          // Deleted events keep their id.
          return events.has(key) ? error(409, 'duplicate') : store(key, event, asked)
        },
      },
      {
        verb: 'GET',
        path: ONE,
        query: ['maxAttendees', 'timeZone'],
        answer: (asked, calendarId, id) =>
          found(asked, `${calendarId}/${id}`, () => ({ status: 200, body: seen(`${calendarId}/${id}`) })),
      },
      {
        verb: 'PATCH',
        path: ONE,
        query: ['sendUpdates', 'conferenceDataVersion', 'maxAttendees', 'supportsAttachments'],
        answer: (asked, calendarId, id) =>
          found(asked, `${calendarId}/${id}`, (event) =>
            store(`${calendarId}/${id}`, { ...event, ...jsonOf<Event>(asked) }, asked),
          ),
      },
      {
        verb: 'DELETE',
        path: ONE,
        query: ['sendUpdates'],
        answer: (asked, calendarId, id) =>
          found(asked, `${calendarId}/${id}`, (event) => {
            if (event.status === 'cancelled') return error(410, 'deleted')
            keep(`${calendarId}/${id}`, {
              ...event,
              status: 'cancelled',
              etag: `"${++state.revision}"`,
            })
            return { status: 204 }
          }),
      },
    ],
  }
}
