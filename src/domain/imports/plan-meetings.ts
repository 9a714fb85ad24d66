import type { Here, PlanLine, PlannedEventType, PlannedMeeting, SettingsPlan } from './plan.ts'
import type { SourceBooking, SourceKey, SourceSettings } from './source.ts'
import { NOTHING } from '../sentence.ts'
import { without, merge } from '../interval.ts'

export class MeetingPlanner {
  readonly #keys: Set<string>
  readonly #now: number
  readonly #taken = new Map<string, { start: number; end: number }[]>()
  constructor(_source: SourceSettings, plan: SettingsPlan, here: Here) {
    this.#keys = new Set(plan.settings.map(({ key }) => key))
    this.#now = here.now
  }
  note(_booking: SourceBooking): void {}
  extras(): readonly PlannedEventType[] {
    return []
  }
  plan({ booking, attendees }: SourceBooking): {
    readonly lines: readonly PlanLine[]
    readonly meeting: PlannedMeeting | null
  } {
    const key: SourceKey = `Booking/${String(booking.id)}`
    const name = String(booking.title)
    const eventType: SourceKey = `EventType/${String(booking.eventTypeId)}`
    const host: SourceKey = `users/${String(booking.userId)}`
    const [guest] = attendees
    const start = Date.parse(String(booking.startTime))
    const end = Date.parse(String(booking.endTime))
    const fits = this.#keys.has(eventType) && this.#keys.has(host) && guest && start % 60000 === 0 && end > start
    if (!fits || !/^(accepted|cancelled)$/i.test(String(booking.status)))
      return { lines: [{ state: 'left-out', key, name, sentence: NOTHING }], meeting: null }
    const accepted = String(booking.status).toLowerCase() === 'accepted'
    const taken = this.#taken.get(host) ?? []
    const pieces = accepted ? without([{ start, end }], merge(taken.toSorted((a, b) => a.start - b.start))) : []
    taken.push(...pieces)
    this.#taken.set(host, taken)
    return {
      lines: [{ state: 'new', key, name, sentence: NOTHING }],
      meeting: {
        kind: 'meeting',
        key,
        unit: host,
        name,
        notes: [],
        content: {
          start,
          end,
          eventType,
          host,
          hosts: [host],
          claims: pieces.map((piece) => ({ ...piece, user: host, bufferBefore: 0, bufferAfter: 0 })),
          seats: 1,
          bookings: [
            {
              key,
              oldUid: '',
              status: accepted ? (end < this.#now ? 'Completed' : 'Confirmed') : 'Cancelled',
              seat: 1,
              invitee: { name: String(guest.name), email: String(guest.email), phone: '', timeZone: 'UTC', locale: 'en' },
              guests: [],
              notes: '',
              customFields: {},
              utm: {},
              reason: '',
              series: null,
            },
          ],
          uid: String(booking.uid),
          oldUid: String(booking.uid),
          location: { type: 'Video', value: '' },
          createdAt: start,
          sequence: 1,
          events: [],
          hostNotes: '',
        },
      },
    }
  }
}
