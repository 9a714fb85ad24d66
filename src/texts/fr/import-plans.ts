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
} satisfies Partial<Refusals>
