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
  'These hours of one event type were not used there: its schedule comes first.':
    'Diese Zeiten einer Terminart wurden dort nicht verwendet: Der Zeitplan geht vor.',
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
    'Die Organisation ist hier dieser ganze Dienst. Wer sie besitzt oder verwaltet, wird Admin des Dienstes.',
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
  'How its hosts are assigned is not known here, so all of them attend.':
    'Wie die Gastgeber zugeteilt werden, ist hier nicht bekannt, deshalb nehmen alle teil.',
  'Some hosts are not members of the team here, so they don’t host it.':
    'Einige Gastgeber sind hier keine Mitglieder des Teams und deshalb keine Gastgeber.',
  'It has no hosts, so nobody can book it until you add one.':
    'Es gibt keine Gastgeber, deshalb ist nichts buchbar, bis einer dazukommt.',
  'Hosts have no priorities here: they take turns, by their weights.':
    'Gastgeber haben hier keine Rangfolge: Das Reihum geht nach ihren Gewichten.',
  'Hosts are one group here: one of them takes the meeting, and not one of each group.':
    'Gastgeber sind hier eine Gruppe: Einer von allen übernimmt den Termin, nicht einer je Gruppe.',
  'Its hosts were chosen by their attributes. Here all of its hosts take turns.':
    'Die Gastgeber wurden nach Attributen ausgewählt. Hier wechseln sich alle ab.',
  'A host whose weight is 0 gets the smallest share here.':
    'Ein Gastgeber mit dem Gewicht 0 bekommt hier den kleinsten Anteil.',
  'The weights of hosts are rounded: the largest is {0} here.':
    'Die Gewichte der Gastgeber sind gerundet: Das größte ist hier {0}.',
  'One host can have their own schedule for an event type here. These use their default: {0}.':
    'Hier kann ein Gastgeber einen eigenen Zeitplan für eine Terminart haben. Diese nutzen ihren Standard: {0}.',
  'All hosts had the hours of “{0}” there. Here each host has their own.':
    'Alle Gastgeber hatten dort die Zeiten von „{0}“. Hier hat jeder seine eigenen.',
  'Hours that restrict all hosts are not known here.':
    'Zeiten, die alle Gastgeber einschränken, gibt es hier nicht.',
  'Its length can’t be read.': 'Die Dauer ist nicht lesbar.',
  'Meetings last at most 24 hours here.': 'Termine dauern hier höchstens 24 Stunden.',
  'Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.':
    'Puffer zweier Termine wurden dort addiert. Hier zählt der längere, deshalb sehen Gäste mehr Zeiten.',
  'Its rules left no time to book there. Here only private links open it: please check its notice and limits.':
    'Die Regeln ließen dort keine buchbare Zeit. Hier öffnen es nur private Links: Bitte Vorlauf und Grenzen prüfen.',
  'Guests choose from at most {0} durations here: some were left out.':
    'Gäste wählen hier aus höchstens {0} Dauern: Einige wurden weggelassen.',
  'Starts were shifted by {0} minutes there. Here they begin when your hours open.':
    'Startzeiten waren dort um {0} Minuten verschoben. Hier beginnen sie mit den eigenen Zeiten.',
  'Starts are {0} minutes apart here.': 'Startzeiten liegen hier {0} Minuten auseinander.',
  'Times that guests see in the next {0} days: {1} more and {2} fewer than there.':
    'Zeiten, die Gäste in den nächsten {0} Tagen sehen: {1} mehr und {2} weniger als dort.',
  'Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.':
    'Startzeiten wurden dort in der Zeitzone des Gastes gerundet. Hier zählen sie ab Beginn der eigenen Zeiten und weichen deshalb ab.',
  'The window reached over {0} days with free times there. Here it counts days without free times, too.':
    'Der Zeitraum umfasste dort {0} Tage mit freien Zeiten. Hier zählen auch Tage ohne freie Zeiten.',
  'The dates of its booking window can’t be read, so it has none.':
    'Die Daten des Buchungszeitraums sind nicht lesbar, deshalb gibt es keinen.',
  'Its kind of booking window is not known here, so it has none.':
    'Diese Art von Buchungszeitraum ist hier nicht bekannt, deshalb gibt es keinen.',
  'Weeks begin on Sunday there and on Monday here, which matters for its limits.':
    'Wochen beginnen dort am Sonntag und hier am Montag, was für die Grenzen zählt.',
  'Guests can’t cancel there. Here they can until a year before the start.':
    'Gäste können dort nicht absagen. Hier können sie es bis ein Jahr vor Beginn.',
  'Guests can’t reschedule there. Here they can until a year before the start.':
    'Gäste können dort nicht umbuchen. Hier können sie es bis ein Jahr vor Beginn.',
  'Series repeat every week, every two weeks or every month here, so this one is for single meetings.':
    'Serien wiederholen sich hier wöchentlich, alle zwei Wochen oder monatlich, deshalb ist dies für einzelne Termine.',
  'Monthly meetings keep their weekday here, and not their date.':
    'Monatliche Termine behalten hier ihren Wochentag, nicht ihr Datum.',
  'A series has at most {0} meetings here.': 'Eine Serie hat hier höchstens {0} Termine.',
  'A managed event type is a template. Its copies come along as event types of their own.':
    'Eine verwaltete Terminart ist eine Vorlage. Deren Kopien kommen als eigene Terminarten mit.',
  'It belongs to nobody.': 'Es gehört niemandem.',
  'It belongs to the organization, which has no event types here. Please make it in a team.':
    'Es gehört der Organisation, die hier keine Terminarten hat. Bitte in einem Team anlegen.',
  'Was a copy of a managed event type. It is edited on its own here.':
    'War eine Kopie einer verwalteten Terminart. Hier wird sie für sich bearbeitet.',
  'Its link ends in “{0}” here. The old link still works.':
    'Der Link endet hier auf „{0}“. Der alte Link funktioniert weiter.',
  'Its schedule does not come along, so the default one applies.':
    'Der Zeitplan kommt nicht mit, deshalb gilt der Standard.',
  'Round robin and seats don’t go together here, so every guest has a meeting of their own.':
    '„Reihum“ und Plätze gehen hier nicht zusammen, deshalb hat jeder Gast einen eigenen Termin.',
  'Guests who share a meeting don’t see each other’s names here.':
    'Gäste eines gemeinsamen Termins sehen hier die Namen der anderen nicht.',
  'Only guests with a free mailbox needed approval there. Here everyone does.':
    'Dort brauchten nur Gäste mit kostenlosem Postfach eine Zusage. Hier brauchen sie alle.',
  'Only bookings on short notice needed approval there. Here all of them do.':
    'Dort brauchten nur kurzfristige Buchungen eine Zusage. Hier brauchen sie alle.',
  'A request blocks its time here until it is answered.':
    'Eine Anfrage belegt hier ihre Zeit, bis sie beantwortet ist.',
  'It costs {0} there. Connect Stripe and set its price here; until then only private links open it.':
    'Es kostet dort {0}. Bis Stripe verbunden und hier der Preis gesetzt ist, öffnen es nur private Links.',
  'Only people with an account could book it there. Here only private links open it.':
    'Dort konnten es nur Personen mit Konto buchen. Hier öffnen es nur private Links.',
  'Forms don’t lead to hidden event types here. Only forms and private links open this one.':
    'Formulare führen hier nicht zu verborgenen Terminarten. Diese öffnen nur Formulare und private Links.',
  'The page after booking is not an address with https, so guests stay on ours.':
    'Die Seite nach der Buchung ist keine Adresse mit https, deshalb bleiben Gäste auf unserer.',
  'instant meetings': 'Sofort-Termine',
  'a fixed time zone for guests': 'eine feste Zeitzone für Gäste',
  'a title of its own in calendars': 'ein eigener Titel in Kalendern',
  'hiding the host’s email address': 'das Verbergen der E-Mail-Adresse des Gastgebers',
  'hiding details in calendars': 'das Verbergen von Einzelheiten in Kalendern',
  'an address for replies': 'eine Adresse für Antworten',
  'a limit for each guest': 'eine Grenze für jeden Gast',
  'showing only the first time of a day': 'nur die erste Zeit eines Tages zeigen',
  'a location for each host': 'ein Ort für jeden Gastgeber',
  'a language of its own': 'eine eigene Sprache',
  'emails that are turned off': 'ausgeschaltete E-Mails',
  'calendars of its own': 'eigene Kalender',
  'a limit on how uneven the round robin gets': 'eine Grenze für ungleiche Verteilung reihum',
  'Not known here: {0}.': 'Hier nicht bekannt: {0}.',
  'Guests who share a meeting meet in one place here: the first location stays.':
    'Gäste eines gemeinsamen Termins treffen sich hier an einem Ort: Der erste bleibt.',
  'Guests choose from at most {0} locations here: the last ones were left out.':
    'Gäste wählen hier aus höchstens {0} Orten: Die letzten wurden weggelassen.',
  'Guests see the address before they book.': 'Gäste sehen die Adresse vor der Buchung.',
  'Guests aren’t asked where to meet them: please add a question for their address.':
    'Gäste werden nicht nach ihrem Ort gefragt: Bitte eine Frage nach der Adresse hinzufügen.',
  'The link of the meeting can’t be read, so it is a video call without a link.':
    'Der Link des Termins ist nicht lesbar, deshalb ist es ein Videogespräch ohne Link.',
  'The place is open there: please write it into the location.':
    'Der Ort ist dort offen: Bitte im Ort eintragen.',
  '{0} is not offered here, so video calls have no link until you add one.':
    '{0} gibt es hier nicht, deshalb haben Videogespräche keinen Link, bis einer eingetragen ist.',
  '{0} becomes {1}.': '{0} wird zu {1}.',
  'An event type asks at most {0} questions here: the last ones were left out.':
    'Eine Terminart stellt hier höchstens {0} Fragen: Die letzten wurden weggelassen.',
  '“{0}” is a text field here.': '„{0}“ ist hier ein Textfeld.',
  '“{0}” is hidden, so it is optional here.': '„{0}“ ist verborgen und deshalb hier freiwillig.',
  'An instant meeting that nobody has taken.': 'Ein Sofort-Termin, den niemand angenommen hat.',
  'Its time can’t be read.': 'Die Zeit ist nicht lesbar.',
  'It ends before it begins.': 'Es endet, bevor es beginnt.',
  'Its time is rounded to whole minutes.': 'Die Zeit ist auf ganze Minuten gerundet.',
  'Its host does not come along.': 'Der Gastgeber kommt nicht mit.',
  'Its state is not known here.': 'Der Zustand ist hier nicht bekannt.',
  'Nobody answered the request in time, so it is declined.':
    'Niemand hat die Anfrage rechtzeitig beantwortet, deshalb ist sie abgelehnt.',
  'Its event type does not come along, so it is among the earlier meetings of {0}.':
    'Die Terminart kommt nicht mit, deshalb steht es unter den früheren Terminen von {0}.',
  'For meetings of {0} whose event type does not come along. Guests can’t see or book it.':
    'Für Termine von {0}, deren Terminart nicht mitkommt. Gäste können es weder sehen noch buchen.',
  'It has no guest whose address we can read.': 'Es gibt keinen Gast mit lesbarer Adresse.',
  'Its video call is on the old system, and works as long as that runs.':
    'Das Videogespräch liegt im alten System und funktioniert, solange es läuft.',
  'A guest brings at most {0} others here: the last ones were left out.':
    'Ein Gast bringt hier höchstens {0} weitere mit: Die letzten wurden weggelassen.',
  'Guests whose address can’t be read were left out.': 'Gäste mit unlesbarer Adresse wurden weggelassen.',
  'Overlaps a meeting of {0} that was booked earlier. Both come along.':
    'Überschneidet sich mit einem früher gebuchten Termin von {0}. Beide kommen mit.',
  'Was one of a series that we can’t continue: it is a meeting of its own here.':
    'War Teil einer Serie, die hier nicht weitergeht: Hier ist es ein einzelner Termin.',
  'It was paid there: {0}. A refund has to be made there, too.':
    'Es wurde dort bezahlt: {0}. Auch eine Erstattung muss dort erfolgen.',
  'Leads to event types of {0}, so it belongs to that team here.':
    'Führt zu Terminarten von {0} und gehört deshalb hier diesem Team.',
  'Nobody gets an email for each answer here: answers are listed with the form.':
    'Hier bekommt niemand eine E-Mail für jede Antwort: Antworten stehen beim Formular.',
  'Rule {0} asks for something that rules can’t say here, so it was left out.':
    'Regel {0} fragt nach etwas, das Regeln hier nicht sagen können, und wurde weggelassen.',
  'Rule {0} leads to a place that forms can’t lead to here, so it was left out.':
    'Regel {0} führt an einen Ort, zu dem Formulare hier nicht führen, und wurde weggelassen.',
  'A form has at most {0} rules here: the last ones were left out.':
    'Ein Formular hat hier höchstens {0} Regeln: Die letzten wurden weggelassen.',
  'Visitors whom no rule leads anywhere see a message that thanks them.':
    'Besucher, für die keine Regel gilt, sehen eine Nachricht mit Dank.',
  'Answers are not filled into the address {0} here.':
    'Antworten werden hier nicht in die Adresse {0} eingesetzt.',
  'A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.':
    'Eine Regel wählt Gastgeber auf eine Weise, die es hier nicht gibt, und führt deshalb zu allen Gastgebern der Terminart.',
  'A second choice of hosts, for when the first fits nobody, is not known here.':
    'Eine zweite Auswahl von Gastgebern, falls die erste auf niemanden passt, gibt es hier nicht.',
  'Its link can’t be read.': 'Der Link ist nicht lesbar.',
  'Another private link has the same address.': 'Ein anderer privater Link hat dieselbe Adresse.',
  'The link has expired.': 'Der Link ist abgelaufen.',
  'The link has been used up.': 'Der Link ist aufgebraucht.',
  'Only email addresses and domains are blocked here.':
    'Hier werden nur E-Mail-Adressen und Domains gesperrt.',
  'It was watched there and not blocked.': 'Es wurde dort beobachtet und nicht gesperrt.',
  'It is listed twice.': 'Es ist doppelt aufgeführt.',
  'It is neither an email address nor a domain.': 'Es ist weder eine E-Mail-Adresse noch eine Domain.',
  'Apps don’t come along. Please connect what you need here.':
    'Apps kommen nicht mit. Bitte hier verbinden, was gebraucht wird.',
  'The connection no longer works there. Please connect the calendar here.':
    'Die Verbindung funktioniert dort nicht mehr. Bitte den Kalender hier verbinden.',
  'What the connection signs in with can’t be read. Please connect the calendar here.':
    'Womit sich die Verbindung anmeldet, ist nicht lesbar. Bitte den Kalender hier verbinden.',
  'The connection does not allow all that is needed here. Please connect the calendar here.':
    'Die Verbindung erlaubt nicht alles, was hier gebraucht wird. Bitte den Kalender hier verbinden.',
  'This account is connected here already, and stays as it is.':
    'Dieses Konto ist hier schon verbunden und bleibt, wie es ist.',
  'None of its calendars was found. Please connect the calendar here.':
    'Keiner der Kalender wurde gefunden. Bitte den Kalender hier verbinden.',
  'These of its calendars were not found: {0}.': 'Diese Kalender wurden nicht gefunden: {0}.',
  'This person has connected as many calendars as one may have.':
    'Diese Person hat so viele Kalender verbunden, wie man haben kann.',
  'This service can’t use the connection. {0} has to connect the calendar again.':
    'Dieser Dienst kann die Verbindung nicht nutzen. {0} muss den Kalender neu verbinden.',
  'Event types with a calendar of their own write to the one that their host has chosen.':
    'Terminarten mit eigenem Kalender schreiben in den, den ihr Gastgeber gewählt hat.',
  'Its address can’t be read.': 'Die Adresse ist nicht lesbar.',
  'It belongs to the organization, which has no webhooks here. Please add it to a team.':
    'Es gehört der Organisation, die hier keine Webhooks hat. Bitte in einem Team anlegen.',
  'None of the events that it is told of exist here.': 'Keines der Ereignisse, die es bekommt, gibt es hier.',
  'It is not told of these events here: {0}.': 'Diese Ereignisse bekommt es hier nicht: {0}.',
  'It had a payload of its own there. Here it gets the usual one.':
    'Es hatte dort einen eigenen Inhalt. Hier bekommt es den üblichen.',
  'It was made by {0}: please connect that to this service.':
    'Es stammt von {0}: Bitte mit diesem Dienst verbinden.',
  'Messages follow bookings here, and not answers to a form.':
    'Nachrichten folgen hier auf Buchungen, nicht auf Antworten in Formularen.',
  'Messages don’t tell of payments here: guests get Stripe’s receipts.':
    'Nachrichten über Zahlungen gibt es hier nicht: Gäste bekommen die Belege von Stripe.',
  'Nobody knows here who has joined a video call.':
    'Hier ist nicht bekannt, wer an einem Videogespräch teilgenommen hat.',
  'Messages go to guests and hosts here, and not to a fixed address.':
    'Nachrichten gehen hier an Gäste und Gastgeber, nicht an eine feste Adresse.',
  'Text messages go to guests here, and not to a fixed number.':
    'SMS gehen hier an Gäste, nicht an eine feste Nummer.',
  'There is no WhatsApp here.': 'WhatsApp gibt es hier nicht.',
  'Nobody is called by a machine here.': 'Hier ruft keine Maschine an.',
  'This workflow has no steps.': 'Dieser Ablauf hat keine Schritte.',
  'It belongs to the organization, which has no messages here. Please add it to a team.':
    'Es gehört der Organisation, die hier keine Nachrichten hat. Bitte in einem Team anlegen.',
  'The workflow that it belongs to does not come along.': 'Der Ablauf, zu dem es gehört, kommt nicht mit.',
  'There is no message for this moment here.': 'Für diesen Zeitpunkt gibt es hier keine Nachricht.',
  'Messages of this kind are not known here.': 'Nachrichten dieser Art gibt es hier nicht.',
  'Text messages are not offered here, or not at this moment.':
    'SMS werden hier nicht angeboten, oder nicht zu diesem Zeitpunkt.',
  'No calendar file is attached here: the service’s own emails have it.':
    'Hier hängt keine Kalenderdatei an: Die Mails des Dienstes haben sie.',
  'It is for none of the forms that come along, so it is switched off here.':
    'Es gilt für keines der Formulare, die mitkommen, und ist deshalb hier ausgeschaltet.',
  'It is only for those of its forms that belong to {0}.': 'Es gilt nur für die Formulare, die {0} gehören.',
  'Answers to routing forms stay there: {0}. Export them there if you still need them.':
    'Antworten auf Formulare bleiben dort: {0}. Bitte dort exportieren, falls sie noch gebraucht werden.',
  'It is for all forms of {0} here.': 'Es gilt hier für alle Formulare von {0}.',
  'It is for none of the event types that come along, so it is switched off here.':
    'Es gilt für keine der Terminarten, die mitkommen, und ist deshalb hier ausgeschaltet.',
  'It is only for those of its event types that belong to {0}.':
    'Es gilt nur für die Terminarten, die {0} gehören.',
  'Bookings that need approval don’t get it here: please add one for approved bookings.':
    'Buchungen, die eine Zusage brauchen, bekommen es hier nicht: Bitte eine Nachricht für zugesagte Buchungen anlegen.',
  'It is sent {0} minutes from the moment here, and not {1}.':
    'Es wird hier {0} Minuten vom Zeitpunkt entfernt gesendet, nicht {1}.',
  'Not filled in here: {0}.': 'Hier nicht eingesetzt: {0}.',
  'It had no words of its own there, so it has ours.':
    'Es hatte dort keinen eigenen Text und hat deshalb unseren.',
  'Its text is cut after {0} characters.': 'Der Text ist nach {0} Zeichen abgeschnitten.',
  '{0} as they are': '{0} unverändert',
  '{0} changed': '{0} geändert',
  '{0} already here': '{0} schon hier',
  '{0} left out': '{0} weggelassen',
  '{0}: {1}.': '{0}: {1}.',
  People: 'Personen',
  Teams: 'Teams',
  Invitations: 'Einladungen',
  Schedules: 'Zeitpläne',
  Hours: 'Zeiten',
  'Time off': 'Abwesenheiten',
  Travel: 'Reisen',
  'Event types': 'Terminarten',
  'Private links': 'Private Links',
  Forms: 'Formulare',
  Attributes: 'Attribute',
  Webhooks: 'Webhooks',
  Workflows: 'Abläufe',
  Messages: 'Nachrichten',
  'Blocked addresses': 'Gesperrte Adressen',
  Bookings: 'Buchungen',
  'Connected accounts': 'Verbundene Konten',
  'Parts of it can’t be read, so they are as if they were empty.':
    'Teile davon sind nicht lesbar und gelten deshalb als leer.',
  'the minimum notice': 'der Mindestvorlauf',
  'the booking window': 'der Buchungszeitraum',
  'the number of seats': 'die Zahl der Plätze',
  'the limits': 'die Grenzen',
  'We guessed from the times that it offered: {0}. Please check.':
    'Aus den angebotenen Zeiten geraten: {0}. Bitte prüfen.',
  'It names no location there, so it is a video call here.':
    'Dort ist kein Ort angegeben, deshalb ist es hier ein Videogespräch.',
} satisfies Partial<Refusals>
