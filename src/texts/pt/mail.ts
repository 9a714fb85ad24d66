import type { MailTexts } from '../catalogue.ts'

export default {
  guest: {
    confirmed: {
      subject: 'Confirmada: {event} com {host}, {when}',
      heading: 'Sua reunião está reservada',
      lead: 'Sua reunião com {host} está confirmada. O convite para a sua agenda está em anexo.',
    },
    requested: {
      subject: 'Pedido recebido: {event} com {host}, {when}',
      heading: 'Recebemos o seu pedido',
      lead: 'Este horário está reservado para você, mas ainda não foi confirmado. Avisaremos assim que {host} responder.',
    },
    approved: {
      subject: 'Confirmada: {event} com {host}, {when}',
      heading: 'Seu pedido foi aceito',
      lead: '{host} aceitou o seu pedido. O convite para a sua agenda está em anexo.',
    },
    linkAdded: {
      subject: 'Link da reunião: {event} com {host}, {when}',
      heading: 'Aqui está o link da sua reunião',
      lead: 'Entre na sua reunião com {host} pelo link abaixo. O convite em anexo atualiza a sua agenda.',
    },
    declined: {
      subject: 'Recusado: {event} com {host}, {when}',
      heading: 'Seu pedido foi recusado',
      lead: 'Infelizmente, {host} não está disponível nesse horário. Fique à vontade para escolher outro.',
    },
    expired: {
      subject: 'Não confirmada: {event} com {host}, {when}',
      heading: 'Seu pedido ficou sem resposta',
      lead: '{host} não conseguiu responder a tempo, por isso esta reunião não vai acontecer. Fique à vontade para escolher outro horário.',
    },
    cancelledByGuest: {
      subject: 'Cancelada: {event} com {host}, {when}',
      heading: 'Sua reunião está cancelada',
      lead: 'Você cancelou a reunião com {host}. A outra parte foi avisada por e-mail.',
    },
    cancelledByHost: {
      subject: 'Cancelada: {event} com {host}, {when}',
      heading: 'Sua reunião foi cancelada',
      lead: 'Infelizmente, {host} precisou cancelar esta reunião. Fique à vontade para escolher outro horário.',
    },
    cancelledByService: {
      subject: 'Cancelada: {event} com {host}, {when}',
      heading: 'Sua reunião foi cancelada',
      lead: 'Sua reunião com {host} não vai acontecer. Fique à vontade para escolher outro horário.',
    },
    movedByGuest: {
      subject: 'Novo horário: {event} com {host}, {when}',
      heading: 'Sua reunião tem um novo horário',
      lead: 'Você remarcou a reunião com {host}. O convite em anexo atualiza a sua agenda.',
    },
    movedByHost: {
      subject: 'Novo horário: {event} com {host}, {when}',
      heading: 'Sua reunião tem um novo horário',
      lead: '{host} remarcou a reunião. O convite em anexo atualiza a sua agenda. Se o novo horário não servir para você, é possível alterá-lo.',
    },
    moveRequested: {
      subject: 'Novo horário solicitado: {event} com {host}, {when}',
      heading: 'O novo horário foi solicitado',
      lead: 'O novo horário está reservado para você, mas {host} ainda precisa confirmá-lo. O horário anterior não vale mais.',
    },
    reassigned: {
      subject: 'Novo anfitrião: {event} com {host}, {when}',
      heading: 'Sua reunião tem um novo anfitrião',
      lead: 'Sua reunião agora é com {host}, no mesmo horário. O convite em anexo atualiza a sua agenda.',
    },
    requestReassigned: {
      subject: 'Novo anfitrião: {event} com {host}, {when}',
      heading: 'Seu pedido tem um novo anfitrião',
      lead: 'Seu pedido agora está com {host}. O horário continua reservado para você, e avisaremos por e-mail assim que {host} responder.',
    },
    reminder: {
      subject: 'Lembrete: {event} com {host}, {when}',
      heading: 'Sua reunião está chegando',
      lead: 'Um breve lembrete da sua reunião com {host}.',
    },
  },
  addedGuest: {
    invited: {
      subject: 'Convite: {event} com {host}, {when}',
      heading: 'Você foi convidado',
      lead: '{guest} adicionou você a uma reunião com {host}. O convite para o seu calendário está em anexo.',
    },
    moved: {
      subject: 'Novo horário: {event} com {host}, {when}',
      heading: 'A reunião tem um novo horário',
      lead: 'A reunião com {host} à qual {guest} adicionou você foi remarcada. O convite em anexo atualiza o seu calendário.',
    },
    reassigned: {
      subject: 'Novo anfitrião: {event} com {host}, {when}',
      heading: 'A reunião tem um novo anfitrião',
      lead: 'A reunião à qual {guest} adicionou você agora é com {host}, no mesmo horário. O convite em anexo atualiza a sua agenda.',
    },
    cancelled: {
      subject: 'Cancelada: {event} com {host}, {when}',
      heading: 'A reunião foi cancelada',
      lead: 'A reunião com {host} à qual {guest} adicionou você não acontecerá neste horário.',
    },
  },
  host: {
    confirmed: {
      subject: 'Nova reserva: {event} com {guest}, {when}',
      heading: 'Nova reserva',
      lead: '{guest} marcou uma reunião com você.',
    },
    requested: {
      subject: 'Aguarda aprovação: {event} com {guest}, {when}',
      heading: 'Novo pedido',
      lead: '{guest} gostaria de se reunir com você. Aceite ou recuse o pedido. Até lá, o horário fica reservado.',
    },
    approved: {
      subject: 'Confirmada: {event} com {guest}, {when}',
      heading: 'Pedido aceito',
      lead: 'O pedido de {guest} foi aceito. A reunião está confirmada.',
    },
    linkAdded: {
      subject: 'Link da reunião: {event} com {guest}, {when}',
      heading: 'Aqui está o link da sua reunião',
      lead: 'O link da sua reunião com {guest} está pronto. Também o enviamos por e-mail a essa pessoa.',
    },
    declined: {
      subject: 'Recusado: {event} com {guest}, {when}',
      heading: 'Pedido recusado',
      lead: 'O pedido de {guest} foi recusado. O horário está livre novamente.',
    },
    expired: {
      subject: 'Expirado: {event} com {guest}, {when}',
      heading: 'Pedido expirado',
      lead: 'O pedido de {guest} não foi respondido a tempo, por isso foi recusado automaticamente. A outra parte foi avisada por e-mail.',
    },
    cancelledByGuest: {
      subject: 'Cancelada: {event} com {guest}, {when}',
      heading: 'Uma reunião foi cancelada',
      lead: '{guest} cancelou esta reunião. O horário está livre novamente.',
    },
    cancelledByHost: {
      subject: 'Cancelada: {event} com {guest}, {when}',
      heading: 'A reunião está cancelada',
      lead: 'A reunião com {guest} foi cancelada do seu lado. A outra parte foi avisada por e-mail.',
    },
    cancelledByService: {
      subject: 'Cancelada: {event} com {guest}, {when}',
      heading: 'Uma reunião foi cancelada',
      lead: 'A reunião com {guest} não vai acontecer. A outra parte foi avisada por e-mail.',
    },
    movedByGuest: {
      subject: 'Novo horário: {event} com {guest}, {when}',
      heading: 'Uma reunião tem um novo horário',
      lead: '{guest} remarcou esta reunião. O convite em anexo atualiza a sua agenda.',
    },
    movedByHost: {
      subject: 'Novo horário: {event} com {guest}, {when}',
      heading: 'A reunião tem um novo horário',
      lead: 'A reunião com {guest} foi remarcada do seu lado. A outra parte foi avisada por e-mail.',
    },
    moveRequested: {
      subject: 'Aguarda aprovação: novo horário para {event} com {guest}, {when}',
      heading: 'O novo horário aguarda a sua aprovação',
      lead: 'Há um pedido para remarcar a reunião com {guest}. Aceite ou recuse o novo horário. Até lá, ele fica reservado.',
    },
    reassigned: {
      subject: 'Transferida para você: {event} com {guest}, {when}',
      heading: 'Uma reunião foi transferida para você',
      lead: 'Agora é você quem conduz a reunião com {guest}. A outra parte foi avisada por e-mail.',
    },
    requestReassigned: {
      subject: 'Aguarda aprovação: {event} com {guest}, {when}',
      heading: 'Um pedido foi transferido para você',
      lead: '{guest} quer marcar uma reunião, e o pedido foi transferido para você. Aceite ou recuse. Até lá, o horário fica reservado.',
    },
    reminder: {
      subject: 'Lembrete: {event} com {guest}, {when}',
      heading: 'Sua reunião está chegando',
      lead: 'Um breve lembrete da sua reunião com {guest}.',
    },
  },
  formerHost: {
    subject: 'Transferida: {event} com {guest}, {when}',
    heading: 'Uma reunião passou para outra pessoa',
    lead: 'A reunião com {guest} foi remarcada e agora será conduzida por {host}. O seu horário está livre novamente.',
  },
  handedOver: {
    subject: 'Transferida: {event} com {guest}, {when}',
    heading: 'Uma reunião passou para outra pessoa',
    lead: 'A reunião com {guest} agora será conduzida por {host}. O seu horário está livre novamente.',
  },
  coHost: {
    subject: 'Novo anfitrião: {event} com {guest}, {when}',
    heading: 'Os anfitriões da reunião mudaram',
    lead: 'A reunião com {guest} agora é conduzida por {host}.',
  },
  guestLeft: {
    subject: 'Um convidado a menos: {event} com {guest}, {when}',
    heading: 'Um convidado já não participa',
    lead: '{guest} já não participa nesta reunião. Os outros convidados continuam a participar.',
  },
  lastGuestLeft: {
    subject: 'Sem convidados: {event} com {guest}, {when}',
    heading: 'A reunião já não tem convidados',
    lead: '{guest} já não participa nesta reunião e mais ninguém a reservou. O horário está livre novamente.',
  },
  label: {
    what: 'Evento',
    when: 'Quando',
    previously: 'Antes',
    where: 'Onde',
    host: 'Anfitrião',
    guest: 'Convidado',
    guests: 'Convidados',
    phone: 'Telefone',
    notes: 'Observações',
    reason: 'Mensagem',
    dates: 'Todas as datas',
    addToCalendar: 'Adicionar à agenda',
    cancellation: 'Cancelamento',
    payment: 'Pagamento',
  },
  place: {
    InPerson: 'Presencial',
    Phone: 'Ligação telefônica',
    Video: 'Videochamada',
    Link: 'Online',
  },
  hostCalls: 'Ligação telefônica: ligam para você',
  linkFollows: 'Chamada de vídeo: o link chegará por e-mail',
  addLink:
    'Chamada de vídeo: ainda sem link. Adicione-o à reserva e nós o enviaremos por e-mail ao seu convidado.',
  linkMissing: {
    subject: 'Adicione o link: {event} com {guest}, {when}',
    heading: 'Sua chamada de vídeo ainda não tem link',
    lead: 'Sua chamada de vídeo com {guest} está chegando, e ainda ninguém pode entrar. Adicione o link à reserva e nós o enviaremos por e-mail ao seu convidado.',
  },
  cancelUntil: 'Você pode cancelar até {time}.',
  money: {
    paid: '{price} pagos',
    reserved: '{price} reservados até a resposta à solicitação',
    charged: '{price}, cobrados com esta aprovação',
    refund: '{price} são devolvidos; o banco pode levar alguns dias',
    kept: 'Nada é reembolsado',
    released: 'O cartão não é cobrado',
  },
  button: {
    unsubscribe: 'Cancelar inscrição',
    manage: 'Remarcar ou cancelar',
    join: 'Entrar',
    answer: 'Ver o pedido',
    open: 'Abrir a reserva',
    again: 'Escolher outro horário',
  },
  answer: {
    yes: 'Sim',
    no: 'Não',
  },
  footer: {
    form: 'Você recebe este e-mail porque o seu endereço foi informado em um formulário de {scheduler}.',
    guest: 'Você recebe este e-mail porque uma reunião com {scheduler} foi marcada com o seu endereço.',
    addedGuest:
      'Você recebe este e-mail porque {guest} informou o seu endereço ao marcar uma reunião com {scheduler}.',
    host: 'Você recebe este e-mail porque esta reunião foi marcada com você.',
  },
  pushTest: {
    heading: 'As notificações estão ativadas',
    lead: 'É assim que as novas reservas vão aparecer.',
  },
  connectionLost: {
    subject: 'Volte a conectar a sua conta {account} do {provider}',
    lead: '{provider} já não nos dá acesso a {account}. Até que a conecte de novo, não vemos eventos novos, não adicionamos reservas nem criamos links de reunião. Os horários ocupados que já conhecemos continuam bloqueados.',
    button: 'Conectar de novo',
  },
} satisfies MailTexts
