import { calcomTellings } from './calcom/translate.ts'
import { calendlyTellings } from './calendly/translate.ts'
import type { WebhookFormat } from './formats.ts'
import type { News, Translator } from './telling.ts'
import {
  bookingPayload,
  formPayload,
  messagePayload,
  type WebhookEvent,
  type WebhookPayload,
} from './webhook.ts'

/** What each format makes of news. */
export const TRANSLATORS: Readonly<Record<WebhookFormat, Translator>> = {
  standard: (news) => {
    const payload = payloadOf(news)
    return [{ event: payload.type, body: payload }]
  },
  calcom: calcomTellings,
  calendly: calendlyTellings,
}

/** What we call these news. */
export function eventOf(news: News): WebhookEvent {
  if ('change' in news) return `booking.${news.change.type}`
  return 'form' in news ? 'form.submitted' : 'message.failed'
}

function payloadOf(news: News): WebhookPayload {
  if ('change' in news) return bookingPayload(news.change)
  return 'form' in news ? formPayload(news.form) : messagePayload(news.failed)
}
