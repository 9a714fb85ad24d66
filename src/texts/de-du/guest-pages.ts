import type { GuestPages, Part } from '../catalogue.ts'

/** German for guests of hosts who say du: what differs from the German that says Sie. */
export default {
  youCall: 'Telefonat: Du rufst an',
  theyCall: 'Telefonat: Du wirst angerufen',
  nothingToBookHint: 'Bitte schau später wieder vorbei oder bitte um einen direkten Link.',
  noneAhead: 'In den nächsten 12 Monaten ist nichts frei. Bitte wende dich an {name}.',
  partFailed: 'Dieser Teil der Seite konnte nicht geladen werden. Bitte prüfe deine Verbindung.',
  pageFailedHint: 'Diese Seite funktioniert gerade nicht. Bitte versuche es erneut.',

  yourDetails: 'Deine Angaben',
  held: 'Wir halten diese Zeit bis {time} für dich frei.',
  holdOver:
    'Wir halten diese Zeit nicht mehr für dich frei. Du kannst sie noch buchen, falls niemand schneller ist.',
  codeSent: 'Wir haben einen Code an {email} geschickt. Gib ihn hier ein, um deine Adresse zu bestätigen.',
  codeMissing: 'Gib die sechs Ziffern aus der E-Mail ein.',
  startFromForm: 'Bitte beginne noch einmal mit dem Formular.',
  codeNeeded: 'Bitte lade die Seite neu, um deine E-Mail-Adresse zu bestätigen.',
  captchaWorking: 'Wir prüfen, ob du ein Mensch bist …',
  captchaFailed: 'Die Prüfung, ob du ein Mensch bist, ist fehlgeschlagen.',
  captchaSolve: 'Bitte bestätige, dass du ein Mensch bist.',

  didYouMean: 'Meintest du {domain}?',
  isRequired: 'Bitte fülle dieses Feld aus.',
  isRequiredTick: 'Bitte setze hier ein Häkchen.',
  isNoEmail: 'Bitte gib eine gültige E-Mail-Adresse ein.',
  isNoPhone: 'Bitte gib eine gültige Telefonnummer ein.',
  isNoLink: 'Bitte gib eine Webadresse ein, die mit https:// oder http:// beginnt.',
  isNoNumber: 'Bitte gib eine Zahl ein.',
  tooManyGuests: {
    one: 'Bitte gib höchstens {count} Gast an.',
    other: 'Bitte gib höchstens {count} Gäste an.',
  },
  slotGone:
    '{time} wurde gerade von jemand anderem gebucht. Bitte wähle eine andere Zeit. Deine Angaben bleiben erhalten.',
  slotMissing: '{time} ist nicht mehr verfügbar. Bitte wähle eine andere Zeit.',
  tooOften: 'Zu viele Versuche. Bitte versuche es um {time} erneut.',
  notReached: 'Der Server ist nicht erreichbar. Nichts ist verloren gegangen. Bitte versuche es erneut.',

  booked: 'Dein Termin ist gebucht',
  requestedHint: '{name} muss die Anfrage noch bestätigen. Wir schreiben dir an {email}.',

  yourBooking: 'Dein Termin',
  rescheduleUntil: 'Du kannst den Termin bis {time} verschieben.',
  cancelUntil: 'Du kannst bis {time} absagen.',
  tooLateToChange: 'Dieser Termin lässt sich online nicht mehr ändern. Bitte wende dich an {name}.',
  eraseTitle: 'Alles über dich löschen?',
  eraseHint:
    'Name, Adresse, Angaben und Notizen werden entfernt, aus dieser und allen anderen Buchungen hier. Bevorstehende Termine werden abgesagt. Das lässt sich nicht rückgängig machen. Damit sicher ist, dass du es bist, schicken wir dir einen Code.',
  eraseCodeSent: 'Wir haben einen Code an {email} geschickt. Damit werden deine Daten gelöscht.',
  erased: 'Deine Daten wurden gelöscht',
  erasedHint:
    'Hier verweist nichts mehr auf dich. E-Mails und Kalendereinträge, die du schon hast, bleiben bei dir.',
  cancelled: 'Dein Termin wurde abgesagt.',
  rescheduled: 'Dein Termin wurde verschoben.',
  linkDeadHint: 'Vielleicht ist er unvollständig. Bitte öffne ihn noch einmal aus deiner E-Mail.',

  seriesTaken: 'An diesen Tagen nicht verfügbar: {dates}. Bitte wähle eine andere Zeit oder weniger Termine.',

  payHint: 'Du zahlst auf der Seite von Stripe. Solange halten wir diese Zeit für dich frei.',
  reservedOnly: 'Deine Karte wird erst belastet, wenn {name} bestätigt.',
  refundAll: 'Bei einer Absage erhältst du alles zurück.',
  refundUntil: 'Bei einer Absage bis {time} erhältst du alles zurück.',
  refundLater: 'Danach erhältst du {percent} zurück.',
  refundShare: 'Bei einer Absage erhältst du {percent} zurück.',
  payBy: 'Wir halten diese Zeit bis {time} für dich frei. Bitte zahle bis dahin.',
  endingFailed: 'Deine erste Zeit konnte nicht freigegeben werden. Bitte versuche es erneut.',
  paymentAwaited: 'Wir warten auf deine Zahlung',
  paymentSlow:
    'Deine Zahlung ist noch nicht eingegangen. Manche Banken brauchen länger. Wir schreiben dir, sobald sie da ist.',
  reservedHint: 'Deine Karte ist nur reserviert: {price} werden erst abgebucht, wenn {name} bestätigt.',
  releasedHint: 'Deine Karte wurde nicht belastet.',
  cancelRefund: 'Du erhältst {price} zurück.',
  cancelRelease: 'Deine Karte wird nicht belastet.',

  leading: 'Du wirst weitergeleitet …',
} satisfies Part<GuestPages>
