import type { MoveInWords, Part } from '../catalogue.ts'

/** German for hosts who are addressed as du: what differs from the German that says Sie. */
export default {
  lead: 'Hol Personen, Terminarten und Buchungen von Cal.com oder Calendly herüber. Dort ändert sich nichts.',
  leadOwn: 'Hol deine Terminarten und Buchungen aus deinem Calendly-Konto herüber. Dort ändert sich nichts.',
  promises: [
    'Zuerst siehst du einen Plan. Hier wird nichts geschrieben, bevor du ihn anwendest.',
    'Niemand bekommt eine E-Mail: keine Einladungen, keine Erinnerungen, keine Änderungen.',
    'Token und Adressen von Datenbanken werden vergessen, sobald alles gelesen ist.',
  ],
  noFile: 'Wähle zuerst eine Datei.',
  tooLarge: 'Diese Datei ist größer als 1 GB. Pack sie mit gzip, oder lass uns die Datenbank lesen.',
  apiKeyHint:
    'In Cal.com erstellst du ihn in den Einstellungen unter „API keys“. Er muss das ganze Team sehen können.',
  tokenHint: 'In Calendly erstellst du es unter „Integrations“, „API and webhooks“.',
  tokenHintAdmin:
    'In Calendly erstellst du es unter „Integrations“, „API and webhooks“. Mit dem Token eines Admins kommt die ganze Organisation mit.',
  keepOpen: 'Lass diese Seite offen, bis alles hochgeladen ist.',
  reading: { hint: 'Du kannst die Seite verlassen und wiederkommen. Es geht inzwischen weiter.' },
  failed: {
    hint: 'Es wurde nichts geschrieben. Die Zugangsdaten haben wir vergessen, bitte gib sie erneut ein.',
  },
  choices: {
    hint: 'Jede hat schon eine Antwort. Ändere, was du möchtest.',
    leaveOut: 'Um jemanden wegzulassen, wähle in der Liste unten „Weglassen“ neben dem Namen.',
  },
  apply: { undoable: 'Bis zur ersten neuen Buchung kannst du alles rückgängig machen.' },
  applying: { hint: 'Du kannst die Seite verlassen und wiederkommen. Es geht inzwischen weiter.' },
  applied: {
    steps: [
      'Sag deinen Leuten, dass sie sich mit ihrer E-Mail-Adresse anmelden können. Ihre Terminarten und Buchungen sind hier.',
      'Alle verbinden einmal ihren Kalender, damit niemand bucht, was darin schon belegt ist.',
      'Lass den alten Dienst noch eine Weile laufen. Alte Links führen hierher, sobald seine Adresse es tut.',
    ],
    againHint:
      'Wenn du dieselbe Quelle noch einmal liest, kommt nur herüber, was sich dort geändert hat. Was hier bearbeitet wurde, bleibt, und der Plan nennt es.',
  },
  undone: { hint: 'Alles ist wie vorher. Du kannst jederzeit wieder lesen und planen.' },
} satisfies Part<MoveInWords>
