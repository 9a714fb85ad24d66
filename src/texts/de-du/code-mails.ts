import type { CodeMails, Part } from '../catalogue.ts'

/** German for guests of hosts who say du: what differs from the German that says Sie. */
export default {
  emailCode: {
    subject: '{code} ist dein Bestätigungscode',
    lead: 'Gib diesen Code auf der Buchungsseite ein, um {eventType} mit {host} zu buchen. Er gilt einmal und 10 Minuten lang.',
    footer: 'Falls du das nicht angefordert hast, ignoriere diese E-Mail. Es wurde nichts gebucht.',
  },
} satisfies Part<CodeMails>
