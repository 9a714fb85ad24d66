import type { Context } from '../../services/context.ts'
import { webhookDisabledMails } from '../../services/webhooks/disabled-mail.ts'
import type { JobOf } from '../handler.ts'

/** Emails the owners of a webhook that it was disabled. */
export async function tellWebhookDisabled(context: Context, job: JobOf<'webhook-disabled'>): Promise<void> {
  for (const mail of await webhookDisabledMails(context, job.data.webhookId)) await context.mailer(mail)
}
