import { clientOf } from '../../domain/imports/kinds.ts'
import type { Here } from '../../domain/imports/plan.ts'
import type { SourceRow, SourceSettings } from '../../domain/imports/source.ts'
import { textIn, treeIn } from '../../domain/imports/values.ts'
import { findOwnSlugs } from '../../store/imports/here.ts'
import { accountAt } from '../calendars/access-token.ts'
import type { Context } from '../context.ts'
import { listLinkProviders } from '../event-types/link-providers.ts'

/** What a plan needs to know of this instance: all that did not come from this source. */
export async function findHere(
  context: Context,
  memory: string,
  { App }: Pick<SourceSettings, 'App'>,
): Promise<Here> {
  const found = await findOwnSlugs(context.db, memory)
  return {
    now: context.now(),
    ...found,
    linkProviders: listLinkProviders(context),
    calendarKinds: mayOpen(context).filter((kind) => isSameClient(context, kind, App)),
    smsOffered: context.sms !== undefined,
  }
}

/** The kinds of calendars whose accounts this service can open at all: it has a client there, or the key to passwords. */
export function mayOpen(context: Context): string[] {
  return context.kinds.all.flatMap(({ name, calendar }) => {
    if (calendar?.connect === 'account') return accountAt(context, name) === undefined ? [] : [name]
    return calendar?.connect === 'server' && context.calcomKey !== '' ? [name] : []
  })
}

/** Tokens work for the OAuth client that they were given to, and for no other. */
function isSameClient(context: Context, kind: string, apps: readonly SourceRow[]): boolean {
  const ours = accountAt(context, kind)?.oauth.clientId
  if (ours === undefined) return true
  return apps.some((row) => clientOf(textIn(row, 'slug')) === kind && treeIn(row, 'keys').client_id === ours)
}
