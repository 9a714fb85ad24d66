import { reaches, type User } from '../../domain/people/user.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import type { Db } from '../../store/engine/database.ts'
import { findPaymentAccount } from '../../store/payments/accounts.ts'
import { findTeamMembers } from '../../store/people/members.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { writeNotice } from '../mail-notice.ts'

/** The emails about an account whose key the provider refuses; none if it has another by now, or is gone. */
export async function paymentAccountLostMails(context: Context, accountId: string): Promise<Mail[]> {
  const account = await findPaymentAccount(context.db, accountId)
  if (account?.status !== 'reconnect') return []
  const owners = await findOwners(context.db, account.schedulerId)
  return owners.map(({ email, locale }) =>
    writeNotice({
      to: email,
      locale,
      kind: 'paymentAccountLost',
      href: `${context.publicUrl}/app/calendars`,
      gaps: { account: account.name },
    }),
  )
}

/** Teams have few owners; this only guards against sending mail in bulk. */
const MAX_OWNERS = 100

/** A user, or a team's owners; disabled users are left out. */
async function findOwners(db: Db, schedulerId: string): Promise<User[]> {
  const scheduler = await findScheduler(db, schedulerId)
  const ids =
    scheduler?.kind === 'team'
      ? (await findTeamMembers(db, schedulerId, { limit: MAX_OWNERS }))
          .filter(({ role }) => reaches(role, 'owner'))
          .map(({ userId }) => userId)
      : [schedulerId]
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.flatMap((user) => (user === undefined || user.disabledAt !== null ? [] : [user]))
}
