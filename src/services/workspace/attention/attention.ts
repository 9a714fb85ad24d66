import type { Context } from '../../context.ts'
import { managedSchedulers } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { ATTENTION_KINDS, type AttentionItem, type AttentionKind, type Audience } from './audience.ts'
import { brokenSettings } from './broken-settings.ts'
import { findInstanceTrouble } from './instance-trouble.ts'
import { findMoneyTrouble } from './money-trouble.ts'
import { findOutsideTrouble } from './outside-trouble.ts'

/** What the user can mend: of their own, of the teams that they manage and, for admins, of the instance. */
export async function listAttention(context: Context, principal: Principal): Promise<AttentionItem[]> {
  const { userId, admin } = principal
  const owners = await managedSchedulers(context.db, principal)
  return findAttention(context, { users: [userId], owners, admin })
}

/** How many things of each kind need attention, whoever can mend them. */
export async function countAttention(context: Context): Promise<ReadonlyMap<AttentionKind, number>> {
  const all = await findAttention(context, { users: 'everyone', owners: 'everyone', admin: true })
  return new Map(
    ATTENTION_KINDS.map((kind) => [kind, all.filter((item) => item.kind === kind).length] as const),
  )
}

/** One after the other: nobody waits for this, and others need the connections. */
async function findAttention(context: Context, audience: Audience): Promise<AttentionItem[]> {
  return [
    ...(await findInstanceTrouble(context, audience)),
    ...(await findOutsideTrouble(context, audience)),
    ...(await findMoneyTrouble(context, audience)),
    ...(await brokenSettings(context, audience)),
  ]
}
