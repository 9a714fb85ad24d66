import type { Language } from '../../languages.ts'
import type { MessageText } from '../../messages/message.ts'
import type { Moment } from '../../messages/moments.ts'

/** What a workflow says that has no words of its own: for guests and hosts alike. */
type Ready = Readonly<Record<Moment, readonly [subject: string, body: string]>>

const MEETING = '{{event.name}}: {{guest.name}} – {{host.name}}\n\n{{start}}\n\n{{location}}'

const READY: Readonly<Record<Language, Ready>> = {
  en: {
    booked: ['Booked: {{event.name}}', MEETING],
    requested: ['Request: {{event.name}}', MEETING],
    approved: ['Confirmed: {{event.name}}', MEETING],
    declined: ['Declined: {{event.name}}', MEETING],
    cancelled: ['Cancelled: {{event.name}}', `This meeting was cancelled.\n\n${MEETING}`],
    rescheduled: ['New time: {{event.name}}', `This meeting has a new time.\n\n${MEETING}`],
    'no-show': ['Missed: {{event.name}}', `This meeting was missed.\n\n${MEETING}`],
    before: ['Reminder: {{event.name}}', `A reminder of this meeting.\n\n${MEETING}`],
    after: ['Thank you: {{event.name}}', `Thank you for this meeting. How was it?\n\n${MEETING}`],
    unbooked: ['Still looking for a time?', 'A time can be picked here: {{link.book}}'],
  },
  de: {
    booked: ['Gebucht: {{event.name}}', MEETING],
    requested: ['Anfrage: {{event.name}}', MEETING],
    approved: ['Bestätigt: {{event.name}}', MEETING],
    declined: ['Abgelehnt: {{event.name}}', MEETING],
    cancelled: ['Abgesagt: {{event.name}}', `Dieser Termin wurde abgesagt.\n\n${MEETING}`],
    rescheduled: ['Neue Zeit: {{event.name}}', `Dieser Termin hat eine neue Zeit.\n\n${MEETING}`],
    'no-show': ['Verpasst: {{event.name}}', `Dieser Termin wurde verpasst.\n\n${MEETING}`],
    before: ['Erinnerung: {{event.name}}', `Eine Erinnerung an diesen Termin.\n\n${MEETING}`],
    after: ['Danke: {{event.name}}', `Danke für diesen Termin. Wie war es?\n\n${MEETING}`],
    unbooked: ['Noch keine Zeit gefunden?', 'Hier lässt sich eine Zeit wählen: {{link.book}}'],
  },
  es: {
    booked: ['Reservado: {{event.name}}', MEETING],
    requested: ['Solicitud: {{event.name}}', MEETING],
    approved: ['Confirmado: {{event.name}}', MEETING],
    declined: ['Rechazado: {{event.name}}', MEETING],
    cancelled: ['Cancelado: {{event.name}}', `Esta reunión se canceló.\n\n${MEETING}`],
    rescheduled: ['Nueva hora: {{event.name}}', `Esta reunión tiene una nueva hora.\n\n${MEETING}`],
    'no-show': ['Ausencia: {{event.name}}', `Hubo una ausencia en esta reunión.\n\n${MEETING}`],
    before: ['Recordatorio: {{event.name}}', `Un recordatorio de esta reunión.\n\n${MEETING}`],
    after: ['Gracias: {{event.name}}', `Gracias por esta reunión. ¿Qué tal fue?\n\n${MEETING}`],
    unbooked: ['¿Aún sin hora?', 'Aquí se puede elegir una hora: {{link.book}}'],
  },
  fr: {
    booked: ['Réservé : {{event.name}}', MEETING],
    requested: ['Demande : {{event.name}}', MEETING],
    approved: ['Confirmé : {{event.name}}', MEETING],
    declined: ['Refusé : {{event.name}}', MEETING],
    cancelled: ['Annulé : {{event.name}}', `Ce rendez-vous a été annulé.\n\n${MEETING}`],
    rescheduled: ['Nouvel horaire : {{event.name}}', `Ce rendez-vous a un nouvel horaire.\n\n${MEETING}`],
    'no-show': ['Absence : {{event.name}}', `Ce rendez-vous a été manqué.\n\n${MEETING}`],
    before: ['Rappel : {{event.name}}', `Un rappel de ce rendez-vous.\n\n${MEETING}`],
    after: ['Merci : {{event.name}}', `Merci pour ce rendez-vous. Comment était-ce ?\n\n${MEETING}`],
    unbooked: ['Toujours pas de créneau ?', 'Un créneau peut être choisi ici : {{link.book}}'],
  },
  pt: {
    booked: ['Reservado: {{event.name}}', MEETING],
    requested: ['Pedido: {{event.name}}', MEETING],
    approved: ['Confirmado: {{event.name}}', MEETING],
    declined: ['Recusado: {{event.name}}', MEETING],
    cancelled: ['Cancelado: {{event.name}}', `Esta reunião foi cancelada.\n\n${MEETING}`],
    rescheduled: ['Novo horário: {{event.name}}', `Esta reunião tem um novo horário.\n\n${MEETING}`],
    'no-show': ['Ausência: {{event.name}}', `Houve uma ausência nesta reunião.\n\n${MEETING}`],
    before: ['Lembrete: {{event.name}}', `Um lembrete desta reunião.\n\n${MEETING}`],
    after: ['Obrigado: {{event.name}}', `Obrigado por esta reunião. Como foi?\n\n${MEETING}`],
    unbooked: ['Ainda sem horário?', 'Um horário pode ser escolhido aqui: {{link.book}}'],
  },
  ja: {
    booked: ['予約：{{event.name}}', MEETING],
    requested: ['リクエスト：{{event.name}}', MEETING],
    approved: ['確定：{{event.name}}', MEETING],
    declined: ['辞退：{{event.name}}', MEETING],
    cancelled: ['キャンセル：{{event.name}}', `この会議はキャンセルされました。\n\n${MEETING}`],
    rescheduled: ['日時変更：{{event.name}}', `この会議の日時が変わりました。\n\n${MEETING}`],
    'no-show': ['欠席：{{event.name}}', `この会議に欠席がありました。\n\n${MEETING}`],
    before: ['リマインダー：{{event.name}}', `この会議のリマインダーです。\n\n${MEETING}`],
    after: ['お礼：{{event.name}}', `ありがとうございました。いかがでしたか。\n\n${MEETING}`],
    unbooked: ['日時はお決まりですか', 'こちらから日時を選べます：{{link.book}}'],
  },
}

export function readyText(language: Language, on: Moment): MessageText {
  const [subject, body] = READY[language][on]
  return { subject, body }
}
