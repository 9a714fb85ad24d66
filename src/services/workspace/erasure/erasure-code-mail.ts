import { chooseLocale, type Language } from '../../../domain/languages.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { writeOwnMail } from '../../mail-notice.ts'

interface Words {
  readonly subject: (code: string) => string
  readonly heading: string
  readonly label: string
  readonly lead: string
  readonly footer: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: (code) => `${code} is your code to erase your data`,
    heading: 'Erase your data',
    label: 'Code',
    lead: 'With this code, everything stored here about your email address is erased, and your upcoming bookings are cancelled. This cannot be undone. The code works once, for 10 minutes.',
    footer: 'If you didn’t ask for this, ignore this email. Nothing was erased.',
  },
  de: {
    subject: (code) => `${code} ist Ihr Code zum Löschen Ihrer Daten`,
    heading: 'Ihre Daten löschen',
    label: 'Code',
    lead: 'Mit diesem Code wird alles gelöscht, was hier zu Ihrer E-Mail-Adresse gespeichert ist, und Ihre bevorstehenden Buchungen werden storniert. Das lässt sich nicht rückgängig machen. Der Code gilt einmal und 10 Minuten lang.',
    footer: 'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es wurde nichts gelöscht.',
  },
  es: {
    subject: (code) => `${code} es tu código para borrar tus datos`,
    heading: 'Borrar tus datos',
    label: 'Código',
    lead: 'Con este código se borra todo lo que hay guardado aquí sobre tu dirección de correo y se cancelan tus próximas reservas. No se puede deshacer. El código sirve una vez, durante 10 minutos.',
    footer: 'Si no lo has pedido, ignora este correo. No se ha borrado nada.',
  },
  fr: {
    subject: (code) => `${code} est votre code pour effacer vos données`,
    heading: 'Effacer vos données',
    label: 'Code',
    lead: 'Avec ce code, tout ce qui est enregistré ici sur votre adresse e-mail est effacé et vos réservations à venir sont annulées. Cette action est définitive. Le code est valable une fois, pendant 10 minutes.',
    footer: 'Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien n’a été effacé.',
  },
  pt: {
    subject: (code) => `${code} é o seu código para apagar seus dados`,
    heading: 'Apagar seus dados',
    label: 'Código',
    lead: 'Com este código, tudo o que está guardado aqui sobre seu endereço de e-mail é apagado e suas próximas reservas são canceladas. Isso não pode ser desfeito. O código vale uma vez, por 10 minutos.',
    footer: 'Se você não pediu isto, ignore este e-mail. Nada foi apagado.',
  },
  ja: {
    subject: (code) => `データ削除の確認コード：${code}`,
    heading: 'データの削除',
    label: 'コード',
    lead: 'このコードを使うと、お使いのメールアドレスについてここに保存されている情報がすべて削除され、今後の予約はキャンセルされます。元に戻すことはできません。コードは10分間、1回だけ使えます。',
    footer: 'お心当たりがない場合は、このメールを無視してください。何も削除されていません。',
  },
}

/** The mail with the code that lets a guest erase their data. */
export function erasureCodeMail(to: string, code: string, locale: string): Mail {
  const { language, tag } = chooseLocale(locale, undefined, 'en')
  const words = WORDS[language]
  const { heading, label, footer } = words
  const lead = words.lead
  const rows = [{ label, value: code }]
  return writeOwnMail(to, words.subject(code), { language: tag, heading, lead, rows, footer })
}
