import type { MailTexts } from '../catalogue.ts'

export default {
  guest: {
    confirmed: {
      subject: 'Confirmada: {event} con {host}, {when}',
      heading: 'Tu reunión está reservada',
      lead: 'Tu reunión con {host} está confirmada. Adjuntamos la invitación para tu calendario.',
    },
    requested: {
      subject: 'Solicitud recibida: {event} con {host}, {when}',
      heading: 'Hemos recibido tu solicitud',
      lead: 'Te hemos reservado esta hora, pero todavía no está confirmada. Te escribiremos en cuanto {host} responda.',
    },
    approved: {
      subject: 'Confirmada: {event} con {host}, {when}',
      heading: 'Tu solicitud ha sido aceptada',
      lead: '{host} ha aceptado tu solicitud. Adjuntamos la invitación para tu calendario.',
    },
    linkAdded: {
      subject: 'Enlace de la reunión: {event} con {host}, {when}',
      heading: 'Aquí tienes el enlace de tu reunión',
      lead: 'Únete a tu reunión con {host} desde el enlace de abajo. La invitación adjunta actualiza tu calendario.',
    },
    declined: {
      subject: 'Rechazada: {event} con {host}, {when}',
      heading: 'Tu solicitud ha sido rechazada',
      lead: 'Lo sentimos: a esa hora {host} no puede reunirse contigo. Si quieres, elige otra hora.',
    },
    expired: {
      subject: 'Sin confirmar: {event} con {host}, {when}',
      heading: 'Tu solicitud se ha quedado sin respuesta',
      lead: '{host} no ha podido responder a tiempo, así que esta reunión no tendrá lugar. Si quieres, elige otra hora.',
    },
    cancelledByGuest: {
      subject: 'Cancelada: {event} con {host}, {when}',
      heading: 'Tu reunión está cancelada',
      lead: 'Has cancelado tu reunión con {host}. Hemos avisado por correo a la otra parte.',
    },
    cancelledByHost: {
      subject: 'Cancelada: {event} con {host}, {when}',
      heading: 'Tu reunión ha sido cancelada',
      lead: 'Lo sentimos: {host} ha tenido que cancelar esta reunión. Si quieres, elige otra hora.',
    },
    cancelledByService: {
      subject: 'Cancelada: {event} con {host}, {when}',
      heading: 'Tu reunión ha sido cancelada',
      lead: 'Tu reunión con {host} no tendrá lugar. Si quieres, elige otra hora.',
    },
    movedByGuest: {
      subject: 'Nueva hora: {event} con {host}, {when}',
      heading: 'Tu reunión tiene una nueva hora',
      lead: 'Has cambiado la hora de tu reunión con {host}. La invitación adjunta actualiza tu calendario.',
    },
    movedByHost: {
      subject: 'Nueva hora: {event} con {host}, {when}',
      heading: 'Tu reunión tiene una nueva hora',
      lead: '{host} ha cambiado la hora de la reunión. La invitación adjunta actualiza tu calendario. Si la nueva hora no te viene bien, puedes cambiarla.',
    },
    moveRequested: {
      subject: 'Nueva hora solicitada: {event} con {host}, {when}',
      heading: 'Hemos solicitado la nueva hora',
      lead: 'Te hemos reservado la nueva hora, pero {host} todavía tiene que confirmarla. La hora anterior ya no es válida.',
    },
    reassigned: {
      subject: 'Nuevo anfitrión: {event} con {host}, {when}',
      heading: 'Tu reunión tiene un nuevo anfitrión',
      lead: 'Tu reunión es ahora con {host}, a la misma hora. La invitación adjunta actualiza tu calendario.',
    },
    requestReassigned: {
      subject: 'Nuevo anfitrión: {event} con {host}, {when}',
      heading: 'Tu solicitud tiene un nuevo anfitrión',
      lead: 'Ahora {host} se ocupa de tu solicitud. Seguimos reservándote esta hora y te escribiremos en cuanto {host} responda.',
    },
    reminder: {
      subject: 'Recordatorio: {event} con {host}, {when}',
      heading: 'Se acerca tu reunión',
      lead: 'Un breve recordatorio de tu reunión con {host}.',
    },
  },
  addedGuest: {
    invited: {
      subject: 'Invitación: {event} con {host}, {when}',
      heading: 'Te han invitado',
      lead: '{guest} te ha añadido a una reunión con {host}. Adjuntamos la invitación para tu calendario.',
    },
    moved: {
      subject: 'Nueva hora: {event} con {host}, {when}',
      heading: 'La reunión tiene una nueva hora',
      lead: 'La reunión con {host} a la que {guest} te añadió ha cambiado de hora. La invitación adjunta actualiza tu calendario.',
    },
    reassigned: {
      subject: 'Nuevo anfitrión: {event} con {host}, {when}',
      heading: 'La reunión tiene un nuevo anfitrión',
      lead: 'La reunión a la que te añadió {guest} es ahora con {host}, a la misma hora. La invitación adjunta actualiza tu calendario.',
    },
    cancelled: {
      subject: 'Cancelada: {event} con {host}, {when}',
      heading: 'La reunión se ha cancelado',
      lead: 'La reunión con {host} a la que {guest} te añadió no tendrá lugar a esta hora.',
    },
  },
  host: {
    confirmed: {
      subject: 'Nueva reserva: {event} con {guest}, {when}',
      heading: 'Nueva reserva',
      lead: '{guest} ha reservado una reunión contigo.',
    },
    requested: {
      subject: 'Pendiente de tu aprobación: {event} con {guest}, {when}',
      heading: 'Nueva solicitud',
      lead: '{guest} quiere reunirse contigo. Acepta o rechaza la solicitud. Mientras tanto, la hora queda reservada.',
    },
    approved: {
      subject: 'Confirmada: {event} con {guest}, {when}',
      heading: 'Solicitud aceptada',
      lead: 'La solicitud de {guest} ha sido aceptada. La reunión está confirmada.',
    },
    linkAdded: {
      subject: 'Enlace de la reunión: {event} con {guest}, {when}',
      heading: 'Aquí tienes el enlace de tu reunión',
      lead: 'El enlace de tu reunión con {guest} está listo. También se lo hemos enviado por correo.',
    },
    declined: {
      subject: 'Rechazada: {event} con {guest}, {when}',
      heading: 'Solicitud rechazada',
      lead: 'La solicitud de {guest} ha sido rechazada. La hora vuelve a estar libre.',
    },
    expired: {
      subject: 'Caducada: {event} con {guest}, {when}',
      heading: 'Solicitud caducada',
      lead: 'La solicitud de {guest} no se ha respondido a tiempo, así que se ha rechazado automáticamente. Hemos avisado por correo a la otra parte.',
    },
    cancelledByGuest: {
      subject: 'Cancelada: {event} con {guest}, {when}',
      heading: 'Se ha cancelado una reunión',
      lead: '{guest} ha cancelado esta reunión. La hora vuelve a estar libre.',
    },
    cancelledByHost: {
      subject: 'Cancelada: {event} con {guest}, {when}',
      heading: 'La reunión está cancelada',
      lead: 'La reunión con {guest} se ha cancelado por tu parte. Hemos avisado por correo a la otra parte.',
    },
    cancelledByService: {
      subject: 'Cancelada: {event} con {guest}, {when}',
      heading: 'Se ha cancelado una reunión',
      lead: 'La reunión con {guest} no tendrá lugar. Hemos avisado por correo a la otra parte.',
    },
    movedByGuest: {
      subject: 'Nueva hora: {event} con {guest}, {when}',
      heading: 'Una reunión tiene una nueva hora',
      lead: '{guest} ha cambiado la hora de esta reunión. La invitación adjunta actualiza tu calendario.',
    },
    movedByHost: {
      subject: 'Nueva hora: {event} con {guest}, {when}',
      heading: 'La reunión tiene una nueva hora',
      lead: 'La hora de la reunión con {guest} se ha cambiado por tu parte. Hemos avisado por correo a la otra parte.',
    },
    moveRequested: {
      subject: 'Pendiente de tu aprobación: nueva hora para {event} con {guest}, {when}',
      heading: 'La nueva hora necesita tu aprobación',
      lead: 'Se ha pedido cambiar la hora de la reunión con {guest}. Acepta o rechaza la nueva hora. Mientras tanto, queda reservada.',
    },
    reassigned: {
      subject: 'Te la han pasado: {event} con {guest}, {when}',
      heading: 'Te han pasado una reunión',
      lead: 'Ahora te encargas tú de la reunión con {guest}. Hemos avisado por correo a la otra parte.',
    },
    requestReassigned: {
      subject: 'Pendiente de tu aprobación: {event} con {guest}, {when}',
      heading: 'Te han pasado una solicitud',
      lead: '{guest} quiere reunirse y te han pasado su solicitud. Acéptala o recházala. Mientras tanto, la hora queda reservada.',
    },
    reminder: {
      subject: 'Recordatorio: {event} con {guest}, {when}',
      heading: 'Se acerca tu reunión',
      lead: 'Un breve recordatorio de tu reunión con {guest}.',
    },
  },
  formerHost: {
    subject: 'Reasignada: {event} con {guest}, {when}',
    heading: 'Una reunión pasa a otra persona',
    lead: 'La reunión con {guest} ha cambiado de hora y ahora la atenderá {host}. Tu hora vuelve a estar libre.',
  },
  handedOver: {
    subject: 'Traspasada: {event} con {guest}, {when}',
    heading: 'Una reunión pasa a otra persona',
    lead: 'Ahora {host} se encarga de la reunión con {guest}. Tu hora vuelve a estar libre.',
  },
  coHost: {
    subject: 'Nuevo anfitrión: {event} con {guest}, {when}',
    heading: 'La reunión cambia de anfitriones',
    lead: 'De la reunión con {guest} se encargan ahora {host}.',
  },
  guestLeft: {
    subject: 'Un invitado menos: {event} con {guest}, {when}',
    heading: 'Un invitado ya no asiste',
    lead: '{guest} ya no asiste a esta reunión. Los demás invitados siguen asistiendo.',
  },
  lastGuestLeft: {
    subject: 'Sin invitados: {event} con {guest}, {when}',
    heading: 'La reunión ya no tiene invitados',
    lead: '{guest} ya no asiste a esta reunión y nadie más la ha reservado. La hora vuelve a estar libre.',
  },
  label: {
    what: 'Evento',
    when: 'Cuándo',
    previously: 'Antes',
    where: 'Dónde',
    host: 'Anfitrión',
    guest: 'Invitado',
    guests: 'Invitados',
    phone: 'Teléfono',
    notes: 'Notas',
    reason: 'Mensaje',
    dates: 'Todas las fechas',
    addToCalendar: 'Añadir al calendario',
    cancellation: 'Cancelación',
    payment: 'Pago',
  },
  place: {
    InPerson: 'En persona',
    Phone: 'Llamada telefónica',
    Video: 'Videollamada',
    Link: 'En línea',
  },
  hostCalls: 'Llamada telefónica: te llaman',
  linkFollows: 'Videollamada: el enlace llegará por correo',
  addLink: 'Videollamada: aún sin enlace. Añádelo a la reserva y se lo enviaremos por correo a tu invitado.',
  linkMissing: {
    subject: 'Añade el enlace: {event} con {guest}, {when}',
    heading: 'Tu videollamada aún no tiene enlace',
    lead: 'Se acerca tu videollamada con {guest} y nadie puede unirse todavía. Añade el enlace a la reserva y se lo enviaremos por correo a tu invitado.',
  },
  cancelUntil: 'Puedes cancelar hasta el {time}.',
  money: {
    paid: '{price} pagados',
    reserved: '{price} reservados hasta que se responda a la solicitud',
    charged: '{price}, se cobran con esta aprobación',
    refund: 'Se devuelven {price}; el banco puede tardar unos días',
    kept: 'No se devuelve nada',
    released: 'No se cobra nada a la tarjeta',
  },
  button: {
    unsubscribe: 'Cancelar la suscripción',
    manage: 'Cambiar o cancelar',
    join: 'Unirse',
    answer: 'Revisar la solicitud',
    open: 'Abrir la reserva',
    again: 'Elegir otra hora',
  },
  answer: {
    yes: 'Sí',
    no: 'No',
  },
  footer: {
    form: 'Recibes este correo porque se dio tu dirección en un formulario de {scheduler}.',
    guest: 'Recibes este correo porque se ha reservado una reunión con {scheduler} con tu dirección.',
    addedGuest:
      'Recibes este correo porque {guest} dio tu dirección al reservar una reunión con {scheduler}.',
    host: 'Recibes este correo porque esta reunión se ha reservado contigo.',
  },
  pushTest: {
    heading: 'Las notificaciones están activadas',
    lead: 'Así se mostrarán las reservas nuevas.',
  },
  connectionLost: {
    subject: 'Vuelve a conectar tu cuenta {account} de {provider}',
    lead: '{provider} ya no nos da acceso a {account}. Hasta que vuelvas a conectarla, no podemos ver allí eventos nuevos, añadir reservas ni crear enlaces de reunión. Las horas ocupadas que ya conocemos siguen bloqueadas.',
    button: 'Volver a conectar',
  },
} satisfies MailTexts
