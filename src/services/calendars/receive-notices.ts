import type { CalendarKind } from '../../domain/calendars/calendar.ts'
import type { Notice } from '../../outside/kinds/event-channel.ts'
import { noteChange } from '../../store/calendars/calendars.ts'
import { findWatched, renewSoon } from '../../store/calendars/channels.ts'
import { insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secret.ts'
import { canBeTold, channelJob } from './channels.ts'

/** Whether this provider may send notices here at all. */
export const takesNotices = (context: Context, kind: CalendarKind) =>
  canBeTold(context) && context.providers[kind] !== undefined

/**
 * Makes calendars due that have changed, and channels that need it. Returns how many notices were from the provider.
 *
 * Doubled notices are harmless: they make due what already is.
 */
export async function receiveNotices(
  context: Context,
  kind: CalendarKind,
  notices: readonly Notice[],
): Promise<number> {
  if (!takesNotices(context, kind)) return 0
  const watched = await findWatched(context.db, kind, [...new Set(notices.map((one) => one.channelId))])
  const calendars = new Map(watched.map((one) => [`${one.channelId} ${one.tokenHash}`, one.calendarId]))
  const genuine = notices.flatMap(({ channelId, token, what }) => {
    const calendarId = calendars.get(`${channelId} ${hashSecret(token)}`)
    return calendarId === undefined ? [] : [{ calendarId, what }]
  })
  const told = (...kinds: readonly Notice['what'][]) => [
    ...new Set(genuine.filter(({ what }) => kinds.includes(what)).map(({ calendarId }) => calendarId)),
  ]
  const now = context.now()
  for (const calendarId of told('changed', 'ended')) await noteChange(context.db, calendarId, now)
  const [ended, due] = [told('ended'), told('renew', 'ended')]
  if (due.length > 0) {
    await context.db.transaction().execute(async (trx) => {
      await renewSoon(trx, due, now, false)
      if (ended.length > 0) await renewSoon(trx, ended, now, true)
      await insertJobs(
        trx,
        due.map((calendarId) => channelJob(calendarId, now)),
        now,
      )
    })
    context.outbox.wake()
  }
  return genuine.length
}
