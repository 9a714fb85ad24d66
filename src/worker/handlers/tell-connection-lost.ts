import type { Context } from '../../services/context.ts'
import { connectionLostMail } from '../../services/mail/connection-lost-mail.ts'
import { paymentAccountLostMails } from '../../services/payments/lost-mails.ts'
import type { JobOf } from '../handler.ts'

/** Emails a host that a provider has ended our access to their account. */
export async function tellConnectionLost(context: Context, job: JobOf<'connection-lost'>): Promise<void> {
  const { connectionId } = job.data
  const mail = await connectionLostMail(context, connectionId)
  const mails = mail === undefined ? await paymentAccountLostMails(context, connectionId) : [mail]
  for (const one of mails) await context.mailer(one)
}
