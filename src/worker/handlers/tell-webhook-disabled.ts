import type { Job } from '../../domain/job.ts'
import type { Context } from '../../services/context.ts'
import { webhookDisabledMails } from '../../services/webhooks/disabled-mail.ts'

/** Emails the owners of a webhook that it was disabled. */
export async function tellWebhookDisabled(context: Context, job: Job): Promise<void> {
  const { webhookId } = job.data as { readonly webhookId: string }
  for (const mail of await webhookDisabledMails(context, webhookId)) await context.mailer(mail)
}
