import { MINUTE } from '../../domain/interval.ts'
import type { Branch, TimelineEntry } from '../../domain/messages/timeline.ts'
import { timelineOf } from '../../domain/messages/timeline.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { getEventType } from '../event-types/event-types.ts'
import { notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { instantIn } from '../period.ts'
import { exampleMeeting } from './example.ts'
import { compose, standardMail } from './preview.ts'

interface TimelineQuery {
  readonly start?: string | undefined
  readonly branch?: Branch | undefined
  readonly language?: string | undefined
}

/** An entry with its words. */
export type ShownEntry = TimelineEntry & { readonly subject: string; readonly text: string }

/** All that guest and hosts of an event type will get, in order, as it will read. */
export async function getTimeline(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  { start, branch, language }: TimelineQuery,
): Promise<ShownEntry[]> {
  const { db } = context
  const { eventType } = await getEventType(db, principal, eventTypeId)
  const [owner, viewer, messages] = await Promise.all([
    findScheduler(db, eventType.schedulerId),
    findUser(db, principal.userId),
    findMessagesOf(db, [eventType.schedulerId]),
  ])
  if (owner === undefined || viewer === undefined) throw notFound()
  const now = context.now()
  const startsAt = start === undefined ? undefined : instantIn('start', start)
  const meeting = await exampleMeeting(db, { owner, viewer, eventTypeId, now, startsAt, language })
  const { booking } = meeting
  const endsAt = booking.startsAt + eventType.durationMinutes * MINUTE
  const given = { eventType, startsAt: booking.startsAt, endsAt, now, branch }
  return timelineOf(given, messages).map((entry) => {
    const { message, standard, to } = entry
    const moment = standard === 'reminder' ? 'before' : standard
    const shown =
      message === undefined
        ? moment && standardMail(context, meeting, moment, to)
        : compose(context, message, meeting)
    return { ...entry, subject: shown?.subject ?? '', text: shown?.text ?? '' }
  })
}
