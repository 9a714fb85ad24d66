import { reaches } from '../../domain/people/user.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Mail } from '../../outside/mail.ts'
import type { Db } from '../../store/engine/database.ts'
import { findTeamMembers } from '../../store/people/members.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { findWebhook } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import { writeNotice } from '../mail-notice.ts'

/** The emails about a webhook that the service has disabled; none if it is active again or deleted. */
export async function webhookDisabledMails(context: Context, webhookId: string): Promise<Mail[]> {
  const webhook = await findWebhook(context.db, webhookId)
  if (webhook === undefined || webhook.disabledAt === null) return []
  const recipients = await ownersOf(context.db, webhook.schedulerId)
  return recipients.map((to) => webhookDisabledMail(to, webhook, `${context.publicUrl}/app/webhooks`))
}

/** Teams have few owners; this only guards against sending mail in bulk. */
const MAX_OWNERS = 100

/** The email addresses of a user, or of a team's owners; disabled users are left out. */
async function ownersOf(db: Db, schedulerId: string): Promise<string[]> {
  const scheduler = await findScheduler(db, schedulerId)
  const ids =
    scheduler?.kind === 'team'
      ? (await findTeamMembers(db, schedulerId, undefined, MAX_OWNERS))
          .filter(({ role }) => reaches(role, 'owner'))
          .map(({ userId }) => userId)
      : [schedulerId]
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.flatMap((user) => (user === undefined || user.disabledAt !== null ? [] : [user.email]))
}

export function webhookDisabledMail(
  to: string,
  { url, disabledReason }: Pick<Webhook, 'url' | 'disabledReason'>,
  link: string,
): Mail {
  // The rest of the URL is often a secret.
  const { origin } = new URL(url)
  return writeNotice({
    to,
    subject: `The webhook to ${origin} has been turned off`,
    heading: 'A webhook was turned off',
    lead: `The webhook to ${origin} has been turned off. ${disabledReason} Nothing is sent to it until you turn it on again. You can then resend what failed in the last 30 days.`,
    button: { label: 'Open webhooks', href: link },
    footer: 'You’re receiving this email because you own this webhook.',
  })
}
