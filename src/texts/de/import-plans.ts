import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.':
    'Die Person oder das Team, zu dem es gehört, kommt nicht mit.',
  'The event type that it belongs to does not come along.':
    'Die Terminart, zu der es gehört, kommt nicht mit.',
  'It is switched off there.': 'Es ist dort ausgeschaltet.',
  'You chose to leave it out.': 'Auf Wunsch weggelassen.',
  'This row has no id, so nothing can refer to it.':
    'Diese Zeile hat keine ID, deshalb kann sich nichts auf sie beziehen.',
  'Another row has the same id.': 'Eine andere Zeile hat dieselbe ID.',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'Die Zeitzone „{0}“ ist hier nicht bekannt, deshalb gilt die von {1}.',
  'Hours that end before they begin were left out.':
    'Zeiten, die vor ihrem Beginn enden, wurden weggelassen.',
  'The hours of one event type, which uses them as a schedule here.':
    'Die Zeiten einer Terminart, die sie hier als Zeitplan verwendet.',
  'The hours had no schedule there, so they became one.':
    'Die Zeiten hatten dort keinen Zeitplan und sind deshalb einer geworden.',
  'The schedule of these hours is missing.': 'Der Zeitplan dieser Zeiten fehlt.',
  'It is over.': 'Es ist vorbei.',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    'Reisepläne sind hier nicht bekannt. Bitte für diese Zeit die Zeitzone des Zeitplans ändern.',
  'Its dates can’t be read.': 'Die Daten sind nicht lesbar.',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    'Freie Tage waren dort Tage in UTC. Hier sind es ganze Tage in {0}.',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'Eine Abwesenheit dauert hier höchstens {0} Tage und endet deshalb am {1}.',
  'The person who takes over does not come along.': 'Die Vertretung kommt nicht mit.',
  'Guests don’t see the note here.': 'Gäste sehen die Notiz hier nicht.',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    'Die Organisation ist hier dieser ganze Dienst. Ihre Besitzer und Admins werden Admins des Dienstes.',
  'This person has no email address that we can read, so they couldn’t sign in.':
    'Diese Person hat keine lesbare E-Mail-Adresse und könnte sich deshalb nicht anmelden.',
  'Another person has the same email address.': 'Eine andere Person hat dieselbe E-Mail-Adresse.',
  'Has an account here already: its name, link and page stay.':
    'Hat hier schon ein Konto: Name, Link und Seite bleiben.',
  'Becomes an admin of this service, as they are one there.': 'Wird Admin dieses Dienstes, wie schon dort.',
  'Is locked there, so the account is disabled here.':
    'Ist dort gesperrt, deshalb ist das Konto hier deaktiviert.',
  'Has to set up two-factor sign-in again.': 'Muss die Anmeldung in zwei Schritten neu einrichten.',
  'Had no name in links there: theirs is “{0}” here.': 'Hatte dort keinen Namen in Links: Hier ist es „{0}“.',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'Der Name in Links wird hier „{0}“ geschrieben. Links mit „{1}“ funktionieren weiter.',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '„{0}“ ist hier reserviert oder vergeben, deshalb ist der Name in Links „{1}“.',
  'The picture is stored over there: please upload it here.':
    'Das Bild liegt dort: Bitte hier neu hochladen.',
  'The time zone “{0}” is not known here, so it is UTC.':
    'Die Zeitzone „{0}“ ist hier nicht bekannt, deshalb gilt UTC.',
  'There are no texts in “{0}” here, so pages are in English.':
    'Hier gibt es keine Texte auf „{0}“, deshalb sind die Seiten auf Englisch.',
  'None of its members come along.': 'Keines seiner Mitglieder kommt mit.',
  'Was not published there, so its event types are open to private links only.':
    'War dort nicht veröffentlicht, deshalb öffnen nur private Links seine Terminarten.',
  'Has no owner who comes along, so {0} becomes the owner.':
    'Kein Besitzer kommt mit, deshalb wird {0} Besitzer.',
  'Custom roles become owner, admin or member.': 'Eigene Rollen werden Besitzer, Admin oder Mitglied.',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'Eine Grenze für alle Termine des Teams gibt es hier nicht: Jede Terminart hat ihre eigene.',
  'The invitation to a team was not accepted there.':
    'Die Einladung in ein Team wurde dort nicht angenommen.',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    'Gewichte nach Attributen gibt es hier nicht: Die Gewichte der Gastgeber entscheiden.',
  'The attribute is switched off there.': 'Das Attribut ist dort ausgeschaltet.',
} satisfies Partial<Refusals>
