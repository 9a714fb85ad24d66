import type { ServerPages } from '../catalogue.ts'

export default {
  home: {
    title: 'Des rendez-vous sans allers-retours',
    what: 'Partagez un lien et laissez chacun réserver un créneau qui vous convient à tous deux.',
    guests: 'Vous voulez réserver ? Ouvrez le lien que vous avez reçu. Aucun compte n’est nécessaire.',
    signIn: 'Se connecter',
    demo: 'Voir la démo',
    api: 'Référence de l’API',
  },
  unsubscribe: {
    title: 'Ne plus recevoir d’e-mails de {name} ?',
    what: 'Vous ne recevrez plus d’e-mails de {name} après les rendez-vous ou au sujet de formulaires. Les e-mails sur vos prochains rendez-vous continueront d’arriver.',
    button: 'Se désabonner',
    done: 'Vous êtes désabonné',
    after: '{name} ne vous enverra plus de tels e-mails.',
  },
  notice: {
    missing: 'Page introuvable',
    hint: 'Le lien est peut-être ancien ou mal saisi. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    trouble: 'Une erreur est survenue',
    startAgain: 'Veuillez recommencer à partir du formulaire.',
  },
  noScriptWrite: 'Sans JavaScript, la réservation est possible par e-mail :',
  offline: {
    title: 'Vous êtes hors ligne',
    hint: 'Le tableau de bord n’affiche que des données à jour : il lui faut une connexion.',
    again: 'Réessayer',
  },
  standIn: {
    away: 'Absence de {host} : {time}.',
    book: 'Réserver plutôt avec {name}',
  },
  endedLink: {
    used: 'Ce lien a déjà été utilisé',
    expired: 'Ce lien a expiré',
    ask: 'Demandez-en un nouveau à {name}.',
  },
  noScript:
    'Cette page a besoin de JavaScript pour afficher les créneaux disponibles. Vous pouvez aussi réserver via l’API publique.',
} satisfies ServerPages
