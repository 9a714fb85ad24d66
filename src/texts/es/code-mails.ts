import type { CodeMails } from '../catalogue.ts'

export default {
  emailCode: {
    subject: '{code} es tu código de confirmación',
    heading: 'Confirma tu dirección de correo',
    label: 'Código',
    lead: 'Introduce este código en la página de reservas para reservar {eventType} con {host}. Sirve una vez, durante 10 minutos.',
    footer: 'Si no lo has pedido, ignora este correo. No se ha reservado nada.',
  },
  erasureCode: {
    subject: '{code} es tu código para borrar tus datos',
    heading: 'Borrar tus datos',
    label: 'Código',
    lead: 'Con este código se borra todo lo que hay guardado aquí sobre tu dirección de correo y se cancelan tus próximas reservas. No se puede deshacer. El código sirve una vez, durante 10 minutos.',
    footer: 'Si no lo has pedido, ignora este correo. No se ha borrado nada.',
  },
} satisfies CodeMails
