// The slot engine alone: from a schedule and claims, both plain data, to the bytes of a listing.

import { CompiledSchedule } from '../src/domain/event-types/hours.ts'
import { findOpenings } from '../src/domain/slots/openings.ts'
import { slotRules } from '../src/domain/slots/rules.ts'
import { guestSpan, ListingWriter } from '../src/format/listing.ts'
import {
  evenly,
  eventType,
  FIRST_DAY,
  MONTH_BOOKINGS,
  MONTH_DAYS,
  schedule,
  startsFrom,
  zones,
} from './calendar.ts'
import { answerParent } from './child.ts'

export interface EngineFigures {
  readonly perSecond: number
  readonly bytes: number
}

const GUESTS = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Sydney', 'UTC'].map((name) =>
  zones.get(name),
)

answerParent(async ({ seconds }: { seconds: number }): Promise<EngineFigures> => {
  const rules = slotRules(eventType)
  const claims = evenly(startsFrom(FIRST_DAY, MONTH_DAYS), MONTH_BOOKINGS).map((startsAt, i) => ({
    meetingId: String(i),
    eventTypeId: rules.eventTypeId,
    startsAt,
    endsAt: startsAt + rules.duration,
    bufferBefore: 0,
    bufferAfter: 0,
    seatsTaken: 1,
  }))
  const now = Date.now()
  const writer = new ListingWriter()
  const list = (i: number) => {
    const guest = GUESTS[i % GUESTS.length] as (typeof GUESTS)[number]
    const span = guestSpan(guest, FIRST_DAY, FIRST_DAY + MONTH_DAYS - 1)
    // Compiled each time, because a compiled schedule keeps the ranges it has worked out.
    const host = { hostId: 'host', schedule: new CompiledSchedule(schedule, zones), claims, absences: [] }
    return writer.write(findOpenings(rules, [[host]], now, span), rules.duration, guest)
  }

  const until = (end: number) => {
    let count = 0
    while (performance.now() < end) {
      for (let i = 0; i < 100; i++) list(count++)
    }
    return count
  }
  until(performance.now() + (seconds * 1000) / 2)
  const began = performance.now()
  const count = until(began + seconds * 1000)
  return { perSecond: (count * 1000) / (performance.now() - began), bytes: list(1).byteLength }
})
