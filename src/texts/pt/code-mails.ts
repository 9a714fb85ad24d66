import type { CodeMails } from '../catalogue.ts'

export default {
  emailCode: {
    subject: '{code} é o seu código de confirmação',
    heading: 'Confirme seu endereço de e-mail',
    label: 'Código',
    lead: 'Digite este código na página de agendamento para reservar {eventType} com {host}. Ele vale uma vez, por 10 minutos.',
    footer: 'Se você não pediu isto, ignore este e-mail. Nada foi reservado.',
  },
  erasureCode: {
    subject: '{code} é o seu código para apagar seus dados',
    heading: 'Apagar seus dados',
    label: 'Código',
    lead: 'Com este código, tudo o que está guardado aqui sobre seu endereço de e-mail é apagado e suas próximas reservas são canceladas. Isso não pode ser desfeito. O código vale uma vez, por 10 minutos.',
    footer: 'Se você não pediu isto, ignore este e-mail. Nada foi apagado.',
  },
} satisfies CodeMails
