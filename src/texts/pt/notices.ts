import type { NoticeTexts } from '../catalogue.ts'

const notYou =
  'Se não foi você, saia de todos os lugares no seu perfil e remova as chaves de acesso que não conhece.'

export default {
  signIn: {
    subject: 'Seu link de acesso',
    heading: 'Entrar no Punctual',
    lead: 'Este link vale uma vez, por 15 minutos.',
    button: 'Abrir a página de acesso',
    footer: 'Se você não pediu para entrar, pode ignorar este e-mail.',
  },
  invited: {
    subject: 'Você recebeu um convite para o Punctual',
    heading: 'Você recebeu um convite',
    lead: '{inviter} convida você para o Punctual. O botão cria sua conta. Ele vale uma vez, por 14 dias.',
    button: 'Aceitar o convite',
    footer: 'Se você não quer participar, ignore este e-mail.',
  },
  invitedToTeam: {
    subject: 'Você recebeu um convite para {team}',
    heading: 'Você recebeu um convite',
    lead: '{inviter} convida você para a equipe {team} no Punctual. O botão cria sua conta. Ele vale uma vez, por 14 dias.',
    button: 'Aceitar o convite',
    footer: 'Se você não quer participar, ignore este e-mail.',
  },
  invitedToSignIn: {
    subject: 'Você recebeu um convite para o Punctual',
    heading: 'Você recebeu um convite',
    lead: '{inviter} convida você para o Punctual. Entre com este endereço de e-mail, {email}, em até 14 dias.',
    button: 'Abrir a página de acesso',
    footer: 'Se você não quer participar, ignore este e-mail.',
  },
  invitedToTeamToSignIn: {
    subject: 'Você recebeu um convite para {team}',
    heading: 'Você recebeu um convite',
    lead: '{inviter} convida você para a equipe {team} no Punctual. Entre com este endereço de e-mail, {email}, em até 14 dias.',
    button: 'Abrir a página de acesso',
    footer: 'Se você não quer participar, ignore este e-mail.',
  },
  proveEmail: {
    subject: 'Confirme seu novo endereço de e-mail',
    heading: 'Confirme seu novo endereço de e-mail',
    lead: 'Abra este link onde você está conectado. Ele vale uma vez, por uma hora.',
    button: 'Confirmar este endereço',
    footer: 'Se você não pediu isto, pode ignorar este e-mail.',
  },
  emailChangeAsked: {
    subject: 'Seu endereço de e-mail está prestes a mudar',
    heading: 'Seu endereço de e-mail está prestes a mudar',
    lead: 'Você pediu para entrar com {email} de agora em diante. Nada muda até que esse endereço seja confirmado.',
    button: 'Abrir seu perfil',
    footer: 'Se não foi você, saia de todos os lugares no seu perfil.',
  },
  emailChanged: {
    subject: 'Seu endereço de e-mail mudou',
    heading: 'Seu endereço de e-mail mudou',
    lead: 'Agora você entra com {email}. Este endereço não serve mais para isso.',
    button: 'Abrir seu perfil',
    footer: 'Se não foi você, peça ajuda a quem administra este serviço.',
  },
  recoveryCodeUsed: {
    subject: 'Você entrou com um código de recuperação',
    heading: 'Você entrou com um código de recuperação',
    lead: 'O código não pode ser usado de novo. Restam {left} códigos. Se você perdeu uma chave de acesso, remova-a e adicione outra.',
    button: 'Abrir seu perfil',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'Você entrou com um código de recuperação',
    heading: 'Você entrou com um código de recuperação',
    lead: 'O código não pode ser usado de novo. Resta 1 código. Se você perdeu uma chave de acesso, remova-a e adicione outra.',
    button: 'Abrir seu perfil',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'Uma chave de acesso foi adicionada à sua conta',
    heading: 'Uma chave de acesso foi adicionada à sua conta',
    lead: 'Agora você pode entrar com “{name}” depois de abrir um link enviado por e-mail.',
    button: 'Abrir seu perfil',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'Sua conta não tem mais chave de acesso',
    heading: 'Sua conta não tem mais chave de acesso',
    lead: 'Todas as suas chaves de acesso e códigos de recuperação foram removidos. O link enviado por e-mail basta para entrar, até que você adicione uma chave.',
    button: 'Abrir seu perfil',
    footer: 'Se você não esperava por isso, pergunte a quem administra este serviço.',
  },
  calendarFailed: {
    subject: 'Não conseguimos ler seu calendário “{name}”',
    heading: 'Não conseguimos ler seu calendário',
    lead: 'Há um dia não conseguimos ler seu calendário “{name}”. {reason} Os novos eventos dele não bloqueiam sua disponibilidade até que volte a funcionar, então convidados podem reservar esses horários.',
    button: 'Abrir os calendários',
    footer: 'Você recebe este e-mail porque conectou este calendário.',
  },
  calendarDeleted: {
    subject: 'Não encontramos seu calendário “{name}”',
    heading: 'Não encontramos seu calendário',
    lead: 'Seu calendário “{name}” não funciona mais. {reason} Escolha outro calendário para suas reservas: até lá, os e-mails sobre elas trazem um convite para o seu calendário. Os horários ocupados que já conhecemos continuam bloqueando sua disponibilidade.',
    button: 'Abrir os calendários',
    footer: 'Você recebe este e-mail porque conectou este calendário.',
  },
  webhookDisabled: {
    subject: 'O webhook para {origin} foi desativado',
    heading: 'Um webhook foi desativado',
    lead: 'O webhook para {origin} foi desativado. {reason} Nada é enviado a ele até que você o ative de novo. Depois, você pode reenviar o que falhou nos últimos 30 dias.',
    button: 'Abrir os webhooks',
    footer: 'Você recebe este e-mail porque este webhook é seu.',
  },
  paymentAccountLost: {
    subject: 'A conta de pagamentos {account} precisa ser reconectada',
    heading: 'Reconecte sua conta de pagamentos',
    lead: 'A Stripe não aceita mais nossa chave para {account}. Até que você reconecte a conta, os convidados não podem pagar suas reuniões e os reembolsos ficam em espera.',
    button: 'Abrir as contas conectadas',
    footer: 'Você recebe este e-mail porque esta conta é sua.',
  },
} satisfies NoticeTexts
