import { isInProviderCalendar } from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'

/** Whether we write this meeting to a calendar of the host's connected account. */
export const isWritten = ({ db }: Context, hostId: string, meetingId: string): Promise<boolean> =>
  isInProviderCalendar(db, hostId, meetingId)
