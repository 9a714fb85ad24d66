import type { MailTexts } from '../catalogue.ts'

export default {
  guest: {
    confirmed: {
      subject: 'Bestätigt: {event} mit {host}, {when}',
      heading: 'Ihr Termin ist gebucht',
      lead: 'Ihr Termin mit {host} ist bestätigt. Die Einladung für Ihren Kalender finden Sie im Anhang.',
    },
    requested: {
      subject: 'Anfrage erhalten: {event} mit {host}, {when}',
      heading: 'Ihre Anfrage ist angekommen',
      lead: 'Die Zeit ist für Sie reserviert, aber noch nicht bestätigt. Sobald {host} geantwortet hat, melden wir uns bei Ihnen.',
    },
    approved: {
      subject: 'Bestätigt: {event} mit {host}, {when}',
      heading: 'Ihre Anfrage wurde angenommen',
      lead: '{host} hat Ihre Anfrage angenommen. Die Einladung für Ihren Kalender finden Sie im Anhang.',
    },
    linkAdded: {
      subject: 'Link zum Termin: {event} mit {host}, {when}',
      heading: 'Hier ist der Link zu Ihrem Termin',
      lead: 'Über den Link unten nehmen Sie an Ihrem Termin mit {host} teil. Die Einladung im Anhang aktualisiert Ihren Kalender.',
    },
    declined: {
      subject: 'Abgelehnt: {event} mit {host}, {when}',
      heading: 'Ihre Anfrage wurde abgelehnt',
      lead: 'Leider kann {host} zu dieser Zeit nicht. Sie können gern einen anderen Termin wählen.',
    },
    expired: {
      subject: 'Nicht bestätigt: {event} mit {host}, {when}',
      heading: 'Ihre Anfrage blieb unbeantwortet',
      lead: '{host} konnte nicht rechtzeitig antworten, deshalb findet dieser Termin nicht statt. Sie können gern einen anderen wählen.',
    },
    cancelledByGuest: {
      subject: 'Abgesagt: {event} mit {host}, {when}',
      heading: 'Ihr Termin ist abgesagt',
      lead: 'Sie haben den Termin mit {host} abgesagt. Die andere Seite wurde per E-Mail benachrichtigt.',
    },
    cancelledByHost: {
      subject: 'Abgesagt: {event} mit {host}, {when}',
      heading: 'Ihr Termin wurde abgesagt',
      lead: 'Leider musste {host} diesen Termin absagen. Sie können gern einen anderen wählen.',
    },
    cancelledByService: {
      subject: 'Abgesagt: {event} mit {host}, {when}',
      heading: 'Ihr Termin wurde abgesagt',
      lead: 'Ihr Termin mit {host} findet nicht statt. Sie können gern einen anderen wählen.',
    },
    movedByGuest: {
      subject: 'Neue Zeit: {event} mit {host}, {when}',
      heading: 'Ihr Termin hat eine neue Zeit',
      lead: 'Sie haben den Termin mit {host} verschoben. Die Einladung im Anhang aktualisiert Ihren Kalender.',
    },
    movedByHost: {
      subject: 'Neue Zeit: {event} mit {host}, {when}',
      heading: 'Ihr Termin hat eine neue Zeit',
      lead: '{host} hat den Termin verschoben. Die Einladung im Anhang aktualisiert Ihren Kalender. Passt Ihnen die neue Zeit nicht, können Sie sie ändern.',
    },
    moveRequested: {
      subject: 'Neue Zeit angefragt: {event} mit {host}, {when}',
      heading: 'Die neue Zeit ist angefragt',
      lead: 'Die neue Zeit ist für Sie reserviert, {host} muss sie aber noch bestätigen. Die bisherige Zeit gilt nicht mehr.',
    },
    reassigned: {
      subject: 'Neue Ansprechperson: {event} mit {host}, {when}',
      heading: 'Ihr Termin hat eine neue Ansprechperson',
      lead: 'Ihr Termin findet jetzt mit {host} statt, zur selben Zeit. Die Einladung im Anhang aktualisiert Ihren Kalender.',
    },
    requestReassigned: {
      subject: 'Neue Ansprechperson: {event} mit {host}, {when}',
      heading: 'Ihre Anfrage hat eine neue Ansprechperson',
      lead: 'Ihre Anfrage liegt jetzt bei {host}. Die Zeit bleibt für Sie reserviert. Sobald {host} antwortet, schreiben wir Ihnen.',
    },
    reminder: {
      subject: 'Erinnerung: {event} mit {host}, {when}',
      heading: 'Ihr Termin rückt näher',
      lead: 'Eine kurze Erinnerung an Ihren Termin mit {host}.',
    },
  },
  addedGuest: {
    invited: {
      subject: 'Einladung: {event} mit {host}, {when}',
      heading: 'Sie sind eingeladen',
      lead: '{guest} hat Sie zu einem Termin mit {host} hinzugefügt. Die Einladung für Ihren Kalender ist angehängt.',
    },
    moved: {
      subject: 'Neue Zeit: {event} mit {host}, {when}',
      heading: 'Der Termin hat eine neue Zeit',
      lead: 'Der Termin mit {host}, zu dem {guest} Sie hinzugefügt hat, wurde verschoben. Die angehängte Einladung aktualisiert Ihren Kalender.',
    },
    reassigned: {
      subject: 'Neue Ansprechperson: {event} mit {host}, {when}',
      heading: 'Der Termin hat eine neue Ansprechperson',
      lead: 'Der Termin, zu dem {guest} Sie hinzugefügt hat, findet jetzt mit {host} statt, zur selben Zeit. Die angehängte Einladung aktualisiert Ihren Kalender.',
    },
    cancelled: {
      subject: 'Abgesagt: {event} mit {host}, {when}',
      heading: 'Der Termin wurde abgesagt',
      lead: 'Der Termin mit {host}, zu dem {guest} Sie hinzugefügt hat, findet zu dieser Zeit nicht statt.',
    },
  },
  host: {
    confirmed: {
      subject: 'Neue Buchung: {event} mit {guest}, {when}',
      heading: 'Neue Buchung',
      lead: '{guest} hat einen Termin mit Ihnen gebucht.',
    },
    requested: {
      subject: 'Bestätigung nötig: {event} mit {guest}, {when}',
      heading: 'Neue Anfrage',
      lead: '{guest} möchte sich mit Ihnen treffen. Bitte nehmen Sie an oder lehnen Sie ab. Bis dahin bleibt die Zeit reserviert.',
    },
    approved: {
      subject: 'Bestätigt: {event} mit {guest}, {when}',
      heading: 'Anfrage angenommen',
      lead: 'Die Anfrage von {guest} wurde angenommen. Der Termin ist bestätigt.',
    },
    linkAdded: {
      subject: 'Link zum Termin: {event} mit {guest}, {when}',
      heading: 'Hier ist der Link zu Ihrem Termin',
      lead: 'Der Link zu Ihrem Termin mit {guest} ist da. Wir haben ihn auch Ihrem Gast per E-Mail geschickt.',
    },
    declined: {
      subject: 'Abgelehnt: {event} mit {guest}, {when}',
      heading: 'Anfrage abgelehnt',
      lead: 'Die Anfrage von {guest} wurde abgelehnt. Die Zeit ist wieder frei.',
    },
    expired: {
      subject: 'Verfallen: {event} mit {guest}, {when}',
      heading: 'Anfrage verfallen',
      lead: 'Die Anfrage von {guest} wurde nicht rechtzeitig beantwortet und deshalb automatisch abgelehnt. Der Gast wurde per E-Mail benachrichtigt.',
    },
    cancelledByGuest: {
      subject: 'Abgesagt: {event} mit {guest}, {when}',
      heading: 'Ein Termin wurde abgesagt',
      lead: '{guest} hat diesen Termin abgesagt. Die Zeit ist wieder frei.',
    },
    cancelledByHost: {
      subject: 'Abgesagt: {event} mit {guest}, {when}',
      heading: 'Der Termin ist abgesagt',
      lead: 'Der Termin mit {guest} wurde von Ihrer Seite abgesagt. Der Gast wurde per E-Mail benachrichtigt.',
    },
    cancelledByService: {
      subject: 'Abgesagt: {event} mit {guest}, {when}',
      heading: 'Ein Termin wurde abgesagt',
      lead: 'Der Termin mit {guest} findet nicht statt. Der Gast wurde per E-Mail benachrichtigt.',
    },
    movedByGuest: {
      subject: 'Neue Zeit: {event} mit {guest}, {when}',
      heading: 'Ein Termin hat eine neue Zeit',
      lead: '{guest} hat diesen Termin verschoben. Die Einladung im Anhang aktualisiert Ihren Kalender.',
    },
    movedByHost: {
      subject: 'Neue Zeit: {event} mit {guest}, {when}',
      heading: 'Der Termin hat eine neue Zeit',
      lead: 'Der Termin mit {guest} wurde von Ihrer Seite verschoben. Der Gast wurde per E-Mail benachrichtigt.',
    },
    moveRequested: {
      subject: 'Bestätigung nötig: neue Zeit für {event} mit {guest}, {when}',
      heading: 'Die neue Zeit braucht Ihre Bestätigung',
      lead: 'Der Termin mit {guest} soll verschoben werden. Bitte nehmen Sie die neue Zeit an oder lehnen Sie sie ab. Bis dahin bleibt sie reserviert.',
    },
    reassigned: {
      subject: 'An Sie übergeben: {event} mit {guest}, {when}',
      heading: 'Ein Termin wurde Ihnen übergeben',
      lead: 'Sie übernehmen jetzt den Termin mit {guest}. Der Gast wurde per E-Mail benachrichtigt.',
    },
    requestReassigned: {
      subject: 'Bestätigung nötig: {event} mit {guest}, {when}',
      heading: 'Eine Anfrage wurde Ihnen übergeben',
      lead: '{guest} bittet um einen Termin, und die Anfrage wurde Ihnen übergeben. Bitte nehmen Sie sie an oder lehnen Sie sie ab. Bis dahin bleibt die Zeit reserviert.',
    },
    reminder: {
      subject: 'Erinnerung: {event} mit {guest}, {when}',
      heading: 'Ihr Termin rückt näher',
      lead: 'Eine kurze Erinnerung an Ihren Termin mit {guest}.',
    },
  },
  formerHost: {
    subject: 'Übergeben: {event} mit {guest}, {when}',
    heading: 'Ein Termin wurde übergeben',
    lead: 'Der Termin mit {guest} wurde verschoben und wird nun von {host} übernommen. Ihre Zeit ist wieder frei.',
  },
  handedOver: {
    subject: 'Übergeben: {event} mit {guest}, {when}',
    heading: 'Ein Termin wurde übergeben',
    lead: 'Den Termin mit {guest} übernimmt jetzt {host}. Ihre Zeit ist wieder frei.',
  },
  coHost: {
    subject: 'Neue Ansprechperson: {event} mit {guest}, {when}',
    heading: 'Der Termin hat andere Gastgeber',
    lead: 'Den Termin mit {guest} übernehmen jetzt {host}.',
  },
  guestLeft: {
    subject: 'Ein Gast weniger: {event} mit {guest}, {when}',
    heading: 'Ein Gast nimmt nicht mehr teil',
    lead: '{guest} nimmt nicht mehr an diesem Termin teil. Die anderen Gäste bleiben dabei.',
  },
  lastGuestLeft: {
    subject: 'Keine Gäste mehr: {event} mit {guest}, {when}',
    heading: 'Der Termin hat keine Gäste mehr',
    lead: '{guest} nimmt nicht mehr an diesem Termin teil, und sonst hat niemand gebucht. Die Zeit ist wieder frei.',
  },
  label: {
    what: 'Termin',
    when: 'Wann',
    previously: 'Bisher',
    where: 'Wo',
    host: 'Gastgeber',
    guest: 'Gast',
    guests: 'Gäste',
    phone: 'Telefon',
    notes: 'Notizen',
    reason: 'Nachricht',
    dates: 'Alle Termine',
    addToCalendar: 'Zum Kalender hinzufügen',
    cancellation: 'Absage',
    payment: 'Zahlung',
  },
  place: {
    InPerson: 'Vor Ort',
    Phone: 'Telefonat',
    Video: 'Videoanruf',
    Link: 'Online',
  },
  hostCalls: 'Telefonat: Sie werden angerufen',
  linkFollows: 'Videoanruf: Der Link folgt per E-Mail',
  addLink:
    'Videoanruf: Der Link fehlt noch. Ergänzen Sie ihn bei der Buchung, dann bekommt ihn Ihr Gast per E-Mail.',
  linkMissing: {
    subject: 'Link ergänzen: {event} mit {guest}, {when}',
    heading: 'Ihr Videoanruf hat noch keinen Link',
    lead: 'Ihr Videoanruf mit {guest} steht bevor, und noch kann niemand teilnehmen. Ergänzen Sie den Link bei der Buchung, dann bekommt ihn Ihr Gast per E-Mail.',
  },
  cancelUntil: 'Sie können bis {time} absagen.',
  money: {
    paid: '{price} bezahlt',
    reserved: '{price} reserviert, bis die Anfrage beantwortet ist',
    charged: '{price}, mit dieser Bestätigung abgebucht',
    refund: '{price} gehen zurück; das kann je nach Bank einige Tage dauern',
    kept: 'Es wird nichts erstattet',
    released: 'Die Karte wird nicht belastet',
  },
  button: {
    unsubscribe: 'Abbestellen',
    manage: 'Verschieben oder absagen',
    join: 'Teilnehmen',
    answer: 'Anfrage ansehen',
    open: 'Buchung öffnen',
    again: 'Anderen Termin wählen',
  },
  answer: {
    yes: 'Ja',
    no: 'Nein',
  },
  footer: {
    form: 'Sie erhalten diese E-Mail, weil Ihre Adresse in einem Formular von {scheduler} angegeben wurde.',
    guest: 'Sie erhalten diese E-Mail, weil mit Ihrer Adresse ein Termin mit {scheduler} gebucht wurde.',
    addedGuest:
      'Sie erhalten diese E-Mail, weil {guest} bei der Buchung eines Termins mit {scheduler} Ihre Adresse angegeben hat.',
    host: 'Sie erhalten diese E-Mail, weil dieser Termin bei Ihnen gebucht wurde.',
  },
  pushTest: {
    heading: 'Benachrichtigungen sind eingeschaltet',
    lead: 'So erscheinen neue Buchungen.',
  },
  connectionLost: {
    subject: 'Bitte verbinden Sie Ihr Konto {account} bei {provider} erneut',
    lead: '{provider} gewährt uns keinen Zugriff mehr auf {account}. Bis Sie das Konto erneut verbinden, sehen wir dort keine neuen Termine, tragen keine Buchungen ein und erstellen keine Meeting-Links. Die bereits bekannten belegten Zeiten bleiben gesperrt.',
    button: 'Erneut verbinden',
  },
} satisfies MailTexts
