import type { ServerPages } from '../catalogue.ts'

export default {
  home: {
    title: 'Agendamentos sem vaivém',
    what: 'Compartilhe um link e deixe as pessoas reservarem um horário bom para ambos.',
    guests: 'Quer agendar com alguém? Abra o link que você recebeu. Não é preciso ter uma conta.',
    signIn: 'Entrar',
    demo: 'Ver a demonstração',
    api: 'Referência da API',
  },
  unsubscribe: {
    title: 'Parar de receber e-mails de {name}?',
    what: 'Você não receberá mais e-mails de {name} depois de reuniões nem sobre formulários. E-mails sobre suas próximas reuniões continuarão chegando.',
    button: 'Cancelar inscrição',
    done: 'Inscrição cancelada',
    after: '{name} não enviará mais e-mails assim.',
  },
  notice: {
    missing: 'Página não encontrada',
    hint: 'O link pode ser antigo ou estar escrito errado. Peça um novo a quem o enviou.',
    trouble: 'Algo deu errado',
    startAgain: 'Comece novamente pelo formulário.',
  },
  noScriptWrite: 'Sem JavaScript, a reserva é possível por e-mail:',
  offline: {
    title: 'Sem conexão',
    hint: 'O painel mostra apenas dados atuais, por isso precisa de uma conexão com a internet.',
    again: 'Tentar novamente',
  },
  standIn: {
    away: '{host} está ausente: {time}.',
    book: 'Reservar com {name}',
  },
  endedLink: {
    used: 'Este link já foi usado',
    expired: 'Este link expirou',
    ask: 'Peça um novo a {name}.',
  },
  noScript:
    'Esta página precisa de JavaScript para mostrar os horários disponíveis. Você também pode reservar pela API pública.',
} satisfies ServerPages
