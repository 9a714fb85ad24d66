import type { NoticeTexts } from '../catalogue.ts'

const notYou =
  'Si no fuiste tú, cierra sesión en todas partes desde tu perfil y quita las llaves de acceso que no conozcas.'

export default {
  signIn: {
    subject: 'Tu enlace para iniciar sesión',
    heading: 'Inicia sesión en Punctual',
    lead: 'Este enlace sirve una vez, durante 15 minutos.',
    button: 'Abrir la página de inicio de sesión',
    footer: 'Si no has pedido iniciar sesión, puedes ignorar este correo.',
  },
  invited: {
    subject: 'Te han invitado a Punctual',
    heading: 'Tienes una invitación',
    lead: '{inviter} te invita a Punctual. El botón crea tu cuenta. Sirve una vez, durante 14 días.',
    button: 'Aceptar la invitación',
    footer: 'Si no quieres unirte, ignora este correo.',
  },
  invitedToTeam: {
    subject: 'Te han invitado a {team}',
    heading: 'Tienes una invitación',
    lead: '{inviter} te invita al equipo {team} en Punctual. El botón crea tu cuenta. Sirve una vez, durante 14 días.',
    button: 'Aceptar la invitación',
    footer: 'Si no quieres unirte, ignora este correo.',
  },
  invitedToSignIn: {
    subject: 'Te han invitado a Punctual',
    heading: 'Tienes una invitación',
    lead: '{inviter} te invita a Punctual. Inicia sesión con esta dirección de correo, {email}, en un plazo de 14 días.',
    button: 'Abrir la página de inicio de sesión',
    footer: 'Si no quieres unirte, ignora este correo.',
  },
  invitedToTeamToSignIn: {
    subject: 'Te han invitado a {team}',
    heading: 'Tienes una invitación',
    lead: '{inviter} te invita al equipo {team} en Punctual. Inicia sesión con esta dirección de correo, {email}, en un plazo de 14 días.',
    button: 'Abrir la página de inicio de sesión',
    footer: 'Si no quieres unirte, ignora este correo.',
  },
  proveEmail: {
    subject: 'Confirma tu nueva dirección de correo',
    heading: 'Confirma tu nueva dirección de correo',
    lead: 'Abre este enlace donde tengas la sesión iniciada. Sirve una vez, durante una hora.',
    button: 'Confirmar esta dirección',
    footer: 'Si no lo has pedido, puedes ignorar este correo.',
  },
  emailChangeAsked: {
    subject: 'Tu dirección de correo está a punto de cambiar',
    heading: 'Tu dirección de correo está a punto de cambiar',
    lead: 'Has pedido iniciar sesión con {email} a partir de ahora. Nada cambia hasta que se confirme esa dirección.',
    button: 'Abrir tu perfil',
    footer: 'Si no fuiste tú, cierra sesión en todas partes desde tu perfil.',
  },
  emailChanged: {
    subject: 'Tu dirección de correo ha cambiado',
    heading: 'Tu dirección de correo ha cambiado',
    lead: 'Ahora inicias sesión con {email}. Esta dirección ya no sirve para eso.',
    button: 'Abrir tu perfil',
    footer: 'Si no fuiste tú, pide ayuda a quien administra este servicio.',
  },
  recoveryCodeUsed: {
    subject: 'Has iniciado sesión con un código de recuperación',
    heading: 'Has iniciado sesión con un código de recuperación',
    lead: 'El código no se puede volver a usar. Te quedan {left} códigos. Si has perdido una llave de acceso, quítala y añade otra.',
    button: 'Abrir tu perfil',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'Has iniciado sesión con un código de recuperación',
    heading: 'Has iniciado sesión con un código de recuperación',
    lead: 'El código no se puede volver a usar. Te queda 1 código. Si has perdido una llave de acceso, quítala y añade otra.',
    button: 'Abrir tu perfil',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'Se ha añadido una llave de acceso a tu cuenta',
    heading: 'Se ha añadido una llave de acceso a tu cuenta',
    lead: 'Ahora puedes iniciar sesión con «{name}» después de abrir un enlace enviado por correo.',
    button: 'Abrir tu perfil',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'Tu cuenta ya no tiene ninguna llave de acceso',
    heading: 'Tu cuenta ya no tiene ninguna llave de acceso',
    lead: 'Se han quitado todas tus llaves de acceso y códigos de recuperación. El enlace enviado por correo basta para iniciar sesión hasta que añadas una llave.',
    button: 'Abrir tu perfil',
    footer: 'Si no lo esperabas, pregunta a quien administra este servicio.',
  },
  calendarFailed: {
    subject: 'No podemos leer tu calendario «{name}»',
    heading: 'No podemos leer tu calendario',
    lead: 'No hemos podido leer tu calendario «{name}» desde hace un día. {reason} Sus eventos nuevos no bloquean tu disponibilidad hasta que vuelva a funcionar, así que los invitados podrían reservar esas horas.',
    button: 'Abrir los calendarios',
    footer: 'Recibes este correo porque conectaste este calendario.',
  },
  calendarDeleted: {
    subject: 'No encontramos tu calendario «{name}»',
    heading: 'No encontramos tu calendario',
    lead: 'Tu calendario «{name}» ya no funciona. {reason} Elige otro calendario para tus reservas: hasta entonces, los correos sobre ellas llevan una invitación para tu calendario. Las horas ocupadas que ya conocemos siguen bloqueando tu disponibilidad.',
    button: 'Abrir los calendarios',
    footer: 'Recibes este correo porque conectaste este calendario.',
  },
  webhookDisabled: {
    subject: 'Se ha desactivado el webhook a {origin}',
    heading: 'Se ha desactivado un webhook',
    lead: 'Se ha desactivado el webhook a {origin}. {reason} No se le envía nada hasta que lo actives de nuevo. Después puedes reenviar lo que falló en los últimos 30 días.',
    button: 'Abrir los webhooks',
    footer: 'Recibes este correo porque este webhook es tuyo.',
  },
  paymentAccountLost: {
    subject: 'Hay que volver a conectar la cuenta de pagos {account}',
    heading: 'Vuelve a conectar tu cuenta de pagos',
    lead: 'Stripe ya no acepta nuestra clave para {account}. Hasta que vuelvas a conectar la cuenta, los invitados no pueden pagar tus reuniones y los reembolsos quedan en espera.',
    button: 'Abrir las cuentas conectadas',
    footer: 'Recibes este correo porque esta cuenta es tuya.',
  },
} satisfies NoticeTexts
