import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.':
    'A pessoa ou equipe a que pertence não vem junto.',
  'The event type that it belongs to does not come along.': 'O tipo de evento a que pertence não vem junto.',
  'It is switched off there.': 'Está desativado lá.',
  'You chose to leave it out.': 'Você escolheu deixá-lo de fora.',
  'This row has no id, so nothing can refer to it.':
    'Esta linha não tem id, então nada pode se referir a ela.',
  'Another row has the same id.': 'Outra linha tem o mesmo id.',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'O fuso horário “{0}” não é conhecido aqui, então vale o de {1}.',
  'Hours that end before they begin were left out.':
    'Horários que terminam antes de começar foram deixados de fora.',
  'The hours of one event type, which uses them as a schedule here.':
    'Os horários de um tipo de evento, que aqui os usa como agenda.',
  'The hours had no schedule there, so they became one.':
    'Os horários não tinham agenda lá, então viraram uma.',
  'The schedule of these hours is missing.': 'Falta a agenda destes horários.',
  'It is over.': 'Já passou.',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    'Aqui não há planos de viagem. Mude o fuso horário da agenda nesse período.',
  'Its dates can’t be read.': 'Não é possível ler as datas.',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    'Lá os dias de folga eram dias em UTC. Aqui são dias inteiros em {0}.',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'Aqui uma ausência dura no máximo {0} dias, então termina em {1}.',
  'The person who takes over does not come along.': 'A pessoa que substitui não vem junto.',
  'Guests don’t see the note here.': 'Aqui os convidados não veem a nota.',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    'A organização é aqui este serviço inteiro. Seus proprietários e administradores viram administradores do serviço.',
  'This person has no email address that we can read, so they couldn’t sign in.':
    'Esta pessoa não tem um e-mail legível, então não conseguiria entrar.',
  'Another person has the same email address.': 'Outra pessoa tem o mesmo e-mail.',
  'Has an account here already: its name, link and page stay.':
    'Já tem uma conta aqui: nome, link e página ficam.',
  'Becomes an admin of this service, as they are one there.':
    'Vira administrador deste serviço, como já é lá.',
  'Is locked there, so the account is disabled here.':
    'Está bloqueada lá, então a conta fica desativada aqui.',
  'Has to set up two-factor sign-in again.': 'Precisa configurar de novo o login em duas etapas.',
  'Had no name in links there: theirs is “{0}” here.': 'Não tinha nome nos links lá: aqui é “{0}”.',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'O nome nos links se escreve aqui “{0}”. Links com “{1}” continuam funcionando.',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '“{0}” está reservado ou em uso aqui, então o nome nos links é “{1}”.',
  'The picture is stored over there: please upload it here.': 'A imagem está guardada lá: envie-a aqui.',
  'The time zone “{0}” is not known here, so it is UTC.':
    'O fuso horário “{0}” não é conhecido aqui, então é UTC.',
  'There are no texts in “{0}” here, so pages are in English.':
    'Aqui não há textos em “{0}”, então as páginas ficam em inglês.',
  'None of its members come along.': 'Nenhum dos membros vem junto.',
  'Was not published there, so its event types are open to private links only.':
    'Não estava publicada lá, então só links privados abrem seus tipos de evento.',
  'Has no owner who comes along, so {0} becomes the owner.':
    'Nenhum proprietário vem junto, então {0} vira proprietário.',
  'Custom roles become owner, admin or member.':
    'Funções personalizadas viram proprietário, administrador ou membro.',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'Aqui não há limite para todas as reuniões da equipe: cada tipo de evento tem o seu.',
  'The invitation to a team was not accepted there.': 'O convite para uma equipe não foi aceito lá.',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    'Aqui não há pesos por atributos: os pesos dos anfitriões decidem.',
  'The attribute is switched off there.': 'O atributo está desativado lá.',
} satisfies Partial<Refusals>
