import type { MailTexts, Part } from '../catalogue.ts'

/** German for readers whom their host, or they themselves, want addressed as du: what differs from Sie. */
export default {
  guest: {
    confirmed: {
      heading: 'Dein Termin ist gebucht',
      lead: 'Dein Termin mit {host} ist bestätigt. Die Einladung für deinen Kalender findest du im Anhang.',
    },
    requested: {
      heading: 'Deine Anfrage ist angekommen',
      lead: 'Die Zeit ist für dich reserviert, aber noch nicht bestätigt. Sobald {host} geantwortet hat, melden wir uns bei dir.',
    },
    approved: {
      heading: 'Deine Anfrage wurde angenommen',
      lead: '{host} hat deine Anfrage angenommen. Die Einladung für deinen Kalender findest du im Anhang.',
    },
    linkAdded: {
      heading: 'Hier ist der Link zu deinem Termin',
      lead: 'Über den Link unten nimmst du an deinem Termin mit {host} teil. Die Einladung im Anhang aktualisiert deinen Kalender.',
    },
    declined: {
      heading: 'Deine Anfrage wurde abgelehnt',
      lead: 'Leider kann {host} zu dieser Zeit nicht. Du kannst gern einen anderen Termin wählen.',
    },
    expired: {
      heading: 'Deine Anfrage blieb unbeantwortet',
      lead: '{host} konnte nicht rechtzeitig antworten, deshalb findet dieser Termin nicht statt. Du kannst gern einen anderen wählen.',
    },
    cancelledByGuest: {
      heading: 'Dein Termin ist abgesagt',
      lead: 'Du hast den Termin mit {host} abgesagt. Die andere Seite wurde per E-Mail benachrichtigt.',
    },
    cancelledByHost: {
      heading: 'Dein Termin wurde abgesagt',
      lead: 'Leider musste {host} diesen Termin absagen. Du kannst gern einen anderen wählen.',
    },
    cancelledByService: {
      heading: 'Dein Termin wurde abgesagt',
      lead: 'Dein Termin mit {host} findet nicht statt. Du kannst gern einen anderen wählen.',
    },
    movedByGuest: {
      heading: 'Dein Termin hat eine neue Zeit',
      lead: 'Du hast den Termin mit {host} verschoben. Die Einladung im Anhang aktualisiert deinen Kalender.',
    },
    movedByHost: {
      heading: 'Dein Termin hat eine neue Zeit',
      lead: '{host} hat den Termin verschoben. Die Einladung im Anhang aktualisiert deinen Kalender. Passt dir die neue Zeit nicht, kannst du sie ändern.',
    },
    moveRequested: {
      lead: 'Die neue Zeit ist für dich reserviert, {host} muss sie aber noch bestätigen. Die bisherige Zeit gilt nicht mehr.',
    },
    reassigned: {
      heading: 'Dein Termin hat eine neue Ansprechperson',
      lead: 'Dein Termin findet jetzt mit {host} statt, zur selben Zeit. Die Einladung im Anhang aktualisiert deinen Kalender.',
    },
    requestReassigned: {
      heading: 'Deine Anfrage hat eine neue Ansprechperson',
      lead: 'Deine Anfrage liegt jetzt bei {host}. Die Zeit bleibt für dich reserviert. Sobald {host} antwortet, schreiben wir dir.',
    },
    reminder: {
      heading: 'Dein Termin rückt näher',
      lead: 'Eine kurze Erinnerung an deinen Termin mit {host}.',
    },
  },
  addedGuest: {
    invited: {
      heading: 'Du bist eingeladen',
      lead: '{guest} hat dich zu einem Termin mit {host} hinzugefügt. Die Einladung für deinen Kalender ist angehängt.',
    },
    moved: {
      lead: 'Der Termin mit {host}, zu dem {guest} dich hinzugefügt hat, wurde verschoben. Die angehängte Einladung aktualisiert deinen Kalender.',
    },
    reassigned: {
      lead: 'Der Termin, zu dem {guest} dich hinzugefügt hat, findet jetzt mit {host} statt, zur selben Zeit. Die angehängte Einladung aktualisiert deinen Kalender.',
    },
    cancelled: {
      lead: 'Der Termin mit {host}, zu dem {guest} dich hinzugefügt hat, findet zu dieser Zeit nicht statt.',
    },
  },
  host: {
    confirmed: { lead: '{guest} hat einen Termin mit dir gebucht.' },
    requested: {
      lead: '{guest} möchte sich mit dir treffen. Bitte nimm an oder lehne ab. Bis dahin bleibt die Zeit reserviert.',
    },
    linkAdded: {
      heading: 'Hier ist der Link zu deinem Termin',
      lead: 'Der Link zu deinem Termin mit {guest} ist da. Wir haben ihn auch deinem Gast per E-Mail geschickt.',
    },
    cancelledByHost: {
      lead: 'Der Termin mit {guest} wurde von deiner Seite abgesagt. Der Gast wurde per E-Mail benachrichtigt.',
    },
    movedByGuest: {
      lead: '{guest} hat diesen Termin verschoben. Die Einladung im Anhang aktualisiert deinen Kalender.',
    },
    movedByHost: {
      lead: 'Der Termin mit {guest} wurde von deiner Seite verschoben. Der Gast wurde per E-Mail benachrichtigt.',
    },
    moveRequested: {
      heading: 'Die neue Zeit braucht deine Bestätigung',
      lead: 'Der Termin mit {guest} soll verschoben werden. Bitte nimm die neue Zeit an oder lehne sie ab. Bis dahin bleibt sie reserviert.',
    },
    reassigned: {
      subject: 'An dich übergeben: {event} mit {guest}, {when}',
      heading: 'Ein Termin wurde dir übergeben',
      lead: 'Du übernimmst jetzt den Termin mit {guest}. Der Gast wurde per E-Mail benachrichtigt.',
    },
    requestReassigned: {
      heading: 'Eine Anfrage wurde dir übergeben',
      lead: '{guest} bittet um einen Termin, und die Anfrage wurde dir übergeben. Bitte nimm sie an oder lehne sie ab. Bis dahin bleibt die Zeit reserviert.',
    },
    reminder: {
      heading: 'Dein Termin rückt näher',
      lead: 'Eine kurze Erinnerung an deinen Termin mit {guest}.',
    },
  },
  formerHost: {
    lead: 'Der Termin mit {guest} wurde verschoben und wird nun von {host} übernommen. Deine Zeit ist wieder frei.',
  },
  handedOver: { lead: 'Den Termin mit {guest} übernimmt jetzt {host}. Deine Zeit ist wieder frei.' },
  hostCalls: 'Telefonat: Du wirst angerufen',
  addLink:
    'Videoanruf: Der Link fehlt noch. Ergänze ihn bei der Buchung, dann bekommt ihn dein Gast per E-Mail.',
  linkMissing: {
    heading: 'Dein Videoanruf hat noch keinen Link',
    lead: 'Dein Videoanruf mit {guest} steht bevor, und noch kann niemand teilnehmen. Ergänze den Link bei der Buchung, dann bekommt ihn dein Gast per E-Mail.',
  },
  cancelUntil: 'Du kannst bis {time} absagen.',
  footer: {
    form: 'Du erhältst diese E-Mail, weil deine Adresse in einem Formular von {scheduler} angegeben wurde.',
    guest: 'Du erhältst diese E-Mail, weil mit deiner Adresse ein Termin mit {scheduler} gebucht wurde.',
    addedGuest:
      'Du erhältst diese E-Mail, weil {guest} bei der Buchung eines Termins mit {scheduler} deine Adresse angegeben hat.',
    host: 'Du erhältst diese E-Mail, weil dieser Termin bei dir gebucht wurde.',
  },
  connectionLost: {
    subject: 'Bitte verbinde dein Konto {account} bei {provider} erneut',
    lead: '{provider} gewährt uns keinen Zugriff mehr auf {account}. Bis du das Konto erneut verbindest, sehen wir dort keine neuen Termine, tragen keine Buchungen ein und erstellen keine Meeting-Links. Die bereits bekannten belegten Zeiten bleiben gesperrt.',
  },
} satisfies Part<MailTexts>
