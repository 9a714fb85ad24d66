import { MailRefused } from '../outside/mail/mail.ts'
import type { Context } from '../services/context.ts'

/** What leaves the service, by how that ended. */
export interface SentCounts {
  readonly mails: { sent: number; refused: number; failed: number }
  readonly deliveries: { delivered: number; rejected: number; unreachable: number }
}

export const noneSent = (): SentCounts => ({
  mails: { sent: 0, refused: 0, failed: 0 },
  deliveries: { delivered: 0, rejected: 0, unreachable: 0 },
})

/** The same context, which counts emails and webhook deliveries as they are sent. Every attempt counts. */
export function countSent(context: Context, { mails, deliveries }: SentCounts): Context {
  const { mailer, webhooks } = context
  return {
    ...context,
    async mailer(mail) {
      try {
        await mailer(mail)
        mails.sent++
      } catch (error) {
        if (error instanceof MailRefused) mails.refused++
        else mails.failed++
        throw error
      }
    },
    webhooks: {
      check: (url) => webhooks.check(url),
      async send(message) {
        const answer = await webhooks.send(message)
        if (answer.error === '') deliveries.delivered++
        else if (answer.status === null) deliveries.unreachable++
        else deliveries.rejected++
        return answer
      },
      close: () => webhooks.close(),
    },
  }
}
