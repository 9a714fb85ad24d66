import type { Job } from '../../domain/job.ts'
import type { Context } from '../../services/context.ts'
import { connectionLostMail } from '../../services/mail/connection-lost-mail.ts'

/** Emails a host that a provider has ended our access to their account. */
export async function tellConnectionLost(context: Context, job: Job): Promise<void> {
  const { connectionId } = job.data as { readonly connectionId: string }
  const mail = await connectionLostMail(context, connectionId)
  if (mail !== undefined) await context.mailer(mail)
}
