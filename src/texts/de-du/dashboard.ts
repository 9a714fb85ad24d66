import type { Part, Words } from '../catalogue.ts'

/** German for hosts who are addressed as du: what differs from the German that says Sie. */
export default {
  you: 'Du',
  unsaved: 'Du hast ungespeicherte Änderungen',
  notSaved: 'Nicht gespeichert. Bitte prüfe das markierte Feld.',
  conflict:
    'Jemand anders hat dies geändert, während du daran gearbeitet hast. Deine Änderungen sind deshalb noch nicht gespeichert. Lade die neueste Version: Deine Eingaben bleiben, und du kannst sie speichern.',
  notReached: 'Der Server ist nicht erreichbar. Bitte prüfe deine Verbindung und versuche es erneut.',
  serverTrouble: 'Bei uns ist etwas schiefgegangen. Bitte versuche es gleich noch einmal.',
  missingHint: 'Es wurde vielleicht gelöscht, oder du hast keinen Zugriff.',
  reasonLabel: 'Nachricht an deinen Gast (optional)',
  leaveHint: 'Deine Änderungen auf dieser Seite gehen verloren.',
  shownOnce: 'Das wird nur einmal angezeigt. Bewahre es sicher auf.',
  nav: { yourPage: 'Deine Buchungsseite' },
  signIn: {
    lead: 'Wir schicken dir einen Link per E-Mail. Ein Passwort brauchst du nicht.',
    email: 'Deine E-Mail-Adresse',
    sentTitle: 'Sieh in deine E-Mails',
    linkLead: 'Ein Klick, und du bist angemeldet.',
    noEmail: 'Gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    orLead: 'Oder wir schicken dir einen Link per E-Mail.',
    outcome: {
      expired:
        'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Bitte versuche es erneut.',
      denied:
        'Du wurdest dort nicht angemeldet. Bitte versuche es erneut, oder bitte deine Administration um Zugang.',
      refused: 'Der Antwort war nicht zu trauen, deshalb wurde niemand angemeldet. Bitte versuche es erneut.',
      unavailable: 'Der Anmeldedienst antwortet nicht. Bitte versuche es gleich noch einmal.',
      misconfigured:
        'Single Sign-on ist nicht richtig eingerichtet. Bitte melde das denen, die diesen Dienst betreiben.',
      'no-email':
        'Der Anmeldedienst teilt uns deine E-Mail-Adresse nicht mit. Bitte melde das denen, die diesen Dienst betreiben.',
      unverified:
        'Der Anmeldedienst hat deine E-Mail-Adresse nicht geprüft. Wir wissen deshalb nicht, ob sie dir gehört.',
      disabled: 'Dieses Konto ist gesperrt. Bitte frage bei denen nach, die diesen Dienst betreiben.',
      closed: 'Du hast hier kein Konto, und die Registrierung ist nicht offen. Bitte um eine Einladung.',
    },
    noMail:
      'Nichts angekommen? Wenn dieser Dienst keinen Mailserver hat, bitte den Betreiber um einen Anmeldelink.',
  },
  welcome: {
    lead: 'In drei kurzen Schritten zum Link, den du teilen kannst.',
    you: 'Über dich',
    youHint: 'Das sehen Gäste auf deiner Seite.',
    name: 'Dein Name',
    hours: 'Deine Zeiten',
    hoursHint: 'Wann Gäste bei dir buchen können. Genaueres kannst du später festlegen.',
    zone: 'Deine Zeitzone',
    event: 'Deine erste Terminart',
    doneTitle: 'Dein Link ist fertig',
    doneLead: 'Verschicke ihn, setze ihn in deine E-Mail-Signatur, oder probiere ihn selbst aus.',
    calendar: 'Noch ein Schritt: dein Kalender',
    calendarHint: 'Verbinde ihn, dann kann niemand buchen, wenn du beschäftigt bist. Das geht auch später.',
  },
  bookings: {
    awaitsLink: 'Dieser Videoanruf hat noch keinen Link. Dein Gast wartet darauf.',
    linkAdded: 'Link gespeichert. Dein Gast bekommt ihn per E-Mail.',
    emptyHint: {
      upcoming: 'Teile einen Buchungslink, dann erscheinen neue Buchungen hier.',
      pending: 'Anfragen, die du annehmen musst, erscheinen hier.',
    },
    noneFilteredHint: 'Ändere die Filter, oder sieh in einer anderen Liste nach.',
    noMatchHint:
      'Suche nach einem Teil des Namens oder der E-Mail-Adresse, oder sieh in einer anderen Liste nach.',
    approved: 'Angenommen. Wir haben deinem Gast eine E-Mail geschickt.',
    declined: 'Abgelehnt. Wir haben deinem Gast eine E-Mail geschickt.',
    cancelled: 'Abgesagt. Wir haben deinem Gast eine E-Mail geschickt.',
    rescheduled: 'Verschoben. Wir haben deinem Gast eine E-Mail geschickt.',
    reassigned: 'Übergeben. Wir haben deinem Gast und beiden Gastgebern eine E-Mail geschickt.',
    followTitle: 'Deinen Termin mit {name} auf die Zeit im Kalender verschieben?',
    followed: 'Erledigt. Wir haben deinem Gast eine E-Mail geschickt.',
    cancelTitle: 'Deinen Termin mit {name} absagen?',
    customTimeHint: 'Mindestvorlauf und Buchungszeitraum gelten für dich nicht.',
    noSuccessor: 'Zu dieser Zeit ist sonst niemand frei. Du kannst den Termin stattdessen verschieben.',
    chooseTime: 'Wähle zuerst eine Zeit.',
    noShowHint:
      'Dein Gast wird nicht benachrichtigt, außer du hast eine Nachricht für diesen Fall geschrieben.',
  },
  eventTypes: {
    lead: 'Was Gäste bei dir buchen können. Jede Terminart hat ihren eigenen Link.',
    noneHint: 'Erstelle eine Terminart und teile ihren Link.',
    hide: 'Auf deiner Seite ausblenden',
    show: 'Auf deiner Seite zeigen',
    teamHint: 'Zuerst teilen sich alle Mitglieder die Buchungen. Die Gastgeber kannst du später auswählen.',
    deleteHint:
      'Der Link funktioniert dann nicht mehr. Eine Terminart mit Buchungen lässt sich nicht löschen: Blende sie stattdessen aus.',
    phoneHint: 'Leer: Du rufst deinen Gast an, und er muss seine Nummer angeben.',
    linkNoCalendar:
      'Lass unter Kalender Buchungen in einen Kalender dieses Kontos eintragen. Bis dahin bekommen Gäste keinen Link.',
    linkMissing: 'Verbinde dieses Konto unter Kalender. Bis dahin bekommen Gäste keinen Link.',
    hiddenHint: 'Steht nicht auf deiner Seite. Wer den Link hat, kann trotzdem buchen.',
    linkOnlyHint:
      'Gäste brauchen einen privaten Link von dir oder kommen über eines deiner Routing-Formulare. Der gewöhnliche Link funktioniert nicht mehr.',
    timesHint: 'Innerhalb deiner Zeiten und um die Einträge in deinen Kalendern herum.',
    approvalHint: 'Buchungen stehen aus, bis du sie annimmst. Die Zeit bleibt reserviert.',
    liveCheckHint:
      'Wir sehen noch einmal in deine Kalender, wenn ein Gast bucht. Antwortet einer nicht, muss der Gast es später versuchen.',
  },
  privateLinks: {
    hint: 'Für einen Gast oder wenige. Ein Link gilt, bis er verbraucht ist, abläuft oder du ihn beendest.',
    ready: 'Dein privater Link',
  },
  share: {
    embedTitle: 'Auf deiner Website',
    embedHint: 'Füge diesen Code dort in deine Seite ein, wo es erscheinen soll.',
    formHints: {
      inline: 'Gäste buchen direkt in deiner Seite.',
      popup: 'Ein Knopf, wo du ihn hinsetzt. Er öffnet ein Fenster.',
    },
  },
  questions: {
    hint: 'Name und E-Mail geben Gäste immer an. Frage, was du sonst noch brauchst.',
    hiddenHint:
      'Gäste sehen die Frage nicht. Ein Link oder deine Website füllt die Antwort aus, unter ihrem Schlüssel.',
  },
  hosts: { none: 'Ohne Gastgeber kann das niemand buchen. Wähle mindestens einen aus.' },
  availability: {
    lead: 'Wann Gäste bei dir buchen können.',
    noScheduleHint: 'Füge einen Zeitplan hinzu, damit Gäste bei dir buchen können.',
    unconfirmed: 'Gäste können noch nicht bei dir buchen',
    unconfirmedHint: 'Prüfe deine Zeiten und die Zeitzone, und bestätige sie dann.',
    weeklyHint:
      'Für Zeiten über Mitternacht legst du zwei Zeiträume an: bis 24:00 und ab 00:00 am nächsten Tag.',
    zoneHint: 'Deine Zeiten folgen dieser Zeitzone, auch bei der Sommerzeit.',
    overridesHint: 'Wähle einen Tag, um ihn zu sperren oder andere Zeiten festzulegen.',
    pickDate: 'Wähle einen Tag im Kalender.',
    isDefaultHint:
      'Gilt für alle Terminarten ohne eigenen Zeitplan. Um das zu ändern, mach einen anderen Zeitplan zum Standard.',
  },
  timeOff: {
    hint: 'Während einer Abwesenheit können Gäste nichts bei dir buchen. Bisherige Buchungen bleiben.',
    noneHint: 'Trage hier Urlaub, Reisen oder Elternzeit ein.',
    noteHint: 'Nur für dich sichtbar.',
    standInHint: 'Deine Buchungsseiten führen Gäste zu dieser Person.',
  },
  forms: {
    lead: 'Stelle ein paar Fragen, und führe alle zum richtigen Termin.',
    funnel: {
      noneHint: 'Teile den Link zum Formular. Besuche werden ohne personenbezogene Daten gezählt.',
    },
    rulesHint:
      'Von oben nach unten geprüft; die erste passende gilt. Wähle eine Regel aus, um sie zu bearbeiten.',
    blocklistHint:
      'Eine E-Mail-Adresse oder Domain pro Zeile, zum Beispiel spam.example. Deine Sperrliste gilt zusätzlich.',
    lookupHint:
      'Optional. Eine https-Adresse deines eigenen Systems, die antwortet, wer für diesen Besucher zuständig ist.',
    lookupSecretHint:
      'Wir signieren jede Anfrage an deine Adresse. Dein System prüft die Signatur mit diesem Geheimnis.',
    lookupSecretWarning:
      'Das alte Geheimnis gilt sofort nicht mehr. Bis dein System das neue kennt, kommen Besucher zu einem beliebigen Gastgeber.',
    noResponsesHint: 'Teile den Link zum Formular. Die Antworten erscheinen hier mit ihrem Ergebnis.',
  },
  profile: {
    download: 'Deine Daten herunterladen',
    downloadHint: 'Alles, was dir gehört, in einer Datei, ohne Passwörter.',
    deleteAccountHint: 'Endgültig. Vielleicht möchtest du vorher deine Daten herunterladen.',
    deleteAccountTitle: 'Dein Konto löschen?',
    deleteAccountWhat:
      'Deine Seite, Terminarten, Buchungen, Formulare und Antworten, Zeitpläne, Abwesenheiten, Kalender, verbundenen Konten, Webhooks und API-Tokens werden gelöscht. Das lässt sich nicht rückgängig machen.',
    deleteAccountTeams:
      'Du verlässt deine Teams. Diese behalten ihre vergangenen Termine, ohne deinen Namen.',
    typeEmail: 'Zur Bestätigung deine E-Mail-Adresse eingeben',
    see: 'Deine Seite ansehen',
    page: 'Deine Seite',
    brandingHint: 'Auf deinen Seiten und in E-Mails an deine Gäste.',
    colourHint: 'Text darauf bleibt lesbar, welche Farbe du auch wählst.',
    uploaded: 'Hochgeladen. Speichere, um es zu verwenden.',
    unreadableImage:
      'Dein Browser kann diese Datei nicht lesen. Bitte wähle ein Bild im Format PNG, JPEG oder WebP.',
    languageHint: 'Für dieses Dashboard, E-Mails an dich und Gäste, deren Sprache wir nicht unterstützen.',
    germanAddressHint: 'Wie deutsche Seiten und E-Mails deine Gäste und dich ansprechen.',
    displayHint: 'Wie du sie im Dashboard siehst. Gäste sehen, was in ihrer Sprache üblich ist.',
    newEmailHint: 'Wir schicken einen Link dorthin. Sobald du ihm folgst, ändert sich deine Adresse.',
    linkSent: 'Sieh bei der neuen Adresse nach: Der Link gilt eine Stunde.',
    confirmEmailHint: 'Du meldest dich damit an und bekommst dort deine E-Mails. Du bleibst angemeldet.',
    everywhereHint: 'Du wirst auch hier abgemeldet. API-Tokens gelten weiter.',
  },
  blocklist: {
    lead: 'Wer nicht bei dir buchen kann. Den Grund erfahren die Gesperrten nicht.',
    unblocked: '{entry} kann wieder bei dir buchen',
    noneHint: 'Gesperrte Adressen und Domains können keine deiner Terminarten buchen.',
  },
  tokens: {
    lead: 'Damit nutzen Programme die API in deinem Namen.',
    noneHint: 'Mit einem Token handelt ein Programm für dich. Erstelle für jedes Programm ein eigenes.',
    expiresHint: 'Leer: gilt, bis du es widerrufst.',
    ready: 'Dein neues Token',
    feed: 'Link zu deinem Kalender',
  },
  audit: { noneHint: 'Änderungen an deinen Einstellungen erscheinen hier.' },
  push: {
    denied:
      'Dieser Browser blockiert Benachrichtigungen dieser Website. Bitte erlaube sie in seinen Einstellungen für diese Website, und versuche es erneut.',
    failed:
      'Die Benachrichtigungen sind noch nicht eingeschaltet. Bitte versuche es erneut, und erlaube sie, wenn der Browser fragt.',
  },
  passkeys: {
    lead: 'Ein zweiter Faktor: Nach dem Link aus der E-Mail bestätigst du mit Fingerabdruck, PIN oder Sicherheitsschlüssel.',
    firstHint: 'Auf deinen anderen Geräten wirst du abgemeldet.',
    removeHint: 'Du kannst dich damit nicht mehr anmelden.',
    removeLastHint:
      'Es ist dein einziger. Danach genügt der Link aus der E-Mail, um dich anzumelden, und deine Wiederherstellungscodes gelten nicht mehr.',
    codesReady: 'Deine Wiederherstellungscodes',
    codesHint: 'Wenn du deinen Passkey verlierst, meldest du dich mit jedem dieser Codes einmal an.',
    replaceHint: 'Du bekommst zehn neue Codes. Deine bisherigen gelten dann nicht mehr.',
    again: 'Deine Anmeldung liegt eine Weile zurück. Melde dich neu an, um deine Passkeys zu ändern.',
    requiredLead: 'Dieser Dienst verlangt einen Passkey. Füge einen hinzu, um fortzufahren.',
    stepTitle: 'Mit deinem Passkey bestätigen',
    stepLead: 'Noch ein Schritt: dein Fingerabdruck, deine PIN oder dein Sicherheitsschlüssel.',
    cancelled:
      'Das hat nicht geklappt. Es wurde abgebrochen, hat zu lange gedauert, oder dieses Gerät hat deinen Passkey nicht.',
    known: 'Dieses Gerät hat schon einen deiner Passkeys.',
    unsupported: 'Dieser Browser kann keine Passkeys verwenden. Versuche es mit einem anderen.',
    resetHint:
      'Alle Passkeys und Wiederherstellungscodes der Person werden entfernt, und sie wird abgemeldet. Danach genügt ihr der Link aus der E-Mail, bis sie einen Passkey hinzufügt. Vergewissere dich, dass wirklich sie darum gebeten hat.',
  },
  people: {
    inviteHint:
      'Alle bekommen einen Link, der ihr Konto erstellt. Er gilt einmal und 14 Tage lang. Trenne mehrere Adressen durch Kommas.',
  },
  teams: {
    lead: 'Nehmt Termine gemeinsam wahr, oder teilt sie auf.',
    none: 'Du bist noch in keinem Team',
    invited: 'Du bist eingeladen',
    leaveHint: 'Du bist kein Gastgeber seiner Terminarten mehr. Bisherige Buchungen bleiben bei dir.',
    declineHint: 'Um später beizutreten, bitte um eine neue Einladung.',
  },
  attributes: {
    hint: 'Was du über deine Mitglieder weißt, zum Beispiel Region oder Sprache. Routing-Formulare können Gastgeber danach auswählen.',
    importHint:
      'Die erste Zeile nennt die Spalten: {columns}. Eine leere Zelle löscht das Merkmal. Mehrere Möglichkeiten trennst du durch Semikolons. Gespeichert wird erst, wenn du bestätigst.',
    problems: {
      one: 'Eine Zeile ist falsch. Korrigiere die Datei und wähle sie erneut aus.',
      other: '{count} Zeilen sind falsch. Korrigiere die Datei und wähle sie erneut aus.',
    },
  },
  handOver: {
    ownTitle: 'Deine Termine übergeben',
    more: 'Es gibt noch mehr. Schließe dies, und übergib den Rest.',
  },
  webhooks: {
    lead: 'Benachrichtige deine eigenen Systeme über Buchungen und Formulare.',
    noneHint: 'Ein Webhook schickt eine signierte Nachricht an deinen Server, wenn etwas geschieht.',
    disabledHint:
      'Wir haben diesen Webhook abgeschaltet: {reason} Behebe den Fehler, und schalte ihn wieder ein.',
    formatHint: 'Wähle Cal.com oder Calendly, wenn dein Server für deren Webhooks gebaut ist.',
    secretReady: 'Dein Signaturgeheimnis',
    ownSecretHint: 'Das Geheimnis, das dein Server schon kennt. Bleibt es leer, erstellen wir eines.',
    noDeliveriesHint: 'Sende einen Test, um zu prüfen, ob dein Server ihn empfängt.',
  },
  calendars: {
    lead: 'Einträge hier belegen deine Zeit. Neue Buchungen können in einen der Kalender eingetragen werden.',
    noneHint: 'Verbinde deinen Kalender, damit niemand bucht, wenn du beschäftigt bist.',
    disconnectHint: 'Einträge dort belegen deine Zeit nicht mehr. Eingetragene Buchungen bleiben.',
    accountsHint: 'Verbinde das Konto, in dem dein Kalender oder deine Videotermine sind.',
    chooseHint:
      'Kalender, die du hinzufügst, belegen deine Zeit. Das kannst du in der Liste der Kalender ändern.',
    outcomes: {
      connected: 'Dein Konto bei {provider} ist verbunden.',
      denied: 'Du hast keinen Zugriff erlaubt. {provider} ist deshalb nicht verbunden.',
      'missing-scope':
        '{provider} ist nicht verbunden, weil eine Berechtigung fehlt. Versuche es erneut, und lass alle Häkchen gesetzt.',
      'app-lacks-scope':
        '{provider} ist nicht verbunden, weil der {provider}-App dieses Dienstes eine Berechtigung fehlt. Bitte melde das denen, die ihn betreiben.',
      expired:
        '{provider} ist nicht verbunden. Das Verbinden muss innerhalb von 10 Minuten in dem Browser abgeschlossen werden, in dem du begonnen hast. Bitte versuche es erneut.',
      refused: '{provider} hat die Verbindung abgelehnt. Bitte versuche es erneut.',
      unavailable: '{provider} hat nicht geantwortet. Bitte versuche es gleich noch einmal.',
      'too-many': 'Du kannst höchstens 20 Konten verbinden. Trenne zuerst eines.',
    },
    feed: 'Deine Buchungen als Kalender',
    feedHint: 'Ein geheimer Link, den deine Kalender-App abonnieren kann. Ein neuer Link ersetzt den alten.',
    feedRevokeHint: 'Kalender-Apps, die ihn verwenden, sehen deine Buchungen nicht mehr.',
    feedReady: 'Dein Kalenderlink',
  },
  insights: {
    lead: 'Termine, die in diesem Zeitraum beginnen, in deiner Zeitzone.',
    everyone: 'Du und deine Teams',
    noneHint:
      'Wähle einen anderen Zeitraum, vergangen oder künftig. Buchungen zählen an dem Tag, an dem sie beginnen.',
  },
} satisfies Part<Words>
