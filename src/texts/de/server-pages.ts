import type { ServerPages } from '../catalogue.ts'

export default {
  home: {
    title: 'Termine ohne langes Hin und Her',
    what: 'Teilen Sie einen Link, und lassen Sie andere eine Zeit buchen, die beiden passt.',
    guests:
      'Sie möchten einen Termin buchen? Öffnen Sie den Link, den Sie erhalten haben. Ein Konto brauchen Sie nicht.',
    signIn: 'Anmelden',
    demo: 'Demo ansehen',
    api: 'API-Referenz',
  },
  unsubscribe: {
    title: 'E-Mails von {name} abbestellen?',
    what: 'Nach Terminen und zu Formularen kommen dann keine E-Mails mehr von {name}. E-Mails zu bevorstehenden Terminen kommen weiterhin an.',
    button: 'Abbestellen',
    done: 'Abbestellt',
    after: '{name} schickt keine solchen E-Mails mehr.',
  },
  notice: {
    missing: 'Seite nicht gefunden',
    hint: 'Der Link ist vielleicht veraltet oder falsch geschrieben. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
    trouble: 'Etwas ist schiefgegangen',
    startAgain: 'Bitte beginnen Sie noch einmal mit dem Formular.',
  },
  noScriptWrite: 'Ohne JavaScript ist eine Buchung per E-Mail möglich:',
  offline: {
    title: 'Keine Verbindung',
    hint: 'Das Dashboard zeigt nur, was aktuell ist. Dafür braucht es eine Internetverbindung.',
    again: 'Erneut versuchen',
  },
  standIn: {
    away: '{host} ist abwesend: {time}.',
    book: 'Stattdessen bei {name} buchen',
  },
  endedLink: {
    used: 'Dieser Link wurde schon verwendet',
    expired: 'Dieser Link ist abgelaufen',
    ask: 'Bitte {name} um einen neuen Link bitten.',
  },
  noScript:
    'Diese Seite braucht JavaScript, um freie Zeiten zu zeigen. Sie können auch über die öffentliche API buchen.',
} satisfies ServerPages
