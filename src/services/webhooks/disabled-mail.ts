import { chooseLocale } from '../../domain/languages.ts'
import { reaches, type User } from '../../domain/people/user.ts'
import { say } from '../../domain/sentence.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { translationTo } from '../../format/refusals/translations.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import type { Db } from '../../store/engine/database.ts'
import { findTeamMembers } from '../../store/people/members.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { findWebhook } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import { writeNotice } from '../mail-notice.ts'

type Reader = Pick<User, 'email' | 'locale'>

/** The emails about a webhook that the service has disabled; none if it is active again or deleted. */
export async function webhookDisabledMails(context: Context, webhookId: string): Promise<Mail[]> {
  const webhook = await findWebhook(context.db, webhookId)
  if (webhook === undefined || webhook.disabledAt === null) return []
  const recipients = await ownersOf(context.db, webhook.schedulerId)
  return recipients.map((reader) => webhookDisabledMail(reader, webhook, `${context.publicUrl}/app/webhooks`))
}

/** Teams have few owners; this only guards against sending mail in bulk. */
const MAX_OWNERS = 100

/** A user, or a team's owners; disabled users are left out. */
async function ownersOf(db: Db, schedulerId: string): Promise<Reader[]> {
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

function webhookDisabledMail(
  { email, locale }: Reader,
  { url, disabledReason }: Pick<Webhook, 'url' | 'disabledReason'>,
  link: string,
): Mail {
  // The rest of the URL is often a secret.
  const { origin } = new URL(url)
  const { language } = chooseLocale(locale, undefined, 'en')
  const reason = say(disabledReason, translationTo(language))
  return writeNotice({ to: email, locale, kind: 'webhookDisabled', href: link, gaps: { origin, reason } })
}
