import type { MailTexts } from '../catalogue.ts'

export default {
  guest: {
    confirmed: {
      subject: 'Confirmé : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous est réservé',
      lead: 'Votre rendez-vous avec {host} est confirmé. Vous trouverez en pièce jointe l’invitation pour votre agenda.',
    },
    requested: {
      subject: 'Demande reçue : {event} avec {host}, {when}',
      heading: 'Votre demande est bien arrivée',
      lead: 'Ce créneau vous est réservé, mais il n’est pas encore confirmé. Nous vous écrirons dès que {host} aura répondu.',
    },
    approved: {
      subject: 'Confirmé : {event} avec {host}, {when}',
      heading: 'Votre demande est acceptée',
      lead: '{host} a accepté votre demande. Vous trouverez en pièce jointe l’invitation pour votre agenda.',
    },
    linkAdded: {
      subject: 'Lien de connexion : {event} avec {host}, {when}',
      heading: 'Voici le lien de votre rendez-vous',
      lead: 'Rejoignez votre rendez-vous avec {host} grâce au lien ci-dessous. L’invitation en pièce jointe met à jour votre agenda.',
    },
    declined: {
      subject: 'Refusé : {event} avec {host}, {when}',
      heading: 'Votre demande a été refusée',
      lead: 'Malheureusement, {host} n’est pas disponible à ce moment-là. N’hésitez pas à choisir un autre créneau.',
    },
    expired: {
      subject: 'Non confirmé : {event} avec {host}, {when}',
      heading: 'Votre demande est restée sans réponse',
      lead: '{host} n’a pas pu répondre à temps ; ce rendez-vous n’aura donc pas lieu. N’hésitez pas à choisir un autre créneau.',
    },
    cancelledByGuest: {
      subject: 'Annulé : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous est annulé',
      lead: 'Vous avez annulé votre rendez-vous avec {host}. L’autre partie a été prévenue par e-mail.',
    },
    cancelledByHost: {
      subject: 'Annulé : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous a été annulé',
      lead: 'Malheureusement, {host} a dû annuler ce rendez-vous. N’hésitez pas à choisir un autre créneau.',
    },
    cancelledByService: {
      subject: 'Annulé : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous a été annulé',
      lead: 'Votre rendez-vous avec {host} n’aura pas lieu. N’hésitez pas à choisir un autre créneau.',
    },
    movedByGuest: {
      subject: 'Nouvel horaire : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous a un nouvel horaire',
      lead: 'Vous avez déplacé votre rendez-vous avec {host}. L’invitation jointe met votre agenda à jour.',
    },
    movedByHost: {
      subject: 'Nouvel horaire : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous a un nouvel horaire',
      lead: '{host} a déplacé votre rendez-vous. L’invitation jointe met votre agenda à jour. Si le nouvel horaire ne vous convient pas, vous pouvez le modifier.',
    },
    moveRequested: {
      subject: 'Nouvel horaire demandé : {event} avec {host}, {when}',
      heading: 'Le nouvel horaire est demandé',
      lead: 'Le nouveau créneau vous est réservé, mais {host} doit encore le confirmer. L’ancien horaire n’est plus valable.',
    },
    reassigned: {
      subject: 'Nouvel interlocuteur : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous a un nouvel interlocuteur',
      lead: 'Votre rendez-vous est désormais avec {host}, à la même heure. L’invitation jointe met votre agenda à jour.',
    },
    requestReassigned: {
      subject: 'Nouvel interlocuteur : {event} avec {host}, {when}',
      heading: 'Votre demande a un nouvel interlocuteur',
      lead: 'Votre demande est désormais traitée par {host}. Le créneau vous reste réservé, et nous vous écrirons dès que {host} aura répondu.',
    },
    reminder: {
      subject: 'Rappel : {event} avec {host}, {when}',
      heading: 'Votre rendez-vous approche',
      lead: 'Petit rappel de votre rendez-vous avec {host}.',
    },
  },
  addedGuest: {
    invited: {
      subject: 'Invitation : {event} avec {host}, {when}',
      heading: 'Vous êtes invité',
      lead: '{guest} vous a ajouté à un rendez-vous avec {host}. L’invitation pour votre agenda est jointe.',
    },
    moved: {
      subject: 'Nouvel horaire : {event} avec {host}, {when}',
      heading: 'Le rendez-vous a un nouvel horaire',
      lead: 'Le rendez-vous avec {host} auquel {guest} vous a ajouté a été déplacé. L’invitation jointe met votre agenda à jour.',
    },
    reassigned: {
      subject: 'Nouvel interlocuteur : {event} avec {host}, {when}',
      heading: 'Le rendez-vous a un nouvel interlocuteur',
      lead: 'Le rendez-vous auquel {guest} vous a ajouté est désormais avec {host}, à la même heure. L’invitation jointe met votre agenda à jour.',
    },
    cancelled: {
      subject: 'Annulé : {event} avec {host}, {when}',
      heading: 'Le rendez-vous a été annulé',
      lead: 'Le rendez-vous avec {host} auquel {guest} vous a ajouté n’aura pas lieu à cet horaire.',
    },
  },
  host: {
    confirmed: {
      subject: 'Nouvelle réservation : {event} avec {guest}, {when}',
      heading: 'Nouvelle réservation',
      lead: '{guest} a réservé un rendez-vous avec vous.',
    },
    requested: {
      subject: 'À confirmer : {event} avec {guest}, {when}',
      heading: 'Nouvelle demande',
      lead: '{guest} souhaite vous rencontrer. Merci d’accepter ou de refuser. Le créneau reste réservé d’ici là.',
    },
    approved: {
      subject: 'Confirmé : {event} avec {guest}, {when}',
      heading: 'Demande acceptée',
      lead: 'La demande de {guest} a été acceptée. Le rendez-vous est confirmé.',
    },
    linkAdded: {
      subject: 'Lien de connexion : {event} avec {guest}, {when}',
      heading: 'Voici le lien de votre rendez-vous',
      lead: 'Le lien de votre rendez-vous avec {guest} est prêt. Nous le lui avons aussi envoyé par e-mail.',
    },
    declined: {
      subject: 'Refusé : {event} avec {guest}, {when}',
      heading: 'Demande refusée',
      lead: 'La demande de {guest} a été refusée. Le créneau est de nouveau libre.',
    },
    expired: {
      subject: 'Expiré : {event} avec {guest}, {when}',
      heading: 'Demande expirée',
      lead: 'La demande de {guest} n’a pas reçu de réponse à temps ; elle a donc été refusée automatiquement. L’autre partie a été prévenue par e-mail.',
    },
    cancelledByGuest: {
      subject: 'Annulé : {event} avec {guest}, {when}',
      heading: 'Un rendez-vous a été annulé',
      lead: '{guest} a annulé ce rendez-vous. Le créneau est de nouveau libre.',
    },
    cancelledByHost: {
      subject: 'Annulé : {event} avec {guest}, {when}',
      heading: 'Le rendez-vous est annulé',
      lead: 'Le rendez-vous avec {guest} a été annulé de votre côté. L’autre partie a été prévenue par e-mail.',
    },
    cancelledByService: {
      subject: 'Annulé : {event} avec {guest}, {when}',
      heading: 'Un rendez-vous a été annulé',
      lead: 'Le rendez-vous avec {guest} n’aura pas lieu. L’autre partie a été prévenue par e-mail.',
    },
    movedByGuest: {
      subject: 'Nouvel horaire : {event} avec {guest}, {when}',
      heading: 'Un rendez-vous a un nouvel horaire',
      lead: '{guest} a déplacé ce rendez-vous. L’invitation jointe met votre agenda à jour.',
    },
    movedByHost: {
      subject: 'Nouvel horaire : {event} avec {guest}, {when}',
      heading: 'Le rendez-vous a un nouvel horaire',
      lead: 'Le rendez-vous avec {guest} a été déplacé de votre côté. L’autre partie a été prévenue par e-mail.',
    },
    moveRequested: {
      subject: 'À confirmer : nouvel horaire pour {event} avec {guest}, {when}',
      heading: 'Un nouvel horaire est à confirmer',
      lead: 'Une demande de report du rendez-vous avec {guest} est en attente. Merci d’accepter ou de refuser le nouvel horaire. Il reste réservé d’ici là.',
    },
    reassigned: {
      subject: 'Transmis à vous : {event} avec {guest}, {when}',
      heading: 'Un rendez-vous vous a été transmis',
      lead: 'Vous assurez désormais le rendez-vous avec {guest}. L’autre partie a été prévenue par e-mail.',
    },
    requestReassigned: {
      subject: 'À confirmer : {event} avec {guest}, {when}',
      heading: 'Une demande vous a été transmise',
      lead: '{guest} souhaite un rendez-vous, et cette demande vous a été transmise. Merci de l’accepter ou de la refuser. Le créneau reste réservé d’ici là.',
    },
    reminder: {
      subject: 'Rappel : {event} avec {guest}, {when}',
      heading: 'Votre rendez-vous approche',
      lead: 'Petit rappel de votre rendez-vous avec {guest}.',
    },
  },
  formerHost: {
    subject: 'Réattribué : {event} avec {guest}, {when}',
    heading: 'Un rendez-vous passe à quelqu’un d’autre',
    lead: 'Le rendez-vous avec {guest} a été déplacé ; {host} s’en charge désormais. Votre créneau est de nouveau libre.',
  },
  handedOver: {
    subject: 'Transmis : {event} avec {guest}, {when}',
    heading: 'Un rendez-vous passe à quelqu’un d’autre',
    lead: '{host} se charge désormais du rendez-vous avec {guest}. Votre créneau est de nouveau libre.',
  },
  coHost: {
    subject: 'Nouvel interlocuteur : {event} avec {guest}, {when}',
    heading: 'Les hôtes du rendez-vous ont changé',
    lead: 'Le rendez-vous avec {guest} est désormais assuré par {host}.',
  },
  guestLeft: {
    subject: 'Un invité en moins : {event} avec {guest}, {when}',
    heading: 'Un invité ne participe plus',
    lead: '{guest} ne participe plus à ce rendez-vous. Les autres invités y participent toujours.',
  },
  lastGuestLeft: {
    subject: 'Plus d’invités : {event} avec {guest}, {when}',
    heading: 'Le rendez-vous n’a plus d’invités',
    lead: '{guest} ne participe plus à ce rendez-vous et personne d’autre ne l’a réservé. Le créneau est de nouveau libre.',
  },
  label: {
    what: 'Rendez-vous',
    when: 'Quand',
    previously: 'Auparavant',
    where: 'Lieu',
    host: 'Hôte',
    guest: 'Invité',
    guests: 'Invités',
    phone: 'Téléphone',
    notes: 'Remarques',
    reason: 'Message',
    dates: 'Toutes les dates',
    addToCalendar: 'Ajouter à l’agenda',
    cancellation: 'Annulation',
    payment: 'Paiement',
  },
  place: {
    InPerson: 'Sur place',
    Phone: 'Appel téléphonique',
    Video: 'Appel vidéo',
    Link: 'En ligne',
  },
  hostCalls: 'Appel téléphonique : on vous appelle',
  linkFollows: 'Appel vidéo : le lien suivra par e-mail',
  addLink:
    'Appel vidéo : pas encore de lien. Ajoutez-le à la réservation et nous l’enverrons par e-mail à votre invité.',
  linkMissing: {
    subject: 'Ajoutez le lien : {event} avec {guest}, {when}',
    heading: 'Votre appel vidéo n’a pas encore de lien',
    lead: 'Votre appel vidéo avec {guest} approche, et personne ne peut encore y participer. Ajoutez le lien à la réservation et nous l’enverrons par e-mail à votre invité.',
  },
  cancelUntil: 'Vous pouvez annuler jusqu’au {time}.',
  money: {
    paid: '{price} payés',
    reserved: '{price} réservés jusqu’à la réponse à la demande',
    charged: '{price}, débités avec cette acceptation',
    refund: '{price} sont remboursés ; la banque peut demander quelques jours',
    kept: 'Rien n’est remboursé',
    released: 'La carte n’est pas débitée',
  },
  button: {
    unsubscribe: 'Se désabonner',
    manage: 'Déplacer ou annuler',
    join: 'Rejoindre',
    answer: 'Voir la demande',
    open: 'Ouvrir la réservation',
    again: 'Choisir un autre créneau',
  },
  answer: {
    yes: 'Oui',
    no: 'Non',
  },
  footer: {
    form: 'Vous recevez ce message parce que votre adresse a été donnée dans un formulaire de {scheduler}.',
    guest:
      'Vous recevez ce message parce qu’un rendez-vous avec {scheduler} a été réservé avec votre adresse.',
    addedGuest:
      'Vous recevez ce message parce que {guest} a donné votre adresse en réservant un rendez-vous avec {scheduler}.',
    host: 'Vous recevez ce message parce que ce rendez-vous a été réservé avec vous.',
  },
  pushTest: {
    heading: 'Les notifications sont activées',
    lead: 'Voici comment les nouvelles réservations s’afficheront.',
  },
  connectionLost: {
    subject: 'Reconnectez votre compte {account} de {provider}',
    lead: '{provider} ne nous donne plus accès à {account}. Tant que vous ne l’avez pas reconnecté, nous ne voyons pas les nouveaux événements, n’y ajoutons pas de réservations et ne créons pas de liens de réunion. Les créneaux occupés que nous connaissons déjà restent bloqués.',
    button: 'Reconnecter',
  },
} satisfies MailTexts
