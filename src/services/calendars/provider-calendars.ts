import type { Calendar, CalendarKind } from '../../domain/calendars/calendar.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import type { ProviderCalendar } from '../../outside/accounts/provider.ts'
import type { Context } from '../context.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { getConnection, listProviderCalendars } from './connections.ts'

/** What a host chooses of a connected account. */
interface ChosenCalendar {
  readonly kind: CalendarKind
  readonly connectionId?: string
  readonly externalId?: string
  readonly name?: string
  readonly writeTo?: boolean
}

/** The settings of a calendar that a connected account has, by default with its name there. */
export async function findAtProvider(
  context: Context,
  principal: Principal,
  { kind, connectionId, externalId, name, writeTo }: ChosenCalendar,
): Promise<
  Pick<
    Calendar,
    'kind' | 'name' | 'url' | 'username' | 'sealedPassword' | 'connectionId' | 'externalId' | 'writable'
  >
> {
  if (connectionId === undefined) throw invalidField('connectionId', sentence`{field} is required.`)
  if (externalId === undefined) throw invalidField('externalId', sentence`{field} is required.`)
  const { provider } = await getConnection(context, principal, connectionId)
  if (provider !== kind) {
    const { titleOf } = context.kinds
    const reason = sentence`This account is at ${titleOf(provider)}, not at ${titleOf(kind)}.`
    throw new Problem('invalid', reason, { field: 'connectionId' })
  }
  const found = await getProviderCalendar(context, principal, connectionId, externalId)
  if (writeTo) requireWritable(found)
  return {
    kind,
    name: name ?? (shortened(printableLine(found.name), MAX_NAME) || context.kinds.titleOf(kind)),
    url: '',
    username: '',
    sealedPassword: '',
    connectionId,
    externalId,
    writable: found.writable,
  }
}

const MAX_NAME = 200

/** A calendar of a connected account, as the provider lists it now. */
export async function getProviderCalendar(
  context: Context,
  principal: Principal,
  connectionId: string,
  externalId: string,
): Promise<ProviderCalendar> {
  const all = await listProviderCalendars(context, principal, connectionId)
  const found = all.find((one) => one.externalId === externalId)
  if (found === undefined) {
    throw new Problem('invalid', sentence`The connected account has no such calendar.`, {
      field: 'externalId',
    })
  }
  return found
}

export function requireWritable({ name, writable }: ProviderCalendar): void {
  if (writable) return
  const reason = sentence`You can’t add events to “${shortened(printableLine(name), MAX_NAME)}”. Choose another calendar for your bookings.`
  throw new Problem('invalid', reason, { field: 'writeTo' })
}
