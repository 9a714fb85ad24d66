import { createHash } from 'node:crypto'
import type { BookingChange, MeetingHost } from '../../domain/bookings/change.ts'
import { DAY } from '../../domain/interval.ts'
import { type PushSubscription, pushKindOf } from '../../domain/push/push.ts'
import type { PushOutcome, PushSender } from '../../outside/push/push.ts'
import { deleteSubscription, findSubscription } from '../../store/push/subscriptions.ts'
import { getAnnouncedChange } from '../bookings/load-change.ts'
import type { Context } from '../context.ts'
import { mailKindOf } from '../mail/compose.ts'
import { languageOf } from '../mail/languages.ts'
import { meetingTime, tagOfClock } from '../mail/meeting-time.ts'
import { shortName } from '../mail/reader.ts'
import type { PushJobData } from './jobs.ts'

/** What the browser shows. */
interface Notification {
  readonly title: string
  readonly body: string
  /** The page that a click opens. */
  readonly url: string
  /** Replaces what is shown with the same tag. */
  readonly tag: string
}

/** Tells one browser of a change, unless that is pointless now. Returns what became of it. */
export async function pushChange(
  context: Context,
  { subscriptionId, change: record }: PushJobData,
): Promise<PushOutcome | undefined> {
  const { db, webPush } = context
  const subscription = await findSubscription(db, subscriptionId)
  const kind = pushKindOf(record)
  if (webPush === undefined || subscription === undefined) return undefined
  if (kind === undefined || !subscription.kinds.includes(kind)) return undefined
  const left = record.startsAt - context.now()
  if (left <= 0) return undefined
  const change = await getAnnouncedChange(db, record)
  const host = change.hosts.find(({ id }) => id === subscription.userId)
  if (host === undefined) return undefined
  const shown = notificationOf(context, change, host)
  return pushNow(context, webPush, { subscription, shown, ttl: Math.min(DAY, left) })
}

/** No names of guests: notifications are shown on locked screens. */
function notificationOf(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  change: BookingChange,
  { locale, germanAddress, timeZone, timeFormat }: MeetingHost,
): Notification {
  const { texts, tag } = languageOf(locale, germanAddress)
  const { short } = meetingTime(change.startsAt, change.endsAt, timeZone, tagOfClock(tag, timeFormat))
  return {
    title: texts.host[mailKindOf(change)].heading,
    body: `${shortName(change.eventType.name)} · ${short}`,
    url: `${publicUrl}/app/bookings/${change.bookingId}`,
    tag: change.bookingId,
  }
}

interface Push {
  readonly subscription: PushSubscription
  readonly shown: Notification
  /** How long it is worth delivering, in milliseconds. */
  readonly ttl: number
}

/** Sends a notification. A browser that is gone is forgotten. */
export async function pushNow(
  { db }: Pick<Context, 'db'>,
  sender: PushSender,
  { subscription, shown, ttl }: Push,
): Promise<PushOutcome> {
  const outcome = await sender.send({
    to: subscription,
    payload: JSON.stringify(shown),
    // A digest: the push service has no business with our ids.
    topic: createHash('sha256').update(shown.tag).digest('base64url').slice(0, 32),
    ttl: Math.ceil(ttl / 1000),
  })
  if (outcome.state === 'gone') {
    const { userId, endpoint } = subscription
    await db.transaction().execute((trx) => deleteSubscription(trx, userId, endpoint))
  }
  return outcome
}
