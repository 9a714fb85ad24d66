import type { NoticeTexts } from '../catalogue.ts'

const notYou = 'Falls das jemand anders war: im Profil überall abmelden und unbekannte Passkeys entfernen.'

export default {
  signIn: {
    subject: 'Link zum Anmelden',
    heading: 'Bei Punctual anmelden',
    lead: 'Dieser Link gilt einmal und 15 Minuten lang.',
    button: 'Anmeldeseite öffnen',
    footer: 'Ohne eigene Anfrage kann diese E-Mail ignoriert werden.',
  },
  invited: {
    subject: 'Einladung zu Punctual',
    heading: 'Eine Einladung',
    lead: '{inviter} lädt zu Punctual ein. Die Schaltfläche legt das Konto an. Sie gilt einmal und 14 Tage lang.',
    button: 'Einladung annehmen',
    footer: 'Wer nicht teilnehmen möchte, kann diese E-Mail ignorieren.',
  },
  invitedToTeam: {
    subject: 'Einladung zu {team}',
    heading: 'Eine Einladung',
    lead: '{inviter} lädt in das Team {team} bei Punctual ein. Die Schaltfläche legt das Konto an. Sie gilt einmal und 14 Tage lang.',
    button: 'Einladung annehmen',
    footer: 'Wer nicht teilnehmen möchte, kann diese E-Mail ignorieren.',
  },
  invitedToSignIn: {
    subject: 'Einladung zu Punctual',
    heading: 'Eine Einladung',
    lead: '{inviter} lädt zu Punctual ein. Zum Annehmen innerhalb von 14 Tagen mit dieser E-Mail-Adresse anmelden: {email}.',
    button: 'Anmeldeseite öffnen',
    footer: 'Wer nicht teilnehmen möchte, kann diese E-Mail ignorieren.',
  },
  invitedToTeamToSignIn: {
    subject: 'Einladung zu {team}',
    heading: 'Eine Einladung',
    lead: '{inviter} lädt in das Team {team} bei Punctual ein. Zum Annehmen innerhalb von 14 Tagen mit dieser E-Mail-Adresse anmelden: {email}.',
    button: 'Anmeldeseite öffnen',
    footer: 'Wer nicht teilnehmen möchte, kann diese E-Mail ignorieren.',
  },
  proveEmail: {
    subject: 'Neue E-Mail-Adresse bestätigen',
    heading: 'Neue E-Mail-Adresse bestätigen',
    lead: 'Diesen Link bitte dort öffnen, wo die Anmeldung besteht. Er gilt einmal und eine Stunde lang.',
    button: 'Diese Adresse bestätigen',
    footer: 'Ohne eigene Anfrage kann diese E-Mail ignoriert werden.',
  },
  emailChangeAsked: {
    subject: 'Die E-Mail-Adresse soll geändert werden',
    heading: 'Die E-Mail-Adresse soll geändert werden',
    lead: 'Künftig soll die Anmeldung mit {email} erfolgen. Bis diese Adresse bestätigt ist, ändert sich nichts.',
    button: 'Profil öffnen',
    footer: 'Falls das jemand anders war: im Profil überall abmelden.',
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse wurde geändert',
    heading: 'Die E-Mail-Adresse wurde geändert',
    lead: 'Die Anmeldung erfolgt jetzt mit {email}. Mit dieser Adresse geht es nicht mehr.',
    button: 'Profil öffnen',
    footer: 'Falls das jemand anders war, hilft der Betreiber dieses Dienstes.',
  },
  recoveryCodeUsed: {
    subject: 'Anmeldung mit einem Wiederherstellungscode',
    heading: 'Anmeldung mit einem Wiederherstellungscode',
    lead: 'Der Code kann nicht noch einmal verwendet werden. Übrige Codes: {left}. Einen verlorenen Passkey bitte entfernen und einen anderen hinzufügen.',
    button: 'Profil öffnen',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'Anmeldung mit einem Wiederherstellungscode',
    heading: 'Anmeldung mit einem Wiederherstellungscode',
    lead: 'Der Code kann nicht noch einmal verwendet werden. Es ist noch 1 Code übrig. Einen verlorenen Passkey bitte entfernen und einen anderen hinzufügen.',
    button: 'Profil öffnen',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'Neuer Passkey für das Konto',
    heading: 'Neuer Passkey für das Konto',
    lead: 'Nach dem Öffnen eines Links aus einer E-Mail ist die Anmeldung jetzt mit „{name}“ möglich.',
    button: 'Profil öffnen',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'Das Konto hat keinen Passkey mehr',
    heading: 'Das Konto hat keinen Passkey mehr',
    lead: 'Alle Passkeys und Wiederherstellungscodes wurden entfernt. Bis ein Passkey hinzugefügt wird, genügt der Link aus der E-Mail.',
    button: 'Profil öffnen',
    footer: 'Falls das überraschend kommt, hilft der Betreiber dieses Dienstes.',
  },
  calendarFailed: {
    subject: 'Kalender „{name}“ kann nicht gelesen werden',
    heading: 'Ein Kalender kann nicht gelesen werden',
    lead: 'Der Kalender „{name}“ konnte seit einem Tag nicht gelesen werden. {reason} Neue Termine darin blockieren keine Zeiten, bis es wieder geht. Gäste könnten diese Zeiten also buchen.',
    button: 'Kalender öffnen',
    footer: 'Diese E-Mail kommt, weil dieser Kalender verbunden wurde.',
  },
  webhookDisabled: {
    subject: 'Der Webhook an {origin} wurde abgeschaltet',
    heading: 'Ein Webhook wurde abgeschaltet',
    lead: 'Der Webhook an {origin} wurde abgeschaltet. {reason} Bis zum Wiedereinschalten wird nichts dorthin gesendet. Danach kann erneut gesendet werden, was in den letzten 30 Tagen fehlgeschlagen ist.',
    button: 'Webhooks öffnen',
    footer: 'Diese E-Mail geht an die Besitzer des Webhooks.',
  },
} satisfies NoticeTexts
