import type { Calendar } from '../../domain/calendars/calendar.ts'
import { sentence } from '../../domain/sentence.ts'
import { type CalendarServer, ServerFailure } from '../../outside/calendar-server.ts'
import type { Context } from '../context.ts'
import { unseal } from '../seal.ts'

/** The server of a connected calendar, with its password. */
export function serverOf(context: Context, calendar: Calendar, signal?: AbortSignal): CalendarServer {
  const password = unseal(context, calendar.id, calendar.sealedPassword)
  if (password === undefined) {
    throw new ServerFailure(sentence`The password can no longer be read. Please enter it again.`)
  }
  return {
    guard: context.guard,
    owner: calendar.userId,
    username: calendar.username,
    password,
    ...(signal !== undefined && { signal }),
  }
}
