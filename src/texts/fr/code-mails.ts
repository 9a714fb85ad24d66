import type { CodeMails } from '../catalogue.ts'

export default {
  emailCode: {
    subject: '{code} est votre code de confirmation',
    heading: 'Confirmez votre adresse e-mail',
    label: 'Code',
    lead: 'Saisissez ce code sur la page de réservation pour réserver {eventType} avec {host}. Il est valable une fois, pendant 10 minutes.',
    footer: 'Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien n’a été réservé.',
  },
  erasureCode: {
    subject: '{code} est votre code pour effacer vos données',
    heading: 'Effacer vos données',
    label: 'Code',
    lead: 'Avec ce code, tout ce qui est enregistré ici sur votre adresse e-mail est effacé et vos réservations à venir sont annulées. Cette action est définitive. Le code est valable une fois, pendant 10 minutes.',
    footer: 'Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien n’a été effacé.',
  },
} satisfies CodeMails
