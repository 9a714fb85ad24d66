import type { NoticeTexts } from '../catalogue.ts'

const notYou =
  'Si ce n’était pas vous, déconnectez-vous partout dans votre profil et retirez les clés d’accès que vous ne connaissez pas.'

export default {
  signIn: {
    subject: 'Votre lien de connexion',
    heading: 'Se connecter à Punctual',
    lead: 'Ce lien est valable une fois, pendant 15 minutes.',
    button: 'Ouvrir la page de connexion',
    footer: 'Si vous n’avez pas demandé à vous connecter, vous pouvez ignorer cet e-mail.',
  },
  invited: {
    subject: 'Vous êtes invité sur Punctual',
    heading: 'Vous avez une invitation',
    lead: '{inviter} vous invite sur Punctual. Le bouton crée votre compte. Il est valable une fois, pendant 14 jours.',
    button: 'Accepter l’invitation',
    footer: 'Si vous ne souhaitez pas participer, ignorez cet e-mail.',
  },
  invitedToTeam: {
    subject: 'Vous êtes invité à rejoindre {team}',
    heading: 'Vous avez une invitation',
    lead: '{inviter} vous invite à rejoindre l’équipe {team} sur Punctual. Le bouton crée votre compte. Il est valable une fois, pendant 14 jours.',
    button: 'Accepter l’invitation',
    footer: 'Si vous ne souhaitez pas participer, ignorez cet e-mail.',
  },
  invitedToSignIn: {
    subject: 'Vous êtes invité sur Punctual',
    heading: 'Vous avez une invitation',
    lead: '{inviter} vous invite sur Punctual. Connectez-vous avec cette adresse e-mail, {email}, dans les 14 jours.',
    button: 'Ouvrir la page de connexion',
    footer: 'Si vous ne souhaitez pas participer, ignorez cet e-mail.',
  },
  invitedToTeamToSignIn: {
    subject: 'Vous êtes invité à rejoindre {team}',
    heading: 'Vous avez une invitation',
    lead: '{inviter} vous invite à rejoindre l’équipe {team} sur Punctual. Connectez-vous avec cette adresse e-mail, {email}, dans les 14 jours.',
    button: 'Ouvrir la page de connexion',
    footer: 'Si vous ne souhaitez pas participer, ignorez cet e-mail.',
  },
  proveEmail: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    heading: 'Confirmez votre nouvelle adresse e-mail',
    lead: 'Ouvrez ce lien là où vous êtes connecté. Il est valable une fois, pendant une heure.',
    button: 'Confirmer cette adresse',
    footer: 'Si vous n’avez pas demandé cela, vous pouvez ignorer cet e-mail.',
  },
  emailChangeAsked: {
    subject: 'Votre adresse e-mail va changer',
    heading: 'Votre adresse e-mail va changer',
    lead: 'Vous avez demandé à vous connecter désormais avec {email}. Rien ne change tant que cette adresse n’est pas confirmée.',
    button: 'Ouvrir votre profil',
    footer: 'Si ce n’était pas vous, déconnectez-vous partout dans votre profil.',
  },
  emailChanged: {
    subject: 'Votre adresse e-mail a changé',
    heading: 'Votre adresse e-mail a changé',
    lead: 'Vous vous connectez maintenant avec {email}. Cette adresse-ci ne fonctionne plus pour cela.',
    button: 'Ouvrir votre profil',
    footer: 'Si ce n’était pas vous, demandez de l’aide à la personne qui gère ce service.',
  },
  recoveryCodeUsed: {
    subject: 'Vous vous êtes connecté avec un code de récupération',
    heading: 'Vous vous êtes connecté avec un code de récupération',
    lead: 'Le code ne peut plus être utilisé. Il vous reste {left} codes. Si vous avez perdu une clé d’accès, retirez-la et ajoutez-en une autre.',
    button: 'Ouvrir votre profil',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'Vous vous êtes connecté avec un code de récupération',
    heading: 'Vous vous êtes connecté avec un code de récupération',
    lead: 'Le code ne peut plus être utilisé. Il vous reste 1 code. Si vous avez perdu une clé d’accès, retirez-la et ajoutez-en une autre.',
    button: 'Ouvrir votre profil',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'Une clé d’accès a été ajoutée à votre compte',
    heading: 'Une clé d’accès a été ajoutée à votre compte',
    lead: 'Vous pouvez maintenant vous connecter avec « {name} » après avoir ouvert un lien reçu par e-mail.',
    button: 'Ouvrir votre profil',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'Votre compte n’a plus de clé d’accès',
    heading: 'Votre compte n’a plus de clé d’accès',
    lead: 'Toutes vos clés d’accès et tous vos codes de récupération ont été retirés. Le lien reçu par e-mail suffit pour vous connecter, jusqu’à ce que vous ajoutiez une clé d’accès.',
    button: 'Ouvrir votre profil',
    footer: 'Si vous ne vous y attendiez pas, demandez à la personne qui gère ce service.',
  },
  calendarFailed: {
    subject: 'Nous ne pouvons pas lire votre calendrier « {name} »',
    heading: 'Nous ne pouvons pas lire votre calendrier',
    lead: 'Nous n’avons pas pu lire votre calendrier « {name} » depuis un jour. {reason} Ses nouveaux événements ne bloquent pas vos disponibilités jusqu’à ce qu’il fonctionne de nouveau : des invités peuvent réserver ces horaires.',
    button: 'Ouvrir les calendriers',
    footer: 'Vous recevez cet e-mail parce que vous avez connecté ce calendrier.',
  },
  calendarDeleted: {
    subject: 'Nous ne trouvons plus votre calendrier « {name} »',
    heading: 'Nous ne trouvons plus votre calendrier',
    lead: 'Votre calendrier « {name} » ne fonctionne plus. {reason} Choisissez un autre calendrier pour vos réservations : d’ici là, les e-mails à leur sujet contiennent une invitation pour votre calendrier. Les horaires occupés que nous connaissons déjà bloquent toujours vos disponibilités.',
    button: 'Ouvrir les calendriers',
    footer: 'Vous recevez cet e-mail parce que vous avez connecté ce calendrier.',
  },
  webhookDisabled: {
    subject: 'Le webhook vers {origin} a été désactivé',
    heading: 'Un webhook a été désactivé',
    lead: 'Le webhook vers {origin} a été désactivé. {reason} Rien ne lui est envoyé jusqu’à ce que vous le réactiviez. Vous pourrez alors renvoyer ce qui a échoué au cours des 30 derniers jours.',
    button: 'Ouvrir les webhooks',
    footer: 'Vous recevez cet e-mail parce que ce webhook vous appartient.',
  },
  paymentAccountLost: {
    subject: 'Le compte de paiement {account} doit être reconnecté',
    heading: 'Reconnectez votre compte de paiement',
    lead: 'Stripe n’accepte plus notre clé pour {account}. Tant que vous ne reconnectez pas ce compte, les invités ne peuvent pas payer vos rendez-vous et les remboursements attendent.',
    button: 'Ouvrir les comptes connectés',
    footer: 'Vous recevez cet e-mail parce que ce compte vous appartient.',
  },
} satisfies NoticeTexts
