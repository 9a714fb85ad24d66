import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.':
    'La personne ou l’équipe à laquelle cela appartient ne vient pas avec.',
  'The event type that it belongs to does not come along.':
    'Le type d’événement auquel cela appartient ne vient pas avec.',
  'It is switched off there.': 'C’est désactivé là-bas.',
  'You chose to leave it out.': 'Vous avez choisi de ne pas le reprendre.',
  'This row has no id, so nothing can refer to it.':
    'Cette ligne n’a pas d’identifiant, rien ne peut donc y renvoyer.',
  'Another row has the same id.': 'Une autre ligne a le même identifiant.',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'Le fuseau horaire « {0} » n’est pas connu ici, c’est donc celui de {1}.',
  'Hours that end before they begin were left out.':
    'Les heures qui se terminent avant de commencer ont été laissées de côté.',
  'The hours of one event type, which uses them as a schedule here.':
    'Les heures d’un type d’événement, qui les utilise ici comme horaire.',
  'The hours had no schedule there, so they became one.':
    'Les heures n’avaient pas d’horaire là-bas, elles en forment donc un.',
  'These hours of one event type were not used there: its schedule comes first.':
    'Ces heures d’un type d’événement n’étaient pas utilisées là-bas : son horaire l’emporte.',
  'The schedule of these hours is missing.': 'L’horaire de ces heures est manquant.',
  'It is over.': 'C’est passé.',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    'Les voyages prévus n’existent pas ici. Changez le fuseau de l’horaire pour cette période.',
  'Its dates can’t be read.': 'Ses dates sont illisibles.',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    'Là-bas, les jours de congé étaient des jours UTC. Ici, ce sont des jours entiers à {0}.',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'Une absence dure au plus {0} jours ici, elle se termine donc le {1}.',
  'The person who takes over does not come along.': 'La personne qui remplace ne vient pas avec.',
  'Guests don’t see the note here.': 'Ici, les invités ne voient pas la note.',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    'L’organisation est ici ce service entier. Ses propriétaires et administrateurs en deviennent administrateurs.',
  'This person has no email address that we can read, so they couldn’t sign in.':
    'Cette personne n’a pas d’adresse e-mail lisible et ne pourrait donc pas se connecter.',
  'Another person has the same email address.': 'Une autre personne a la même adresse e-mail.',
  'Has an account here already: its name, link and page stay.':
    'A déjà un compte ici : son nom, son lien et sa page restent.',
  'Becomes an admin of this service, as they are one there.':
    'Devient administrateur de ce service, comme là-bas.',
  'Is locked there, so the account is disabled here.':
    'Est verrouillé là-bas, le compte est donc désactivé ici.',
  'Has to set up two-factor sign-in again.': 'Doit configurer à nouveau la connexion à deux facteurs.',
  'Had no name in links there: theirs is “{0}” here.':
    'N’avait pas de nom dans les liens là-bas : ici, c’est « {0} ».',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'Le nom dans les liens s’écrit ici « {0} ». Les liens avec « {1} » fonctionnent toujours.',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '« {0} » est réservé ou pris ici, le nom dans les liens est donc « {1} ».',
  'The picture is stored over there: please upload it here.':
    'L’image est stockée là-bas : veuillez l’envoyer ici.',
  'The time zone “{0}” is not known here, so it is UTC.':
    'Le fuseau horaire « {0} » n’est pas connu ici, c’est donc UTC.',
  'There are no texts in “{0}” here, so pages are in English.':
    'Il n’y a pas de textes en « {0} » ici, les pages sont donc en anglais.',
  'None of its members come along.': 'Aucun de ses membres ne vient avec.',
  'Was not published there, so its event types are open to private links only.':
    'N’était pas publiée là-bas, seuls des liens privés ouvrent donc ses types d’événement.',
  'Has no owner who comes along, so {0} becomes the owner.':
    'Aucun propriétaire ne vient avec, {0} devient donc propriétaire.',
  'Custom roles become owner, admin or member.':
    'Les rôles personnalisés deviennent propriétaire, administrateur ou membre.',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'Il n’y a pas ici de limite pour tous les rendez-vous de l’équipe : chaque type d’événement a la sienne.',
  'The invitation to a team was not accepted there.':
    'L’invitation dans une équipe n’a pas été acceptée là-bas.',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    'Il n’y a pas ici de poids selon les attributs : ceux des hôtes décident.',
  'The attribute is switched off there.': 'L’attribut est désactivé là-bas.',
  'How its hosts are assigned is not known here, so all of them attend.':
    'La façon d’attribuer ses hôtes n’est pas connue ici, tous participent donc.',
  'Some hosts are not members of the team here, so they don’t host it.':
    'Certains hôtes ne sont pas membres de l’équipe ici et ne la reçoivent donc pas.',
  'It has no hosts, so nobody can book it until you add one.':
    'Il n’a pas d’hôte, personne ne peut donc le réserver avant que vous en ajoutiez un.',
  'Hosts have no priorities here: they take turns, by their weights.':
    'Les hôtes n’ont pas de priorité ici : ils se relaient selon leurs poids.',
  'Hosts are one group here: one of them takes the meeting, and not one of each group.':
    'Les hôtes forment un seul groupe ici : l’un d’eux prend le rendez-vous, et non un par groupe.',
  'Its hosts were chosen by their attributes. Here all of its hosts take turns.':
    'Ses hôtes étaient choisis par leurs attributs. Ici, tous se relaient.',
  'A host whose weight is 0 gets the smallest share here.':
    'Un hôte dont le poids est 0 reçoit ici la plus petite part.',
  'The weights of hosts are rounded: the largest is {0} here.':
    'Les poids des hôtes sont arrondis : le plus grand est {0} ici.',
  'One host can have their own schedule for an event type here. These use their default: {0}.':
    'Ici, un seul hôte peut avoir son propre horaire pour un type d’événement. Ceux-ci utilisent leur horaire par défaut : {0}.',
  'All hosts had the hours of “{0}” there. Here each host has their own.':
    'Là-bas, tous les hôtes avaient les heures de « {0} ». Ici, chacun a les siennes.',
  'Hours that restrict all hosts are not known here.':
    'Il n’y a pas ici d’heures qui limitent tous les hôtes.',
  'Its length can’t be read.': 'Sa durée est illisible.',
  'Meetings last at most 24 hours here.': 'Les rendez-vous durent au plus 24 heures ici.',
  'Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.':
    'Là-bas, les marges de deux rendez-vous s’additionnaient. Ici, la plus longue compte : les invités voient plus de créneaux.',
  'Its rules left no time to book there. Here only private links open it: please check its notice and limits.':
    'Ses règles ne laissaient aucun créneau là-bas. Ici, seuls des liens privés l’ouvrent : vérifiez le préavis et les limites.',
  'Guests choose from at most {0} durations here: some were left out.':
    'Les invités choisissent parmi {0} durées au plus ici : certaines ont été laissées de côté.',
  'Starts were shifted by {0} minutes there. Here they begin when your hours open.':
    'Là-bas, les débuts étaient décalés de {0} minutes. Ici, ils commencent à l’ouverture de vos heures.',
  'Starts are {0} minutes apart here.': 'Les débuts sont espacés de {0} minutes ici.',
  'Times that guests see in the next {0} days: {1} more and {2} fewer than there.':
    'Créneaux que voient les invités dans les {0} prochains jours : {1} de plus et {2} de moins que là-bas.',
  'Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.':
    'Là-bas, les débuts étaient arrondis dans le fuseau de l’invité. Ici, ils partent de l’ouverture de vos heures et diffèrent donc.',
  'The window reached over {0} days with free times there. Here it counts days without free times, too.':
    'Là-bas, la période couvrait {0} jours avec des créneaux libres. Ici, les jours sans créneau comptent aussi.',
  'The dates of its booking window can’t be read, so it has none.':
    'Les dates de sa période de réservation sont illisibles, il n’en a donc pas.',
  'Its kind of booking window is not known here, so it has none.':
    'Son type de période de réservation n’est pas connu ici, il n’en a donc pas.',
  'Weeks begin on Sunday there and on Monday here, which matters for its limits.':
    'Les semaines commencent le dimanche là-bas et le lundi ici, ce qui compte pour ses limites.',
  'Guests can’t cancel there. Here they can until a year before the start.':
    'Là-bas, les invités ne peuvent pas annuler. Ici, ils le peuvent jusqu’à un an avant le début.',
  'Guests can’t reschedule there. Here they can until a year before the start.':
    'Là-bas, les invités ne peuvent pas reporter. Ici, ils le peuvent jusqu’à un an avant le début.',
  'Series repeat every week, every two weeks or every month here, so this one is for single meetings.':
    'Les séries se répètent chaque semaine, toutes les deux semaines ou chaque mois ici, celui-ci est donc pour des rendez-vous uniques.',
  'Monthly meetings keep their weekday here, and not their date.':
    'Les rendez-vous mensuels gardent ici leur jour de semaine, et non leur date.',
  'A series has at most {0} meetings here.': 'Une série compte au plus {0} rendez-vous ici.',
  'A managed event type is a template. Its copies come along as event types of their own.':
    'Un type d’événement géré est un modèle. Ses copies viennent comme types d’événement à part entière.',
  'It belongs to nobody.': 'Il n’appartient à personne.',
  'It belongs to the organization, which has no event types here. Please make it in a team.':
    'Il appartient à l’organisation, qui n’a pas de types d’événement ici. Créez-le dans une équipe.',
  'Was a copy of a managed event type. It is edited on its own here.':
    'Était une copie d’un type d’événement géré. Ici, il se modifie séparément.',
  'Its link ends in “{0}” here. The old link still works.':
    'Son lien se termine ici par « {0} ». L’ancien lien fonctionne toujours.',
  'Its schedule does not come along, so the default one applies.':
    'Son horaire ne vient pas avec, celui par défaut s’applique donc.',
  'Round robin and seats don’t go together here, so every guest has a meeting of their own.':
    'Le tour de rôle et les places ne vont pas ensemble ici, chaque invité a donc son propre rendez-vous.',
  'Guests who share a meeting don’t see each other’s names here.':
    'Ici, les invités qui partagent un rendez-vous ne voient pas les noms des autres.',
  'Only guests with a free mailbox needed approval there. Here everyone does.':
    'Là-bas, seuls les invités avec une messagerie gratuite devaient être approuvés. Ici, tous le doivent.',
  'Only bookings on short notice needed approval there. Here all of them do.':
    'Là-bas, seules les réservations de dernière minute devaient être approuvées. Ici, toutes le doivent.',
  'A request blocks its time here until it is answered.':
    'Ici, une demande bloque son créneau jusqu’à la réponse.',
  'It costs {0} there. Connect Stripe and set its price here; until then only private links open it.':
    'Il coûte {0} là-bas. Tant que Stripe n’est pas connecté et son prix indiqué ici, seuls des liens privés l’ouvrent.',
  'Only people with an account could book it there. Here only private links open it.':
    'Là-bas, seules les personnes avec un compte pouvaient le réserver. Ici, seuls des liens privés l’ouvrent.',
  'Forms don’t lead to hidden event types here. Only forms and private links open this one.':
    'Ici, les formulaires ne mènent pas aux types d’événement masqués. Seuls des formulaires et des liens privés ouvrent celui-ci.',
  'The page after booking is not an address with https, so guests stay on ours.':
    'La page après la réservation n’est pas une adresse en https, les invités restent donc sur la nôtre.',
  'instant meetings': 'rendez-vous instantanés',
  'a fixed time zone for guests': 'un fuseau horaire fixe pour les invités',
  'a title of its own in calendars': 'un titre propre dans les agendas',
  'hiding the host’s email address': 'le masquage de l’adresse e-mail de l’hôte',
  'hiding details in calendars': 'le masquage des détails dans les agendas',
  'an address for replies': 'une adresse pour les réponses',
  'a limit for each guest': 'une limite pour chaque invité',
  'showing only the first time of a day': 'l’affichage du seul premier créneau d’un jour',
  'a location for each host': 'un lieu pour chaque hôte',
  'a language of its own': 'une langue propre',
  'emails that are turned off': 'des e-mails désactivés',
  'calendars of its own': 'des agendas propres',
  'a limit on how uneven the round robin gets': 'une limite au déséquilibre du tour de rôle',
  'Not known here: {0}.': 'N’existe pas ici : {0}.',
  'Guests who share a meeting meet in one place here: the first location stays.':
    'Ici, les invités qui partagent un rendez-vous se retrouvent en un seul lieu : le premier reste.',
  'Guests choose from at most {0} locations here: the last ones were left out.':
    'Les invités choisissent parmi {0} lieux au plus ici : les derniers ont été laissés de côté.',
  'Guests see the address before they book.': 'Les invités voient l’adresse avant de réserver.',
  'Guests aren’t asked where to meet them: please add a question for their address.':
    'Le lieu n’est pas demandé aux invités : ajoutez une question pour leur adresse.',
  'The link of the meeting can’t be read, so it is a video call without a link.':
    'Le lien du rendez-vous est illisible, c’est donc un appel vidéo sans lien.',
  'The place is open there: please write it into the location.':
    'Le lieu est libre là-bas : indiquez-le dans le lieu.',
  '{0} is not offered here, so video calls have no link until you add one.':
    '{0} n’est pas proposé ici, les appels vidéo n’ont donc pas de lien avant que vous en ajoutiez un.',
  '{0} becomes {1}.': '{0} devient {1}.',
  'An event type asks at most {0} questions here: the last ones were left out.':
    'Un type d’événement pose au plus {0} questions ici : les dernières ont été laissées de côté.',
  '“{0}” is a text field here.': '« {0} » est ici un champ de texte.',
  '“{0}” is hidden, so it is optional here.': '« {0} » est masqué, il est donc facultatif ici.',
  'An instant meeting that nobody has taken.': 'Un rendez-vous instantané que personne n’a pris.',
  'Its time can’t be read.': 'Son heure est illisible.',
  'It ends before it begins.': 'Il se termine avant de commencer.',
  'Its time is rounded to whole minutes.': 'Son heure est arrondie à la minute.',
  'Its host does not come along.': 'Son hôte ne vient pas avec.',
  'Its state is not known here.': 'Son état n’est pas connu ici.',
  'Nobody answered the request in time, so it is declined.':
    'Personne n’a répondu à la demande à temps, elle est donc refusée.',
  'Its event type does not come along, so it is among the earlier meetings of {0}.':
    'Son type d’événement ne vient pas avec, il est donc parmi les rendez-vous antérieurs de {0}.',
  'For meetings of {0} whose event type does not come along. Guests can’t see or book it.':
    'Pour les rendez-vous de {0} dont le type d’événement ne vient pas avec. Les invités ne peuvent ni le voir ni le réserver.',
  'It has no guest whose address we can read.': 'Il n’a aucun invité dont l’adresse soit lisible.',
  'Its video call is on the old system, and works as long as that runs.':
    'Son appel vidéo est sur l’ancien système et fonctionne tant que celui-ci tourne.',
  'A guest brings at most {0} others here: the last ones were left out.':
    'Un invité amène au plus {0} autres personnes ici : les dernières ont été laissées de côté.',
  'Guests whose address can’t be read were left out.':
    'Les invités dont l’adresse est illisible ont été laissés de côté.',
  'Overlaps a meeting of {0} that was booked earlier. Both come along.':
    'Chevauche un rendez-vous de {0} réservé plus tôt. Les deux viennent avec.',
  'Was one of a series that we can’t continue: it is a meeting of its own here.':
    'Faisait partie d’une série que nous ne pouvons pas poursuivre : c’est ici un rendez-vous à part.',
  'It was paid there: {0}. A refund has to be made there, too.':
    'Il a été payé là-bas : {0}. Un remboursement doit aussi s’y faire.',
  'Leads to event types of {0}, so it belongs to that team here.':
    'Mène à des types d’événement de {0} et appartient donc ici à cette équipe.',
  'Nobody gets an email for each answer here: answers are listed with the form.':
    'Ici, personne ne reçoit d’e-mail pour chaque réponse : elles sont listées avec le formulaire.',
  'Rule {0} asks for something that rules can’t say here, so it was left out.':
    'La règle {0} demande quelque chose que les règles ne peuvent pas dire ici, elle a donc été laissée de côté.',
  'Rule {0} leads to a place that forms can’t lead to here, so it was left out.':
    'La règle {0} mène à un endroit où les formulaires ne peuvent pas mener ici, elle a donc été laissée de côté.',
  'A form has at most {0} rules here: the last ones were left out.':
    'Un formulaire a au plus {0} règles ici : les dernières ont été laissées de côté.',
  'Visitors whom no rule leads anywhere see a message that thanks them.':
    'Les visiteurs qu’aucune règle ne dirige voient un message de remerciement.',
  'Answers are not filled into the address {0} here.':
    'Ici, les réponses ne sont pas insérées dans l’adresse {0}.',
  'A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.':
    'Une règle choisit des hôtes d’une manière qui ne peut pas se dire ici, elle mène donc à tous les hôtes de son type d’événement.',
  'A second choice of hosts, for when the first fits nobody, is not known here.':
    'Il n’y a pas ici de second choix d’hôtes pour le cas où le premier ne convient à personne.',
  'Its link can’t be read.': 'Son lien est illisible.',
  'Another private link has the same address.': 'Un autre lien privé a la même adresse.',
  'The link has expired.': 'Le lien a expiré.',
  'The link has been used up.': 'Le lien est épuisé.',
  'Only email addresses and domains are blocked here.':
    'Seuls des adresses e-mail et des domaines sont bloqués ici.',
  'It was watched there and not blocked.': 'C’était surveillé là-bas, et non bloqué.',
  'It is listed twice.': 'C’est listé deux fois.',
  'It is neither an email address nor a domain.': 'Ce n’est ni une adresse e-mail ni un domaine.',
  'Apps don’t come along. Please connect what you need here.':
    'Les applications ne viennent pas avec. Connectez ici ce dont vous avez besoin.',
  'The connection no longer works there. Please connect the calendar here.':
    'La connexion ne fonctionne plus là-bas. Connectez l’agenda ici.',
  'What the connection signs in with can’t be read. Please connect the calendar here.':
    'Les identifiants de la connexion sont illisibles. Veuillez connecter le calendrier ici.',
  'The connection does not allow all that is needed here. Please connect the calendar here.':
    'La connexion n’autorise pas tout ce qui est nécessaire ici. Veuillez connecter le calendrier ici.',
  'This account is connected here already, and stays as it is.':
    'Ce compte est déjà connecté ici et reste tel quel.',
  'None of its calendars was found. Please connect the calendar here.':
    'Aucun de ses calendriers n’a été trouvé. Veuillez connecter le calendrier ici.',
  'These of its calendars were not found: {0}.': 'Ces calendriers n’ont pas été trouvés : {0}.',
  'This person has connected as many calendars as one may have.':
    'Cette personne a connecté autant de calendriers que possible.',
  'This service can’t use the connection. {0} has to connect the calendar again.':
    'Ce service ne peut pas utiliser la connexion. {0} doit reconnecter l’agenda.',
  'Event types with a calendar of their own write to the one that their host has chosen.':
    'Les types d’événement avec leur propre agenda écrivent dans celui que leur hôte a choisi.',
  'Its address can’t be read.': 'Son adresse est illisible.',
  'It belongs to the organization, which has no webhooks here. Please add it to a team.':
    'Il appartient à l’organisation, qui n’a pas de webhooks ici. Ajoutez-le à une équipe.',
  'None of the events that it is told of exist here.': 'Aucun des événements qu’il reçoit n’existe ici.',
  'It is not told of these events here: {0}.': 'Il ne reçoit pas ces événements ici : {0}.',
  'It had a payload of its own there. Here it gets the usual one.':
    'Il avait un contenu propre là-bas. Ici, il reçoit le contenu habituel.',
  'It was made by {0}: please connect that to this service.':
    'Il vient de {0} : connectez celui-ci à ce service.',
  'Messages follow bookings here, and not answers to a form.':
    'Ici, les messages suivent des réservations, et non des réponses à un formulaire.',
  'Messages don’t tell of payments here: guests get Stripe’s receipts.':
    'Ici, les messages ne parlent pas des paiements : les invités reçoivent les reçus de Stripe.',
  'Nobody knows here who has joined a video call.': 'Ici, on ne sait pas qui a rejoint un appel vidéo.',
  'Messages go to guests and hosts here, and not to a fixed address.':
    'Ici, les messages vont aux invités et aux hôtes, et non à une adresse fixe.',
  'Text messages go to guests here, and not to a fixed number.':
    'Ici, les SMS vont aux invités, et non à un numéro fixe.',
  'There is no WhatsApp here.': 'Il n’y a pas de WhatsApp ici.',
  'Nobody is called by a machine here.': 'Ici, aucune machine n’appelle.',
  'This workflow has no steps.': 'Ce flux n’a pas d’étapes.',
  'It belongs to the organization, which has no messages here. Please add it to a team.':
    'Il appartient à l’organisation, qui n’a pas de messages ici. Ajoutez-le à une équipe.',
  'The workflow that it belongs to does not come along.': 'Le flux auquel cela appartient ne vient pas avec.',
  'There is no message for this moment here.': 'Il n’y a pas de message pour ce moment ici.',
  'Messages of this kind are not known here.': 'Ce genre de message n’existe pas ici.',
  'Text messages are not offered here, or not at this moment.':
    'Les SMS ne sont pas proposés ici, ou pas à ce moment.',
  'No calendar file is attached here: the service’s own emails have it.':
    'Aucun fichier d’agenda n’est joint ici : les e-mails du service l’ont.',
  'It is for none of the forms that come along, so it is switched off here.':
    'Il n’est pour aucun des formulaires qui viennent avec, il est donc désactivé ici.',
  'It is only for those of its forms that belong to {0}.':
    'Il n’est que pour ceux de ses formulaires qui appartiennent à {0}.',
  'Answers to routing forms stay there: {0}. Export them there if you still need them.':
    'Les réponses aux formulaires restent là-bas : {0}. Exportez-les là-bas si vous en avez encore besoin.',
  'It is for all forms of {0} here.': 'Il vaut ici pour tous les formulaires de {0}.',
  'It is for none of the event types that come along, so it is switched off here.':
    'Il n’est pour aucun des types d’événement qui viennent avec, il est donc désactivé ici.',
  'It is only for those of its event types that belong to {0}.':
    'Il n’est que pour ceux de ses types d’événement qui appartiennent à {0}.',
  'Bookings that need approval don’t get it here: please add one for approved bookings.':
    'Les réservations à approuver ne le reçoivent pas ici : ajoutez-en un pour les réservations approuvées.',
  'It is sent {0} minutes from the moment here, and not {1}.':
    'Il est envoyé ici à {0} minutes du moment, et non à {1}.',
  'Not filled in here: {0}.': 'Non rempli ici : {0}.',
  'It had no words of its own there, so it has ours.':
    'Il n’avait pas de texte propre là-bas, il a donc le nôtre.',
  'Its text is cut after {0} characters.': 'Son texte est coupé après {0} caractères.',
  '{0} as they are': '{0} tels quels',
  '{0} changed': '{0} modifiés',
  '{0} already here': '{0} déjà ici',
  '{0} left out': '{0} laissés de côté',
  '{0}: {1}.': '{0} : {1}.',
  People: 'Personnes',
  Teams: 'Équipes',
  Invitations: 'Invitations',
  Schedules: 'Horaires',
  Hours: 'Heures',
  'Time off': 'Absences',
  Travel: 'Voyages',
  'Event types': 'Types d’événement',
  'Private links': 'Liens privés',
  Forms: 'Formulaires',
  Attributes: 'Attributs',
  Webhooks: 'Webhooks',
  Workflows: 'Flux',
  Messages: 'Messages',
  'Blocked addresses': 'Adresses bloquées',
  Bookings: 'Réservations',
  'Connected accounts': 'Comptes connectés',
  'Parts of it can’t be read, so they are as if they were empty.':
    'Certaines parties sont illisibles et comptent donc comme vides.',
  'the minimum notice': 'le préavis minimal',
  'the booking window': 'la période de réservation',
  'the number of seats': 'le nombre de places',
  'the limits': 'les limites',
  'We guessed from the times that it offered: {0}. Please check.':
    'Déduit des créneaux proposés : {0}. Veuillez vérifier.',
  'It names no location there, so it is a video call here.':
    'Aucun lieu n’y est indiqué, c’est donc un appel vidéo ici.',
} satisfies Partial<Refusals>
