import type { Context } from '../context.ts'
import { accountAt } from './access-token.ts'

/** What hosts can connect, or could if it were set up, and what it can do. */
interface KindAbilities {
  readonly name: string
  readonly title: string
  /** How its calendars are connected; empty if it has none. */
  readonly calendars: 'link' | 'server' | 'account' | ''
  /** Whether its calendars can be asked at the moment of booking. */
  readonly live: boolean
  /** Whether hosts connect an account there. */
  readonly account: boolean
  /** Whether hosts are asked for permissions, and could leave one out. */
  readonly asksPermissions: boolean
  readonly link: { readonly name: string; readonly title: string; readonly withEvent: boolean } | null
}

export function listKinds(context: Context): KindAbilities[] {
  const { all, names } = context.kinds
  return all.map(({ name, title, calendar, link }) => ({
    name,
    title,
    calendars: calendar?.connect ?? '',
    live: calendar?.ask !== undefined,
    account: names.accounts.includes(name),
    asksPermissions: (accountAt(context, name)?.oauth.scopes.length ?? 0) > 0,
    link: link ? { name: link.name, title: link.title, withEvent: link.comes === 'with-event' } : null,
  }))
}
