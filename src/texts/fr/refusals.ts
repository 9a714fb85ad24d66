import type { Refusals } from '../catalogue.ts'
import importPlans from './import-plans.ts'

export default {
  ...importPlans,
  '{0}, {1}': '{0}, {1}',
  'There is more at {0} than we can read.': 'Il y a plus de données chez {0} que nous ne pouvons en lire.',
  '{0} refuses more requests for now. Please try again later.':
    '{0} refuse d’autres requêtes pour le moment. Veuillez réessayer plus tard.',
  '{0} could not be reached. Please try again later.': '{0} est injoignable. Veuillez réessayer plus tard.',
  '{0} refused the token. Please make a new one that may read everything.':
    '{0} a refusé le jeton. Veuillez en créer un nouveau qui puisse tout lire.',
  '{0} did not answer as expected. Please check the address.':
    '{0} n’a pas répondu comme prévu. Veuillez vérifier l’adresse.',
  "Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.":
    'L’API de Cal.com ne contient ni les workflows, ni la liste de blocage, ni les calendriers connectés. Importez depuis sa base de données pour les reprendre, ou configurez-les ici.',
  "Cal.com's API shows hidden event types and private links only to their owner.":
    'L’API de Cal.com ne montre les types d’événement masqués et les liens privés qu’à leur propriétaire.',
  'This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.':
    'Cette base de données n’a aucune table de Cal.com. Veuillez indiquer l’adresse que Cal.com utilise comme DATABASE_URL.',
  'This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.':
    'Ce n’est pas l’adresse d’une base de données PostgreSQL. Elle ressemble à postgres://user:password@host/database.',
  'The database could not be reached. Please check its address, and whether this server may connect to it.':
    'La base de données est injoignable. Veuillez vérifier son adresse, et si ce serveur peut s’y connecter.',
  'The database stopped answering while it was read. Please try again.':
    'La base de données a cessé de répondre pendant la lecture. Veuillez réessayer.',
  'The database refused the user name or the password.':
    'La base de données a refusé le nom d’utilisateur ou le mot de passe.',
  'There is no database of this name on that server.':
    'Il n’y a pas de base de données de ce nom sur ce serveur.',
  'This user of the database may not read the tables of Cal.com.':
    'Cet utilisateur de la base de données ne peut pas lire les tables de Cal.com.',
  'This dump has no tables of Cal.com. Please dump the database that Cal.com uses.':
    'Cette sauvegarde ne contient aucune table de Cal.com. Veuillez en faire une de la base de données que Cal.com utilise.',
  'This dump is in the encoding {0}. Make it again with: pg_dump --encoding=UTF8':
    'Cette sauvegarde est dans l’encodage {0}. Refaites-la avec : pg_dump --encoding=UTF8',
  'The dump does not name the columns of the table {0}, so its rows are left out. Make it again without --data-only.':
    'La sauvegarde ne nomme pas les colonnes de la table {0} : ses lignes sont omises. Refaites-la sans --data-only.',
  'A row of the table {0} does not have as many values as there are columns, so it is left out.':
    'Une ligne de la table {0} n’a pas autant de valeurs que de colonnes : elle est omise.',
  'A row of the table {0} is larger than {1}, so it is left out.':
    'Une ligne de la table {0} dépasse {1} : elle est omise.',
  "Calendly's API does not say where routing forms lead. Please add their rules here.":
    'L’API de Calendly ne dit pas où mènent les formulaires de routage. Veuillez ajouter leurs règles ici.',
  'This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.':
    'Cette sauvegarde est incomplète : elle s’interrompt avant la fin. Veuillez la refaire et la copier en entier.',
  'This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain':
    'Ce fichier n’est pas une sauvegarde d’une base de données PostgreSQL. Faites-en une avec : pg_dump --format=plain',
  'This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain':
    'Cette sauvegarde est au format « custom » de pg_dump, que nous ne pouvons pas lire. Refaites-la avec : pg_dump --format=plain',
  'This dump is larger than {0} when unpacked.': 'Cette sauvegarde dépasse {0} une fois décompressée.',
  'Choose a host, or let the round robin choose one: either, not both.':
    'Choisissez un hôte ou laissez le tour de rôle en choisir un : l’un ou l’autre, pas les deux.',
  '{field} must be left out: this event type is for one guest.':
    'Le champ « {field} » doit être omis : ce type d’événement est pour un seul invité.',
  '{field} must be email addresses.': 'Le champ « {field} » ne peut contenir que des adresses e-mail.',
  '{field} must be at most 1 email address.': 'Le champ « {field} » peut contenir au plus 1 adresse e-mail.',
  '{field} must be at most {0} email addresses.':
    'Le champ « {field} » peut contenir au plus {0} adresses e-mail.',
  '{field} must be in the future.': 'Le champ « {field} » doit être dans le futur.',
  '{field} must be a host of this event type.':
    'Le champ « {field} » doit être un hôte de ce type d’événement.',
  '{field} must be after startTime.': 'Le champ « {field} » doit être après startTime.',
  '{field} must be {0} minutes after startTime: take both from one listed slot.':
    'Le champ « {field} » doit être {0} minutes après startTime : prenez les deux d’un même créneau proposé.',
  '{field} must be a phone number.': 'Le champ « {field} » doit être un numéro de téléphone.',
  '{field} must be a language code such as en or pt-BR.':
    'Le champ « {field} » doit être un code de langue comme en ou pt-BR.',
  '{field} is not possible: this event type has no series.':
    'Le champ « {field} » n’est pas possible : ce type d’événement n’a pas de séries.',
  'Not available on {0}. Please choose another time.':
    'Indisponible le {0}. Veuillez choisir un autre horaire.',
  'This email address has already booked this time on {0}.':
    'Cette adresse e-mail a déjà réservé cet horaire le {0}.',
  '{field} must look like https://example.com/calendar.ics.':
    'Le champ « {field} » doit ressembler à https://example.com/calendar.ics.',
  '{field} must not contain a colon.': 'Le champ « {field} » ne peut pas contenir de deux-points.',
  'Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.':
    'Les réservations ne peuvent pas être ajoutées à un flux, seulement à un calendrier CalDAV ou à un compte connecté.',
  '{field} must be the nextCursor of the previous page.':
    'Le champ « {field} » doit être le nextCursor de la page précédente.',
  '{field} must not be before the start.': 'Le champ « {field} » ne peut pas être avant le début.',
  '{field} must be between the years 1970 and 9999.':
    'Le champ « {field} » doit être entre les années 1970 et 9999.',
  '{field} must be after the start.': 'Le champ « {field} » doit être après le début.',
  'Time off can last at most {0} days. Add it in several parts.':
    'Une absence peut durer au plus {0} jours. Ajoutez-la en plusieurs parties.',
  'Choose someone from one of your teams to stand in for you.':
    'Choisissez quelqu’un de l’une de vos équipes pour vous remplacer.',
  '{field} must be an email address, or a domain such as example.com.':
    'Le champ « {field} » doit être une adresse e-mail ou un domaine comme example.com.',
  'There can be at most {0} reminders.': 'Il peut y avoir au plus {0} rappels.',
  'Two reminders have the same time.': 'Deux rappels ont le même moment.',
  'Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.':
    'Les invités qui partagent un créneau ont besoin des mêmes hôtes. Utilisez 1 place, ou le mode collectif au lieu du tour de rôle.',
  'A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.':
    'Un créneau à plusieurs places ne peut pas être retenu pour un seul invité. Utilisez 1 place ou désactivez la retenue.',
  'Guests can choose from at most {0} durations.': 'Les invités peuvent choisir parmi {0} durées au plus.',
  'Two durations are the same.': 'Deux durées sont identiques.',
  'The durations must include the default of {0} minutes.':
    'Les durées doivent inclure la durée par défaut de {0} minutes.',
  '{field} must be a whole number of minutes from {0} to {1}.':
    'Le champ « {field} » doit être un nombre entier de minutes de {0} à {1}.',
  'The minimum notice is longer than the booking window, so nothing could ever be booked.':
    'Le préavis minimal est plus long que la période de réservation : rien ne pourrait jamais être réservé.',
  'This limit is shorter than a meeting, so nothing could ever be booked.':
    'Cette limite est plus courte qu’un rendez-vous : rien ne pourrait jamais être réservé.',
  'A fixed booking window needs two dates (YYYY-MM-DD).':
    'Une période de réservation fixe a besoin de deux dates (AAAA-MM-JJ).',
  'The booking window ends before it begins.': 'La période de réservation se termine avant de commencer.',
  'There can be at most {0} sites.': 'Il peut y avoir au plus {0} sites.',
  '"{0}" is not a site such as https://www.example.com.':
    '« {0} » n’est pas un site comme https://www.example.com.',
  'Write "{0}" as {1}.': 'Écrivez « {0} » sous la forme {1}.',
  '"{0}" must begin with https://. Only this machine itself can use http://.':
    '« {0} » doit commencer par https://. Seule cette machine elle-même peut utiliser http://.',
  '"{0}" is listed twice.': '« {0} » figure deux fois dans la liste.',
  '"{0}" is not a time zone we know.': '« {0} » n’est pas un fuseau horaire connu.',
  'Weekdays are numbered 1 (Monday) to 7 (Sunday).':
    'Les jours de la semaine vont de 1 (lundi) à 7 (dimanche).',
  '"{0}" is not a date (YYYY-MM-DD).': '« {0} » n’est pas une date (AAAA-MM-JJ).',
  Monday: 'lundi',
  Tuesday: 'mardi',
  Wednesday: 'mercredi',
  Thursday: 'jeudi',
  Friday: 'vendredi',
  Saturday: 'samedi',
  Sunday: 'dimanche',
  'Hours on {0} must end after they start, as HH:MM up to 24:00 (got {1} to {2}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.':
    'Les heures du {0} doivent se terminer après leur début, au format HH:MM jusqu’à 24:00 (indiqué : {1} à {2}). Pour des heures après minuit, ajoutez deux plages : jusqu’à 24:00, et à partir de 00:00 le lendemain.',
  'Hours on {0} overlap.': 'Les heures du {0} se chevauchent.',
  '{field} must be left out: this event type has one location.':
    'Le champ « {field} » doit être omis : ce type d’événement a un seul lieu.',
  '{field} is required, because the host calls you.':
    'Le champ « {field} » est obligatoire, car l’hôte vous appelle.',
  'Guests can choose from at most {0} locations.': 'Les invités peuvent choisir parmi {0} lieux au plus.',
  'Guests who share a slot meet in one place. Use 1 seat, or one location.':
    'Les invités qui partagent un créneau se retrouvent au même endroit. Utilisez 1 place ou un seul lieu.',
  '{field} must be 1 to 64 letters, digits, hyphens or underscores.':
    'Le champ « {field} » doit comporter de 1 à 64 lettres, chiffres, traits d’union ou traits de soulignement.',
  'Two locations have the same id.': 'Deux lieux ont le même id.',
  '{field} must be a web address that begins with https:// or http://.':
    'Le champ « {field} » doit être une adresse web qui commence par https:// ou http://.',
  'Only video calls get a meeting link of their own.':
    'Seuls les appels vidéo ont leur propre lien de réunion.',
  'Leave this empty: every booking gets its own link.':
    'Laissez ce champ vide : chaque réservation reçoit son propre lien.',
  '"{0}" must be true or false.': '« {0} » doit être vrai ou faux.',
  '"{0}" must be a number.': '« {0} » doit être un nombre.',
  '"{0}" must be one of {1}.': '« {0} » doit être l’une de ces valeurs : {1}.',
  '"{0}" must be a list with some of {1}.': '« {0} » doit être une liste de certaines de ces valeurs : {1}.',
  '"{0}" must be a web address that begins with https:// or http://.':
    '« {0} » doit être une adresse web qui commence par https:// ou http://.',
  '{field} must begin with a letter, and contain only letters, digits, _ and -.':
    'Le champ « {field} » doit commencer par une lettre et ne contenir que des lettres, des chiffres, _ et -.',
  'Two questions have the key "{0}".': 'Deux questions ont la clé « {0} ».',
  '{field} must be a web address that begins with https://.':
    'Le champ « {field} » doit être une adresse web qui commence par https://.',
  '{field} must not contain a user name or password.':
    'Le champ « {field} » ne peut contenir ni nom d’utilisateur ni mot de passe.',
  'Choose how often a series may repeat.': 'Choisissez à quelle fréquence une série peut se répéter.',
  '{field} is there twice.': 'Le champ « {field} » figure deux fois.',
  'The form "{0}" chooses hosts by this. Change the form first: {1}':
    'Le formulaire « {0} » choisit des hôtes d’après cela. Modifiez d’abord le formulaire : {1}',
  'No rule matches, so it leads to {0} instead of {1}.':
    'Aucune règle ne s’applique, donc cela mène à {0} au lieu de {1}.',
  'Rule {0} matches, so it leads to {1} instead of {2}.':
    'La règle {0} s’applique, donc cela mène à {1} au lieu de {2}.',
  'The test "{0}" fails. {1}': 'Le test « {0} » échoue. {1}',
  'the message "{0}"': 'ce message : « {0} »',
  'an event type that does not exist': 'un type d’événement qui n’existe pas',
  'Host filters can be nested at most {0} deep.':
    'Les filtres d’hôtes peuvent être imbriqués sur {0} niveaux au plus.',
  'A host filter is about one attribute, or it is a group: all or any.':
    'Un filtre d’hôtes porte sur un attribut ou est un groupe : all ou any.',
  'Unknown field "{0}.{1}".': 'Champ inconnu « {0}.{1} ».',
  'A group of a host filter needs at least one condition.':
    'Un groupe d’un filtre d’hôtes a besoin d’au moins une condition.',
  'A condition on hosts needs the key of an attribute.':
    'Une condition sur les hôtes a besoin de la clé d’un attribut.',
  'A condition on hosts has one of {0}.': 'Une condition sur les hôtes comporte l’un de ces éléments : {0}.',
  '“is one of” takes a list of 1 to {0} values.': '« est l’un de » accepte une liste de 1 à {0} valeurs.',
  'A condition on hosts compares with text of 1 to {0} characters.':
    'Une condition sur les hôtes compare avec un texte de 1 à {0} caractères.',
  'A condition on hosts compares with text, or with the answer to a field.':
    'Une condition sur les hôtes compare avec un texte ou avec la réponse à un champ.',
  'A condition on hosts asks for the answer to {0}, which is not a field of this form.':
    'Une condition sur les hôtes demande la réponse à {0}, qui n’est pas un champ de ce formulaire.',
  '{0} is not an attribute of the team.': '{0} n’est pas un attribut de l’équipe.',
  '"{0}" can be compared by {1}, not by {2}.': '« {0} » peut être comparé par {1}, pas par {2}.',
  '"{0}" is not an option of "{1}".': '« {0} » n’est pas une option de « {1} ».',
  '{field} must be a whole number of days from {0} to {1}.':
    'Le champ « {field} » doit être un nombre entier de jours de {0} à {1}.',
  'Please start again from the form.': 'Veuillez recommencer à partir du formulaire.',
  '"{0}" is required.': '« {0} » est obligatoire.',
  'Send at most {0} answers to fields that the form does not have.':
    'Envoyez au plus {0} réponses à des champs que le formulaire n’a pas.',
  'An answer to a field that the form does not have can be at most {0} characters long.':
    'Une réponse à un champ que le formulaire n’a pas peut comporter au plus {0} caractères.',
  '"{0}" must be at most {1} characters.': '« {0} » peut comporter au plus {1} caractères.',
  '"{0}" must be one of its options.': '« {0} » doit être l’une de ses options.',
  '"{0}" must be a list with some of its options.':
    '« {0} » doit être une liste de certaines de ses options.',
  '"{0}" must be an email address.': '« {0} » doit être une adresse e-mail.',
  '"{0}" must be a phone number.': '« {0} » doit être un numéro de téléphone.',
  '"{0}" must be one line of text without control characters.':
    '« {0} » doit être une ligne de texte sans caractères de contrôle.',
  '"{0}" must be text without control characters.': '« {0} » doit être un texte sans caractères de contrôle.',
  'Two fields have the id "{0}".': 'Deux champs ont l’id « {0} ».',
  'Two tests have the name "{0}".': 'Deux tests ont le nom « {0} ».',
  'The test "{0}" answers "{1}", which is not a field of this form.':
    'Le test « {0} » répond à « {1} », qui n’est pas un champ de ce formulaire.',
  'The test "{0}" has an answer that is not text.': 'Le test « {0} » a une réponse qui n’est pas du texte.',
  '"{0}" is not a select, so it cannot have options.':
    '« {0} » n’est pas une liste de choix et ne peut donc pas avoir d’options.',
  '"{0}" has two options with the same id.': '« {0} » a deux options avec le même id.',
  'Conditions can be nested at most {0} deep.':
    'Les conditions peuvent être imbriquées sur {0} niveaux au plus.',
  'A condition is about one field, or it is a group: all or any.':
    'Une condition porte sur un champ ou est un groupe : all ou any.',
  '{field} must be a list of conditions.': 'Le champ « {field} » doit être une liste de conditions.',
  'A rule needs at least one condition.': 'Une règle a besoin d’au moins une condition.',
  'A rule is about {0}, which is not a field of this form.':
    'Une règle porte sur {0}, qui n’est pas un champ de ce formulaire.',
  'A rule about "{0}" needs an operator: one of {1}.':
    'Une règle sur « {0} » a besoin d’un opérateur parmi : {1}.',
  'A rule about "{0}" needs something to compare with.':
    'Une règle sur « {0} » a besoin d’un élément de comparaison.',
  '{0} takes a list ("{1}").': '{0} accepte une liste (« {1} »).',
  'Only {0} and {1} take a list ("{2}").': 'Seuls {0} et {1} acceptent une liste (« {2} »).',
  '{0} takes at most {1} values ("{2}").': '{0} accepte au plus {1} valeurs (« {2} »).',
  'A rule about "{0}" compares with a number.': 'Une règle sur « {0} » compare avec un nombre.',
  'A rule about "{0}" compares with text of at most {1} characters.':
    'Une règle sur « {0} » compare avec un texte de {1} caractères au plus.',
  'A rule about "{0}" needs something to compare with. To look for an empty answer, choose “is empty”.':
    'Une règle sur « {0} » a besoin d’un élément de comparaison. Pour une réponse vide, choisissez « est vide ».',
  'A rule compares "{0}" with "{1}", which is not one of its options.':
    'Une règle compare « {0} » avec « {1} », qui n’est pas l’une de ses options.',
  'Enter the address to send visitors to.': 'Saisissez l’adresse vers laquelle envoyer les visiteurs.',
  'Visitors cannot be sent to "{0}". Use an address that begins with https://.':
    'Les visiteurs ne peuvent pas être envoyés vers « {0} ». Utilisez une adresse qui commence par https://.',
  'Enter the address to look owners up at. It begins with https://.':
    'Saisissez l’adresse où chercher les responsables. Elle commence par https://.',
  'Choose one of the owner’s event types to send visitors to.':
    'Choisissez un type d’événement du propriétaire vers lequel envoyer les visiteurs.',
  '{field} must be 1 to 64 letters, digits, _ and -.':
    'Le champ « {field} » doit comporter de 1 à 64 lettres, chiffres, _ et -.',
  'The key "email" is reserved. Choose another.': 'La clé « email » est réservée. Choisissez-en une autre.',
  'Two attributes have the key "{0}".': 'Deux attributs ont la clé « {0} ».',
  '"{0}" is text, so it cannot have options.': '« {0} » est du texte et ne peut donc pas avoir d’options.',
  '"{0}" needs at least one option.': '« {0} » a besoin d’au moins une option.',
  'A hidden question can’t be required: guests don’t see it.':
    'Une question masquée ne peut pas être obligatoire : les invités ne la voient pas.',
  'The option "{0}" cannot contain a semicolon, which separates options.':
    'L’option « {0} » ne peut pas contenir de point-virgule, qui sépare les options.',
  '"{0}" has the option "{1}" twice.': '« {0} » a deux fois l’option « {1} ».',
  '"{0}" is not an attribute of this team.': '« {0} » n’est pas un attribut de cette équipe.',
  '"{0}" has no option {1}. Choose from: {2}.': '« {0} » n’a pas d’option {1}. Choisissez parmi : {2}.',
  '"{0}" must be a list of its options.': '« {0} » doit être une liste de ses options.',
  '"{0}" must be text.': '« {0} » doit être du texte.',
  '"{0}" must be one line of at most {1} characters.':
    '« {0} » doit être une ligne de {1} caractères au plus.',
  '"{0}" is set for {1}. Clear it there before you delete it.':
    '« {0} » est défini pour {1}. Effacez-le là-bas avant de le supprimer.',
  '"{0}" is set for {1}. Clear it there before you change its type.':
    '« {0} » est défini pour {1}. Effacez-le là-bas avant de changer son type.',
  '"{0}" ({1}) is set for {2}. Choose another option there first.':
    '« {0} » ({1}) est défini pour {2}. Choisissez d’abord une autre option là-bas.',
  '{0} and {1} more': '{0} et {1} autres',
  'The row has more cells than there are columns.': 'La ligne a plus de cellules qu’il n’y a de colonnes.',
  'No member of this team has this email address.': 'Aucun membre de cette équipe n’a cette adresse e-mail.',
  'Row {0} is about the same member.': 'La ligne {0} concerne le même membre.',
  'The file has two columns "{0}".': 'Le fichier a deux colonnes « {0} ».',
  'The file has a column "{0}". Its columns can be: {1}.':
    'Le fichier a une colonne « {0} ». Ses colonnes peuvent être : {1}.',
  'The file needs a column "email" in its first row.':
    'Le fichier a besoin d’une colonne « email » sur sa première ligne.',
  '{field} must be 1 to 64 lower-case letters, digits and hyphens.':
    'Le champ « {field} » doit comporter de 1 à 64 lettres minuscules, chiffres et traits d’union.',
  '"{0}" is already taken. Please choose another.': '« {0} » est déjà pris. Veuillez choisir autre chose.',
  '"{0}" is a former address that still leads to the new one. Please choose another.':
    '« {0} » est une ancienne adresse qui mène encore à la nouvelle. Veuillez choisir autre chose.',
  'This page has had {0} other addresses already. Choose one of them.':
    'Cette page a déjà eu {0} autres adresses. Veuillez choisir l’une d’elles.',
  'The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.':
    'La base de données a disparu avant de confirmer, donc il se peut que ce soit enregistré ou non. Veuillez vérifier avant de recommencer. Une réservation peut être répétée avec la même Idempotency-Key : elle n’est faite qu’une fois.',
  '{0} {1}': '{0} {1}',
  '{0} or {1}': '{0} ou {1}',
  '{field} contains a NUL character.': 'Le champ « {field} » contient un caractère NUL.',
  '{field} contains text that is not valid Unicode.':
    'Le champ « {field} » contient du texte qui n’est pas de l’Unicode valide.',
  '{field} is nested too deeply.': 'Le champ « {field} » est imbriqué trop profondément.',
  'The event {0} is listed twice.': 'L’événement {0} figure deux fois dans la liste.',
  'An event type is listed twice.': 'Un type d’événement figure deux fois dans la liste.',
  'This is a text message. We’ve emailed you its text, because nobody is texted without their consent.':
    'C’est un SMS. Nous vous avons envoyé son texte par e-mail, car personne ne reçoit de SMS sans son accord.',
  'Only the formats of Cal.com and Calendly take a secret of your own.':
    'Seuls les formats de Cal.com et de Calendly acceptent un secret à vous.',
  'The format of this webhook has no such event.': 'Le format de ce webhook n’a pas cet événement.',
  'This webhook has a secret of your own, which this format can’t use. Create a new secret first.':
    'Ce webhook a un secret à vous, que ce format ne peut pas utiliser. Créez d’abord un nouveau secret.',
  'Payload templates aren’t supported. Leave this empty.':
    'Les modèles de contenu ne sont pas pris en charge. Laissez ce champ vide.',
  'The file has a quotation mark that is not closed.': 'Le fichier a un guillemet qui n’est pas fermé.',
  '{field} is required with the other date.': 'Le champ « {field} » est obligatoire avec l’autre date.',
  '{field} replaces startTime and endTime. Send either dates or instants.':
    'Le champ « {field} » remplace startTime et endTime. Envoyez des dates ou des instants, pas les deux.',
  'Send the file itself as the body, as text/csv.': 'Envoyez le fichier lui-même comme corps, en text/csv.',
  'The file is not UTF-8 text. Save it as CSV UTF-8.':
    'Le fichier n’est pas du texte UTF-8. Enregistrez-le en CSV UTF-8.',
  'Send the image itself as the body, with its type as Content-Type.':
    'Envoyez l’image elle-même comme corps, avec son type dans Content-Type.',
  'This has changed since you loaded it. Reload it, then make your change again.':
    'Ceci a changé depuis que vous l’avez chargé. Rechargez, puis refaites votre modification.',
  'Pages of other origins cannot use this endpoint.':
    'Les pages d’autres origines ne peuvent pas utiliser ce point d’accès.',
  'Send one message at a time, not an array.': 'Envoyez un message à la fois, pas une liste.',
  'Send MCP messages by POST.': 'Envoyez les messages MCP par POST.',
  'The address is not valid.': 'L’adresse n’est pas valide.',
  'The request does not say which host it is for.': 'La requête n’indique pas à quel hôte elle est destinée.',
  'This can only be asked for by the service’s own pages.':
    'Seules les pages du service lui-même peuvent demander cela.',
  'The service is too busy just now. Please try again in a moment.':
    'Le service est trop occupé en ce moment. Veuillez réessayer dans un instant.',
  'Too many requests. Please try again in {0} seconds.': 'Trop de requêtes. Veuillez réessayer dans {0} s.',
  'The pages of this service have not been built.': 'Les pages de ce service n’ont pas été générées.',
  'There is nothing at this address.': 'Il n’y a rien à cette adresse.',
  'The service cannot reach its database just now. Please try again in a moment.':
    'Le service ne peut pas joindre sa base de données en ce moment. Veuillez réessayer dans un instant.',
  'The service has run out of storage, so nothing was booked or changed. Please try again later.':
    'Le service n’a plus d’espace de stockage : rien n’a été réservé ni modifié. Veuillez réessayer plus tard.',
  'The request is not valid.': 'La requête n’est pas valide.',
  'Something went wrong on our side.': 'Une erreur est survenue de notre côté.',
  'The body must be JSON, and must not be empty.': 'Le corps doit être du JSON et ne peut pas être vide.',
  'The address is too long.': 'L’adresse est trop longue.',
  'The body is not valid JSON.': 'Le corps n’est pas du JSON valide.',
  'The body is larger than 64 KB.': 'Le corps dépasse 64 Ko.',
  'Send the body as application/json.': 'Envoyez le corps en application/json.',
  'This server does not do what the Expect header asks for.':
    'Ce serveur ne fait pas ce que demande l’en-tête Expect.',
  'The validation token is too long.': 'Le jeton de validation est trop long.',
  'The body must be a collection of notifications.': 'Le corps doit être une collection de notifications.',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.':
    'Idempotency-Key doit comporter de 1 à 255 caractères ASCII visibles.',
  'Unknown field "{0}".': 'Champ inconnu « {0} ».',
  'The request': 'requête',
  '{field} must be {0}.': 'Le champ « {field} » doit être de ce type : {0}.',
  '{field} must be at most {0} characters.': 'Le champ « {field} » peut comporter au plus {0} caractères.',
  '{field} must not be empty.': 'Le champ « {field} » ne peut pas être vide.',
  '{field} must be at least {0}.': 'Le champ « {field} » doit être d’au moins {0}.',
  '{field} must be at most {0}.': 'Le champ « {field} » doit être d’au plus {0}.',
  '{field} must be from {0} to {1}.': 'Le champ « {field} » doit être compris entre {0} et {1}.',
  '{field} must have at least {0} entries.': 'Le champ « {field} » doit avoir au moins {0} éléments.',
  '{field} must have at most {0} entries.': 'Le champ « {field} » peut avoir au plus {0} éléments.',
  '{field} is not valid.': 'Le champ « {field} » n’est pas valide.',
  '{0}, or empty': '{0}, ou vide',
  '{field} must be a whole number.': 'Le champ « {field} » doit être un nombre entier.',
  '{field} must be text.': 'Le champ « {field} » doit être du texte.',
  '{field} must be true or false.': 'Le champ « {field} » doit être vrai ou faux.',
  '{field} must be a list.': 'Le champ « {field} » doit être une liste.',
  '{field} must be an object.': 'Le champ « {field} » doit être un objet.',
  'The body': 'corps',
  'The {0}': 'partie {0} de la requête',
  '{field} must be a {0}.': 'Le champ « {field} » doit être de ce type : {0}.',
  '{field} is not one of the values allowed.': 'Le champ « {field} » n’est pas l’une des valeurs autorisées.',
  '{field} has more than {0} entries.': 'Le champ « {field} » a plus de {0} éléments.',
  '{field} must be an integer.': 'Le champ « {field} » doit être un nombre entier.',
  '{field} must be a boolean.': 'Le champ « {field} » doit être un booléen.',
  '{field} must be an array.': 'Le champ « {field} » doit être une liste.',
  'The server redirects to an invalid address.': 'Le serveur redirige vers une adresse non valide.',
  'The server redirects too many times.': 'Le serveur redirige trop de fois.',
  'The response is larger than {0} MB.': 'La réponse dépasse {0} Mo.',
  'The server did not answer within {0} seconds.': 'Le serveur n’a pas répondu en {0} secondes.',
  'The server could not be reached.': 'Le serveur n’a pas pu être joint.',
  'The server refused the user name and password ({0}).':
    'Le serveur a refusé le nom d’utilisateur et le mot de passe ({0}).',
  'There is no calendar at this address ({0}).': 'Il n’y a pas de calendrier à cette adresse ({0}).',
  'The server answered {0}.': 'Le serveur a répondu {0}.',
  'This calendar has too many events.': 'Ce calendrier contient trop d’événements.',
  '{0} does not say when this calendar is busy.': '{0} n’indique pas quand ce calendrier est occupé.',
  'The server sent only a part of the calendar.': 'Le serveur n’a envoyé qu’une partie du calendrier.',
  'There is no CalDAV server at this address.': 'Il n’y a pas de serveur CalDAV à cette adresse.',
  'The server’s response is too complex to read.': 'La réponse du serveur est trop complexe pour être lue.',
  '{0} has ended our access to this account.': '{0} a mis fin à notre accès à ce compte.',
  '{0} refuses this service’s client ({1}). Please tell whoever runs this service.':
    '{0} refuse le client de ce service ({1}). Veuillez prévenir la personne qui gère ce service.',
  '{0} did not answer in time.': '{0} n’a pas répondu à temps.',
  '{0} could not be reached.': '{0} n’a pas pu être joint.',
  '{0} sent an answer that is not complete.': '{0} a envoyé une réponse incomplète.',
  '{0} sent more than {1} MB.': '{0} a envoyé plus de {1} Mo.',
  '{0} does not accept our access any more.': '{0} n’accepte plus notre accès.',
  '{0} has forgotten where we were.': '{0} a oublié où nous en étions.',
  '{0} asks us to send fewer requests.': '{0} nous demande d’envoyer moins de requêtes.',
  '{0} answered {1}.': '{0} a répondu {1}.',
  '{0} refused this: {1}': '{0} a refusé ceci : {1}',
  '{0} does not accept this key.': '{0} n’accepte pas cette clé.',
  '{0} does not let this key do this. It lacks the permission “{1}”.':
    '{0} n’autorise pas cela avec cette clé. Il lui manque l’autorisation « {1} ».',
  '{field} does not look like a key.': 'Le champ « {field} » ne ressemble pas à une clé.',
  '{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.':
    'Le champ « {field} » doit être une clé secrète ou limitée, qui commence par sk_ ou rk_. Celle-ci est destinée aux sites web.',
  'Guests pay for these through this account: {0}. Make them free first.':
    'Les invités paient ceux-ci via ce compte : {0}. Rendez-les d’abord gratuits.',
  'Payments or refunds are still on their way through this account. Please try again later.':
    'Des paiements ou des remboursements sont encore en cours via ce compte. Veuillez réessayer plus tard.',
  'Another account is connected already: {0}. Please disconnect it first.':
    'Un autre compte est déjà connecté : {0}. Veuillez d’abord le déconnecter.',
  '{field} must be left out: this account is connected on its provider’s pages.':
    'Le champ « {field} » doit être omis : ce compte se connecte sur les pages du fournisseur.',
  'See that this machine can reach STRIPE_API_URL.':
    'Vérifiez que cette machine peut joindre STRIPE_API_URL.',
  'answers; connected accounts: {0}': 'répond ; comptes connectés : {0}',
  'refuses the keys of {0} of {1} accounts': 'refuse les clés de {0} comptes sur {1}',
  'Their owners were told by email to connect them again.':
    'Leurs propriétaires ont été invités par e-mail à les reconnecter.',
  'The key': 'Clé',
  '{0} sent an answer that we don’t understand.': '{0} a envoyé une réponse que nous ne comprenons pas.',
  'This is not a web address. Enter one such as https://example.com/path.':
    'Ce n’est pas une adresse web. Saisissez-en une comme https://example.com/path.',
  'The address must not contain a user name or password.':
    'L’adresse ne peut contenir ni nom d’utilisateur ni mot de passe.',
  'The address must start with https://.': 'L’adresse doit commencer par https://.',
  '"{0}" is not a valid host name.': '« {0} » n’est pas un nom d’hôte valide.',
  '"{0}" has no such address.': '« {0} » n’a pas d’adresse de ce genre.',
  'The host "{0}" could not be found.': 'L’hôte « {0} » est introuvable.',
  '"{0}" is not on the public internet. Use a public address.':
    '« {0} » n’est pas sur l’Internet public. Utilisez une adresse publique.',
  'The calendar takes too long to read.': 'Le calendrier est trop long à lire.',
  'The time of this request has passed.': 'L’heure de cette demande est passée.',
  'Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.':
    'Les paiements sont impossibles pour le moment, donc rien n’a été réservé. Veuillez réessayer dans une minute.',
  'The provider could not give the money back.': 'Le prestataire n’a pas pu rembourser l’argent.',
  'The account that was paid is no longer connected.':
    'Le compte qui a reçu le paiement n’est plus connecté.',
  'The calendar could not be checked. Please try again in a moment.':
    'Le calendrier n’a pas pu être vérifié. Veuillez réessayer dans un instant.',
  '"{0}" is already on the list.': '« {0} » est déjà dans la liste.',
  'A blocklist has at most {0} entries. Block whole domains.':
    'Une liste de blocage a au plus {0} entrées. Bloquez des domaines entiers.',
  'This email address is blocked. Remove it from the blocklist first.':
    'Cette adresse e-mail est bloquée. Retirez-la d’abord de la liste de blocage.',
  'This booking looks automated. Leave the hidden field empty.':
    'Cette réservation semble automatique. Laissez le champ masqué vide.',
  'This booking could not be accepted.': 'Cette réservation n’a pas pu être acceptée.',
  'Please confirm your email address: request a code, and send it along (emailCode).':
    'Veuillez confirmer votre adresse e-mail : demandez un code et envoyez-le avec la réservation (emailCode).',
  'This code is wrong. Tries left: {0}.': 'Ce code est incorrect. Essais restants : {0}.',
  'This code no longer works. Please request a new one.':
    'Ce code ne fonctionne plus. Veuillez en demander un nouveau.',
  'The calendar and this booking say the same. Look at it again.':
    'Le calendrier et cette réservation indiquent la même chose. Consultez-la de nouveau.',
  'It is too late to cancel this booking here. Please contact the host.':
    'Il est trop tard pour annuler cette réservation ici. Veuillez contacter l’hôte.',
  'There is no such booking.': 'Cette réservation n’existe pas.',
  'Someone has just changed this booking. Look at it again.':
    'Quelqu’un vient de modifier cette réservation. Consultez-la de nouveau.',
  'This booking waits for its payment.': 'Cette réservation attend encore son paiement.',
  'This booking was not paid in time.': 'Cette réservation n’a pas été payée à temps.',
  'This booking still waits for approval.': 'Cette réservation attend encore une approbation.',
  'This booking has been confirmed. Cancel it instead.':
    'Cette réservation a été confirmée. Annulez-la plutôt.',
  'This booking has been declined.': 'Cette réservation a été refusée.',
  'This booking has been cancelled.': 'Cette réservation a été annulée.',
  'This meeting has taken place.': 'Cette réunion a eu lieu.',
  'This booking is marked as a no-show.': 'Cette réservation est marquée comme une absence.',
  'There is no such booking. Use the whole link, as it was sent to you.':
    'Cette réservation n’existe pas. Utilisez le lien complet, tel qu’il vous a été envoyé.',
  'Choose someone else to take these meetings over.':
    'Choisissez quelqu’un d’autre pour reprendre ces réunions.',
  'There is no such hold.': 'Ce créneau n’est pas retenu.',
  'Times of this event type can’t be held.':
    'Les créneaux de ce type d’événement ne peuvent pas être retenus.',
  'This Idempotency-Key was used before, with another body.':
    'Cette Idempotency-Key a déjà été utilisée avec un autre corps.',
  '{field} must be one line of text.': 'Le champ « {field} » doit être une seule ligne de texte.',
  '{field} must be one of {0}.': 'Le champ « {field} » doit être l’une de ces valeurs : {0}.',
  'Too many emails to {0}. Please try again in {1} seconds.':
    'Trop d’e-mails à {0}. Veuillez réessayer dans {1} s.',
  'Too many bookings for the guest {0}. Please try again in {1} seconds.':
    'Trop de réservations pour l’invité {0}. Veuillez réessayer dans {1} s.',
  'Too many codes for this email address. Please try again in {0} seconds.':
    'Trop de codes pour cette adresse e-mail. Veuillez réessayer dans {0} s.',
  'This guest is booking or changing meetings right now. Please try again.':
    'Cet invité réserve ou modifie des réunions en ce moment. Veuillez réessayer.',
  'A backup or an export is being made. Please try again when it is done.':
    'Une sauvegarde ou un export est en cours. Veuillez réessayer une fois terminé.',
  'Emails about this guest are being sent right now. Try again in a minute.':
    'Des e-mails concernant cet invité sont en cours d’envoi. Veuillez réessayer dans une minute.',
  'Too many bookings for this email address. Please try again in {0} seconds.':
    'Trop de réservations pour cette adresse e-mail. Veuillez réessayer dans {0} s.',
  'Only video calls get a link.': 'Seuls les appels vidéo ont un lien.',
  'This booking gets its link from {0}.': 'Cette réservation reçoit son lien de {0}.',
  'A link can only be added to a confirmed meeting that is not over.':
    'Un lien ne peut être ajouté qu’à une réunion confirmée qui n’est pas terminée.',
  'This meeting has not started yet.': 'Cette réunion n’a pas encore commencé.',
  'The time in your calendar has passed.': 'L’heure dans votre calendrier est passée.',
  'Meetings last at most 24 hours, and start and end at whole minutes.':
    'Les réunions durent au plus 24 heures, et commencent et se terminent à des minutes entières.',
  'This email address already has {0} upcoming bookings here. Cancel one of them first.':
    'Cette adresse e-mail a déjà {0} réservations à venir ici. Annulez d’abord l’une d’elles.',
  'This link has already been used. Please ask the host for a new one.':
    'Ce lien a déjà été utilisé. Veuillez en demander un nouveau à l’hôte.',
  'This link has expired. Please ask the host for a new one.':
    'Ce lien a expiré. Veuillez en demander un nouveau à l’hôte.',
  'This link doesn’t work. Please ask the host for a new one.':
    'Ce lien ne fonctionne pas. Veuillez en demander un nouveau à l’hôte.',
  'Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.':
    'Il ne reste que 1 place à cet horaire. Veuillez amener moins d’invités ou choisir un autre créneau.',
  'Only {0} seats are left at this time. Please bring fewer guests, or choose another slot.':
    'Il ne reste que {0} places à cet horaire. Veuillez amener moins d’invités ou choisir un autre créneau.',
  'This time is no longer available. Please choose another slot.':
    'Ce créneau n’est plus disponible. Veuillez en choisir un autre.',
  'This email address has already booked this time.': 'Cette adresse e-mail a déjà réservé cet horaire.',
  'These settings are being changed. Please try again in a moment.':
    'Ces réglages sont en cours de modification. Veuillez réessayer dans un instant.',
  'Guests who share a slot need the same hosts, so a link cannot choose them.':
    'Les invités qui partagent un créneau ont besoin des mêmes hôtes, donc un lien ne peut pas les choisir.',
  'This meeting has started already.': 'Cette réunion a déjà commencé.',
  'This host attends the meeting already. Choose someone else.':
    'Cet hôte participe déjà à la réunion. Choisissez quelqu’un d’autre.',
  'This person is not one of the hosts who take turns here.':
    'Cette personne ne fait pas partie des hôtes qui se relaient ici.',
  'This host has another meeting at this time. Choose someone else.':
    'Cet hôte a une autre réunion à cette heure. Choisissez quelqu’un d’autre.',
  'This host has time off at this time. Choose someone else.':
    'Cet hôte est absent à cette heure. Choisissez quelqu’un d’autre.',
  'This host is busy at this time. Choose someone else.':
    'Cet hôte est occupé à cette heure. Choisissez quelqu’un d’autre.',
  'All hosts of this event type attend together. Change its hosts, or reschedule the meeting.':
    'Tous les hôtes de ce type d’événement participent ensemble. Changez ses hôtes ou reportez la réunion.',
  'No other host is free at this time. Choose someone yourself, or reschedule the meeting.':
    'Aucun autre hôte n’est libre à cette heure. Choisissez vous-même quelqu’un ou reportez la réunion.',
  'It is too late to reschedule this booking here. Please contact the host.':
    'Il est trop tard pour reporter cette réservation ici. Veuillez contacter l’hôte.',
  'It’s too late to undo this: the guest has been notified.':
    'Il est trop tard pour annuler cette action : l’invité a été prévenu.',
  'This time has been taken meanwhile. The request stays declined.':
    'Cet horaire a été pris entre-temps. La demande reste refusée.',
  '{field} must be an email address.': 'Le champ « {field} » doit être une adresse e-mail.',
  'This event type does not ask guests to confirm their address.':
    'Ce type d’événement ne demande pas aux invités de confirmer leur adresse.',
  '{0} is not set up on this service.': '{0} n’est pas configuré sur ce service.',
  'The access could not be renewed in time.': 'L’accès n’a pas pu être renouvelé à temps.',
  'This account is no longer connected.': 'Ce compte n’est plus connecté.',
  'The stored access can no longer be read.': 'L’accès enregistré ne peut plus être lu.',
  'You can connect at most {0} calendars.': 'Vous pouvez connecter au plus {0} calendriers.',
  'This calendar is already connected.': 'Ce calendrier est déjà connecté.',
  'This calendar is read through a connected account, so it has no address.':
    'Ce calendrier est lu par un compte connecté et n’a donc pas d’adresse.',
  'The calendar is on another server now. Enter its password again.':
    'Le calendrier est maintenant sur un autre serveur. Saisissez de nouveau son mot de passe.',
  'This calendar is not checked for conflicts, so it is not read.':
    'Les conflits ne sont pas vérifiés dans ce calendrier, donc il n’est pas lu.',
  '{field} must not contain control characters.':
    'Le champ « {field} » ne peut pas contenir de caractères de contrôle.',
  '{0} is not set up here. Ask whoever runs this service to register a client.':
    '{0} n’est pas configuré ici. Demandez à la personne qui gère ce service d’enregistrer un client.',
  '{0} Please connect it again.': '{0} Veuillez le reconnecter.',
  '{0} Please try again in a moment.': '{0} Veuillez réessayer dans un instant.',
  'There is no such calendar. Check the address.': 'Ce calendrier n’existe pas. Vérifiez l’adresse.',
  'The calendar has no owner.': 'Le calendrier n’a pas de propriétaire.',
  'This account is at {0}, not at {1}.': 'Ce compte est chez {0}, pas chez {1}.',
  'The connected account has no such calendar.': 'Le compte connecté n’a pas ce calendrier.',
  'You can’t add events to “{0}”. Choose another calendar for your bookings.':
    'Vous ne pouvez pas ajouter d’événements à « {0} ». Choisissez un autre calendrier pour vos réservations.',
  'This calendar was deleted, or is no longer shared with the connected account.':
    'Ce calendrier a été supprimé ou n’est plus partagé avec le compte connecté.',
  'What is at this address is not a calendar.': 'Ce qui se trouve à cette adresse n’est pas un calendrier.',
  'The calendar arrived incomplete.': 'Le calendrier est arrivé incomplet.',
  'The calendar could not be read.': 'Le calendrier n’a pas pu être lu.',
  'The password can no longer be read. Please enter it again.':
    'Le mot de passe ne peut plus être lu. Veuillez le saisir de nouveau.',
  'Someone else has just taken this. Please choose another.':
    'Quelqu’un d’autre vient de prendre cela. Veuillez choisir autre chose.',
  'There is no ALTCHA challenge here.': 'Il n’y a pas de défi ALTCHA ici.',
  'This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.':
    'Ce type d’événement demande un CAPTCHA. Envoyez un jeton d’API de son propriétaire, ou un défi résolu dans captchaToken.',
  'This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.':
    'Ce type d’événement demande aux invités de confirmer leur adresse. Demandez un code à /v2/bookings/verification/email/send-code et envoyez-le dans emailVerificationCode.',
  'A code is for one event type: {field} must name it.':
    'Un code vaut pour un seul type d’événement : {field} doit l’indiquer.',
  'Please complete the CAPTCHA challenge (captchaToken).':
    'Veuillez résoudre le défi CAPTCHA (captchaToken).',
  'The CAPTCHA was not solved, has expired or was used before. Please try again.':
    'Le CAPTCHA n’a pas été résolu, a expiré ou a déjà été utilisé. Veuillez réessayer.',
  'The CAPTCHA could not be checked just now. Please try again in a moment.':
    'Le CAPTCHA n’a pas pu être vérifié. Veuillez réessayer dans un instant.',
  '{field} is required.': 'Le champ « {field} » est obligatoire.',
  'This event type has 1 booking, which would be lost. Hide it instead.':
    'Ce type d’événement a 1 réservation, qui serait perdue. Masquez-le plutôt.',
  'This event type has {0} bookings, which would be lost. Hide it instead.':
    'Ce type d’événement a {0} réservations, qui seraient perdues. Masquez-le plutôt.',
  'These forms send visitors to it: {0}.': 'Ces formulaires y envoient des visiteurs : {0}.',
  '{field} must be the id of a user.': 'Le champ « {field} » doit être l’id d’un utilisateur.',
  'Each host can be added only once.': 'Chaque hôte ne peut être ajouté qu’une fois.',
  'Hosts must be members of the team.': 'Les hôtes doivent être membres de l’équipe.',
  '{field} must be a whole number from {0} to {1}.':
    'Le champ « {field} » doit être un nombre entier de {0} à {1}.',
  '{field} must belong to one of the hosts.': 'Le champ « {field} » doit appartenir à l’un des hôtes.',
  'Bookings can’t be added to a feed. Choose another calendar.':
    'Les réservations ne peuvent pas être ajoutées à un flux. Choisissez un autre calendrier.',
  'Bookings can’t be added to a calendar that you can only read. Choose another calendar.':
    'Les réservations ne peuvent pas être ajoutées à un calendrier que vous pouvez seulement lire. Choisissez un autre calendrier.',
  '{field} must be a UTC instant such as 2030-01-31T09:30:00Z.':
    'Le champ « {field} » doit être un instant UTC comme 2030-01-31T09:30:00Z.',
  'These meeting links are not set up on this service.':
    'Ces liens de réunion ne sont pas configurés sur ce service.',
  'One schedule must be the default. Make another one the default instead.':
    'Un horaire doit être celui par défaut. Choisissez plutôt un autre horaire par défaut.',
  'This is the default schedule. Make another one the default first.':
    'C’est l’horaire par défaut. Choisissez d’abord un autre horaire par défaut.',
  'This schedule is used by: {0}.': 'Cet horaire est utilisé par : {0}.',
  'This form has no such question.': 'Ce formulaire n’a pas cette question.',
  'These answers look automated. Leave the hidden field empty.':
    'Ces réponses semblent automatiques. Laissez le champ masqué vide.',
  'These answers could not be accepted.': 'Ces réponses n’ont pas pu être acceptées.',
  'This form has 1 response, which would be lost. Export them first; then delete it with force=true.':
    'Ce formulaire a 1 réponse, qui serait perdue. Exportez-la d’abord, puis supprimez-le avec force=true.',
  'This form has {0} responses, which would be lost. Export them first; then delete it with force=true.':
    'Ce formulaire a {0} réponses, qui seraient perdues. Exportez-les d’abord, puis supprimez-le avec force=true.',
  'There is no such form. Check the address.': 'Ce formulaire n’existe pas. Vérifiez l’adresse.',
  'The host has not confirmed this booking yet. Its calendar file is available once they have.':
    'L’hôte n’a pas encore confirmé cette réservation. Son fichier de calendrier sera disponible ensuite.',
  'Only admins and owners of the team can see this.':
    'Seuls les administrateurs et les propriétaires de l’équipe peuvent voir cela.',
  'Only owners of the team can do this.': 'Seuls les propriétaires de l’équipe peuvent faire cela.',
  'Only the people of this event type can do this.':
    'Seules les personnes de ce type d’événement peuvent le faire.',
  'Only admins and owners of the team can do this.':
    'Seuls les administrateurs et les propriétaires de l’équipe peuvent faire cela.',
  'Only admins of this instance can do this.':
    'Seuls les administrateurs de cette installation peuvent faire cela.',
  'There is nothing here, or it is not yours.': 'Il n’y a rien ici, ou cela n’est pas à vous.',
  'Row {0}: {1}': 'Ligne {0} : {1}',
  '1 more row is wrong.': '1 autre ligne est incorrecte.',
  '{0} more rows are wrong.': '{0} autres lignes sont incorrectes.',
  'Nothing was saved.': 'Rien n’a été enregistré.',
  'An API token cannot change your email address. Sign in for that.':
    'Un jeton d’API ne peut pas changer votre adresse e-mail. Connectez-vous pour cela.',
  'This is your address already.': 'C’est déjà votre adresse.',
  'We have just sent a link. Please try again in {0} seconds.':
    'Nous venons d’envoyer un lien. Veuillez réessayer dans {0} s.',
  'This link has expired or was used before. Ask for a new one.':
    'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  'Another account here has this address. Use another, or sign in with it.':
    'Un autre compte a cette adresse ici. Utilisez-en une autre ou connectez-vous avec elle.',
  'There is no booking page at this address.': 'Il n’y a pas de page de réservation à cette adresse.',
  'This image is larger than 512 KB. Please choose a smaller one.':
    'Cette image dépasse 512 Ko. Veuillez en choisir une plus petite.',
  'This isn’t a PNG, JPEG or WebP image. Please choose one of those.':
    'Ce n’est pas une image PNG, JPEG ou WebP. Veuillez en choisir une.',
  'This image is {0} by {1} pixels. Please choose one of at most {2} by {3}.':
    'Cette image fait {0} sur {1} pixels. Veuillez en choisir une de {2} sur {3} au plus.',
  'You’ve uploaded many images. Please try again in an hour.':
    'Vous avez envoyé beaucoup d’images. Veuillez réessayer dans une heure.',
  '{field} is gone. Please upload the image again.':
    'Le champ « {field} » n’existe plus. Veuillez envoyer l’image de nouveau.',
  'Only an owner can invite an owner.': 'Seul un propriétaire peut inviter un propriétaire.',
  'Only an admin can invite an admin.': 'Seul un administrateur peut inviter un administrateur.',
  '{0} is already a member of the team.': '{0} est déjà membre de l’équipe.',
  '{0} already has an account.': '{0} a déjà un compte.',
  '"{0}" is reserved. Please choose another.': '« {0} » est réservé. Veuillez choisir autre chose.',
  '{field} must be a colour such as #2563eb, or empty.':
    'Le champ « {field} » doit être une couleur comme #2563eb, ou vide.',
  '{field} must begin with https://, or be empty.':
    'Le champ « {field} » doit commencer par https://, ou être vide.',
  '{0} is the only host of: {1}. Give that another host, or delete it, first.':
    '{0} est le seul hôte de : {1}. Ajoutez d’abord un autre hôte ou supprimez cela.',
  'You cannot raise your own role.': 'Vous ne pouvez pas élever votre propre rôle.',
  'A team needs an owner. Make someone else an owner first.':
    'Une équipe a besoin d’un propriétaire. Nommez d’abord quelqu’un d’autre propriétaire.',
  'This is the only admin here. Make someone else an admin first.':
    'C’est le seul administrateur ici. Nommez d’abord quelqu’un d’autre administrateur.',
  'This API token is not allowed to {0}.': 'Ce jeton d’API n’a pas l’autorisation {0}.',
  'Sign in first: this needs a valid bearer token.':
    'Connectez-vous d’abord : cela nécessite un jeton d’accès valide.',
  'Nobody signs in by email here. Please use {0}.':
    'Personne ne se connecte par e-mail ici. Veuillez utiliser {0}.',
  '{0} has no account here, and signing up is not open to it.':
    '{0} n’a pas de compte ici et ne peut pas s’inscrire.',
  'An API token cannot see or end sessions. Sign in for that.':
    'Un jeton d’API ne peut ni voir les sessions ni y mettre fin. Connectez-vous pour cela.',
  '{field} must look like name@example.com.': 'Le champ « {field} » doit ressembler à nom@example.com.',
  'Your session has ended. Please sign in again.': 'Votre session est terminée. Veuillez vous reconnecter.',
  'This team has 1 booking, which would be lost. Hide its event types instead.':
    'Cette équipe a 1 réservation, qui serait perdue. Masquez plutôt ses types d’événement.',
  'This team has {0} bookings, which would be lost. Hide its event types instead.':
    'Cette équipe a {0} réservations, qui seraient perdues. Masquez plutôt ses types d’événement.',
  'An API token cannot make API tokens. Sign in for that.':
    'Un jeton d’API ne peut pas créer de jetons d’API. Connectez-vous pour cela.',
  '{field} must not be before the first date.':
    'Le champ « {field} » ne peut pas être avant la première date.',
  'Choose at most {0} days.': 'Choisissez au plus {0} jours.',
  '{field} must be a date such as 2030-01-31.': 'Le champ « {field} » doit être une date comme 2030-01-31.',
  'There is no such event type. Check the address.': 'Ce type d’événement n’existe pas. Vérifiez l’adresse.',
  '{field} must be {0}, in minutes.': 'Le champ « {field} » doit être {0}, en minutes.',
  '{field} must be an IANA time zone such as Europe/Berlin.':
    'Le champ « {field} » doit être un fuseau horaire IANA comme Europe/Berlin.',
  '{field} must not be before dateFrom.': 'Le champ « {field} » ne peut pas être avant dateFrom.',
  'Ask for at most {0} days at a time.': 'Demandez au plus {0} jours à la fois.',
  'This webhook is turned off. Turn it on first.': 'Ce webhook est désactivé. Activez-le d’abord.',
  'There can be at most {0} webhooks.': 'Il peut y avoir au plus {0} webhooks.',
  'Choose event types that belong to the webhook’s owner.':
    'Choisissez des types d’événement qui appartiennent au propriétaire du webhook.',
  'An API token cannot delete your account. Sign in for that.':
    'Un jeton d’API ne peut pas supprimer votre compte. Connectez-vous pour cela.',
  'Enter the email address that you sign in with, to confirm.':
    'Pour confirmer, saisissez l’adresse e-mail avec laquelle vous vous connectez.',
  'You are the only admin here. Another user must be made an admin first.':
    'Vous êtes le seul administrateur ici. Un autre utilisateur doit d’abord devenir administrateur.',
  'You are the only owner of: {0}. Make someone else an owner, or delete the team, first.':
    'Vous êtes le seul propriétaire de : {0}. Nommez d’abord quelqu’un d’autre propriétaire ou supprimez l’équipe.',
  '{0}; {1}': '{0} ; {1}',
  '{0}; and {1} more': '{0} ; et {1} autres',
  'You host one upcoming meeting: {0} (times in {1}). Cancel them first, or have them cancelled with your account.':
    'Vous êtes l’hôte d’une réunion à venir : {0} (heures de {1}). Annulez-la d’abord ou faites-la annuler avec votre compte.',
  'You host {0} upcoming meetings: {1} (times in {2}). Cancel them first, or have them cancelled with your account.':
    'Vous êtes l’hôte de {0} réunions à venir : {1} (heures de {2}). Annulez-les d’abord ou faites-les annuler avec votre compte.',
  'An API token cannot export your account. Sign in for that.':
    'Un jeton d’API ne peut pas exporter votre compte. Connectez-vous pour cela.',
  'Your forms have more than {0} responses. Download them form by form, and delete some first.':
    'Vos formulaires ont plus de {0} réponses. Téléchargez-les formulaire par formulaire et supprimez-en d’abord quelques-unes.',
  'This is not one of your recovery codes, or you have used it before.':
    'Ce n’est pas l’un de vos codes de récupération, ou vous l’avez déjà utilisé.',
  'This sign-in has ended. Ask for a new link.': 'Cette connexion est terminée. Demandez un nouveau lien.',
  'This passkey was not accepted. Try another, or use a recovery code.':
    'Cette clé d’accès n’a pas été acceptée. Essayez-en une autre ou utilisez un code de récupération.',
  'An API token cannot turn on notifications. Sign in for that.':
    'Un jeton d’API ne peut pas activer les notifications. Connectez-vous pour cela.',
  'You have notifications in {0} browsers. Turn them off in one of them first.':
    'Vous avez des notifications dans {0} navigateurs. Désactivez-les d’abord dans l’un d’eux.',
  'This browser no longer takes notifications. Turn them off and on again.':
    'Ce navigateur n’accepte plus les notifications. Désactivez-les, puis réactivez-les.',
  'Notifications in browsers are turned off on this instance.':
    'Les notifications dans les navigateurs sont désactivées sur cette instance.',
  'An API token cannot see or change passkeys. Sign in for that.':
    'Un jeton d’API ne peut ni voir ni modifier les clés d’accès. Connectez-vous pour cela.',
  'Passkeys need https and a domain. This service is at {0}.':
    'Les clés d’accès ont besoin de https et d’un domaine. Ce service est à {0}.',
  'This took too long, or was done before. Please add the passkey again.':
    'Cela a pris trop de temps ou a déjà été fait. Veuillez ajouter de nouveau la clé d’accès.',
  'This passkey was not accepted. Please add it again.':
    'Cette clé d’accès n’a pas été acceptée. Veuillez l’ajouter de nouveau.',
  'This passkey was added before.': 'Cette clé d’accès a déjà été ajoutée.',
  'This service requires a passkey, and this is your only one. Add another first.':
    'Ce service exige une clé d’accès, et c’est votre seule. Ajoutez-en d’abord une autre.',
  'Recovery codes stand in for a passkey. Add a passkey first.':
    'Les codes de récupération remplacent une clé d’accès. Ajoutez d’abord une clé d’accès.',
  'Remove your own passkeys in your profile.': 'Retirez vos propres clés d’accès dans votre profil.',
  'You have {0} passkeys, which is the most. Remove one first.':
    'Vous avez {0} clés d’accès, ce qui est le maximum. Retirez-en d’abord une.',
  'You signed in a while ago. Please sign in again to change your passkeys.':
    'Vous vous êtes connecté il y a un moment. Veuillez vous reconnecter pour modifier vos clés d’accès.',
  'This service requires a passkey. Add one in the dashboard first.':
    'Ce service exige une clé d’accès. Ajoutez-en d’abord une dans le tableau de bord.',
  'The receiver answered 410: it is gone for good.': 'Le destinataire a répondu 410 : il n’existe plus.',
  'Nothing has arrived for five days.': 'Rien n’est arrivé depuis cinq jours.',

  // The names of fields, which stand in quotation marks.
  'The name': 'Nom',
  'The booking link': 'Lien de réservation',
  'The description': 'Description',
  'The time zone': 'Fuseau horaire',
  'The email address': 'Adresse e-mail',
  'The role': 'Rôle',
  'Whether they are disabled': 'Désactivé',
  'Id {1}': 'ID {1}',
  'The text to find': 'Texte à trouver',
  'The address': 'Adresse',
  'The kind': 'Genre',
  'Kind {1}': 'Type {1}',
  'The provider': 'Fournisseur',
  'The connected account': 'Compte connecté',
  'The calendar': 'Calendrier',
  'The note': 'Note',
  'The colleague who stands in': 'Remplacement',
  'The link': 'Lien',
  'The setting for tentative events': 'Réglage des événements provisoires',
  'The reason': 'Motif',
  'The first day': 'Premier jour',
  'The last day': 'Dernier jour',
  'The start': 'Début',
  'The guest’s name': 'Nom de l’invité',
  'The guest’s email address': 'Adresse e-mail de l’invité',
  'The guest’s phone number': 'Téléphone de l’invité',
  'The guest’s time zone': 'Fuseau horaire de l’invité',
  'The guest’s language': 'Langue de l’invité',
  'The notes': 'Remarques',
  'The end': 'Fin',
  'The team': 'Équipe',
  'The owner': 'Propriétaire',
  'The duration': 'Durée',
  'The list of durations': 'Liste des durées',
  'Duration {1}': 'Durée {1}',
  'The time between starts': 'Intervalle entre les débuts',
  'The buffer before': 'Marge avant',
  'The buffer after': 'Marge après',
  'The minimum notice': 'Préavis minimal',
  'The booking window': 'Période de réservation',
  'The kind of booking window': 'Genre de période de réservation',
  'The setting for business days': 'Réglage des jours ouvrés',
  'The first date of the booking window': 'Première date de la période de réservation',
  'The last date of the booking window': 'Dernière date de la période de réservation',
  'The set of booking limits': 'Limites de réservation',
  'The limit per day': 'Limite par jour',
  'The limit per week': 'Limite par semaine',
  'The limit per month': 'Limite par mois',
  'The limit per year': 'Limite par an',
  'The set of limits in minutes': 'Limites en minutes',
  'The limit of minutes per day': 'Limite de minutes par jour',
  'The limit of minutes per week': 'Limite de minutes par semaine',
  'The limit of minutes per month': 'Limite de minutes par mois',
  'The limit of minutes per year': 'Limite de minutes par an',
  'The number of seats': 'Nombre de places',
  'The number of days that personal data is kept': 'Durée de conservation des données personnelles, en jours',
  'The number of additional guests': 'Nombre d’invités supplémentaires',
  'The list of guests': 'Liste des invités',
  'Guest {1}': 'Invité {1}',
  'The approval setting': 'Approbation',
  'The visibility setting': 'Visibilité',
  'The location': 'Lieu',
  'The type of location': 'Type de lieu',
  'The meeting link': 'Lien de réunion',
  'The list of locations': 'Liste des lieux',
  'Location {1}': 'Lieu {1}',
  'The id of location {1}': 'Id du lieu {1}',
  'The type of location {1}': 'Type du lieu {1}',
  'The meeting link of location {1}': 'Lien de réunion du lieu {1}',
  'The name of location {1}': 'Nom du lieu {1}',
  'The list of questions': 'Liste des questions',
  'Question {1}': 'Question {1}',
  'The key of question {1}': 'Clé de la question {1}',
  'The label of question {1}': 'Libellé de la question {1}',
  'The type of question {1}': 'Type de la question {1}',
  'The required setting of question {1}': 'Caractère obligatoire de la question {1}',
  'The visibility of question {1}': 'Visibilité de la question {1}',
  'The list of options of question {1}': 'Liste des options de la question {1}',
  'Option {2} of question {1}': 'Option {2} de la question {1}',
  'The spam protection': 'Protection contre le spam',
  'The honeypot setting': 'Champ piège',
  'The CAPTCHA': 'CAPTCHA',
  'The blocklist': 'Liste de blocage',
  'Entry {1} of the blocklist': 'Entrée {1} de la liste de blocage',
  'The duplicates setting': 'Détection des doublons',
  'The limit of attempts per minute': 'Limite d’essais par minute',
  'The assignment of hosts': 'Attribution des hôtes',
  'The position': 'Position',
  'The schedule': 'Horaire',
  'The cancellation cutoff': 'Délai d’annulation',
  'The rescheduling cutoff': 'Délai de report',
  'The list of reminders': 'Liste des rappels',
  'Reminder {1}': 'Rappel {1}',
  'The list of sites': 'Liste des sites',
  'Site {1}': 'Site {1}',
  'The return address': 'Adresse de retour',
  'Private links only': 'Liens privés uniquement',
  'Holding times': 'Retenir les créneaux',
  'Confirming addresses': 'Confirmer les adresses',
  'The number of uses': 'Nombre d’utilisations',
  'The expiry': 'Expiration',
  'The list of hosts': 'Liste des hôtes',
  'Host {1}': 'Hôte {1}',
  'An answer': 'Une réponse',
  'The setting for calendars that cannot be checked': 'Réglage des calendriers impossibles à vérifier',
  'The calendar for bookings': 'Calendrier des réservations',
  'The price': 'Prix',
  '{field} must be a currency that guests can pay in, such as EUR, in capital letters.':
    'Le champ « {field} » doit être une devise dans laquelle on peut payer, comme EUR, en majuscules.',
  'There is a price for a duration that guests can’t choose: {0} minutes.':
    'Il y a un prix pour une durée que l’on ne peut pas choisir : {0} minutes.',
  'Connect an account that gets the money first. Then set a price.':
    'Connectez d’abord un compte qui reçoit l’argent. Fixez ensuite un prix.',
  'The amount': 'Montant',
  'The currency': 'Devise',
  'The refund': 'Remboursement',
  'The refund rule': 'Règle de remboursement',
  'The time until which everything is refunded': 'Délai du remboursement intégral',
  'The share that is refunded later': 'Part remboursée ensuite',
  'The set of prices by duration': 'Prix par durée',
  'The price of a duration': 'Prix d’une durée',
  'The series': 'Série',
  'The list of intervals': 'Liste des intervalles',
  'Interval {1}': 'Intervalle {1}',
  'The most meetings of a series': 'Nombre maximal de réunions d’une série',
  'The scope': 'Portée',
  'The required setting of host {1}': 'Présence obligatoire de l’hôte {1}',
  'The weight of host {1}': 'Poids de l’hôte {1}',
  '“Undoable”': 'Annulable',
  'The host': 'Hôte',
  'The automatic choice': 'Choix automatique',
  'The weekly schedule': 'Horaire hebdomadaire',
  'A day of the weekly schedule': 'Un jour de l’horaire hebdomadaire',
  'A range of hours': 'Une plage horaire',
  'The start of a range of hours': 'Début d’une plage horaire',
  'The end of a range of hours': 'Fin d’une plage horaire',
  'The list of date overrides': 'Liste des dates particulières',
  'A date override': 'Une date particulière',
  'The default setting': 'Par défaut',
  'The list of fields': 'Liste des champs',
  'Field {1}': 'Champ {1}',
  'The id of field {1}': 'Id du champ {1}',
  'The label of field {1}': 'Libellé du champ {1}',
  'The type of field {1}': 'Type du champ {1}',
  'The required setting of field {1}': 'Caractère obligatoire du champ {1}',
  'The list of options of field {1}': 'Liste des options du champ {1}',
  'Option {2} of field {1}': 'Option {2} du champ {1}',
  'The id of option {2} of field {1}': 'Id de l’option {2} du champ {1}',
  'The label of option {2} of field {1}': 'Libellé de l’option {2} du champ {1}',
  'The list of rules': 'Liste des règles',
  'Rule {1}': 'Règle {1}',
  'The condition of rule {1}': 'Condition de la règle {1}',
  'The target of rule {1}': 'Destination de la règle {1}',
  'The action of rule {1}': 'Action de la règle {1}',
  'The event type of rule {1}': 'Type d’événement de la règle {1}',
  'The host filter of rule {1}': 'Filtre d’hôtes de la règle {1}',
  'The address of rule {1}': 'Adresse de la règle {1}',
  'The message of rule {1}': 'Message de la règle {1}',
  'The host of returning guests in rule {1}': 'Hôte des invités qui reviennent dans la règle {1}',
  'How long ago returning guests met their host, in rule {1},':
    'Temps depuis la dernière rencontre des invités qui reviennent dans la règle {1}',
  'The owner lookup of rule {1}': 'Recherche de responsables de la règle {1}',
  'How returning guests are recognised in rule {1}':
    'Reconnaissance des invités qui reviennent dans la règle {1}',
  'The fallback': 'Destination par défaut',
  'The action of the fallback': 'Action par défaut',
  'The event type of the fallback': 'Type d’événement par défaut',
  'The host filter of the fallback': 'Filtre d’hôtes par défaut',
  'The address of the fallback': 'Adresse par défaut',
  'The message of the fallback': 'Message par défaut',
  'The host of returning guests in the fallback': 'Hôte par défaut des invités qui reviennent',
  'How long ago returning guests met their host, in the fallback,':
    'Temps par défaut depuis la dernière rencontre des invités qui reviennent',
  'The owner lookup of the fallback': 'Recherche de responsables par défaut',
  'How returning guests are recognised in the fallback':
    'Reconnaissance par défaut des invités qui reviennent',
  'The list of tests': 'Liste des tests',
  'Test {1}': 'Test {1}',
  'The name of test {1}': 'Nom du test {1}',
  'The expected result of test {1}': 'Résultat attendu du test {1}',
  'The expected action of test {1}': 'Action attendue du test {1}',
  'The expected event type of test {1}': 'Type d’événement attendu du test {1}',
  'The expected address of test {1}': 'Adresse attendue du test {1}',
  'The expected message of test {1}': 'Message attendu du test {1}',
  'The force parameter': 'Paramètre force',
  'The list of events': 'Liste des événements',
  'Event {1}': 'Événement {1}',
  'The list of event types': 'Liste des types d’événement',
  'Event type {1}': 'Type d’événement {1}',
  'The active setting': 'Actif',
  'The event': 'Événement',
  'The user name': 'Nom d’utilisateur',
  'The password': 'Mot de passe',
  'The conflicts setting': 'Vérification des conflits',
  'The setting for adding bookings': 'Ajout des réservations',
  'The entry': 'Entrée',
  'The bio': 'Biographie',
  'The address of the picture': 'Adresse de l’image',
  'The language': 'Langue',
  'The German form of address': 'Forme d’adresse en allemand',
  'Who takes over': 'Qui prend la suite',
  'The theme': 'Thème',
  'The time format': 'Format de l’heure',
  'The start of the week': 'Début de la semaine',
  'The choice of what members see': 'Ce que voient les membres',
  'The branding': 'Image de marque',
  'The colour': 'Couleur',
  'The address of the logo': 'Adresse du logo',
  'Attribute {1}': 'Attribut {1}',
  'The key of attribute {1}': 'Clé de l’attribut {1}',
  'The label of attribute {1}': 'Libellé de l’attribut {1}',
  'The type of attribute {1}': 'Type de l’attribut {1}',
  'The list of options of attribute {1}': 'Liste des options de l’attribut {1}',
  'Option {2} of attribute {1}': 'Option {2} de l’attribut {1}',
  'The set of attributes': 'Attributs',
  'An attribute': 'Un attribut',
  'The dry run setting': 'Essai à blanc',
  'The list of scopes': 'Liste des autorisations',
  'Scope {1}': 'Autorisation {1}',
  'The number of days until it expires': 'Nombre de jours avant expiration',
  'The token': 'Jeton',
  'The limit': 'Limite',
  'Whether to end what it made': 'Mettre fin à ce qu’il a créé',
  'Whether to cancel meetings': 'Annuler les réunions',
  'The cursor': 'Curseur',
  'The status': 'Statut',
  'The first date': 'Première date',
  'The last date': 'Dernière date',
  'The event type': 'Type d’événement',
  'The text to search for': 'Texte à rechercher',
  'The order': 'Ordre',
  'A field': 'Un champ',
  'The recovery code': 'Code de récupération',
  'The passkey’s id': 'Id de la clé d’accès',
  'The passkey’s client data': 'Données client de la clé d’accès',
  'The passkey’s attestation': 'Attestation de la clé d’accès',
  'The passkey’s data': 'Données de la clé d’accès',
  'The passkey’s signature': 'Signature de la clé d’accès',
  'The subscription': 'Abonnement',
  'The browser’s address': 'Adresse du navigateur',
  'The expiration time': 'Heure d’expiration',
  'The pair of keys': 'Paire de clés',
  'The service': 'Service',
  'The kind of row': 'Type de ligne',
  'The state': 'État',
  'Whether only lines with a note are listed': 'Si seules les lignes avec une note sont listées',
  'The list of choices': 'Liste des choix',
  'The list of names in links': 'Liste des noms dans les liens',
  'The list of video services': 'Liste des services de visioconférence',
  'The list of those who stay': 'Liste de ceux qui restent',
  'Entry {1} of those who stay': 'Entrée {1} de ceux qui restent',
  'The format': 'Format',
  'The payload template': 'Modèle du contenu',
  'The browser’s public key': 'Clé publique du navigateur',
  'The browser’s secret': 'Secret du navigateur',
  'The list of notifications': 'Liste des notifications',
  'Notification {1}': 'Notification {1}',
  'The list of transports': 'Liste des transports',
  'Transport {1}': 'Transport {1}',
  'To delete your own account, open your profile, or ask another admin.':
    'Pour supprimer votre propre compte, ouvrez votre profil ou demandez à un autre administrateur.',
  'Choose someone else to take over, who has an account and can sign in.':
    'Choisissez une autre personne, qui a un compte et peut se connecter.',
  '{0} is not free for one of these meetings: {1} (times in {2}). Choose someone else, or have it cancelled.':
    '{0} n’est pas libre pour l’un de ces rendez-vous : {1} (heure de {2}). Choisissez une autre personne, ou faites-le annuler.',
  '{0} is not free for {1} of these meetings: {2} (times in {3}). Choose someone else, or have them cancelled.':
    '{0} n’est pas libre pour {1} de ces rendez-vous : {2} (heure de {3}). Choisissez une autre personne, ou faites-les annuler.',
  'This person is the only owner of: {0}. Choose who takes over, or make someone else an owner first.':
    'Cette personne est seule propriétaire de : {0}. Choisissez qui prend la suite, ou nommez d’abord un autre propriétaire.',
  'Guests have paid for meetings ahead through {0}’s own account, which can’t be handed over: {1} (times in {2}). Cancel these meetings first: that gives the money back.':
    'Des invités ont payé des rendez-vous à venir sur le compte de {0}, qui ne peut pas être transmis : {1} (heure de {2}). Annulez d’abord ces rendez-vous : l’argent sera alors rendu.',
  '{0} hosts one upcoming meeting: {1} (times in {2}). Choose who takes over, or have it cancelled.':
    '{0} a un rendez-vous à venir : {1} (heure de {2}). Choisissez qui prend la suite, ou faites-le annuler.',
  '{0} hosts {1} upcoming meetings: {2} (times in {3}). Choose who takes over, or have them cancelled.':
    '{0} a {1} rendez-vous à venir : {2} (heure de {3}). Choisissez qui prend la suite, ou faites-les annuler.',
  'It lies in the past.': 'Cette heure est passée.',
  'It begins sooner than the minimum notice of {0} minutes allows.':
    'Elle commence plus tôt que ne le permet le préavis minimal de {0} minutes.',
  'It lies before the booking window opens.': 'Cette heure précède la période de réservation.',
  'It lies beyond the booking window.': 'Cette heure dépasse la période de réservation.',
  'The host has not confirmed their hours yet.': 'L’hôte n’a pas encore confirmé ses horaires.',
  'It is outside the hours: {0} on {1} in {2} is closed.':
    'Cette heure est hors des horaires : {0} le {1} à {2} est fermé.',
  'The meeting would run past the end of the open hours.':
    'Le rendez-vous dépasserait la fin des horaires d’ouverture.',
  'Starts are {0} minutes apart, counted from when the hours open, and this is between two.':
    'Les débuts sont espacés de {0} minutes à partir de l’ouverture, et cette heure tombe entre deux.',
  '{0} Nearest: {1}.': '{0} Le plus proche : {1}.',
  '{0} Nearest: {1} and {2}.': '{0} Les plus proches : {1} et {2}.',
  'All its seats are taken.': 'Toutes les places sont prises.',
  'Another meeting takes {0} to {1}.': 'Un autre rendez-vous occupe de {0} à {1}.',
  'A buffer would run into the meeting from {0} to {1}.':
    'Un battement empiéterait sur le rendez-vous de {0} à {1}.',
  'The host is away or busy from {0} to {1}.': 'L’hôte est absent ou occupé de {0} à {1}.',
  'The host is away from {0} to {1}. Guests are led to {2}.':
    'L’hôte est absent de {0} à {1}. Les invités sont dirigés vers {2}.',
  'A connected calendar is known only until {0}.': 'Un agenda connecté n’est connu que jusqu’à {0}.',
  'Your calendar "{0}" is known only until {1}.': 'Votre agenda « {0} » n’est connu que jusqu’à {1}.',
  'A connected calendar has something from {0} to {1}.': 'Un agenda connecté est occupé de {0} à {1}.',
  'Your calendar "{0}" has something from {1} to {2}.': 'Votre agenda « {0} » est occupé de {1} à {2}.',
  'The limit of {0} per day has been reached.': 'La limite de {0} par jour est atteinte.',
  'The limit of {0} per week has been reached.': 'La limite de {0} par semaine est atteinte.',
  'The limit of {0} per month has been reached.': 'La limite de {0} par mois est atteinte.',
  'The limit of {0} per year has been reached.': 'La limite de {0} par an est atteinte.',
  'It would exceed the limit of {0} minutes per day.': 'La limite de {0} minutes par jour serait dépassée.',
  'It would exceed the limit of {0} minutes per week.':
    'La limite de {0} minutes par semaine serait dépassée.',
  'It would exceed the limit of {0} minutes per month.': 'La limite de {0} minutes par mois serait dépassée.',
  'It would exceed the limit of {0} minutes per year.': 'La limite de {0} minutes par an serait dépassée.',
  'The event type has no hosts.': 'Le type d’événement n’a pas d’hôtes.',
  'A host’s account is disabled, and meetings need this host. Choose other hosts.':
    'Le compte d’un hôte est désactivé, et les rendez-vous ont besoin de lui. Choisissez d’autres hôtes.',
  'No job {0} has failed.': 'Aucune tâche {0} n’a échoué.',
  Database: 'Base de données',
  'SQLite; {0} is made at the first start': 'SQLite ; {0} est créé au premier démarrage',
  "can't be reached: {0}": 'injoignable : {0}',
  'Check DATABASE_URL, and whether the server runs.': 'Vérifiez DATABASE_URL et que le serveur tourne.',
  '{0}, connected in {1} ms': '{0}, connecté en {1} ms',
  '{0} is too old': '{0} est trop ancien',
  'Use PostgreSQL 15 or newer.': 'Utilisez PostgreSQL 15 ou plus récent.',
  Pooler: 'Pooler de connexions',
  'single statements have time-outs': 'les instructions isolées ont une limite de temps',
  'single statements have no time-outs': 'les instructions isolées n’ont pas de limite de temps',
  'PostgreSQL may compile single statements, which takes longer than running them':
    'PostgreSQL peut compiler des instructions isolées, ce qui prend plus de temps que de les exécuter',
  Standby: 'Serveur secondaire',
  'follows a primary': 'suit un serveur principal',
  'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.':
    'DATABASE_READ_URL doit mener à un serveur secondaire. D’ici là, les créneaux sont lus sur le principal.',
  'is not a standby': 'n’est pas un serveur secondaire',
  'Check DATABASE_READ_URL. Until then, listings are read from the primary.':
    'Vérifiez DATABASE_READ_URL. D’ici là, les créneaux sont lus sur le serveur principal.',
  Connections: 'Connexions',
  '{0} × ({1} + {2}) = {3} of the {4} that PostgreSQL gives':
    '{0} × ({1} + {2}) = {3} sur les {4} que PostgreSQL accorde',
  'Set DATABASE_POOL_SIZE={0}, or raise max_connections to {1}.':
    'Réglez DATABASE_POOL_SIZE={0}, ou montez max_connections à {1}.',
  'Raise max_connections to {0}.': 'Montez max_connections à {0}.',
  'A rolling update runs one more instance: raise max_connections to {0}.':
    'Une mise à jour progressive ajoute une instance : montez max_connections à {0}.',
  Clock: 'Horloge',
  "{0} s away from the database's": 'à {0} s de celle de la base de données',
  'Let both machines set their clocks by NTP.': 'Réglez les horloges des deux machines par NTP.',
  Migrations: 'Migrations',
  'the database belongs to a newer version ({0})':
    'la base de données appartient à une version plus récente ({0})',
  'Use that version, or restore a backup from before.':
    'Utilisez cette version, ou restaurez une sauvegarde antérieure.',
  'They run when the service starts, or now with `punctual migrate`. Take a backup first.':
    'Elles s’exécutent au démarrage du service, ou maintenant avec `punctual migrate`. Faites d’abord une sauvegarde.',
  '{0} of {1} have not run yet': '{0} sur {1} restent à exécuter',
  'all {0} have run': 'les {0} ont été exécutées',
  Jobs: 'Tâches',
  'the oldest has been due for {0} minutes': 'la plus ancienne attend depuis {0} minutes',
  'See that the service runs, and what its log says.':
    'Vérifiez que le service tourne, et ce que dit son journal.',
  '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.':
    '`punctual outbox list` dit pourquoi ; `punctual outbox retry --all` les relance.',
  '1 was given up': '1 a été abandonnée',
  '{0} were given up': '{0} ont été abandonnées',
  'none is late, none was given up': 'aucune n’est en retard, aucune n’a été abandonnée',
  'Check {0}_CLIENT_ID and {1}_CLIENT_SECRET; a secret may have expired.':
    'Vérifiez {0}_CLIENT_ID et {1}_CLIENT_SECRET ; un secret a peut-être expiré.',
  'refuses the client ({0})': 'refuse le client ({0})',
  'See that this machine can reach {0}.': 'Vérifiez que cette machine peut joindre {0}.',
  'Put the service behind https, and set PUBLIC_URL to that address.':
    'Placez le service derrière https et réglez PUBLIC_URL sur cette adresse.',
  'sends nobody back to {0}, which is not https': 'ne renvoie personne vers {0}, qui n’est pas en https',
  'answers; its client must have the redirect address {0}':
    'répond ; son client doit avoir l’adresse de redirection {0}',
  'Sign-on': 'Authentification unique',
  'Check OIDC_ISSUER: is it an OpenID Connect provider?':
    'Vérifiez OIDC_ISSUER : est-ce un fournisseur OpenID Connect ?',
  'does not tell its {0}': 'n’indique pas : {0}',
  '{0} answers; its client must have the redirect address {1}':
    '{0} répond ; son client doit avoir l’adresse de redirection {1}',
  'OIDC_ISSUER must be exactly what the provider calls itself.':
    'OIDC_ISSUER doit être exactement le nom que le fournisseur se donne.',
  'its clock is {0} s away from ours': 'son horloge est à {0} s de la nôtre',
  'Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.':
    'Réglez l’horloge de cette machine par NTP. Au-delà de 30 s, personne ne peut s’y connecter.',
  Passkeys: 'Clés d’accès',
  'required, for {0}': 'obligatoires, pour {0}',
  Settings: 'Réglages',
  'valid, for production': 'valides, pour la production',
  'valid, but not for production': 'valides, mais pas pour la production',
  'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.':
    'Sur un serveur pour de vrais invités, réglez NODE_ENV=production : cela écarte l’espace de démonstration.',
  '{0} is writable, {1} free': '{0} est accessible en écriture, {1} libres',
  'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.':
    'Faites de la place : un disque plein ne perd rien de ce qui est confirmé, mais n’accepte plus de réservations.',
  "{0} can't be written to: {1}": 'impossible d’écrire dans {0} : {1}',
  'Let the account that runs the service own this folder.':
    'Le dossier doit appartenir au compte qui exécute le service.',
  Mail: 'E-mail',
  'written to {0}, not sent': 'écrits dans {0}, non envoyés',
  'Set SMTP_URL: guests and hosts get no emails.':
    'Réglez SMTP_URL : invités et hôtes ne reçoivent aucun e-mail.',
  "{0} can't be used: {1}": '{0} est inutilisable : {1}',
  'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.':
    'Vérifiez SMTP_URL, et si cette machine peut s’y connecter. D’ici là, les e-mails attendent.',
  '{0} answers, but the sender is {1}': '{0} répond, mais l’expéditeur est {1}',
  'Set MAIL_FROM to an address of yours that this mail server may send for.':
    'Réglez MAIL_FROM sur une adresse à vous, pour laquelle ce serveur de messagerie peut envoyer.',
  '{0} answers': '{0} répond',
  '{0} works on this machine only': '{0} ne fonctionne que sur cette machine',
  'Set PUBLIC_URL to what guests see: links in emails begin with it.':
    'Réglez PUBLIC_URL sur ce que voient les invités : les liens des e-mails commencent ainsi.',
  '{0} is not https': '{0} n’est pas en https',
  'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.':
    'Placez un proxy TLS devant : les données personnelles circulent sans protection, et les navigateurs refusent la vérification ALTCHA.',
  'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.':
    'Démarrez le service, et vérifiez que le proxy y mène. Cette machine ne peut peut-être pas non plus se joindre elle-même.',
  '{0} leads to the service': '{0} mène au service',
  '{0}/healthz answers {1}, and not as this service would':
    '{0}/healthz répond {1}, et pas comme le ferait ce service',
  "{0} can't be reached from here: {1}": '{0} est injoignable d’ici : {1}',
  'The response was {0}.': 'La réponse était {0}.',
  'The response was {0}. Redirects are not followed.':
    'La réponse était {0}. Les redirections ne sont pas suivies.',
  'The response was incomplete.': 'La réponse était incomplète.',
  'The mail server refuses the recipient: {0}': 'Le serveur de messagerie refuse le destinataire : {0}',
  'This booking was rescheduled {0} times in a day. Please try again tomorrow, or contact the host.':
    'Cette réservation a été reportée {0} fois en une journée. Veuillez réessayer demain ou contacter l’hôte.',
  'The file has more than {0} rows. Split it into several files.':
    'Le fichier contient plus de {0} lignes. Répartissez-le en plusieurs fichiers.',
  'Too many times are being held just now. You can book without holding a time.':
    'Trop d’horaires sont retenus en ce moment. Vous pouvez réserver sans retenir d’horaire.',
  'Rule {0} matches, but its event type is hidden or deleted, so it leads to {1} instead of {2}.':
    'La règle {0} correspond, mais son type d’événement est masqué ou supprimé : cela mène donc à {1} au lieu de {2}.',
  'No rule matches, and the event type of the fallback is hidden or deleted, so it leads to {0} instead of {1}.':
    'Aucune règle ne correspond, et le type d’événement par défaut est masqué ou supprimé : cela mène donc à {0} au lieu de {1}.',
  'The set of answers': 'Réponses',
  'The set of answers of test {1}': 'Réponses du test {1}',
  'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.':
    'Les clés de ce CAPTCHA ne sont pas configurées ici : les invités seraient bloqués. Choisissez ALTCHA ou demandez les clés à un administrateur.',
  'A filter can name at most {0} values.': 'Un filtre peut comporter au plus {0} valeurs.',
  '{field} must be at least {0} characters.': '« {field} » doit comporter au moins {0} caractères.',
  'Choose who takes these meetings over.': 'Choisissez qui reprend ces rendez-vous.',
  'Two filters are called "{0}".': 'Deux filtres s’appellent « {0} ».',
  '{field} must be at most {0} days after the start.':
    '« {field} » doit être au plus {0} jours après le début.',
  'Webhook: {0}': 'Webhook : {0}',
  'Email to {0}: {1}': 'E-mail à {0} : {1}',
  'Calendar entry': 'Entrée du calendrier',
  'Calendar entry of {0}': 'Entrée du calendrier de {0}',
  'Meeting link': 'Lien de la réunion',
  'the guest': 'l’invité',
  'an additional guest': 'un invité supplémentaire',
  'a former host': 'un ancien hôte',
  'The meeting was requested.': 'Le rendez-vous a été demandé.',
  'The meeting was booked.': 'Le rendez-vous a été réservé.',
  'The request was approved.': 'La demande a été approuvée.',
  'The request was declined.': 'La demande a été refusée.',
  'The meeting was cancelled.': 'Le rendez-vous a été annulé.',
  'The meeting was rescheduled.': 'Le rendez-vous a été déplacé.',
  'The meeting was handed over.': 'Le rendez-vous a été confié à un autre hôte.',
  'The provider has a payment in {0}, and the ledger in {1}.':
    'Le prestataire a un paiement en {0}, et le registre en {1}.',
  'The provider has reserved {0}, and the ledger says {1}.':
    'Le prestataire a réservé {0}, et le registre indique {1}.',
  'The provider has received {0}, and the ledger says {1}.':
    'Le prestataire a reçu {0}, et le registre indique {1}.',
  'The provider has refunded {0}, and the ledger says {1}.':
    'Le prestataire a remboursé {0}, et le registre indique {1}.',
  'The provider has disputes about {0}, and the ledger says {1}.':
    'Le prestataire a {0} contestés, et le registre indique {1}.',
  'The provider has a payment of {0} for a booking that is not here.':
    'Le prestataire a un paiement de {0} pour une réservation qui n’existe pas ici.',
  'The ledger has a payment of {0} that the provider doesn’t know.':
    'Le registre a un paiement de {0} que le prestataire ne connaît pas.',
  'A refund of {0} has failed.': 'Un remboursement de {0} a échoué.',
  'A guest’s bank asks for {0} back. Answer at the payment provider.':
    'La banque d’un invité réclame {0}. Répondez chez le prestataire de paiement.',
  'The guest has paid.': 'L’invité a payé.',
  'The guest chose this time, and went to pay.': 'L’invité a choisi cet horaire et est passé au paiement.',
  'Money was refunded.': 'De l’argent a été remboursé.',
  'The answer was undone.': 'La réponse a été annulée.',
  'The guest was marked as a no-show.': 'L’invité a été marqué absent.',
  'The no-show was undone.': 'L’absence a été annulée.',
  'The calendar entry was put back.': 'L’entrée du calendrier a été rétablie.',
  Reminder: 'Rappel',
  'The booking was changed.': 'La réservation a été modifiée.',
  'The form': 'Formulaire',
  'Form {1}': 'Formulaire {1}',
  'The action': 'Action',
  'The list of bookings': 'Réservations',
  'Booking {1}': 'Réservation {1}',
  'The name of filter {1}': 'Nom du filtre {1}',
  'The query of filter {1}': 'Requête du filtre {1}',
  'The access to {0} has ended. Connect the account again.':
    'L’accès à {0} a pris fin. Il faut reconnecter le compte.',
  'The calendar “{0}” could not be read.': 'Le calendrier « {0} » n’a pas pu être lu.',
  'The webhook to {0} is failing.': 'Le webhook vers {0} est en échec.',
  'The webhook to {0} was disabled.': 'Le webhook vers {0} a été désactivé.',
  '{0} hasn’t accepted the invitation.': '{0} n’a pas encore accepté l’invitation.',
  '{0} hasn’t accepted the invitation to {1}.': '{0} n’a pas encore accepté l’invitation à {1}.',
  'An email to {0} could not be delivered.': 'Un e-mail à {0} n’a pas pu être remis.',
  'Nobody can book “{0}” in the next {1} days.':
    'Personne ne peut réserver « {0} » dans les {1} prochains jours.',
  '“{0}” is a video call without a link.': '« {0} » est un appel vidéo sans lien.',
  'The CAPTCHA of “{0}” has no keys here, so guests can’t get past it.':
    'Le CAPTCHA de « {0} » n’a pas de clés ici : les invités ne peuvent pas continuer.',
  'A newer version has changed the database. Update this instance, too.':
    'Une version plus récente a modifié la base de données. Il faut aussi mettre à jour cette instance.',
  'Backups are scheduled, but none has been taken yet.':
    'Des sauvegardes sont planifiées, mais aucune n’a encore été faite.',
  'The backup is overdue. The last one is from {0}.': 'La sauvegarde est en retard. La dernière date du {0}.',
  'An email could not be delivered.': 'Un e-mail n’a pas pu être remis.',
  '{0} emails could not be delivered.': '{0} e-mails n’ont pas pu être remis.',
  'The order must name each event type of the owner once. Load the list again.':
    'L’ordre doit nommer chaque type de rendez-vous du propriétaire une fois. Rechargez la liste.',
  'The list of ids': 'Liste des identifiants',
  'There can be at most {0} messages.': 'Il peut y avoir au plus {0} messages.',
  'This instance sends no text messages.': 'Cette instance n’envoie pas de SMS.',
  'Choose event types that belong to the message’s owner.':
    'Choisissez des types d’événement du propriétaire du message.',
  'Choose forms that belong to the message’s owner.':
    'Choisissez des formulaires du propriétaire du message.',
  'You have no email address.': 'Vous n’avez pas d’adresse e-mail.',
  'The guest has been erased.': 'Les données de l’invité ont été effacées.',
  'They have unsubscribed from mail like this.': 'Cette personne s’est désabonnée de ces e-mails.',
  'Write the text in your own language, too: {0}.': 'Écrivez aussi le texte dans votre propre langue : {0}.',
  'Only messages before, after or without a booking have a number of minutes.':
    'Seuls les messages avant, après ou sans réservation ont un nombre de minutes.',
  'A message without a booking goes to the guest or to the hosts.':
    'Un message sans réservation va à l’invité ou aux hôtes.',
  'Text messages go to the guest alone.': 'Les SMS ne vont qu’à l’invité.',
  'A message without a booking belongs to forms, not to event types.':
    'Un message sans réservation concerne des formulaires, pas des types d’événement.',
  'Only a message without a booking belongs to forms.':
    'Seul un message sans réservation concerne des formulaires.',
  'This is listed twice.': 'Cet élément figure deux fois dans la liste.',
  'A text message can’t replace a mail of the service.': 'Un SMS ne peut pas remplacer un e-mail du service.',
  'The service sends no mail of its own at this moment, so there is nothing to replace.':
    'À ce moment, le service n’envoie pas d’e-mail : il n’y a rien à remplacer.',
  'A text message has no subject.': 'Un SMS n’a pas d’objet.',
  '{0} (line {1}, column {2})': '{0} (ligne {1}, colonne {2})',
  'There is no {0} in a message of this kind.': 'Il n’y a pas de {0} dans un message de ce type.',
  'There is no value called "{0}".': 'Il n’y a pas de valeur nommée « {0} ».',
  'A link leads to an address with https:, http: or mailto:, or is one of the link values.':
    'Un lien mène à une adresse en https:, http: ou mailto:, ou est une des valeurs de lien.',
  'A value can’t be part of a web address.': 'Une valeur ne peut pas faire partie d’une adresse web.',
  '“{0}” already replaces this mail. Change that message instead, or add this one without replacing.':
    '« {0} » remplace déjà cet e-mail. Modifiez ce message-là, ou ajoutez celui-ci sans remplacer.',
  'The meeting had already started.': 'Le rendez-vous avait déjà commencé.',
  'It was more than 24 hours late.': 'Il avait plus de 24 heures de retard.',
  'The booking was waiting for its payment.': 'La réservation était en attente de paiement.',
  'The booking was not paid in time.': 'La réservation n’a pas été payée à temps.',
  'The booking was waiting for approval.': 'La réservation était en attente d’approbation.',
  'The booking was confirmed.': 'La réservation était confirmée.',
  'The booking was declined.': 'La réservation a été refusée.',
  'The booking was cancelled.': 'La réservation a été annulée.',
  'The meeting was over.': 'Le rendez-vous était terminé.',
  'The guest did not come.': 'L’invité n’est pas venu.',
  'This {{ has no }} on its line.': 'Il manque }} à ce {{ sur sa ligne.',
  'This {{#if}} has no {{/if}}.': 'Il manque {{/if}} à ce {{#if}}.',
  'Only {{#if NAME}} opens a block.': 'Seul {{#if NAME}} ouvre un bloc.',
  'At most {0} {{#if}} can be inside each other.': 'Au plus {0} {{#if}} peuvent être imbriqués.',
  'There is no {{#if}} before this {0}.': 'Il n’y a pas de {{#if}} avant ce {0}.',
  'This {{#if}} has a second {0}.': 'Ce {{#if}} a un second {0}.',
  'Only {{/if}} closes a block.': 'Seul {{/if}} ferme un bloc.',
  'There is no {{#if}} before this {{/if}}.': 'Il n’y a pas de {{#if}} avant ce {{/if}}.',
  'Only start and end can be written with "| date" or "| time".':
    'Seuls start et end acceptent « | date » ou « | time ».',
  'When it is booked': 'À la réservation',
  'When it is requested': 'À la demande',
  'When it is approved': 'À l’approbation',
  'When it is declined': 'Au refus',
  'When it is cancelled': 'À l’annulation',
  'When it is moved': 'Au changement d’horaire',
  'When the guest did not come': 'Si l’invité n’est pas venu',
  '{0} minutes before the start': '{0} minutes avant le début',
  'An hour before the start': 'Une heure avant le début',
  '{0} hours before the start': '{0} heures avant le début',
  'A day before the start': 'Un jour avant le début',
  '{0} days before the start': '{0} jours avant le début',
  '{0} minutes after the end': '{0} minutes après la fin',
  'An hour after the end': 'Une heure après la fin',
  '{0} hours after the end': '{0} heures après la fin',
  'A day after the end': 'Un jour après la fin',
  '{0} days after the end': '{0} jours après la fin',
  '{0} minutes after the answers, without a booking': '{0} minutes après les réponses, sans réservation',
  'An hour after the answers, without a booking': 'Une heure après les réponses, sans réservation',
  '{0} hours after the answers, without a booking': '{0} heures après les réponses, sans réservation',
  'A day after the answers, without a booking': 'Un jour après les réponses, sans réservation',
  '{0} days after the answers, without a booking': '{0} jours après les réponses, sans réservation',
  'The message': 'Le message',
  'The moment': 'Le moment',
  'The number of minutes': 'Le nombre de minutes',
  'The channel': 'Le canal',
  'The list of forms': 'La liste des formulaires',
  'The enabled setting': 'Le réglage d’activation',
  'The replaces setting': 'Le réglage de remplacement',
  'The text': 'Le texte',
  'The branch': 'La variante',
  'The subject': 'L’objet',
  'The recipient': 'Le destinataire',
  'The booking': 'La réservation',
  'They have booked.': 'Une réservation a été faite.',
  'The answers have no email address.': 'Les réponses ne contiennent pas d’adresse e-mail.',
  'the provider answers; allowed are {0}': 'le fournisseur répond ; sont autorisés {0}',
  'Check the settings of SMS_PROVIDER, and that this machine can reach it.':
    'Vérifiez les réglages de SMS_PROVIDER, et que cette machine peut le joindre.',
  'The phone company did not deliver it ({0}).': 'L’opérateur ne l’a pas remis ({0}).',
  'It is unknown whether this was sent: the provider gave no clear answer.':
    'On ne sait pas s’il a été envoyé : le fournisseur n’a pas répondu clairement.',
  'The guest has not agreed to text messages.': 'L’invité n’a pas accepté de recevoir des SMS.',
  'This instance sends no text messages to that country.': 'Cette instance n’envoie pas de SMS vers ce pays.',
  'They have answered STOP.': 'Cette personne a répondu STOP.',
  'This number has had {0} text messages today.': 'Ce numéro a déjà reçu {0} SMS aujourd’hui.',
  'The limit of {0} text messages a day is reached.': 'La limite de {0} SMS par jour est atteinte.',
  'The provider refuses it ({0}).': 'Le fournisseur le refuse ({0}).',
  'The provider refuses it: {0} ({1})': 'Le fournisseur le refuse : {0} ({1})',
  'The provider of text messages can’t be reached.': 'Le fournisseur de SMS est injoignable.',
  'The provider of text messages refuses our key.': 'Le fournisseur de SMS refuse notre clé.',
  'Guests agree to text messages when they book, so nobody else gets them.':
    'Les invités acceptent les SMS en réservant : personne d’autre n’en reçoit.',
  '{field} must begin with + and the country code for text messages, such as +49 151 23456789.':
    'Pour les SMS, {field} doit commencer par + et l’indicatif du pays, par exemple +49 151 23456789.',
  'Text message to {0}: {1}': 'SMS à {0} : {1}',
  'The person': 'Personne',
  'The list of members': 'Membres',
  'The list of sessions': 'Sessions',
  'The list of API tokens': 'Jetons d’API',
  'The list of recovery codes': 'Codes de récupération',
  'The secret': 'Secret',
  'The list of responses': 'Réponses',
  'The copy': 'Copie',
  '“is”': '« est »',
  '“is not”': '« n’est pas »',
  '“contains”': '« contient »',
  '“does not contain”': '« ne contient pas »',
  '“starts with”': '« commence par »',
  '“ends with”': '« se termine par »',
  '“is empty”': '« est vide »',
  '“is not empty”': '« n’est pas vide »',
  '“is one of”': '« est l’un de »',
  '“is only”': '« est uniquement »',
  '“is less than”': '« est inférieur à »',
  '“is at most”': '« est au plus »',
  '“is greater than”': '« est supérieur à »',
  '“is at least”': '« est au moins »',
  'The service stopped while it was reading. Please start again.':
    'Le service s’est arrêté pendant la lecture. Veuillez recommencer.',
  'This import is still being read.': 'Cet import est encore en cours de lecture.',
  'This import is being applied already.': 'Cet import est déjà en cours d’application.',
  'This import was applied already.': 'Cet import a déjà été appliqué.',
  'This import was undone. Start another one to move in again.':
    'Cet import a été annulé. Commencez-en un autre pour emménager à nouveau.',
  'This import has failed. Please start again.': 'Cet import a échoué. Veuillez recommencer.',
  'A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.':
    'Un dump peut faire au plus 1 Go. Compressez-le avec gzip, ou faites lire la base de données elle-même.',
  'There is no field {field}.': 'Le champ « {field} » n’existe pas.',
  '{field} must be text of at most {0} characters.':
    '« {field} » doit être un texte d’au plus {0} caractères.',
  '{field} is missing.': '« {field} » manque.',
  'Calendly has no database to read.': 'Calendly n’a pas de base de données à lire.',
  'Give either a database, or an API and its token.':
    'Indiquez soit une base de données, soit une API et son jeton.',
  '{field} must begin with postgres://.': '« {field} » doit commencer par postgres://.',
  '{field} must begin with https://.': '« {field} » doit commencer par https://.',
  'The dump is empty.': 'Le dump est vide.',
  'Only an import that was applied can be undone.': 'Seul un import qui a été appliqué peut être annulé.',
  'A later import builds on this one. Undo that one first.':
    'Un import plus récent s’appuie sur celui-ci. Annulez d’abord l’autre.',
  'Somebody has booked since this import was applied, so it can no longer be undone.':
    'Quelqu’un a réservé depuis l’application de cet import, qui ne peut donc plus être annulé.',
  'It has changed there since it came over.': 'Cela a changé là-bas depuis son arrivée ici.',
  'It has changed there, and here as well, so it stays as it is.':
    'Cela a changé là-bas, mais ici aussi : cela reste donc tel quel.',
  'It was deleted here, so it does not come over again.': 'Cela a été supprimé ici et ne revient donc pas.',
  'It is gone there, and stays here.': 'Cela n’existe plus là-bas, et reste ici.',
  'Something went wrong while reading. Please start again, or ask the operator.':
    'Un problème est survenu pendant la lecture. Veuillez recommencer, ou demander à l’exploitant.',
  'It belongs to something that does not come over.': 'Cela appartient à quelque chose qui ne vient pas.',
  'Say where the dump comes from: ?source=calcom.': 'Indiquez d’où vient le dump : ?source=calcom.',
} satisfies Refusals
