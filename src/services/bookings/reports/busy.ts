import type { Interval } from '../../../domain/interval.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findBusyWithin } from '../../../store/calendars/busy-times.ts'
import { findAbsences } from '../../../store/event-types/absences.ts'
import { findMemberIds } from '../../../store/people/members.ts'
import type { Context } from '../../context.ts'
import { isId, visibleBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'

export const BUSY_SOURCES = ['calendar', 'time-off'] as const

/** When a host is busy, and never with what. */
export interface BusySpan extends Interval {
  readonly hostId: string
  readonly source: (typeof BUSY_SOURCES)[number]
}

const MOST_DAYS = 42

/**
 * When these hosts are busy besides their meetings here, earliest first; of those whose bookings the user may see.
 *
 * The others give nothing, so that nobody learns who is there.
 */
export async function listBusy(
  { db }: Context,
  principal: Principal,
  hostIds: readonly string[] | undefined,
  span: Interval,
): Promise<BusySpan[]> {
  if (span.end <= span.start) throw invalidField('to', sentence`{field} must be after the start.`)
  if (span.end - span.start > MOST_DAYS * 24 * 60 * MINUTE)
    throw invalidField('to', sentence`{field} must be at most ${MOST_DAYS} days after the start.`)
  const visible = new Set([principal.userId])
  for (const { schedulerId, hostId } of await visibleBookings(db, principal, undefined)) {
    if (hostId !== undefined || schedulerId === principal.userId) continue
    for (const id of await findMemberIds(db, schedulerId)) visible.add(id)
  }
  const wanted = hostIds === undefined ? [...visible] : hostIds.filter((id) => isId(id) && visible.has(id))
  const absences = await findAbsences(db, wanted, span)
  const away = [...absences].flatMap(([hostId, spans]) =>
    spans.map((one) => ({ ...one, hostId, source: 'time-off' as const })),
  )
  const busy = (await findBusyWithin(db, wanted, span)).map((one) => ({
    ...one,
    source: 'calendar' as const,
  }))
  return [...busy, ...away].toSorted((a, b) => a.start - b.start)
}
