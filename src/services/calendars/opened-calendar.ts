import type { Calendar } from '../../domain/calendars/calendar.ts'
import { sentence } from '../../domain/sentence.ts'
import { ServerFailure } from '../../outside/calendars/calendar-server.ts'
import type { CalendarSource, OpenedCalendar } from '../../outside/kinds/calendar-source.ts'
import type { Context } from '../context.ts'
import { unseal } from '../seal.ts'
import { providerOf, withAccess } from './access-token.ts'

/** How calendars of this kind are read and written; throws `ServerFailure` if this service does not know the kind. */
export function sourceOf({ kinds }: Context, { kind }: Pick<Calendar, 'kind'>): CalendarSource {
  const source = kinds.find(kind)?.calendar
  if (source === undefined) throw unknownKind(kind)
  return source
}

const unknownKind = (kind: string) => new ServerFailure(sentence`${kind} is not set up on this service.`)

/** Opens a calendar with its password, or with access to the account that has it. */
export async function withCalendar<T>(
  context: Context,
  calendar: Calendar,
  signal: AbortSignal | undefined,
  call: (opened: OpenedCalendar) => Promise<T>,
): Promise<T> {
  const { kind, url, tentative, username, externalId, connectionId } = calendar
  const common = { guard: context.guard, owner: calendar.userId, url, tentative, username, externalId }
  if (connectionId === null) {
    const opened = {
      ...common,
      password: passwordOf(context, calendar),
      apiUrl: '',
      access: { token: '', signal },
    }
    return call(signal === undefined ? opened : { ...opened, signal })
  }
  const { apiUrl } = providerOf(context, kind)
  return withAccess(
    context,
    connectionId,
    (access) => call({ ...common, password: '', apiUrl, access }),
    signal,
  )
}

function passwordOf(context: Context, { id, sealedPassword }: Calendar): string {
  const password = unseal(context, id, sealedPassword)
  if (password !== undefined) return password
  throw new ServerFailure(sentence`The password can no longer be read. Please enter it again.`)
}
