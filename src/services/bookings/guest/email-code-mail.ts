import { chooseLocale, type Wording, wordingOf } from '../../../domain/languages.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { unlinked } from '../../../format/text/printable.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { writeOwnMail } from '../../mail-notice.ts'

interface Words {
  readonly subject: (code: string) => string
  readonly heading: string
  readonly label: string
  readonly lead: (eventType: string, host: string) => string
  readonly footer: string
}

const WORDS: Readonly<Record<Wording, Words>> = {
  en: {
    subject: (code) => `${code} is your confirmation code`,
    heading: 'Confirm your email address',
    label: 'Code',
    lead: (eventType, host) =>
      `Enter this code on the booking page to book ${eventType} with ${host}. It works once, for 10 minutes.`,
    footer: 'If you didn’t ask for this, ignore this email. Nothing was booked.',
  },
  de: {
    subject: (code) => `${code} ist Ihr Bestätigungscode`,
    heading: 'E-Mail-Adresse bestätigen',
    label: 'Code',
    lead: (eventType, host) =>
      `Geben Sie diesen Code auf der Buchungsseite ein, um ${eventType} mit ${host} zu buchen. Er gilt einmal und 10 Minuten lang.`,
    footer: 'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es wurde nichts gebucht.',
  },
  'de-du': {
    subject: (code) => `${code} ist dein Bestätigungscode`,
    heading: 'E-Mail-Adresse bestätigen',
    label: 'Code',
    lead: (eventType, host) =>
      `Gib diesen Code auf der Buchungsseite ein, um ${eventType} mit ${host} zu buchen. Er gilt einmal und 10 Minuten lang.`,
    footer: 'Falls du das nicht angefordert hast, ignoriere diese E-Mail. Es wurde nichts gebucht.',
  },
  es: {
    subject: (code) => `${code} es tu código de confirmación`,
    heading: 'Confirma tu dirección de correo',
    label: 'Código',
    lead: (eventType, host) =>
      `Introduce este código en la página de reservas para reservar ${eventType} con ${host}. Sirve una vez, durante 10 minutos.`,
    footer: 'Si no lo has pedido, ignora este correo. No se ha reservado nada.',
  },
  fr: {
    subject: (code) => `${code} est votre code de confirmation`,
    heading: 'Confirmez votre adresse e-mail',
    label: 'Code',
    lead: (eventType, host) =>
      `Saisissez ce code sur la page de réservation pour réserver ${eventType} avec ${host}. Il est valable une fois, pendant 10 minutes.`,
    footer: 'Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien n’a été réservé.',
  },
  pt: {
    subject: (code) => `${code} é o seu código de confirmação`,
    heading: 'Confirme seu endereço de e-mail',
    label: 'Código',
    lead: (eventType, host) =>
      `Digite este código na página de agendamento para reservar ${eventType} com ${host}. Ele vale uma vez, por 10 minutos.`,
    footer: 'Se você não pediu isto, ignore este e-mail. Nada foi reservado.',
  },
  ja: {
    subject: (code) => `確認コード：${code}`,
    heading: 'メールアドレスの確認',
    label: 'コード',
    lead: (eventType, host) =>
      `${host}の「${eventType}」を予約するには、予約ページでこのコードを入力してください。10分間、1回だけ使えます。`,
    footer: 'お心当たりがない場合は、このメールを無視してください。予約は行われていません。',
  },
}

/** The mail with the code that proves a guest's address. Anyone can cause it, so names in it must not become links. */
export function emailCodeMail(
  to: string,
  code: string,
  {
    eventType,
    host,
    locale,
  }: { readonly eventType: string; readonly host: Scheduler; readonly locale: string },
): Mail {
  const { language, tag } = chooseLocale(locale, undefined, 'en')
  const words = WORDS[wordingOf(language, host.germanAddress)]
  const { heading, label, footer } = words
  const lead = words.lead(unlinked(eventType), unlinked(host.name))
  const rows = [{ label, value: code }]
  return writeOwnMail(to, words.subject(code), { language: tag, heading, lead, rows, footer })
}
