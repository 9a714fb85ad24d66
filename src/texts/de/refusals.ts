import type { Refusals } from '../catalogue.ts'
import importPlans from './import-plans.ts'

export default {
  ...importPlans,
  '{0}, {1}': '{0}, {1}',
  'There is more at {0} than we can read.': 'Bei {0} gibt es mehr, als gelesen werden kann.',
  '{0} refuses more requests for now. Please try again later.':
    '{0} nimmt gerade keine weiteren Anfragen an. Bitte später noch einmal versuchen.',
  '{0} could not be reached. Please try again later.':
    '{0} war nicht erreichbar. Bitte später noch einmal versuchen.',
  '{0} refused the token. Please make a new one that may read everything.':
    '{0} hat das Token abgelehnt. Bitte ein neues anlegen, das alles lesen darf.',
  '{0} did not answer as expected. Please check the address.':
    '{0} hat nicht wie erwartet geantwortet. Bitte die Adresse prüfen.',
  "Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.":
    'Die API von Cal.com enthält weder Workflows noch die Sperrliste noch verbundene Kalender. Ein Import aus der Datenbank bringt sie mit; sonst lassen sie sich hier einrichten.',
  "Cal.com's API shows hidden event types and private links only to their owner.":
    'Die API von Cal.com zeigt verborgene Terminarten und private Links nur denen, denen sie gehören.',
  'This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.':
    'Diese Datenbank hat keine Tabellen von Cal.com. Bitte die Adresse angeben, die bei Cal.com DATABASE_URL heißt.',
  'This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.':
    'Das ist keine Adresse einer PostgreSQL-Datenbank. Eine solche sieht so aus: postgres://user:password@host/database.',
  'The database could not be reached. Please check its address, and whether this server may connect to it.':
    'Die Datenbank war nicht erreichbar. Bitte die Adresse prüfen, und ob dieser Server sich mit ihr verbinden darf.',
  'The database stopped answering while it was read. Please try again.':
    'Die Datenbank hat beim Lesen aufgehört zu antworten. Bitte noch einmal versuchen.',
  'The database refused the user name or the password.':
    'Die Datenbank hat den Benutzernamen oder das Passwort abgelehnt.',
  'There is no database of this name on that server.':
    'Auf jenem Server gibt es keine Datenbank dieses Namens.',
  'This user of the database may not read the tables of Cal.com.':
    'Dieser Benutzer der Datenbank darf die Tabellen von Cal.com nicht lesen.',
  'This dump has no tables of Cal.com. Please dump the database that Cal.com uses.':
    'Dieser Dump enthält keine Tabellen von Cal.com. Bitte einen der Datenbank anlegen, die Cal.com benutzt.',
  'This dump is in the encoding {0}. Make it again with: pg_dump --encoding=UTF8':
    'Dieser Dump hat die Kodierung {0}. Noch einmal anlegen mit: pg_dump --encoding=UTF8',
  'The dump does not name the columns of the table {0}, so its rows are left out. Make it again without --data-only.':
    'Der Dump nennt die Spalten der Tabelle {0} nicht, deshalb fehlen ihre Zeilen. Noch einmal ohne --data-only anlegen.',
  'A row of the table {0} does not have as many values as there are columns, so it is left out.':
    'Eine Zeile der Tabelle {0} hat nicht so viele Werte, wie es Spalten gibt, und bleibt deshalb weg.',
  'A row of the table {0} is larger than {1}, so it is left out.':
    'Eine Zeile der Tabelle {0} ist größer als {1} und bleibt deshalb weg.',
  "Calendly's API does not say where routing forms lead. Please add their rules here.":
    'Die API von Calendly sagt nicht, wohin Routing-Formulare führen. Bitte ihre Regeln hier ergänzen.',
  'This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.':
    'Dieser Dump ist unvollständig: Er bricht vor dem Ende ab. Bitte noch einmal anlegen und ganz kopieren.',
  'This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain':
    'Diese Datei ist kein Dump einer PostgreSQL-Datenbank. So entsteht einer: pg_dump --format=plain',
  'This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain':
    'Dieser Dump hat das eigene Format von pg_dump, das hier nicht gelesen werden kann. Noch einmal anlegen mit: pg_dump --format=plain',
  'This dump is larger than {0} when unpacked.': 'Dieser Dump ist ausgepackt größer als {0}.',
  'Choose a host, or let the round robin choose one: either, not both.':
    'Entweder einen Gastgeber wählen oder reihum wählen lassen, nicht beides.',
  '{field} must be left out: this event type is for one guest.':
    '„{field}“ muss wegfallen: Diese Terminart ist für einen Gast.',
  '{field} must be email addresses.': '„{field}“ darf nur E-Mail-Adressen enthalten.',
  '{field} must be at most 1 email address.': '„{field}“ darf höchstens 1 E-Mail-Adresse enthalten.',
  '{field} must be at most {0} email addresses.': '„{field}“ darf höchstens {0} E-Mail-Adressen enthalten.',
  '{field} must be in the future.': '„{field}“ muss in der Zukunft liegen.',
  '{field} must be a host of this event type.': '„{field}“ muss ein Gastgeber dieser Terminart sein.',
  '{field} must be after startTime.': '„{field}“ muss nach startTime liegen.',
  '{field} must be {0} minutes after startTime: take both from one listed slot.':
    '„{field}“ muss {0} Minuten nach startTime liegen: Beide Werte aus einer angebotenen Zeit übernehmen.',
  '{field} must be a phone number.': '„{field}“ muss eine Telefonnummer sein.',
  '{field} must be a language code such as en or pt-BR.':
    '„{field}“ muss ein Sprachcode wie en oder pt-BR sein.',
  '{field} is not possible: this event type has no series.':
    '„{field}“ ist nicht möglich: Diese Terminart hat keine Serien.',
  'Not available on {0}. Please choose another time.':
    'Nicht verfügbar am {0}. Bitte eine andere Zeit wählen.',
  'This email address has already booked this time on {0}.':
    'Diese E-Mail-Adresse hat diese Zeit am {0} bereits gebucht.',
  '{field} must look like https://example.com/calendar.ics.':
    '„{field}“ muss aussehen wie https://example.com/calendar.ics.',
  '{field} must not contain a colon.': '„{field}“ darf keinen Doppelpunkt enthalten.',
  'Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.':
    'In einen Kalender-Feed können keine Buchungen eingetragen werden, nur in einen CalDAV-Kalender oder ein verbundenes Konto.',
  '{field} must be the nextCursor of the previous page.':
    '„{field}“ muss der nextCursor der vorigen Seite sein.',
  '{field} must not be before the start.': '„{field}“ darf nicht vor dem Beginn liegen.',
  '{field} must be between the years 1970 and 9999.':
    '„{field}“ muss zwischen den Jahren 1970 und 9999 liegen.',
  '{field} must be after the start.': '„{field}“ muss nach dem Beginn liegen.',
  'Time off can last at most {0} days. Add it in several parts.':
    'Eine Abwesenheit dauert höchstens {0} Tage. Bitte in mehreren Teilen eintragen.',
  'Choose someone from one of your teams to stand in for you.':
    'Bitte als Vertretung jemanden aus einem der eigenen Teams wählen.',
  '{field} must be an email address, or a domain such as example.com.':
    '„{field}“ muss eine E-Mail-Adresse oder eine Domain wie example.com sein.',
  'There can be at most {0} reminders.': 'Höchstens {0} Erinnerungen sind möglich.',
  'Two reminders have the same time.': 'Zwei Erinnerungen haben dieselbe Zeit.',
  'Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.':
    'Gäste, die sich eine Zeit teilen, brauchen dieselben Gastgeber. Bitte 1 Platz wählen oder „Gemeinsam“ statt „Reihum“.',
  'A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.':
    'Eine Zeit mit mehreren Plätzen kann nicht für einen Gast freigehalten werden. Bitte 1 Platz wählen oder das Freihalten ausschalten.',
  'Guests can choose from at most {0} durations.': 'Gäste können aus höchstens {0} Dauern wählen.',
  'Two durations are the same.': 'Zwei Dauern sind gleich.',
  'The durations must include the default of {0} minutes.':
    'Zu den Dauern muss die Standarddauer von {0} Minuten gehören.',
  '{field} must be a whole number of minutes from {0} to {1}.':
    '„{field}“ muss eine ganze Zahl von Minuten von {0} bis {1} sein.',
  'The minimum notice is longer than the booking window, so nothing could ever be booked.':
    'Der Mindestvorlauf ist länger als der Buchungszeitraum, also könnte nie etwas gebucht werden.',
  'This limit is shorter than a meeting, so nothing could ever be booked.':
    'Diese Grenze ist kürzer als ein Termin, deshalb ließe sich nie etwas buchen.',
  'A fixed booking window needs two dates (YYYY-MM-DD).':
    'Ein fester Buchungszeitraum braucht zwei Daten (JJJJ-MM-TT).',
  'The booking window ends before it begins.': 'Der Buchungszeitraum endet, bevor er beginnt.',
  'There can be at most {0} sites.': 'Höchstens {0} Websites sind möglich.',
  '"{0}" is not a site such as https://www.example.com.':
    '„{0}“ ist keine Website wie https://www.example.com.',
  'Write "{0}" as {1}.': '„{0}“ bitte als {1} schreiben.',
  '"{0}" must begin with https://. Only this machine itself can use http://.':
    '„{0}“ muss mit https:// beginnen. Nur dieser Rechner selbst kann http:// verwenden.',
  '"{0}" is listed twice.': '„{0}“ ist doppelt aufgeführt.',
  '"{0}" is not a time zone we know.': '„{0}“ ist keine bekannte Zeitzone.',
  'Weekdays are numbered 1 (Monday) to 7 (Sunday).':
    'Wochentage sind von 1 (Montag) bis 7 (Sonntag) nummeriert.',
  '"{0}" is not a date (YYYY-MM-DD).': '„{0}“ ist kein Datum (JJJJ-MM-TT).',
  Monday: 'Montag',
  Tuesday: 'Dienstag',
  Wednesday: 'Mittwoch',
  Thursday: 'Donnerstag',
  Friday: 'Freitag',
  Saturday: 'Samstag',
  Sunday: 'Sonntag',
  'Hours on {0} must end after they start, as HH:MM up to 24:00 (got {1} to {2}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.':
    'Die Zeiten am {0} müssen nach ihrem Beginn enden, als HH:MM bis 24:00 (angegeben: {1} bis {2}). Für Zeiten über Mitternacht hinaus zwei Zeiträume anlegen: bis 24:00 und ab 00:00 am nächsten Tag.',
  'Hours on {0} overlap.': 'Die Zeiten am {0} überschneiden sich.',
  '{field} must be left out: this event type has one location.':
    '„{field}“ muss wegfallen: Diese Terminart hat nur einen Ort.',
  '{field} is required, because the host calls you.': '„{field}“ ist erforderlich, da der Gastgeber anruft.',
  'Guests can choose from at most {0} locations.': 'Gäste können aus höchstens {0} Orten wählen.',
  'Guests who share a slot meet in one place. Use 1 seat, or one location.':
    'Gäste, die sich eine Zeit teilen, treffen sich an einem Ort. Bitte 1 Platz wählen oder nur einen Ort.',
  '{field} must be 1 to 64 letters, digits, hyphens or underscores.':
    '„{field}“ muss aus 1 bis 64 Buchstaben, Ziffern, Binde- oder Unterstrichen bestehen.',
  'Two locations have the same id.': 'Zwei Orte haben dieselbe ID.',
  '{field} must be a web address that begins with https:// or http://.':
    '„{field}“ muss eine Webadresse sein, die mit https:// oder http:// beginnt.',
  'Only video calls get a meeting link of their own.':
    'Nur Videoanrufe bekommen einen eigenen Besprechungslink.',
  'Leave this empty: every booking gets its own link.':
    'Bitte leer lassen: Jede Buchung bekommt einen eigenen Link.',
  '"{0}" must be true or false.': '„{0}“ muss wahr oder falsch sein.',
  '"{0}" must be a number.': '„{0}“ muss eine Zahl sein.',
  '"{0}" must be one of {1}.': '„{0}“ muss einer dieser Werte sein: {1}.',
  '"{0}" must be a list with some of {1}.': '„{0}“ muss eine Liste aus diesen Werten sein: {1}.',
  '"{0}" must be a web address that begins with https:// or http://.':
    '„{0}“ muss eine Webadresse sein, die mit https:// oder http:// beginnt.',
  '{field} must begin with a letter, and contain only letters, digits, _ and -.':
    '„{field}“ muss mit einem Buchstaben beginnen und darf nur Buchstaben, Ziffern, _ und - enthalten.',
  'Two questions have the key "{0}".': 'Zwei Fragen haben den Schlüssel „{0}“.',
  '{field} must be a web address that begins with https://.':
    '„{field}“ muss eine Webadresse sein, die mit https:// beginnt.',
  '{field} must not contain a user name or password.':
    '„{field}“ darf weder Benutzernamen noch Passwort enthalten.',
  'Choose how often a series may repeat.': 'Bitte wählen, wie oft sich eine Serie wiederholen darf.',
  '{field} is there twice.': '„{field}“ kommt doppelt vor.',
  'The form "{0}" chooses hosts by this. Change the form first: {1}':
    'Das Formular „{0}“ wählt danach Gastgeber aus. Zuerst das Formular ändern: {1}',
  'No rule matches, so it leads to {0} instead of {1}.':
    'Keine Regel trifft zu, also führt es zu {0} statt zu {1}.',
  'Rule {0} matches, so it leads to {1} instead of {2}.':
    'Regel {0} trifft zu, also führt es zu {1} statt zu {2}.',
  'The test "{0}" fails. {1}': 'Der Test „{0}“ schlägt fehl. {1}',
  'the message "{0}"': 'der Nachricht „{0}“',
  'an event type that does not exist': 'einer Terminart, die es nicht gibt',
  'Host filters can be nested at most {0} deep.':
    'Gastgeberfilter können höchstens {0} Ebenen tief verschachtelt sein.',
  'A host filter is about one attribute, or it is a group: all or any.':
    'Ein Gastgeberfilter betrifft ein Attribut oder ist eine Gruppe: all oder any.',
  'Unknown field "{0}.{1}".': 'Unbekanntes Feld „{0}.{1}“.',
  'A group of a host filter needs at least one condition.':
    'Eine Gruppe eines Gastgeberfilters braucht mindestens eine Bedingung.',
  'A condition on hosts needs the key of an attribute.':
    'Eine Bedingung für Gastgeber braucht den Schlüssel eines Attributs.',
  'A condition on hosts has one of {0}.': 'Eine Bedingung für Gastgeber hat eines von {0}.',
  '“is one of” takes a list of 1 to {0} values.': '„ist eines von“ verlangt eine Liste mit 1 bis {0} Werten.',
  'A condition on hosts compares with text of 1 to {0} characters.':
    'Eine Bedingung für Gastgeber vergleicht mit einem Text von 1 bis {0} Zeichen.',
  'A condition on hosts compares with text, or with the answer to a field.':
    'Eine Bedingung für Gastgeber vergleicht mit einem Text oder mit der Antwort auf ein Feld.',
  'A condition on hosts asks for the answer to {0}, which is not a field of this form.':
    'Eine Bedingung für Gastgeber fragt nach der Antwort auf {0}; dieses Feld hat das Formular nicht.',
  '{0} is not an attribute of the team.': '{0} ist kein Attribut des Teams.',
  '"{0}" can be compared by {1}, not by {2}.': '„{0}“ kann mit {1} verglichen werden, nicht mit {2}.',
  '"{0}" is not an option of "{1}".': '„{0}“ ist keine Option von „{1}“.',
  '{field} must be a whole number of days from {0} to {1}.':
    '„{field}“ muss eine ganze Zahl von Tagen von {0} bis {1} sein.',
  'Please start again from the form.': 'Bitte noch einmal mit dem Formular beginnen.',
  '"{0}" is required.': '„{0}“ ist erforderlich.',
  'Send at most {0} answers to fields that the form does not have.':
    'Höchstens {0} Antworten auf Felder, die das Formular nicht hat, sind erlaubt.',
  'An answer to a field that the form does not have can be at most {0} characters long.':
    'Eine Antwort auf ein Feld, das das Formular nicht hat, darf höchstens {0} Zeichen lang sein.',
  '"{0}" must be at most {1} characters.': '„{0}“ darf höchstens {1} Zeichen lang sein.',
  '"{0}" must be one of its options.': '„{0}“ muss eine der Optionen sein.',
  '"{0}" must be a list with some of its options.': '„{0}“ muss eine Liste aus den Optionen sein.',
  '"{0}" must be an email address.': '„{0}“ muss eine E-Mail-Adresse sein.',
  '"{0}" must be a phone number.': '„{0}“ muss eine Telefonnummer sein.',
  '"{0}" must be one line of text without control characters.':
    '„{0}“ muss eine Textzeile ohne Steuerzeichen sein.',
  '"{0}" must be text without control characters.': '„{0}“ muss Text ohne Steuerzeichen sein.',
  'Two fields have the id "{0}".': 'Zwei Felder haben die ID „{0}“.',
  'Two tests have the name "{0}".': 'Zwei Tests haben den Namen „{0}“.',
  'The test "{0}" answers "{1}", which is not a field of this form.':
    'Der Test „{0}“ beantwortet „{1}“; dieses Feld hat das Formular nicht.',
  'The test "{0}" has an answer that is not text.': 'Der Test „{0}“ hat eine Antwort, die kein Text ist.',
  '"{0}" is not a select, so it cannot have options.':
    '„{0}“ ist keine Auswahl und kann daher keine Optionen haben.',
  '"{0}" has two options with the same id.': '„{0}“ hat zwei Optionen mit derselben ID.',
  'Conditions can be nested at most {0} deep.':
    'Bedingungen können höchstens {0} Ebenen tief verschachtelt sein.',
  'A condition is about one field, or it is a group: all or any.':
    'Eine Bedingung betrifft ein Feld oder ist eine Gruppe: all oder any.',
  '{field} must be a list of conditions.': '„{field}“ muss eine Liste von Bedingungen sein.',
  'A rule needs at least one condition.': 'Eine Regel braucht mindestens eine Bedingung.',
  'A rule is about {0}, which is not a field of this form.':
    'Eine Regel betrifft {0}; dieses Feld hat das Formular nicht.',
  'A rule about "{0}" needs an operator: one of {1}.':
    'Eine Regel zu „{0}“ braucht einen Operator, einen von: {1}.',
  'A rule about "{0}" needs something to compare with.':
    'Eine Regel zu „{0}“ braucht etwas, womit sie vergleicht.',
  '{0} takes a list ("{1}").': '{0} verlangt eine Liste („{1}“).',
  'Only {0} and {1} take a list ("{2}").': 'Nur {0} und {1} verlangen eine Liste („{2}“).',
  '{0} takes at most {1} values ("{2}").': '{0} nimmt höchstens {1} Werte an („{2}“).',
  'A rule about "{0}" compares with a number.': 'Eine Regel zu „{0}“ vergleicht mit einer Zahl.',
  'A rule about "{0}" compares with text of at most {1} characters.':
    'Eine Regel zu „{0}“ vergleicht mit einem Text von höchstens {1} Zeichen.',
  'A rule about "{0}" needs something to compare with. To look for an empty answer, choose “is empty”.':
    'Eine Regel zu „{0}“ braucht etwas, womit sie vergleicht. Für eine leere Antwort „ist leer“ wählen.',
  'A rule compares "{0}" with "{1}", which is not one of its options.':
    'Eine Regel vergleicht „{0}“ mit „{1}“, was keine der Optionen ist.',
  'Enter the address to send visitors to.':
    'Bitte die Adresse eingeben, zu der Besucher weitergeleitet werden.',
  'Visitors cannot be sent to "{0}". Use an address that begins with https://.':
    'Zu „{0}“ können keine Besucher weitergeleitet werden. Bitte eine Adresse verwenden, die mit https:// beginnt.',
  'Enter the address to look owners up at. It begins with https://.':
    'Bitte die Adresse eingeben, unter der Zuständige nachgeschlagen werden. Diese Adresse beginnt mit https://.',
  'Choose one of the owner’s event types to send visitors to.':
    'Bitte eine Terminart des Besitzers wählen, zu der Besucher weitergeleitet werden.',
  '{field} must be 1 to 64 letters, digits, _ and -.':
    '„{field}“ muss aus 1 bis 64 Buchstaben, Ziffern, _ und - bestehen.',
  'The key "email" is reserved. Choose another.':
    'Der Schlüssel „email“ ist reserviert. Bitte einen anderen wählen.',
  'Two attributes have the key "{0}".': 'Zwei Attribute haben den Schlüssel „{0}“.',
  '"{0}" is text, so it cannot have options.': '„{0}“ ist Text und kann daher keine Optionen haben.',
  '"{0}" needs at least one option.': '„{0}“ braucht mindestens eine Option.',
  'A hidden question can’t be required: guests don’t see it.':
    'Eine verborgene Frage kann keine Pflichtfrage sein: Gäste sehen sie nicht.',
  'The option "{0}" cannot contain a semicolon, which separates options.':
    'Die Option „{0}“ darf kein Semikolon enthalten, weil es Optionen trennt.',
  '"{0}" has the option "{1}" twice.': '„{0}“ hat die Option „{1}“ doppelt.',
  '"{0}" is not an attribute of this team.': '„{0}“ ist kein Attribut dieses Teams.',
  '"{0}" has no option {1}. Choose from: {2}.': '„{0}“ hat keine Option {1}. Zur Auswahl stehen: {2}.',
  '"{0}" must be a list of its options.': '„{0}“ muss eine Liste der eigenen Optionen sein.',
  '"{0}" must be text.': '„{0}“ muss Text sein.',
  '"{0}" must be one line of at most {1} characters.':
    '„{0}“ muss eine Zeile von höchstens {1} Zeichen sein.',
  '"{0}" is set for {1}. Clear it there before you delete it.':
    '„{0}“ ist gesetzt für {1}. Vor dem Löschen bitte dort leeren.',
  '"{0}" is set for {1}. Clear it there before you change its type.':
    '„{0}“ ist gesetzt für {1}. Vor dem Ändern des Typs bitte dort leeren.',
  '"{0}" ({1}) is set for {2}. Choose another option there first.':
    '„{0}“ ({1}) ist gesetzt für {2}. Bitte dort zuerst eine andere Option wählen.',
  '{0} and {1} more': '{0} und {1} weitere',
  'The row has more cells than there are columns.': 'Die Zeile hat mehr Zellen, als es Spalten gibt.',
  'No member of this team has this email address.': 'Kein Mitglied dieses Teams hat diese E-Mail-Adresse.',
  'Row {0} is about the same member.': 'Zeile {0} betrifft dasselbe Mitglied.',
  'The file has two columns "{0}".': 'Die Datei hat zwei Spalten „{0}“.',
  'The file has a column "{0}". Its columns can be: {1}.':
    'Die Datei hat eine Spalte „{0}“. Möglich sind die Spalten: {1}.',
  'The file needs a column "email" in its first row.':
    'Die Datei braucht in der ersten Zeile eine Spalte „email“.',
  '{field} must be 1 to 64 lower-case letters, digits and hyphens.':
    '„{field}“ muss aus 1 bis 64 Kleinbuchstaben, Ziffern und Bindestrichen bestehen.',
  '"{0}" is already taken. Please choose another.': '„{0}“ ist bereits vergeben. Bitte etwas anderes wählen.',
  '"{0}" is a former address that still leads to the new one. Please choose another.':
    '„{0}“ ist eine frühere Adresse, die noch zur neuen führt. Bitte etwas anderes wählen.',
  'This page has had {0} other addresses already. Choose one of them.':
    'Diese Seite hatte schon {0} andere Adressen. Bitte eine davon wählen.',
  'The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.':
    'Die Datenbank war nicht mehr erreichbar, bevor sie dies bestätigt hat. Es ist also unklar, ob es gespeichert wurde. Bitte vor dem Wiederholen nachsehen. Eine Buchung kann mit demselben Idempotency-Key wiederholt werden; angelegt wird nur eine.',
  '{0} {1}': '{0} {1}',
  '{0} or {1}': '{0} oder {1}',
  '{field} contains a NUL character.': '„{field}“ enthält ein NUL-Zeichen.',
  '{field} contains text that is not valid Unicode.':
    '„{field}“ enthält Text, der kein gültiges Unicode ist.',
  '{field} is nested too deeply.': '„{field}“ ist zu tief verschachtelt.',
  'The event {0} is listed twice.': 'Das Ereignis {0} ist doppelt aufgeführt.',
  'An event type is listed twice.': 'Eine Terminart ist doppelt aufgeführt.',
  'This is a text message. We’ve emailed you its text, because nobody is texted without their consent.':
    'Das ist eine Textnachricht. Wir haben ihren Text per E-Mail geschickt, denn niemand bekommt ohne Einwilligung eine SMS.',
  'Only the formats of Cal.com and Calendly take a secret of your own.':
    'Nur die Formate von Cal.com und Calendly nehmen ein eigenes Geheimnis.',
  'The format of this webhook has no such event.': 'Das Format dieses Webhooks kennt dieses Ereignis nicht.',
  'This webhook has a secret of your own, which this format can’t use. Create a new secret first.':
    'Dieser Webhook hat ein eigenes Geheimnis, das dieses Format nicht verwenden kann. Bitte zuerst ein neues Geheimnis erstellen.',
  'Payload templates aren’t supported. Leave this empty.':
    'Vorlagen für den Inhalt werden nicht unterstützt. Bitte leer lassen.',
  'The file has a quotation mark that is not closed.':
    'Die Datei enthält ein Anführungszeichen, das nicht geschlossen wird.',
  '{field} is required with the other date.': '„{field}“ ist zusammen mit dem anderen Datum erforderlich.',
  '{field} replaces startTime and endTime. Send either dates or instants.':
    '„{field}“ ersetzt startTime und endTime. Bitte entweder Daten oder Zeitpunkte senden.',
  'Send the file itself as the body, as text/csv.':
    'Bitte die Datei selbst als Inhalt der Anfrage senden, als text/csv.',
  'The file is not UTF-8 text. Save it as CSV UTF-8.':
    'Die Datei ist kein UTF-8-Text. Bitte als CSV UTF-8 speichern.',
  'Send the image itself as the body, with its type as Content-Type.':
    'Bitte das Bild selbst als Inhalt der Anfrage senden, mit seinem Typ als Content-Type.',
  'This has changed since you loaded it. Reload it, then make your change again.':
    'Dies wurde seit dem Laden geändert. Bitte neu laden und die Änderung wiederholen.',
  'Pages of other origins cannot use this endpoint.':
    'Seiten anderer Herkunft können diesen Endpunkt nicht verwenden.',
  'Send one message at a time, not an array.': 'Bitte eine Nachricht auf einmal senden, keine Liste.',
  'Send MCP messages by POST.': 'MCP-Nachrichten bitte per POST senden.',
  'The address is not valid.': 'Die Adresse ist ungültig.',
  'The request does not say which host it is for.':
    'Die Anfrage nennt den Host nicht, für den sie bestimmt ist.',
  'This can only be asked for by the service’s own pages.':
    'Das können nur die eigenen Seiten des Dienstes anfordern.',
  'The service is too busy just now. Please try again in a moment.':
    'Der Dienst ist gerade überlastet. Bitte gleich noch einmal versuchen.',
  'Too many requests. Please try again in {0} seconds.':
    'Zu viele Anfragen. Bitte in {0} s noch einmal versuchen.',
  'The pages of this service have not been built.': 'Die Seiten dieses Dienstes wurden noch nicht gebaut.',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'The service cannot reach its database just now. Please try again in a moment.':
    'Der Dienst erreicht seine Datenbank gerade nicht. Bitte gleich noch einmal versuchen.',
  'The service has run out of storage, so nothing was booked or changed. Please try again later.':
    'Der Dienst hat keinen Speicherplatz mehr, deshalb wurde nichts gebucht oder geändert. Bitte später noch einmal versuchen.',
  'The request is not valid.': 'Die Anfrage ist ungültig.',
  'Something went wrong on our side.': 'Bei uns ist etwas schiefgegangen.',
  'The body must be JSON, and must not be empty.':
    'Der Inhalt der Anfrage muss JSON sein und darf nicht leer sein.',
  'The address is too long.': 'Die Adresse ist zu lang.',
  'The body is not valid JSON.': 'Der Inhalt der Anfrage ist kein gültiges JSON.',
  'The body is larger than 64 KB.': 'Der Inhalt der Anfrage ist größer als 64 KB.',
  'Send the body as application/json.': 'Bitte den Inhalt der Anfrage als application/json senden.',
  'This server does not do what the Expect header asks for.':
    'Dieser Server tut nicht, was der Expect-Header verlangt.',
  'The validation token is too long.': 'Das Validierungstoken ist zu lang.',
  'The body must be a collection of notifications.':
    'Der Inhalt der Anfrage muss eine Sammlung von Benachrichtigungen sein.',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.':
    'Idempotency-Key muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen.',
  'Unknown field "{0}".': 'Unbekanntes Feld „{0}“.',
  'The request': 'Anfrage',
  '{field} must be {0}.': '„{field}“ muss von diesem Typ sein: {0}.',
  '{field} must be at most {0} characters.': '„{field}“ darf höchstens {0} Zeichen lang sein.',
  '{field} must not be empty.': '„{field}“ darf nicht leer sein.',
  '{field} must be at least {0}.': '„{field}“ muss mindestens {0} sein.',
  '{field} must be at most {0}.': '„{field}“ darf höchstens {0} sein.',
  '{field} must be from {0} to {1}.': '„{field}“ muss zwischen {0} und {1} liegen.',
  '{field} must have at least {0} entries.': '„{field}“ muss mindestens {0} Einträge haben.',
  '{field} must have at most {0} entries.': '„{field}“ darf höchstens {0} Einträge haben.',
  '{field} is not valid.': '„{field}“ ist ungültig.',
  '{0}, or empty': '{0}, oder leer',
  '{field} must be a whole number.': '„{field}“ muss eine ganze Zahl sein.',
  '{field} must be text.': '„{field}“ muss Text sein.',
  '{field} must be true or false.': '„{field}“ muss wahr oder falsch sein.',
  '{field} must be a list.': '„{field}“ muss eine Liste sein.',
  '{field} must be an object.': '„{field}“ muss ein Objekt sein.',
  'The body': 'Inhalt der Anfrage',
  'The {0}': 'Teil {0} der Anfrage',
  '{field} must be a {0}.': '„{field}“ muss von diesem Typ sein: {0}.',
  '{field} is not one of the values allowed.': '„{field}“ ist keiner der erlaubten Werte.',
  '{field} has more than {0} entries.': '„{field}“ hat mehr als {0} Einträge.',
  '{field} must be an integer.': '„{field}“ muss eine ganze Zahl sein.',
  '{field} must be a boolean.': '„{field}“ muss ein Wahrheitswert sein.',
  '{field} must be an array.': '„{field}“ muss eine Liste sein.',
  'The server redirects to an invalid address.': 'Der Server leitet zu einer ungültigen Adresse weiter.',
  'The server redirects too many times.': 'Der Server leitet zu oft weiter.',
  'The response is larger than {0} MB.': 'Die Antwort ist größer als {0} MB.',
  'The server did not answer within {0} seconds.':
    'Der Server hat nicht innerhalb von {0} Sekunden geantwortet.',
  'The server could not be reached.': 'Der Server war nicht erreichbar.',
  'The server refused the user name and password ({0}).':
    'Der Server hat Benutzernamen und Passwort abgelehnt ({0}).',
  'There is no calendar at this address ({0}).': 'Unter dieser Adresse gibt es keinen Kalender ({0}).',
  'The server answered {0}.': 'Der Server hat mit {0} geantwortet.',
  'This calendar has too many events.': 'Dieser Kalender hat zu viele Termine.',
  '{0} does not say when this calendar is busy.': '{0} teilt nicht mit, wann dieser Kalender belegt ist.',
  'The server sent only a part of the calendar.': 'Der Server hat nur einen Teil des Kalenders gesendet.',
  'There is no CalDAV server at this address.': 'Unter dieser Adresse gibt es keinen CalDAV-Server.',
  'The server’s response is too complex to read.':
    'Die Antwort des Servers ist zu verwickelt, um sie zu lesen.',
  '{0} has ended our access to this account.': '{0} hat unseren Zugriff auf dieses Konto beendet.',
  '{0} refuses this service’s client ({1}). Please tell whoever runs this service.':
    '{0} lehnt den Client dieses Dienstes ab ({1}). Bitte dem Betreiber dieses Dienstes mitteilen.',
  '{0} did not answer in time.': '{0} hat nicht rechtzeitig geantwortet.',
  '{0} could not be reached.': '{0} war nicht erreichbar.',
  '{0} sent an answer that is not complete.': '{0} hat eine unvollständige Antwort gesendet.',
  '{0} sent more than {1} MB.': '{0} hat mehr als {1} MB gesendet.',
  '{0} does not accept our access any more.': '{0} lässt unseren Zugriff nicht mehr zu.',
  '{0} has forgotten where we were.': '{0} weiß nicht mehr, wo wir waren.',
  '{0} asks us to send fewer requests.': '{0} bittet uns, weniger Anfragen zu senden.',
  '{0} answered {1}.': '{0} hat mit {1} geantwortet.',
  '{0} refused this: {1}': '{0} hat dies abgelehnt: {1}',
  '{0} does not accept this key.': '{0} akzeptiert diesen Schlüssel nicht.',
  '{0} does not let this key do this. It lacks the permission “{1}”.':
    '{0} lässt dies mit diesem Schlüssel nicht zu. Ihm fehlt die Berechtigung „{1}“.',
  '{field} does not look like a key.': '{field}: Das sieht nicht wie ein Schlüssel aus.',
  '{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.':
    '{field}: Gebraucht wird ein geheimer oder eingeschränkter Schlüssel, der mit sk_ oder rk_ beginnt. Dieser ist für Websites.',
  'Guests pay for these through this account: {0}. Make them free first.':
    'Über dieses Konto bezahlen Gäste: {0}. Bitte diese zuerst kostenlos machen.',
  'Payments or refunds are still on their way through this account. Please try again later.':
    'Über dieses Konto sind noch Zahlungen oder Erstattungen unterwegs. Bitte später noch einmal versuchen.',
  'Another account is connected already: {0}. Please disconnect it first.':
    'Es ist schon ein anderes Konto verbunden: {0}. Bitte zuerst trennen.',
  '{field} must be left out: this account is connected on its provider’s pages.':
    '{field}: Muss entfallen. Dieses Konto wird auf den Seiten des Anbieters verbunden.',
  'See that this machine can reach STRIPE_API_URL.':
    'Dafür sorgen, dass dieser Rechner STRIPE_API_URL erreicht.',
  'answers; connected accounts: {0}': 'antwortet; verbundene Konten: {0}',
  'refuses the keys of {0} of {1} accounts': 'lehnt die Schlüssel von {0} von {1} Konten ab',
  'Their owners were told by email to connect them again.':
    'Die Besitzer wurden per E-Mail gebeten, sie neu zu verbinden.',
  'The key': 'Schlüssel',
  '{0} sent an answer that we don’t understand.': '{0} hat eine Antwort gesendet, die wir nicht verstehen.',
  'This is not a web address. Enter one such as https://example.com/path.':
    'Das ist keine Webadresse. Bitte eine wie https://example.com/path eingeben.',
  'The address must not contain a user name or password.':
    'Die Adresse darf weder Benutzernamen noch Passwort enthalten.',
  'The address must start with https://.': 'Die Adresse muss mit https:// beginnen.',
  '"{0}" is not a valid host name.': '„{0}“ ist kein gültiger Hostname.',
  '"{0}" has no such address.': '„{0}“ hat keine solche Adresse.',
  'The host "{0}" could not be found.': 'Der Host „{0}“ wurde nicht gefunden.',
  '"{0}" is not on the public internet. Use a public address.':
    '„{0}“ ist nicht im öffentlichen Internet. Bitte eine öffentliche Adresse verwenden.',
  'The calendar takes too long to read.': 'Das Lesen des Kalenders dauert zu lange.',
  'The time of this request has passed.': 'Die Zeit dieser Anfrage ist vorbei.',
  'Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.':
    'Zahlungen sind gerade nicht möglich, deshalb wurde nichts gebucht. Bitte in einer Minute noch einmal versuchen.',
  'The provider could not give the money back.': 'Der Anbieter konnte das Geld nicht erstatten.',
  'The account that was paid is no longer connected.':
    'Das Konto, das die Zahlung bekommen hat, ist nicht mehr verbunden.',
  'The calendar could not be checked. Please try again in a moment.':
    'Der Kalender konnte nicht geprüft werden. Bitte gleich noch einmal versuchen.',
  '"{0}" is already on the list.': '„{0}“ steht bereits auf der Liste.',
  'A blocklist has at most {0} entries. Block whole domains.':
    'Eine Sperrliste hat höchstens {0} Einträge. Besser ganze Domains sperren.',
  'This email address is blocked. Remove it from the blocklist first.':
    'Diese E-Mail-Adresse ist gesperrt. Bitte zuerst von der Sperrliste entfernen.',
  'This booking looks automated. Leave the hidden field empty.':
    'Diese Buchung sieht automatisch erzeugt aus. Bitte das versteckte Feld leer lassen.',
  'This booking could not be accepted.': 'Diese Buchung konnte nicht angenommen werden.',
  'Please confirm your email address: request a code, and send it along (emailCode).':
    'Bitte die E-Mail-Adresse bestätigen: einen Code anfordern und mitsenden (emailCode).',
  'This code is wrong. Tries left: {0}.': 'Dieser Code ist falsch. Verbleibende Versuche: {0}.',
  'This code no longer works. Please request a new one.':
    'Dieser Code gilt nicht mehr. Bitte einen neuen anfordern.',
  'The calendar and this booking say the same. Look at it again.':
    'Kalender und Buchung stimmen überein. Bitte noch einmal ansehen.',
  'It is too late to cancel this booking here. Please contact the host.':
    'Für eine Absage an dieser Stelle ist es zu spät. Bitte den Gastgeber kontaktieren.',
  'There is no such booking.': 'Diese Buchung gibt es nicht.',
  'Someone has just changed this booking. Look at it again.':
    'Diese Buchung wurde gerade geändert. Bitte noch einmal ansehen.',
  'This booking waits for its payment.': 'Diese Buchung wartet noch auf die Zahlung.',
  'This booking was not paid in time.': 'Diese Buchung wurde nicht rechtzeitig bezahlt.',
  'This booking still waits for approval.': 'Diese Buchung wartet noch auf Bestätigung.',
  'This booking has been confirmed. Cancel it instead.':
    'Diese Buchung ist bestätigt. Stattdessen bitte absagen.',
  'This booking has been declined.': 'Diese Buchung wurde abgelehnt.',
  'This booking has been cancelled.': 'Diese Buchung wurde abgesagt.',
  'This meeting has taken place.': 'Dieser Termin hat stattgefunden.',
  'This booking is marked as a no-show.': 'Diese Buchung ist als nicht erschienen markiert.',
  'There is no such booking. Use the whole link, as it was sent to you.':
    'Diese Buchung gibt es nicht. Bitte den ganzen Link verwenden, so wie er verschickt wurde.',
  'Choose someone else to take these meetings over.':
    'Bitte jemand anderen wählen, der diese Termine übernimmt.',
  'There is no such hold.': 'Diese Zeit wird nicht freigehalten.',
  'Times of this event type can’t be held.': 'Zeiten dieser Terminart können nicht freigehalten werden.',
  'This Idempotency-Key was used before, with another body.':
    'Dieser Idempotency-Key wurde schon mit einem anderen Inhalt verwendet.',
  '{field} must be one line of text.': '„{field}“ muss eine Textzeile sein.',
  '{field} must be one of {0}.': '„{field}“ muss einer dieser Werte sein: {0}.',
  'Too many emails to {0}. Please try again in {1} seconds.':
    'Zu viele E-Mails an {0}. Bitte in {1} s noch einmal versuchen.',
  'Too many bookings for the guest {0}. Please try again in {1} seconds.':
    'Zu viele Buchungen für den Gast {0}. Bitte in {1} s noch einmal versuchen.',
  'Too many codes for this email address. Please try again in {0} seconds.':
    'Zu viele Codes für diese E-Mail-Adresse. Bitte in {0} s noch einmal versuchen.',
  'This guest is booking or changing meetings right now. Please try again.':
    'Dieser Gast bucht oder ändert gerade Termine. Bitte noch einmal versuchen.',
  'A backup or an export is being made. Please try again when it is done.':
    'Gerade wird eine Sicherung oder ein Export erstellt. Bitte danach noch einmal versuchen.',
  'Emails about this guest are being sent right now. Try again in a minute.':
    'Gerade werden E-Mails zu diesem Gast verschickt. Bitte in einer Minute noch einmal versuchen.',
  'Too many bookings for this email address. Please try again in {0} seconds.':
    'Zu viele Buchungen für diese E-Mail-Adresse. Bitte in {0} s noch einmal versuchen.',
  'Only video calls get a link.': 'Nur Videoanrufe bekommen einen Link.',
  'This booking gets its link from {0}.': 'Diese Buchung bekommt ihren Link von {0}.',
  'A link can only be added to a confirmed meeting that is not over.':
    'Ein Link lässt sich nur zu einem bestätigten Termin hinzufügen, der noch nicht vorbei ist.',
  'This meeting has not started yet.': 'Dieser Termin hat noch nicht begonnen.',
  'The time in your calendar has passed.': 'Die Zeit im Kalender ist vorbei.',
  'Meetings last at most 24 hours, and start and end at whole minutes.':
    'Termine dauern höchstens 24 Stunden und beginnen und enden zu vollen Minuten.',
  'This email address already has {0} upcoming bookings here. Cancel one of them first.':
    'Diese E-Mail-Adresse hat hier bereits {0} anstehende Buchungen. Bitte zuerst eine davon absagen.',
  'This link has already been used. Please ask the host for a new one.':
    'Dieser Link wurde schon verwendet. Bitte den Gastgeber um einen neuen bitten.',
  'This link has expired. Please ask the host for a new one.':
    'Dieser Link ist abgelaufen. Bitte den Gastgeber um einen neuen bitten.',
  'This link doesn’t work. Please ask the host for a new one.':
    'Dieser Link funktioniert nicht. Bitte den Gastgeber um einen neuen bitten.',
  'Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.':
    'Zu dieser Zeit ist nur noch 1 Platz frei. Bitte weniger Gäste mitbringen oder eine andere Zeit wählen.',
  'Only {0} seats are left at this time. Please bring fewer guests, or choose another slot.':
    'Zu dieser Zeit sind nur noch {0} Plätze frei. Bitte weniger Gäste mitbringen oder eine andere Zeit wählen.',
  'This time is no longer available. Please choose another slot.':
    'Diese Zeit ist nicht mehr frei. Bitte eine andere wählen.',
  'This email address has already booked this time.': 'Diese E-Mail-Adresse hat diese Zeit bereits gebucht.',
  'These settings are being changed. Please try again in a moment.':
    'Diese Einstellungen werden gerade geändert. Bitte gleich noch einmal versuchen.',
  'Guests who share a slot need the same hosts, so a link cannot choose them.':
    'Gäste, die sich eine Zeit teilen, brauchen dieselben Gastgeber; ein Link kann sie daher nicht bestimmen.',
  'This meeting has started already.': 'Dieser Termin hat schon begonnen.',
  'This host attends the meeting already. Choose someone else.':
    'Dieser Gastgeber nimmt bereits teil. Bitte jemand anderen wählen.',
  'This person is not one of the hosts who take turns here.':
    'Diese Person gehört nicht zu den Gastgebern, die sich hier abwechseln.',
  'This host has another meeting at this time. Choose someone else.':
    'Dieser Gastgeber hat zu dieser Zeit einen anderen Termin. Bitte jemand anderen wählen.',
  'This host has time off at this time. Choose someone else.':
    'Dieser Gastgeber ist zu dieser Zeit abwesend. Bitte jemand anderen wählen.',
  'This host is busy at this time. Choose someone else.':
    'Dieser Gastgeber ist zu dieser Zeit beschäftigt. Bitte jemand anderen wählen.',
  'All hosts of this event type attend together. Change its hosts, or reschedule the meeting.':
    'Alle Gastgeber dieser Terminart nehmen gemeinsam teil. Bitte die Gastgeber ändern oder den Termin verschieben.',
  'No other host is free at this time. Choose someone yourself, or reschedule the meeting.':
    'Kein anderer Gastgeber ist zu dieser Zeit frei. Bitte selbst jemanden wählen oder den Termin verschieben.',
  'It is too late to reschedule this booking here. Please contact the host.':
    'Zum Verschieben an dieser Stelle ist es zu spät. Bitte den Gastgeber kontaktieren.',
  'It’s too late to undo this: the guest has been notified.':
    'Zum Rückgängigmachen ist es zu spät: Der Gast wurde schon benachrichtigt.',
  'This time has been taken meanwhile. The request stays declined.':
    'Diese Zeit ist inzwischen vergeben. Die Anfrage bleibt abgelehnt.',
  '{field} must be an email address.': '„{field}“ muss eine E-Mail-Adresse sein.',
  'This event type does not ask guests to confirm their address.':
    'Bei dieser Terminart müssen Gäste ihre Adresse nicht bestätigen.',
  '{0} is not set up on this service.': '{0} ist auf diesem Dienst nicht eingerichtet.',
  'The access could not be renewed in time.': 'Der Zugriff konnte nicht rechtzeitig erneuert werden.',
  'This account is no longer connected.': 'Dieses Konto ist nicht mehr verbunden.',
  'The stored access can no longer be read.': 'Der gespeicherte Zugriff ist nicht mehr lesbar.',
  'You can connect at most {0} calendars.': 'Höchstens {0} Kalender können verbunden werden.',
  'This calendar is already connected.': 'Dieser Kalender ist bereits verbunden.',
  'This calendar is read through a connected account, so it has no address.':
    'Dieser Kalender wird über ein verbundenes Konto gelesen und hat daher keine Adresse.',
  'The calendar is on another server now. Enter its password again.':
    'Der Kalender liegt jetzt auf einem anderen Server. Bitte das Passwort noch einmal eingeben.',
  'This calendar is not checked for conflicts, so it is not read.':
    'Dieser Kalender wird nicht auf Konflikte geprüft und daher nicht gelesen.',
  '{field} must not contain control characters.': '„{field}“ darf keine Steuerzeichen enthalten.',
  '{0} is not set up here. Ask whoever runs this service to register a client.':
    '{0} ist hier nicht eingerichtet. Der Betreiber dieses Dienstes kann einen Client registrieren.',
  '{0} Please connect it again.': '{0} Bitte neu verbinden.',
  '{0} Please try again in a moment.': '{0} Bitte gleich noch einmal versuchen.',
  'There is no such calendar. Check the address.': 'Diesen Kalender gibt es nicht. Bitte die Adresse prüfen.',
  'The calendar has no owner.': 'Der Kalender hat keinen Besitzer.',
  'This account is at {0}, not at {1}.': 'Dieses Konto ist bei {0}, nicht bei {1}.',
  'The connected account has no such calendar.': 'Das verbundene Konto hat keinen solchen Kalender.',
  'You can’t add events to “{0}”. Choose another calendar for your bookings.':
    'In „{0}“ können keine Termine eingetragen werden. Bitte einen anderen Kalender für die Buchungen wählen.',
  'This calendar was deleted, or is no longer shared with the connected account.':
    'Dieser Kalender wurde gelöscht oder ist nicht mehr für das verbundene Konto freigegeben.',
  'What is at this address is not a calendar.': 'Unter dieser Adresse ist kein Kalender.',
  'The calendar arrived incomplete.': 'Der Kalender kam unvollständig an.',
  'The calendar could not be read.': 'Der Kalender konnte nicht gelesen werden.',
  'The password can no longer be read. Please enter it again.':
    'Das Passwort ist nicht mehr lesbar. Bitte noch einmal eingeben.',
  'Someone else has just taken this. Please choose another.':
    'Das wurde gerade von jemand anderem vergeben. Bitte etwas anderes wählen.',
  'There is no ALTCHA challenge here.': 'Hier gibt es keine ALTCHA-Aufgabe.',
  'This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.':
    'Dieser Termintyp verlangt ein CAPTCHA. Bitte ein API-Token des Inhabers senden oder eine gelöste Aufgabe als captchaToken.',
  'This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.':
    'Dieser Termintyp lässt Gäste ihre Adresse bestätigen. Bitte einen Code unter /v2/bookings/verification/email/send-code anfordern und als emailVerificationCode senden.',
  'A code is for one event type: {field} must name it.':
    'Ein Code gilt für einen Termintyp: {field} muss ihn nennen.',
  'Please complete the CAPTCHA challenge (captchaToken).': 'Bitte die CAPTCHA-Aufgabe lösen (captchaToken).',
  'The CAPTCHA was not solved, has expired or was used before. Please try again.':
    'Das CAPTCHA wurde nicht gelöst, ist abgelaufen oder wurde schon verwendet. Bitte noch einmal versuchen.',
  'The CAPTCHA could not be checked just now. Please try again in a moment.':
    'Das CAPTCHA konnte gerade nicht geprüft werden. Bitte gleich noch einmal versuchen.',
  '{field} is required.': '„{field}“ ist erforderlich.',
  'This event type has 1 booking, which would be lost. Hide it instead.':
    'Diese Terminart hat 1 Buchung, die verloren ginge. Bitte stattdessen verbergen.',
  'This event type has {0} bookings, which would be lost. Hide it instead.':
    'Diese Terminart hat {0} Buchungen, die verloren gingen. Bitte stattdessen verbergen.',
  'These forms send visitors to it: {0}.': 'Diese Formulare leiten Besucher dorthin: {0}.',
  '{field} must be the id of a user.': '„{field}“ muss die ID einer Person sein.',
  'Each host can be added only once.': 'Jeder Gastgeber kann nur einmal hinzugefügt werden.',
  'Hosts must be members of the team.': 'Gastgeber müssen Mitglieder des Teams sein.',
  '{field} must be a whole number from {0} to {1}.': '„{field}“ muss eine ganze Zahl von {0} bis {1} sein.',
  '{field} must belong to one of the hosts.': '„{field}“ muss einem der Gastgeber gehören.',
  'Bookings can’t be added to a feed. Choose another calendar.':
    'In einen Kalender-Feed können keine Buchungen eingetragen werden. Bitte einen anderen Kalender wählen.',
  'Bookings can’t be added to a calendar that you can only read. Choose another calendar.':
    'In einen Kalender, der nur gelesen werden kann, können keine Buchungen eingetragen werden. Bitte einen anderen Kalender wählen.',
  '{field} must be a UTC instant such as 2030-01-31T09:30:00Z.':
    '„{field}“ muss ein UTC-Zeitpunkt wie 2030-01-31T09:30:00Z sein.',
  'These meeting links are not set up on this service.':
    'Diese Besprechungslinks sind auf diesem Dienst nicht eingerichtet.',
  'One schedule must be the default. Make another one the default instead.':
    'Ein Zeitplan muss der Standard sein. Bitte stattdessen einen anderen zum Standard machen.',
  'This is the default schedule. Make another one the default first.':
    'Das ist der Standardzeitplan. Bitte zuerst einen anderen zum Standard machen.',
  'This schedule is used by: {0}.': 'Dieser Zeitplan wird verwendet von: {0}.',
  'This form has no such question.': 'Dieses Formular hat keine solche Frage.',
  'These answers look automated. Leave the hidden field empty.':
    'Diese Antworten sehen automatisch erzeugt aus. Bitte das versteckte Feld leer lassen.',
  'These answers could not be accepted.': 'Diese Antworten konnten nicht angenommen werden.',
  'This form has 1 response, which would be lost. Export them first; then delete it with force=true.':
    'Dieses Formular hat 1 Antwort, die verloren ginge. Bitte zuerst exportieren und dann mit force=true löschen.',
  'This form has {0} responses, which would be lost. Export them first; then delete it with force=true.':
    'Dieses Formular hat {0} Antworten, die verloren gingen. Bitte zuerst exportieren und dann mit force=true löschen.',
  'There is no such form. Check the address.': 'Dieses Formular gibt es nicht. Bitte die Adresse prüfen.',
  'The host has not confirmed this booking yet. Its calendar file is available once they have.':
    'Der Gastgeber hat diese Buchung noch nicht bestätigt. Die Kalenderdatei gibt es, sobald das geschehen ist.',
  'Only admins and owners of the team can see this.': 'Das können nur Admins und Besitzer des Teams sehen.',
  'Only owners of the team can do this.': 'Das können nur Besitzer des Teams.',
  'Only the people of this event type can do this.':
    'Das können nur die Personen, denen dieser Termintyp gehört.',
  'Only admins and owners of the team can do this.': 'Das können nur Admins und Besitzer des Teams.',
  'Only admins of this instance can do this.': 'Das können nur Admins dieser Installation.',
  'There is nothing here, or it is not yours.': 'Hier gibt es nichts, oder es gehört jemand anderem.',
  'Row {0}: {1}': 'Zeile {0}: {1}',
  '1 more row is wrong.': '1 weitere Zeile ist falsch.',
  '{0} more rows are wrong.': '{0} weitere Zeilen sind falsch.',
  'Nothing was saved.': 'Nichts wurde gespeichert.',
  'An API token cannot change your email address. Sign in for that.':
    'Mit einem API-Token kann die E-Mail-Adresse nicht geändert werden. Dafür bitte anmelden.',
  'This is your address already.': 'Das ist bereits die Adresse dieses Kontos.',
  'We have just sent a link. Please try again in {0} seconds.':
    'Ein Link wurde gerade verschickt. Bitte in {0} s noch einmal versuchen.',
  'This link has expired or was used before. Ask for a new one.':
    'Dieser Link ist abgelaufen oder wurde schon verwendet. Bitte einen neuen anfordern.',
  'Another account here has this address. Use another, or sign in with it.':
    'Ein anderes Konto hat hier diese Adresse. Bitte eine andere verwenden oder sich damit anmelden.',
  'There is no booking page at this address.': 'Unter dieser Adresse gibt es keine Buchungsseite.',
  'This image is larger than 512 KB. Please choose a smaller one.':
    'Dieses Bild ist größer als 512 KB. Bitte ein kleineres wählen.',
  'This isn’t a PNG, JPEG or WebP image. Please choose one of those.':
    'Das ist kein Bild im Format PNG, JPEG oder WebP. Bitte eines davon wählen.',
  'This image is {0} by {1} pixels. Please choose one of at most {2} by {3}.':
    'Dieses Bild ist {0} mal {1} Pixel groß. Bitte eines von höchstens {2} mal {3} wählen.',
  'You’ve uploaded many images. Please try again in an hour.':
    'Es wurden viele Bilder hochgeladen. Bitte in einer Stunde noch einmal versuchen.',
  '{field} is gone. Please upload the image again.':
    '„{field}“ gibt es nicht mehr. Bitte das Bild noch einmal hochladen.',
  'Only an owner can invite an owner.': 'Nur Besitzer können Besitzer einladen.',
  'Only an admin can invite an admin.': 'Nur Admins können Admins einladen.',
  '{0} is already a member of the team.': '{0} ist bereits Mitglied des Teams.',
  '{0} already has an account.': '{0} hat bereits ein Konto.',
  '"{0}" is reserved. Please choose another.': '„{0}“ ist reserviert. Bitte etwas anderes wählen.',
  '{field} must be a colour such as #2563eb, or empty.':
    '„{field}“ muss eine Farbe wie #2563eb oder leer sein.',
  '{field} must begin with https://, or be empty.': '„{field}“ muss mit https:// beginnen oder leer sein.',
  '{0} is the only host of: {1}. Give that another host, or delete it, first.':
    '{0} ist der einzige Gastgeber von: {1}. Bitte zuerst einen anderen Gastgeber eintragen oder löschen.',
  'You cannot raise your own role.': 'Die eigene Rolle kann nicht erhöht werden.',
  'A team needs an owner. Make someone else an owner first.':
    'Ein Team braucht einen Besitzer. Bitte zuerst jemand anderen zum Besitzer machen.',
  'This is the only admin here. Make someone else an admin first.':
    'Das ist der einzige Admin hier. Bitte zuerst jemand anderen zum Admin machen.',
  'This API token is not allowed to {0}.': 'Dieses API-Token hat die Berechtigung {0} nicht.',
  'Sign in first: this needs a valid bearer token.':
    'Bitte zuerst anmelden: Dafür ist ein gültiges Bearer-Token nötig.',
  'Nobody signs in by email here. Please use {0}.':
    'Hier meldet sich niemand per E-Mail an. Bitte {0} verwenden.',
  '{0} has no account here, and signing up is not open to it.':
    '{0} hat hier kein Konto und kann sich nicht registrieren.',
  'An API token cannot see or end sessions. Sign in for that.':
    'Mit einem API-Token können Sitzungen weder angezeigt noch beendet werden. Dafür bitte anmelden.',
  '{field} must look like name@example.com.': '„{field}“ muss aussehen wie name@example.com.',
  'Your session has ended. Please sign in again.': 'Die Sitzung ist beendet. Bitte erneut anmelden.',
  'This team has 1 booking, which would be lost. Hide its event types instead.':
    'Dieses Team hat 1 Buchung, die verloren ginge. Bitte stattdessen seine Terminarten verbergen.',
  'This team has {0} bookings, which would be lost. Hide its event types instead.':
    'Dieses Team hat {0} Buchungen, die verloren gingen. Bitte stattdessen seine Terminarten verbergen.',
  'An API token cannot make API tokens. Sign in for that.':
    'Mit einem API-Token können keine API-Token angelegt werden. Dafür bitte anmelden.',
  '{field} must not be before the first date.': '„{field}“ darf nicht vor dem ersten Datum liegen.',
  'Choose at most {0} days.': 'Bitte höchstens {0} Tage wählen.',
  '{field} must be a date such as 2030-01-31.': '„{field}“ muss ein Datum wie 2030-01-31 sein.',
  'There is no such event type. Check the address.':
    'Diese Terminart gibt es nicht. Bitte die Adresse prüfen.',
  '{field} must be {0}, in minutes.': '„{field}“ muss {0} sein, in Minuten.',
  '{field} must be an IANA time zone such as Europe/Berlin.':
    '„{field}“ muss eine IANA-Zeitzone wie Europe/Berlin sein.',
  '{field} must not be before dateFrom.': '„{field}“ darf nicht vor dateFrom liegen.',
  'Ask for at most {0} days at a time.': 'Bitte höchstens {0} Tage auf einmal abfragen.',
  'This webhook is turned off. Turn it on first.':
    'Dieser Webhook ist ausgeschaltet. Bitte zuerst einschalten.',
  'There can be at most {0} webhooks.': 'Höchstens {0} Webhooks sind möglich.',
  'Choose event types that belong to the webhook’s owner.':
    'Bitte Terminarten wählen, die dem Besitzer des Webhooks gehören.',
  'An API token cannot delete your account. Sign in for that.':
    'Mit einem API-Token kann das Konto nicht gelöscht werden. Dafür bitte anmelden.',
  'Enter the email address that you sign in with, to confirm.':
    'Bitte zur Bestätigung die E-Mail-Adresse eingeben, mit der die Anmeldung erfolgt.',
  'You are the only admin here. Another user must be made an admin first.':
    'Hier gibt es keinen anderen Admin. Zuerst muss jemand anderes Admin werden.',
  'You are the only owner of: {0}. Make someone else an owner, or delete the team, first.':
    'Diese Teams haben keinen anderen Besitzer: {0}. Bitte zuerst jemand anderen zum Besitzer machen oder das Team löschen.',
  '{0}; {1}': '{0}; {1}',
  '{0}; and {1} more': '{0}; und {1} weitere',
  'You host one upcoming meeting: {0} (times in {1}). Cancel them first, or have them cancelled with your account.':
    'Ein Termin steht noch an: {0} (Zeiten in {1}). Bitte zuerst absagen oder mit dem Konto absagen lassen.',
  'You host {0} upcoming meetings: {1} (times in {2}). Cancel them first, or have them cancelled with your account.':
    '{0} Termine stehen noch an: {1} (Zeiten in {2}). Bitte zuerst absagen oder mit dem Konto absagen lassen.',
  'An API token cannot export your account. Sign in for that.':
    'Mit einem API-Token kann das Konto nicht exportiert werden. Dafür bitte anmelden.',
  'Your forms have more than {0} responses. Download them form by form, and delete some first.':
    'Die Formulare haben mehr als {0} Antworten. Bitte Formular für Formular herunterladen und zuerst einige löschen.',
  'This is not one of your recovery codes, or you have used it before.':
    'Das ist keiner der Wiederherstellungscodes, oder er wurde schon verwendet.',
  'This sign-in has ended. Ask for a new link.':
    'Diese Anmeldung ist abgelaufen. Bitte einen neuen Link anfordern.',
  'This passkey was not accepted. Try another, or use a recovery code.':
    'Dieser Passkey wurde nicht angenommen. Bitte einen anderen oder einen Wiederherstellungscode verwenden.',
  'An API token cannot turn on notifications. Sign in for that.':
    'Mit einem API-Token lassen sich keine Benachrichtigungen einschalten. Dafür ist eine Anmeldung nötig.',
  'You have notifications in {0} browsers. Turn them off in one of them first.':
    'Benachrichtigungen sind in {0} Browsern eingeschaltet, mehr geht nicht. Bitte zuerst in einem davon ausschalten.',
  'This browser no longer takes notifications. Turn them off and on again.':
    'Dieser Browser nimmt keine Benachrichtigungen mehr an. Bitte aus- und wieder einschalten.',
  'Notifications in browsers are turned off on this instance.':
    'Benachrichtigungen in Browsern sind auf dieser Instanz ausgeschaltet.',
  'An API token cannot see or change passkeys. Sign in for that.':
    'Mit einem API-Token können Passkeys weder angesehen noch geändert werden. Dafür bitte anmelden.',
  'Passkeys need https and a domain. This service is at {0}.':
    'Passkeys brauchen https und eine Domain. Dieser Dienst ist unter {0} erreichbar.',
  'This took too long, or was done before. Please add the passkey again.':
    'Das hat zu lange gedauert oder war schon erledigt. Bitte den Passkey noch einmal hinzufügen.',
  'This passkey was not accepted. Please add it again.':
    'Dieser Passkey wurde nicht angenommen. Bitte noch einmal hinzufügen.',
  'This passkey was added before.': 'Dieser Passkey wurde schon hinzugefügt.',
  'This service requires a passkey, and this is your only one. Add another first.':
    'Dieser Dienst verlangt einen Passkey, und das ist der einzige. Bitte zuerst einen anderen hinzufügen.',
  'Recovery codes stand in for a passkey. Add a passkey first.':
    'Wiederherstellungscodes ersetzen einen Passkey. Bitte zuerst einen Passkey hinzufügen.',
  'Remove your own passkeys in your profile.': 'Eigene Passkeys bitte im Profil entfernen.',
  'You have {0} passkeys, which is the most. Remove one first.':
    'Mit {0} Passkeys ist die Höchstzahl erreicht. Bitte zuerst einen entfernen.',
  'You signed in a while ago. Please sign in again to change your passkeys.':
    'Die Anmeldung liegt schon länger zurück. Zum Ändern der Passkeys bitte erneut anmelden.',
  'This service requires a passkey. Add one in the dashboard first.':
    'Dieser Dienst verlangt einen Passkey. Bitte zuerst einen im Dashboard hinzufügen.',
  'The receiver answered 410: it is gone for good.':
    'Der Empfänger hat mit 410 geantwortet: Es gibt ihn nicht mehr.',
  'Nothing has arrived for five days.': 'Seit fünf Tagen ist nichts angekommen.',

  // The names of fields, which stand in quotation marks.
  'The name': 'Name',
  'The booking link': 'Buchungslink',
  'The description': 'Beschreibung',
  'The time zone': 'Zeitzone',
  'The email address': 'E-Mail-Adresse',
  'The role': 'Rolle',
  'Whether they are disabled': 'Deaktiviert',
  'Id {1}': 'ID {1}',
  'The text to find': 'Suchtext',
  'The address': 'Adresse',
  'The kind': 'Art',
  'Kind {1}': 'Art {1}',
  'The provider': 'Anbieter',
  'The connected account': 'Verbundenes Konto',
  'The calendar': 'Kalender',
  'The note': 'Notiz',
  'The colleague who stands in': 'Vertretung',
  'The link': 'Link',
  'The setting for tentative events': 'Einstellung für Termine mit Vorbehalt',
  'The reason': 'Grund',
  'The first day': 'Erster Tag',
  'The last day': 'Letzter Tag',
  'The start': 'Beginn',
  'The guest’s name': 'Name des Gastes',
  'The guest’s email address': 'E-Mail-Adresse des Gastes',
  'The guest’s phone number': 'Telefonnummer des Gastes',
  'The guest’s time zone': 'Zeitzone des Gastes',
  'The guest’s language': 'Sprache des Gastes',
  'The notes': 'Anmerkungen',
  'The end': 'Ende',
  'The team': 'Team',
  'The owner': 'Besitzer',
  'The duration': 'Dauer',
  'The list of durations': 'Liste der Dauern',
  'Duration {1}': 'Dauer {1}',
  'The time between starts': 'Abstand der Startzeiten',
  'The buffer before': 'Puffer davor',
  'The buffer after': 'Puffer danach',
  'The minimum notice': 'Mindestvorlauf',
  'The booking window': 'Buchungszeitraum',
  'The kind of booking window': 'Art des Buchungszeitraums',
  'The setting for business days': 'Einstellung zu Arbeitstagen',
  'The first date of the booking window': 'Erster Tag des Buchungszeitraums',
  'The last date of the booking window': 'Letzter Tag des Buchungszeitraums',
  'The set of booking limits': 'Buchungslimits',
  'The limit per day': 'Limit pro Tag',
  'The limit per week': 'Limit pro Woche',
  'The limit per month': 'Limit pro Monat',
  'The limit per year': 'Limit pro Jahr',
  'The set of limits in minutes': 'Limits in Minuten',
  'The limit of minutes per day': 'Minutenlimit pro Tag',
  'The limit of minutes per week': 'Minutenlimit pro Woche',
  'The limit of minutes per month': 'Minutenlimit pro Monat',
  'The limit of minutes per year': 'Minutenlimit pro Jahr',
  'The number of seats': 'Anzahl der Plätze',
  'The number of days that personal data is kept': 'Aufbewahrung persönlicher Daten in Tagen',
  'The number of additional guests': 'Anzahl weiterer Gäste',
  'The list of guests': 'Liste der Gäste',
  'Guest {1}': 'Gast {1}',
  'The approval setting': 'Bestätigung durch den Gastgeber',
  'The visibility setting': 'Sichtbarkeit',
  'The location': 'Ort',
  'The type of location': 'Art des Ortes',
  'The meeting link': 'Besprechungslink',
  'The list of locations': 'Liste der Orte',
  'Location {1}': 'Ort {1}',
  'The id of location {1}': 'ID von Ort {1}',
  'The type of location {1}': 'Art von Ort {1}',
  'The meeting link of location {1}': 'Besprechungslink von Ort {1}',
  'The name of location {1}': 'Name von Ort {1}',
  'The list of questions': 'Liste der Fragen',
  'Question {1}': 'Frage {1}',
  'The key of question {1}': 'Schlüssel von Frage {1}',
  'The label of question {1}': 'Beschriftung von Frage {1}',
  'The type of question {1}': 'Typ von Frage {1}',
  'The required setting of question {1}': 'Pflichtangabe von Frage {1}',
  'The visibility of question {1}': 'Sichtbarkeit von Frage {1}',
  'The list of options of question {1}': 'Liste der Optionen von Frage {1}',
  'Option {2} of question {1}': 'Option {2} von Frage {1}',
  'The spam protection': 'Spamschutz',
  'The honeypot setting': 'Honeypot',
  'The CAPTCHA': 'CAPTCHA',
  'The blocklist': 'Sperrliste',
  'Entry {1} of the blocklist': 'Eintrag {1} der Sperrliste',
  'The duplicates setting': 'Erkennung von Dubletten',
  'The limit of attempts per minute': 'Limit der Versuche pro Minute',
  'The assignment of hosts': 'Zuteilung der Gastgeber',
  'The position': 'Position',
  'The schedule': 'Zeitplan',
  'The cancellation cutoff': 'Frist für Absagen',
  'The rescheduling cutoff': 'Frist für Verschiebungen',
  'The list of reminders': 'Liste der Erinnerungen',
  'Reminder {1}': 'Erinnerung {1}',
  'The list of sites': 'Liste der Websites',
  'Site {1}': 'Website {1}',
  'The return address': 'Rückkehradresse',
  'Private links only': 'Nur private Links',
  'Holding times': 'Zeiten freihalten',
  'Confirming addresses': 'Adressen bestätigen',
  'The number of uses': 'Anzahl der Verwendungen',
  'The expiry': 'Ablauf',
  'The list of hosts': 'Liste der Gastgeber',
  'Host {1}': 'Gastgeber {1}',
  'An answer': 'Eine Antwort',
  'The setting for calendars that cannot be checked': 'Verhalten bei nicht prüfbaren Kalendern',
  'The calendar for bookings': 'Kalender für Buchungen',
  'The price': 'Preis',
  '{field} must be a currency that guests can pay in, such as EUR, in capital letters.':
    '„{field}“ muss eine Währung sein, in der Gäste zahlen können, etwa EUR, in Großbuchstaben.',
  'There is a price for a duration that guests can’t choose: {0} minutes.':
    'Für eine Dauer, die Gäste nicht wählen können, gibt es einen Preis: {0} Minuten.',
  'Connect an account that gets the money first. Then set a price.':
    'Bitte zuerst ein Konto verbinden, das das Geld erhält. Danach kann ein Preis festgelegt werden.',
  'The amount': 'Betrag',
  'The currency': 'Währung',
  'The refund': 'Erstattung',
  'The refund rule': 'Erstattungsregel',
  'The time until which everything is refunded': 'Frist für die volle Erstattung',
  'The share that is refunded later': 'Später erstatteter Anteil',
  'The set of prices by duration': 'Preise nach Dauer',
  'The price of a duration': 'Preis einer Dauer',
  'The series': 'Serie',
  'The list of intervals': 'Liste der Abstände',
  'Interval {1}': 'Abstand {1}',
  'The most meetings of a series': 'Höchstzahl der Termine einer Serie',
  'The scope': 'Umfang',
  'The required setting of host {1}': 'Pflichtteilnahme von Gastgeber {1}',
  'The weight of host {1}': 'Gewicht von Gastgeber {1}',
  '“Undoable”': 'Rückgängig machbar',
  'The host': 'Gastgeber',
  'The automatic choice': 'Automatische Wahl',
  'The weekly schedule': 'Wochenplan',
  'A day of the weekly schedule': 'Ein Tag des Wochenplans',
  'A range of hours': 'Ein Zeitraum',
  'The start of a range of hours': 'Beginn eines Zeitraums',
  'The end of a range of hours': 'Ende eines Zeitraums',
  'The list of date overrides': 'Liste der abweichenden Tage',
  'A date override': 'Ein abweichender Tag',
  'The default setting': 'Standard',
  'The list of fields': 'Liste der Felder',
  'Field {1}': 'Feld {1}',
  'The id of field {1}': 'ID von Feld {1}',
  'The label of field {1}': 'Beschriftung von Feld {1}',
  'The type of field {1}': 'Typ von Feld {1}',
  'The required setting of field {1}': 'Pflichtangabe von Feld {1}',
  'The list of options of field {1}': 'Liste der Optionen von Feld {1}',
  'Option {2} of field {1}': 'Option {2} von Feld {1}',
  'The id of option {2} of field {1}': 'ID der Option {2} von Feld {1}',
  'The label of option {2} of field {1}': 'Beschriftung der Option {2} von Feld {1}',
  'The list of rules': 'Liste der Regeln',
  'Rule {1}': 'Regel {1}',
  'The condition of rule {1}': 'Bedingung von Regel {1}',
  'The target of rule {1}': 'Ziel von Regel {1}',
  'The action of rule {1}': 'Aktion von Regel {1}',
  'The event type of rule {1}': 'Terminart von Regel {1}',
  'The host filter of rule {1}': 'Gastgeberfilter von Regel {1}',
  'The address of rule {1}': 'Adresse von Regel {1}',
  'The message of rule {1}': 'Nachricht von Regel {1}',
  'The host of returning guests in rule {1}': 'Gastgeber wiederkehrender Gäste in Regel {1}',
  'How long ago returning guests met their host, in rule {1},':
    'Zeit seit dem letzten Treffen wiederkehrender Gäste in Regel {1}',
  'The owner lookup of rule {1}': 'Zuständigen-Suche von Regel {1}',
  'How returning guests are recognised in rule {1}': 'Erkennung wiederkehrender Gäste in Regel {1}',
  'The fallback': 'Ziel für alle anderen',
  'The action of the fallback': 'Aktion für alle anderen',
  'The event type of the fallback': 'Terminart für alle anderen',
  'The host filter of the fallback': 'Gastgeberfilter für alle anderen',
  'The address of the fallback': 'Adresse für alle anderen',
  'The message of the fallback': 'Nachricht für alle anderen',
  'The host of returning guests in the fallback': 'Gastgeber wiederkehrender Gäste für alle anderen',
  'How long ago returning guests met their host, in the fallback,':
    'Zeit seit dem letzten Treffen wiederkehrender Gäste für alle anderen',
  'The owner lookup of the fallback': 'Zuständigen-Suche für alle anderen',
  'How returning guests are recognised in the fallback': 'Erkennung wiederkehrender Gäste für alle anderen',
  'The list of tests': 'Liste der Tests',
  'Test {1}': 'Test {1}',
  'The name of test {1}': 'Name von Test {1}',
  'The expected result of test {1}': 'Erwartetes Ergebnis von Test {1}',
  'The expected action of test {1}': 'Erwartete Aktion von Test {1}',
  'The expected event type of test {1}': 'Erwartete Terminart von Test {1}',
  'The expected address of test {1}': 'Erwartete Adresse von Test {1}',
  'The expected message of test {1}': 'Erwartete Nachricht von Test {1}',
  'The force parameter': 'Parameter force',
  'The list of events': 'Liste der Ereignisse',
  'Event {1}': 'Ereignis {1}',
  'The list of event types': 'Liste der Terminarten',
  'Event type {1}': 'Terminart {1}',
  'The active setting': 'Aktiv',
  'The event': 'Ereignis',
  'The user name': 'Benutzername',
  'The password': 'Passwort',
  'The conflicts setting': 'Prüfung auf Konflikte',
  'The setting for adding bookings': 'Eintragen von Buchungen',
  'The entry': 'Eintrag',
  'The bio': 'Über mich',
  'The address of the picture': 'Adresse des Bildes',
  'The language': 'Sprache',
  'The German form of address': 'Anrede im Deutschen',
  'Who takes over': 'Wer übernimmt',
  'The theme': 'Farbschema',
  'The time format': 'Zeitformat',
  'The start of the week': 'Wochenbeginn',
  'The choice of what members see': 'Was Mitglieder sehen',
  'The branding': 'Branding',
  'The colour': 'Farbe',
  'The address of the logo': 'Adresse des Logos',
  'Attribute {1}': 'Attribut {1}',
  'The key of attribute {1}': 'Schlüssel von Attribut {1}',
  'The label of attribute {1}': 'Beschriftung von Attribut {1}',
  'The type of attribute {1}': 'Typ von Attribut {1}',
  'The list of options of attribute {1}': 'Liste der Optionen von Attribut {1}',
  'Option {2} of attribute {1}': 'Option {2} von Attribut {1}',
  'The set of attributes': 'Attribute',
  'An attribute': 'Ein Attribut',
  'The dry run setting': 'Probelauf',
  'The list of scopes': 'Liste der Berechtigungen',
  'Scope {1}': 'Berechtigung {1}',
  'The number of days until it expires': 'Tage bis zum Ablauf',
  'The token': 'Token',
  'The limit': 'Limit',
  'Whether to end what it made': 'Beenden, was damit angelegt wurde',
  'Whether to cancel meetings': 'Termine absagen',
  'The cursor': 'Cursor',
  'The status': 'Status',
  'The first date': 'Erstes Datum',
  'The last date': 'Letztes Datum',
  'The event type': 'Terminart',
  'The text to search for': 'Suchtext',
  'The order': 'Reihenfolge',
  'A field': 'Ein Feld',
  'The recovery code': 'Wiederherstellungscode',
  'The passkey’s id': 'ID des Passkeys',
  'The passkey’s client data': 'Client-Daten des Passkeys',
  'The passkey’s attestation': 'Attestierung des Passkeys',
  'The passkey’s data': 'Daten des Passkeys',
  'The passkey’s signature': 'Signatur des Passkeys',
  'The subscription': 'Abonnement',
  'The browser’s address': 'Adresse des Browsers',
  'The expiration time': 'Ablaufzeit',
  'The pair of keys': 'Schlüsselpaar',
  'The service': 'Dienst',
  'The kind of row': 'Art der Zeile',
  'The state': 'Zustand',
  'Whether only lines with a note are listed': 'Ob nur Zeilen mit einer Anmerkung aufgelistet werden',
  'The list of choices': 'Liste der Entscheidungen',
  'The list of names in links': 'Liste der Namen in Links',
  'The list of video services': 'Liste der Videodienste',
  'The list of those who stay': 'Liste derer, die nicht mitkommen',
  'Entry {1} of those who stay': 'Eintrag {1} derer, die nicht mitkommen',
  'The format': 'Format',
  'The payload template': 'Vorlage des Inhalts',
  'The browser’s public key': 'Öffentlicher Schlüssel des Browsers',
  'The browser’s secret': 'Geheimnis des Browsers',
  'The list of notifications': 'Liste der Benachrichtigungen',
  'Notification {1}': 'Benachrichtigung {1}',
  'The list of transports': 'Liste der Übertragungswege',
  'Transport {1}': 'Übertragungsweg {1}',
  'To delete your own account, open your profile, or ask another admin.':
    'Das eigene Konto wird im Profil gelöscht, oder von einem anderen Admin.',
  'Choose someone else to take over, who has an account and can sign in.':
    'Bitte eine andere Person wählen, die ein Konto hat und sich anmelden kann.',
  '{0} is not free for one of these meetings: {1} (times in {2}). Choose someone else, or have it cancelled.':
    '{0} hat bei einem dieser Termine keine Zeit: {1} (Zeiten in {2}). Bitte eine andere Person wählen, oder ihn absagen lassen.',
  '{0} is not free for {1} of these meetings: {2} (times in {3}). Choose someone else, or have them cancelled.':
    '{0} hat bei {1} dieser Termine keine Zeit: {2} (Zeiten in {3}). Bitte eine andere Person wählen, oder sie absagen lassen.',
  'This person is the only owner of: {0}. Choose who takes over, or make someone else an owner first.':
    'Diese Person ist allein Inhaber von: {0}. Bitte wählen, wer übernimmt, oder zuerst jemand anderen zum Inhaber machen.',
  'Guests have paid for meetings ahead through {0}’s own account, which can’t be handed over: {1} (times in {2}). Cancel these meetings first: that gives the money back.':
    'Gäste haben für kommende Termine über das Konto von {0} bezahlt, das sich nicht übergeben lässt: {1} (Zeiten in {2}). Bitte zuerst diese Termine absagen: Dann geht das Geld zurück.',
  '{0} hosts one upcoming meeting: {1} (times in {2}). Choose who takes over, or have it cancelled.':
    '{0} hat einen bevorstehenden Termin: {1} (Zeiten in {2}). Bitte wählen, wer übernimmt, oder ihn absagen lassen.',
  '{0} hosts {1} upcoming meetings: {2} (times in {3}). Choose who takes over, or have them cancelled.':
    '{0} hat {1} bevorstehende Termine: {2} (Zeiten in {3}). Bitte wählen, wer übernimmt, oder sie absagen lassen.',
  'It lies in the past.': 'Die Zeit liegt in der Vergangenheit.',
  'It begins sooner than the minimum notice of {0} minutes allows.':
    'Die Zeit beginnt früher, als der Mindestvorlauf von {0} Minuten erlaubt.',
  'It lies before the booking window opens.': 'Die Zeit liegt vor dem Buchungszeitraum.',
  'It lies beyond the booking window.': 'Die Zeit liegt nach dem Buchungszeitraum.',
  'The host has not confirmed their hours yet.': 'Der Gastgeber hat die eigenen Zeiten noch nicht bestätigt.',
  'It is outside the hours: {0} on {1} in {2} is closed.':
    'Die Zeit liegt außerhalb der Zeiten: {0} Uhr am {1} in {2} ist geschlossen.',
  'The meeting would run past the end of the open hours.':
    'Der Termin würde länger dauern als die offenen Zeiten.',
  'Starts are {0} minutes apart, counted from when the hours open, and this is between two.':
    'Die Anfänge liegen {0} Minuten auseinander, gezählt ab Beginn der offenen Zeiten; diese Zeit liegt dazwischen.',
  '{0} Nearest: {1}.': '{0} Die nächste: {1}.',
  '{0} Nearest: {1} and {2}.': '{0} Die nächsten: {1} und {2}.',
  'All its seats are taken.': 'Alle Plätze sind belegt.',
  'Another meeting takes {0} to {1}.': 'Ein anderer Termin belegt {0} bis {1}.',
  'A buffer would run into the meeting from {0} to {1}.':
    'Ein Puffer würde in den Termin von {0} bis {1} reichen.',
  'The host is away or busy from {0} to {1}.': 'Der Gastgeber ist von {0} bis {1} abwesend oder beschäftigt.',
  'The host is away from {0} to {1}. Guests are led to {2}.':
    'Der Gastgeber ist von {0} bis {1} abwesend. Gäste werden zu {2} geführt.',
  'A connected calendar is known only until {0}.': 'Ein verbundener Kalender ist nur bis {0} bekannt.',
  'Your calendar "{0}" is known only until {1}.': 'Der eigene Kalender „{0}“ ist nur bis {1} bekannt.',
  'A connected calendar has something from {0} to {1}.':
    'Ein verbundener Kalender ist von {0} bis {1} belegt.',
  'Your calendar "{0}" has something from {1} to {2}.':
    'Der eigene Kalender „{0}“ ist von {1} bis {2} belegt.',
  'The limit of {0} per day has been reached.': 'Die Grenze von {0} pro Tag ist erreicht.',
  'The limit of {0} per week has been reached.': 'Die Grenze von {0} pro Woche ist erreicht.',
  'The limit of {0} per month has been reached.': 'Die Grenze von {0} pro Monat ist erreicht.',
  'The limit of {0} per year has been reached.': 'Die Grenze von {0} pro Jahr ist erreicht.',
  'It would exceed the limit of {0} minutes per day.':
    'Damit wäre die Grenze von {0} Minuten pro Tag überschritten.',
  'It would exceed the limit of {0} minutes per week.':
    'Damit wäre die Grenze von {0} Minuten pro Woche überschritten.',
  'It would exceed the limit of {0} minutes per month.':
    'Damit wäre die Grenze von {0} Minuten pro Monat überschritten.',
  'It would exceed the limit of {0} minutes per year.':
    'Damit wäre die Grenze von {0} Minuten pro Jahr überschritten.',
  'The event type has no hosts.': 'Die Terminart hat keine Gastgeber.',
  'A host’s account is disabled, and meetings need this host. Choose other hosts.':
    'Das Konto eines Gastgebers ist deaktiviert, der für die Termine gebraucht wird. Bitte andere Gastgeber wählen.',
  'No job {0} has failed.': 'Kein Job {0} ist fehlgeschlagen.',
  Database: 'Datenbank',
  'SQLite; {0} is made at the first start': 'SQLite; {0} entsteht beim ersten Start',
  "can't be reached: {0}": 'nicht erreichbar: {0}',
  'Check DATABASE_URL, and whether the server runs.': 'DATABASE_URL prüfen, und ob der Server läuft.',
  '{0}, connected in {1} ms': '{0}, verbunden in {1} ms',
  '{0} is too old': '{0} ist zu alt',
  'Use PostgreSQL 15 or newer.': 'PostgreSQL 15 oder neuer verwenden.',
  Pooler: 'Pooler',
  'single statements have time-outs': 'einzelne Anweisungen haben Zeitlimits',
  'single statements have no time-outs': 'einzelne Anweisungen haben keine Zeitlimits',
  'PostgreSQL may compile single statements, which takes longer than running them':
    'PostgreSQL kompiliert einzelne Anweisungen womöglich, was länger dauert, als sie auszuführen',
  Standby: 'Standby',
  'follows a primary': 'folgt einem Primärserver',
  'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.':
    'DATABASE_READ_URL muss zu einem Standby führen. Bis dahin werden freie Zeiten vom Primärserver gelesen.',
  'is not a standby': 'ist kein Standby',
  'Check DATABASE_READ_URL. Until then, listings are read from the primary.':
    'DATABASE_READ_URL prüfen. Bis dahin werden freie Zeiten vom Primärserver gelesen.',
  Connections: 'Verbindungen',
  '{0} × ({1} + {2}) = {3} of the {4} that PostgreSQL gives':
    '{0} × ({1} + {2}) = {3} von {4}, die PostgreSQL zulässt',
  'Set DATABASE_POOL_SIZE={0}, or raise max_connections to {1}.':
    'DATABASE_POOL_SIZE={0} setzen oder max_connections auf {1} erhöhen.',
  'Raise max_connections to {0}.': 'max_connections auf {0} erhöhen.',
  'A rolling update runs one more instance: raise max_connections to {0}.':
    'Bei einem laufenden Update gibt es eine Instanz mehr: max_connections auf {0} erhöhen.',
  Clock: 'Uhr',
  "{0} s away from the database's": '{0} s Abstand zur Uhr der Datenbank',
  'Let both machines set their clocks by NTP.': 'Beide Rechner sollten ihre Uhr mit NTP stellen.',
  Migrations: 'Migrationen',
  'the database belongs to a newer version ({0})': 'die Datenbank gehört zu einer neueren Version ({0})',
  'Use that version, or restore a backup from before.':
    'Diese Version verwenden oder eine ältere Sicherung einspielen.',
  'They run when the service starts, or now with `punctual migrate`. Take a backup first.':
    'Migrationen laufen beim Start des Dienstes oder jetzt mit `punctual migrate`. Vorher eine Sicherung anlegen.',
  '{0} of {1} have not run yet': '{0} von {1} sind noch nicht gelaufen',
  'all {0} have run': 'alle {0} sind gelaufen',
  Jobs: 'Jobs',
  'the oldest has been due for {0} minutes': 'der älteste ist seit {0} Minuten fällig',
  'See that the service runs, and what its log says.':
    'Nachsehen, ob der Dienst läuft und was in seinem Log steht.',
  '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.':
    '`punctual outbox list` nennt den Grund; `punctual outbox retry --all` versucht es noch einmal.',
  '1 was given up': '1 wurde aufgegeben',
  '{0} were given up': '{0} wurden aufgegeben',
  'none is late, none was given up': 'keiner ist verspätet, keiner wurde aufgegeben',
  'Check {0}_CLIENT_ID and {1}_CLIENT_SECRET; a secret may have expired.':
    '{0}_CLIENT_ID und {1}_CLIENT_SECRET prüfen; ein Secret kann abgelaufen sein.',
  'refuses the client ({0})': 'lehnt den Client ab ({0})',
  'See that this machine can reach {0}.': 'Nachsehen, ob dieser Rechner {0} erreichen kann.',
  'Put the service behind https, and set PUBLIC_URL to that address.':
    'Den Dienst hinter https stellen und PUBLIC_URL auf diese Adresse setzen.',
  'sends nobody back to {0}, which is not https': 'schickt niemanden zu {0} zurück, weil es kein https ist',
  'answers; its client must have the redirect address {0}':
    'antwortet; der Client dort braucht die Weiterleitungsadresse {0}',
  'Sign-on': 'Anmeldung',
  'Check OIDC_ISSUER: is it an OpenID Connect provider?':
    'OIDC_ISSUER prüfen: Ist es ein OpenID-Connect-Anbieter?',
  'does not tell its {0}': 'verrät nicht: {0}',
  '{0} answers; its client must have the redirect address {1}':
    '{0} antwortet; der Client dort braucht die Weiterleitungsadresse {1}',
  'OIDC_ISSUER must be exactly what the provider calls itself.':
    'OIDC_ISSUER muss genau so lauten, wie der Anbieter sich selbst nennt.',
  'its clock is {0} s away from ours': 'seine Uhr weicht um {0} s von unserer ab',
  'Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.':
    'Die Uhr dieses Rechners mit NTP stellen. Ab 30 s kann sich dort niemand anmelden.',
  Passkeys: 'Passkeys',
  'required, for {0}': 'erforderlich, für {0}',
  Settings: 'Einstellungen',
  'valid, for production': 'gültig, für den Betrieb',
  'valid, but not for production': 'gültig, aber nicht für den Betrieb',
  'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.':
    'Auf einem Server für echte Gäste NODE_ENV=production setzen: Das hält den Demo-Arbeitsbereich fern.',
  '{0} is writable, {1} free': '{0} ist beschreibbar, {1} frei',
  'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.':
    'Platz schaffen: Bei voller Festplatte geht nichts Bestätigtes verloren, aber es sind keine Buchungen möglich.',
  "{0} can't be written to: {1}": '{0} ist nicht beschreibbar: {1}',
  'Let the account that runs the service own this folder.':
    'Der Ordner muss dem Konto gehören, unter dem der Dienst läuft.',
  Mail: 'E-Mail',
  'written to {0}, not sent': 'wird nach {0} geschrieben, nicht gesendet',
  'Set SMTP_URL: guests and hosts get no emails.':
    'SMTP_URL setzen: Gäste und Gastgeber bekommen keine E-Mails.',
  "{0} can't be used: {1}": '{0} ist nicht benutzbar: {1}',
  'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.':
    'SMTP_URL prüfen, und ob dieser Rechner sich dorthin verbinden darf. Bis dahin warten E-Mails.',
  '{0} answers, but the sender is {1}': '{0} antwortet, aber der Absender ist {1}',
  'Set MAIL_FROM to an address of yours that this mail server may send for.':
    'MAIL_FROM auf eine eigene Adresse setzen, für die dieser Mailserver senden darf.',
  '{0} answers': '{0} antwortet',
  '{0} works on this machine only': '{0} funktioniert nur auf diesem Rechner',
  'Set PUBLIC_URL to what guests see: links in emails begin with it.':
    'PUBLIC_URL auf die Adresse setzen, die Gäste sehen: Links in E-Mails beginnen damit.',
  '{0} is not https': '{0} ist kein https',
  'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.':
    'Einen Proxy mit TLS davor stellen: Personenbezogene Daten sind unterwegs ungeschützt, und Browser verweigern die ALTCHA-Prüfung.',
  'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.':
    'Den Dienst starten und nachsehen, ob der Proxy zu ihm führt. Vielleicht kann dieser Rechner auch sich selbst nicht erreichen.',
  '{0} leads to the service': '{0} führt zum Dienst',
  '{0}/healthz answers {1}, and not as this service would':
    '{0}/healthz antwortet {1}, und nicht so wie dieser Dienst',
  "{0} can't be reached from here: {1}": '{0} ist von hier nicht erreichbar: {1}',
  'The response was {0}.': 'Die Antwort war {0}.',
  'The response was {0}. Redirects are not followed.':
    'Die Antwort war {0}. Weiterleitungen werden nicht befolgt.',
  'The response was incomplete.': 'Die Antwort war unvollständig.',
  'The mail server refuses the recipient: {0}': 'Der Mailserver lehnt den Empfänger ab: {0}',
  'This booking was rescheduled {0} times in a day. Please try again tomorrow, or contact the host.':
    'Diese Buchung wurde {0}-mal an einem Tag verschoben. Bitte morgen erneut versuchen oder den Gastgeber kontaktieren.',
  'The file has more than {0} rows. Split it into several files.':
    'Die Datei hat mehr als {0} Zeilen. Bitte auf mehrere Dateien aufteilen.',
  'Too many times are being held just now. You can book without holding a time.':
    'Gerade werden zu viele Zeiten freigehalten. Buchen geht auch, ohne eine Zeit freizuhalten.',
  'Rule {0} matches, but its event type is hidden or deleted, so it leads to {1} instead of {2}.':
    'Regel {0} passt, aber ihre Terminart ist verborgen oder gelöscht, also führt es zu {1} statt zu {2}.',
  'No rule matches, and the event type of the fallback is hidden or deleted, so it leads to {0} instead of {1}.':
    'Keine Regel passt, und die Terminart für alle anderen ist verborgen oder gelöscht, also führt es zu {0} statt zu {1}.',
  'The set of answers': 'Antworten',
  'The set of answers of test {1}': 'Antworten von Test {1}',
  'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.':
    'Die Schlüssel dieses CAPTCHAs sind hier nicht eingerichtet, Gäste kämen also nicht weiter. Bitte ALTCHA wählen oder einen Admin nach den Schlüsseln fragen.',
  'A filter can name at most {0} values.': 'Ein Filter kann höchstens {0} Werte nennen.',
  '{field} must be at least {0} characters.': '„{field}“ muss mindestens {0} Zeichen lang sein.',
  'Choose who takes these meetings over.': 'Bitte wählen, wer diese Termine übernimmt.',
  'Two filters are called "{0}".': 'Zwei Filter heißen „{0}“.',
  '{field} must be at most {0} days after the start.':
    '„{field}“ darf höchstens {0} Tage nach dem Beginn liegen.',
  'Webhook: {0}': 'Webhook: {0}',
  'Email to {0}: {1}': 'E-Mail an {0}: {1}',
  'Calendar entry': 'Kalendereintrag',
  'Calendar entry of {0}': 'Kalendereintrag von {0}',
  'Meeting link': 'Meeting-Link',
  'the guest': 'den Gast',
  'an additional guest': 'einen weiteren Gast',
  'a former host': 'einen früheren Gastgeber',
  'The meeting was requested.': 'Der Termin wurde angefragt.',
  'The meeting was booked.': 'Der Termin wurde gebucht.',
  'The request was approved.': 'Die Anfrage wurde bestätigt.',
  'The request was declined.': 'Die Anfrage wurde abgelehnt.',
  'The meeting was cancelled.': 'Der Termin wurde abgesagt.',
  'The meeting was rescheduled.': 'Der Termin wurde verschoben.',
  'The meeting was handed over.': 'Der Termin wurde übergeben.',
  'The provider has a payment in {0}, and the ledger in {1}.':
    'Beim Anbieter steht eine Zahlung in {0}, im Kassenbuch in {1}.',
  'The provider has reserved {0}, and the ledger says {1}.':
    'Beim Anbieter sind {0} reserviert, im Kassenbuch {1}.',
  'The provider has received {0}, and the ledger says {1}.':
    'Beim Anbieter sind {0} eingegangen, im Kassenbuch {1}.',
  'The provider has refunded {0}, and the ledger says {1}.':
    'Der Anbieter hat {0} erstattet, im Kassenbuch stehen {1}.',
  'The provider has disputes about {0}, and the ledger says {1}.':
    'Beim Anbieter sind {0} angefochten, im Kassenbuch {1}.',
  'The provider has a payment of {0} for a booking that is not here.':
    'Beim Anbieter ist eine Zahlung über {0} für eine Buchung, die es hier nicht gibt.',
  'The ledger has a payment of {0} that the provider doesn’t know.':
    'Im Kassenbuch steht eine Zahlung über {0}, die der Anbieter nicht kennt.',
  'A refund of {0} has failed.': 'Eine Erstattung über {0} ist fehlgeschlagen.',
  'A guest’s bank asks for {0} back. Answer at the payment provider.':
    'Die Bank eines Gasts fordert {0} zurück. Bitte beim Zahlungsanbieter antworten.',
  'The guest has paid.': 'Der Gast hat bezahlt.',
  'The guest chose this time, and went to pay.': 'Der Gast hat diese Zeit gewählt und zur Kasse gewechselt.',
  'Money was refunded.': 'Geld wurde erstattet.',
  'The answer was undone.': 'Die Antwort wurde zurückgenommen.',
  'The guest was marked as a no-show.': 'Der Gast wurde als nicht erschienen markiert.',
  'The no-show was undone.': '„Nicht erschienen“ wurde zurückgenommen.',
  'The calendar entry was put back.': 'Der Kalendereintrag wurde wiederhergestellt.',
  Reminder: 'Erinnerung',
  'The booking was changed.': 'Die Buchung wurde geändert.',
  'The form': 'Formular',
  'Form {1}': 'Formular {1}',
  'The action': 'Aktion',
  'The list of bookings': 'Buchungen',
  'Booking {1}': 'Buchung {1}',
  'The name of filter {1}': 'Name von Filter {1}',
  'The query of filter {1}': 'Abfrage von Filter {1}',
  'The access to {0} has ended. Connect the account again.':
    'Der Zugriff auf {0} ist beendet. Das Konto muss neu verbunden werden.',
  'The calendar “{0}” could not be read.': 'Der Kalender „{0}“ konnte nicht gelesen werden.',
  'The webhook to {0} is failing.': 'Der Webhook an {0} schlägt fehl.',
  'The webhook to {0} was disabled.': 'Der Webhook an {0} wurde abgeschaltet.',
  '{0} hasn’t accepted the invitation.': '{0} hat die Einladung noch nicht angenommen.',
  '{0} hasn’t accepted the invitation to {1}.': '{0} hat die Einladung zu {1} noch nicht angenommen.',
  'An email to {0} could not be delivered.': 'Eine E-Mail an {0} konnte nicht zugestellt werden.',
  'Nobody can book “{0}” in the next {1} days.': '„{0}“ ist in den nächsten {1} Tagen nicht buchbar.',
  '“{0}” is a video call without a link.': '„{0}“ ist ein Videoanruf ohne Link.',
  'The CAPTCHA of “{0}” has no keys here, so guests can’t get past it.':
    'Für das CAPTCHA von „{0}“ gibt es hier keine Schlüssel, Gäste kommen also nicht weiter.',
  'A newer version has changed the database. Update this instance, too.':
    'Eine neuere Version hat die Datenbank geändert. Bitte auch diese Instanz aktualisieren.',
  'Backups are scheduled, but none has been taken yet.':
    'Backups sind geplant, aber noch wurde keines erstellt.',
  'The backup is overdue. The last one is from {0}.': 'Das Backup ist überfällig. Das letzte ist vom {0}.',
  'An email could not be delivered.': 'Eine E-Mail konnte nicht zugestellt werden.',
  '{0} emails could not be delivered.': '{0} E-Mails konnten nicht zugestellt werden.',
  'The order must name each event type of the owner once. Load the list again.':
    'Die Reihenfolge muss jede Terminart des Besitzers einmal nennen. Bitte die Liste neu laden.',
  'The list of ids': 'IDs',
  'There can be at most {0} messages.': 'Es kann höchstens {0} Nachrichten geben.',
  'This instance sends no text messages.': 'Diese Instanz verschickt keine SMS.',
  'Choose event types that belong to the message’s owner.':
    'Bitte Terminarten wählen, die dem Besitzer der Nachricht gehören.',
  'Choose forms that belong to the message’s owner.':
    'Bitte Formulare wählen, die dem Besitzer der Nachricht gehören.',
  'You have no email address.': 'Zu diesem Konto gibt es keine E-Mail-Adresse.',
  'The guest has been erased.': 'Die Daten des Gastes wurden gelöscht.',
  'They have unsubscribed from mail like this.': 'Solche E-Mails wurden abbestellt.',
  'Write the text in your own language, too: {0}.':
    'Bitte den Text auch in der eigenen Sprache schreiben: {0}.',
  'Only messages before, after or without a booking have a number of minutes.':
    'Nur Nachrichten vor, nach oder ohne Buchung haben eine Zahl von Minuten.',
  'A message without a booking goes to the guest or to the hosts.':
    'Eine Nachricht ohne Buchung geht an den Gast oder an die Gastgeber.',
  'Text messages go to the guest alone.': 'SMS gehen nur an den Gast.',
  'A message without a booking belongs to forms, not to event types.':
    'Eine Nachricht ohne Buchung gehört zu Formularen, nicht zu Terminarten.',
  'Only a message without a booking belongs to forms.':
    'Nur eine Nachricht ohne Buchung gehört zu Formularen.',
  'This is listed twice.': 'Das steht zweimal in der Liste.',
  'A text message can’t replace a mail of the service.': 'Eine SMS kann keine E-Mail des Dienstes ersetzen.',
  'The service sends no mail of its own at this moment, so there is nothing to replace.':
    'Zu diesem Zeitpunkt verschickt der Dienst keine eigene E-Mail, es gibt also nichts zu ersetzen.',
  'A text message has no subject.': 'Eine SMS hat keinen Betreff.',
  '{0} (line {1}, column {2})': '{0} (Zeile {1}, Spalte {2})',
  'There is no {0} in a message of this kind.': 'In einer Nachricht dieser Art gibt es kein {0}.',
  'There is no value called "{0}".': 'Es gibt keinen Wert namens „{0}“.',
  'A link leads to an address with https:, http: or mailto:, or is one of the link values.':
    'Ein Link führt zu einer Adresse mit https:, http: oder mailto: oder ist einer der Link-Werte.',
  'A value can’t be part of a web address.': 'Ein Wert kann nicht Teil einer Webadresse sein.',
  '“{0}” already replaces this mail. Change that message instead, or add this one without replacing.':
    '„{0}“ ersetzt diese E-Mail bereits. Bitte jene Nachricht ändern oder diese ohne Ersetzen anlegen.',
  'The meeting had already started.': 'Der Termin hatte schon begonnen.',
  'It was more than 24 hours late.': 'Mehr als 24 Stunden zu spät.',
  'The booking was waiting for its payment.': 'Die Buchung wartete auf die Zahlung.',
  'The booking was not paid in time.': 'Die Buchung wurde nicht rechtzeitig bezahlt.',
  'The booking was waiting for approval.': 'Die Buchung wartete auf Bestätigung.',
  'The booking was confirmed.': 'Die Buchung war bestätigt.',
  'The booking was declined.': 'Die Buchung wurde abgelehnt.',
  'The booking was cancelled.': 'Die Buchung wurde abgesagt.',
  'The meeting was over.': 'Der Termin war vorbei.',
  'The guest did not come.': 'Der Gast ist nicht erschienen.',
  'This {{ has no }} on its line.': 'Zu diesem {{ fehlt }} in derselben Zeile.',
  'This {{#if}} has no {{/if}}.': 'Zu diesem {{#if}} fehlt {{/if}}.',
  'Only {{#if NAME}} opens a block.': 'Nur {{#if NAME}} öffnet einen Block.',
  'At most {0} {{#if}} can be inside each other.': 'Höchstens {0} {{#if}} können ineinander stehen.',
  'There is no {{#if}} before this {0}.': 'Vor diesem {0} steht kein {{#if}}.',
  'This {{#if}} has a second {0}.': 'Dieses {{#if}} hat ein zweites {0}.',
  'Only {{/if}} closes a block.': 'Nur {{/if}} schließt einen Block.',
  'There is no {{#if}} before this {{/if}}.': 'Vor diesem {{/if}} steht kein {{#if}}.',
  'Only start and end can be written with "| date" or "| time".':
    'Nur start und end können mit „| date“ oder „| time“ stehen.',
  'When it is booked': 'Wenn gebucht wird',
  'When it is requested': 'Wenn angefragt wird',
  'When it is approved': 'Wenn bestätigt wird',
  'When it is declined': 'Wenn abgelehnt wird',
  'When it is cancelled': 'Wenn abgesagt wird',
  'When it is moved': 'Wenn verschoben wird',
  'When the guest did not come': 'Wenn der Gast nicht erschienen ist',
  '{0} minutes before the start': '{0} Minuten vor Beginn',
  'An hour before the start': 'Eine Stunde vor Beginn',
  '{0} hours before the start': '{0} Stunden vor Beginn',
  'A day before the start': 'Einen Tag vor Beginn',
  '{0} days before the start': '{0} Tage vor Beginn',
  '{0} minutes after the end': '{0} Minuten nach dem Ende',
  'An hour after the end': 'Eine Stunde nach dem Ende',
  '{0} hours after the end': '{0} Stunden nach dem Ende',
  'A day after the end': 'Einen Tag nach dem Ende',
  '{0} days after the end': '{0} Tage nach dem Ende',
  '{0} minutes after the answers, without a booking': '{0} Minuten nach den Antworten, ohne Buchung',
  'An hour after the answers, without a booking': 'Eine Stunde nach den Antworten, ohne Buchung',
  '{0} hours after the answers, without a booking': '{0} Stunden nach den Antworten, ohne Buchung',
  'A day after the answers, without a booking': 'Einen Tag nach den Antworten, ohne Buchung',
  '{0} days after the answers, without a booking': '{0} Tage nach den Antworten, ohne Buchung',
  'The message': 'Die Nachricht',
  'The moment': 'Der Zeitpunkt',
  'The number of minutes': 'Die Zahl der Minuten',
  'The channel': 'Der Kanal',
  'The list of forms': 'Die Liste der Formulare',
  'The enabled setting': 'Die Einstellung, ob sie an ist,',
  'The replaces setting': 'Die Einstellung zum Ersetzen',
  'The text': 'Der Text',
  'The branch': 'Der Verlauf',
  'The subject': 'Der Betreff',
  'The recipient': 'Der Empfänger',
  'The booking': 'Die Buchung',
  'They have booked.': 'Es wurde gebucht.',
  'The answers have no email address.': 'In den Antworten steht keine E-Mail-Adresse.',
  'the provider answers; allowed are {0}': 'der Anbieter antwortet; erlaubt sind {0}',
  'Check the settings of SMS_PROVIDER, and that this machine can reach it.':
    'Die Einstellungen zu SMS_PROVIDER prüfen, und ob diese Maschine ihn erreicht.',
  'The phone company did not deliver it ({0}).': 'Die Telefongesellschaft hat sie nicht zugestellt ({0}).',
  'It is unknown whether this was sent: the provider gave no clear answer.':
    'Es ist unbekannt, ob sie verschickt wurde: Der Anbieter hat nicht eindeutig geantwortet.',
  'The guest has not agreed to text messages.': 'Der Gast hat SMS nicht zugestimmt.',
  'This instance sends no text messages to that country.':
    'Diese Instanz verschickt keine SMS in dieses Land.',
  'They have answered STOP.': 'Es wurde mit STOP geantwortet.',
  'This number has had {0} text messages today.': 'Diese Nummer hat heute schon {0} SMS bekommen.',
  'The limit of {0} text messages a day is reached.': 'Die Grenze von {0} SMS am Tag ist erreicht.',
  'The provider refuses it ({0}).': 'Der Anbieter lehnt sie ab ({0}).',
  'The provider refuses it: {0} ({1})': 'Der Anbieter lehnt sie ab: {0} ({1})',
  'The provider of text messages can’t be reached.': 'Der SMS-Anbieter ist nicht erreichbar.',
  'The provider of text messages refuses our key.': 'Der SMS-Anbieter lehnt unseren Schlüssel ab.',
  'Guests agree to text messages when they book, so nobody else gets them.':
    'Gäste stimmen SMS beim Buchen zu, deshalb bekommt sie sonst niemand.',
  '{field} must begin with + and the country code for text messages, such as +49 151 23456789.':
    '{field} muss für SMS mit + und der Ländervorwahl beginnen, wie +49 151 23456789.',
  'Text message to {0}: {1}': 'SMS an {0}: {1}',
  'The person': 'Person',
  'The list of members': 'Mitglieder',
  'The list of sessions': 'Sitzungen',
  'The list of API tokens': 'API-Tokens',
  'The list of recovery codes': 'Wiederherstellungscodes',
  'The secret': 'Geheimnis',
  'The list of responses': 'Antworten',
  'The copy': 'Kopie',
  '“is”': '„ist“',
  '“is not”': '„ist nicht“',
  '“contains”': '„enthält“',
  '“does not contain”': '„enthält nicht“',
  '“starts with”': '„beginnt mit“',
  '“ends with”': '„endet mit“',
  '“is empty”': '„ist leer“',
  '“is not empty”': '„ist nicht leer“',
  '“is one of”': '„ist eines von“',
  '“is only”': '„ist nur“',
  '“is less than”': '„ist kleiner als“',
  '“is at most”': '„ist höchstens“',
  '“is greater than”': '„ist größer als“',
  '“is at least”': '„ist mindestens“',
  'The service stopped while it was reading. Please start again.':
    'Der Dienst wurde beim Lesen beendet. Bitte neu beginnen.',
  'This import is still being read.': 'Dieser Import wird noch gelesen.',
  'This import is being applied already.': 'Dieser Import wird bereits angewendet.',
  'This import was applied already.': 'Dieser Import wurde bereits angewendet.',
  'This import was undone. Start another one to move in again.':
    'Dieser Import wurde rückgängig gemacht. Für einen neuen Umzug bitte einen neuen Import beginnen.',
  'This import has failed. Please start again.': 'Dieser Import ist fehlgeschlagen. Bitte neu beginnen.',
  'A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.':
    'Ein Dump darf höchstens 1 GB groß sein. Bitte mit gzip komprimieren oder die Datenbank selbst lesen lassen.',
  'There is no field {field}.': 'Das Feld „{field}“ gibt es nicht.',
  '{field} must be text of at most {0} characters.': '„{field}“ muss Text mit höchstens {0} Zeichen sein.',
  '{field} is missing.': '„{field}“ fehlt.',
  'Calendly has no database to read.': 'Calendly hat keine Datenbank, die gelesen werden kann.',
  'Give either a database, or an API and its token.':
    'Entweder eine Datenbank angeben oder eine API mit ihrem Token.',
  '{field} must begin with postgres://.': '„{field}“ muss mit postgres:// beginnen.',
  '{field} must begin with https://.': '„{field}“ muss mit https:// beginnen.',
  'The dump is empty.': 'Der Dump ist leer.',
  'Only an import that was applied can be undone.':
    'Nur ein Import, der angewendet wurde, kann rückgängig gemacht werden.',
  'A later import builds on this one. Undo that one first.':
    'Ein späterer Import baut auf diesem auf. Bitte zuerst jenen rückgängig machen.',
  'Somebody has booked since this import was applied, so it can no longer be undone.':
    'Seit der Anwendung dieses Imports wurde gebucht, deshalb kann er nicht mehr rückgängig gemacht werden.',
  'It has changed there since it came over.': 'Es hat sich dort seit dem Umzug geändert.',
  'It has changed there, and here as well, so it stays as it is.':
    'Es hat sich dort geändert und hier ebenfalls, deshalb bleibt es, wie es ist.',
  'It was deleted here, so it does not come over again.':
    'Es wurde hier gelöscht, deshalb kommt es nicht noch einmal mit.',
  'It is gone there, and stays here.': 'Es ist dort nicht mehr da und bleibt hier.',
  'Something went wrong while reading. Please start again, or ask the operator.':
    'Beim Lesen ist etwas schiefgegangen. Bitte neu beginnen oder den Betreiber fragen.',
  'It belongs to something that does not come over.': 'Es gehört zu etwas, das nicht mitkommt.',
  'Say where the dump comes from: ?source=calcom.': 'Bitte angeben, woher der Dump kommt: ?source=calcom.',
} satisfies Refusals
