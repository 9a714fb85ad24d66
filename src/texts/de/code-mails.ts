import type { CodeMails } from '../catalogue.ts'

export default {
  emailCode: {
    subject: '{code} ist Ihr Bestätigungscode',
    heading: 'E-Mail-Adresse bestätigen',
    label: 'Code',
    lead: 'Geben Sie diesen Code auf der Buchungsseite ein, um {eventType} mit {host} zu buchen. Er gilt einmal und 10 Minuten lang.',
    footer: 'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es wurde nichts gebucht.',
  },
  erasureCode: {
    subject: '{code} ist Ihr Code zum Löschen Ihrer Daten',
    heading: 'Ihre Daten löschen',
    label: 'Code',
    lead: 'Mit diesem Code wird alles gelöscht, was hier zu Ihrer E-Mail-Adresse gespeichert ist, und Ihre bevorstehenden Buchungen werden storniert. Das lässt sich nicht rückgängig machen. Der Code gilt einmal und 10 Minuten lang.',
    footer: 'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es wurde nichts gelöscht.',
  },
} satisfies CodeMails
