import type { Context } from '../../services/context.ts'
import { connectionLostMail } from '../../services/mail/connection-lost-mail.ts'
import type { JobOf } from '../handler.ts'

/** Emails a host that a provider has ended our access to their account. */
export async function tellConnectionLost(context: Context, job: JobOf<'connection-lost'>): Promise<void> {
  const mail = await connectionLostMail(context, job.data.connectionId)
  if (mail !== undefined) await context.mailer(mail)
}
