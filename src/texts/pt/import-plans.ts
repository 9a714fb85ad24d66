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
  'These hours of one event type were not used there: its schedule comes first.':
    'Estes horários de um tipo de evento não eram usados lá: a agenda dele vem primeiro.',
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
  'How its hosts are assigned is not known here, so all of them attend.':
    'Aqui não se conhece como os anfitriões são atribuídos, então todos participam.',
  'Some hosts are not members of the team here, so they don’t host it.':
    'Alguns anfitriões não são membros da equipe aqui, então não participam.',
  'It has no hosts, so nobody can book it until you add one.':
    'Não tem anfitriões, então ninguém pode reservar até você adicionar um.',
  'Hosts have no priorities here: they take turns, by their weights.':
    'Aqui os anfitriões não têm prioridades: revezam-se conforme os pesos.',
  'Hosts are one group here: one of them takes the meeting, and not one of each group.':
    'Aqui os anfitriões são um só grupo: um deles assume a reunião, e não um de cada grupo.',
  'Its hosts were chosen by their attributes. Here all of its hosts take turns.':
    'Os anfitriões eram escolhidos por atributos. Aqui todos se revezam.',
  'A host whose weight is 0 gets the smallest share here.':
    'Um anfitrião com peso 0 recebe aqui a menor parte.',
  'The weights of hosts are rounded: the largest is {0} here.':
    'Os pesos dos anfitriões são arredondados: aqui o maior é {0}.',
  'One host can have their own schedule for an event type here. These use their default: {0}.':
    'Aqui um anfitrião pode ter agenda própria para um tipo de evento. Estes usam a padrão: {0}.',
  'All hosts had the hours of “{0}” there. Here each host has their own.':
    'Lá todos os anfitriões tinham os horários de “{0}”. Aqui cada um tem os seus.',
  'Hours that restrict all hosts are not known here.':
    'Aqui não há horários que restrinjam todos os anfitriões.',
  'Its length can’t be read.': 'Não é possível ler a duração.',
  'Meetings last at most 24 hours here.': 'Aqui as reuniões duram no máximo 24 horas.',
  'Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.':
    'Lá as margens de duas reuniões eram somadas. Aqui vale a mais longa, então os convidados veem mais horários.',
  'Its rules left no time to book there. Here only private links open it: please check its notice and limits.':
    'As regras não deixavam nenhum horário lá. Aqui só links privados o abrem: verifique a antecedência e os limites.',
  'Guests choose from at most {0} durations here: some were left out.':
    'Aqui os convidados escolhem entre no máximo {0} durações: algumas ficaram de fora.',
  'Starts were shifted by {0} minutes there. Here they begin when your hours open.':
    'Lá os inícios eram deslocados em {0} minutos. Aqui começam quando seus horários abrem.',
  'Starts are {0} minutes apart here.': 'Aqui os inícios têm {0} minutos de intervalo.',
  'Times that guests see in the next {0} days: {1} more and {2} fewer than there.':
    'Horários que os convidados veem nos próximos {0} dias: {1} a mais e {2} a menos do que lá.',
  'Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.':
    'Lá os inícios eram arredondados no fuso do convidado. Aqui contam a partir da abertura dos seus horários, então diferem.',
  'The window reached over {0} days with free times there. Here it counts days without free times, too.':
    'Lá o período cobria {0} dias com horários livres. Aqui contam também os dias sem horários livres.',
  'The dates of its booking window can’t be read, so it has none.':
    'Não é possível ler as datas do período de reserva, então não há nenhum.',
  'Its kind of booking window is not known here, so it has none.':
    'Aqui não se conhece este tipo de período de reserva, então não há nenhum.',
  'Weeks begin on Sunday there and on Monday here, which matters for its limits.':
    'Lá as semanas começam no domingo e aqui na segunda, o que afeta os limites.',
  'Guests can’t cancel there. Here they can until a year before the start.':
    'Lá os convidados não podem cancelar. Aqui podem até um ano antes do início.',
  'Guests can’t reschedule there. Here they can until a year before the start.':
    'Lá os convidados não podem remarcar. Aqui podem até um ano antes do início.',
  'Series repeat every week, every two weeks or every month here, so this one is for single meetings.':
    'Aqui as séries se repetem toda semana, a cada duas semanas ou todo mês, então este é para reuniões avulsas.',
  'Monthly meetings keep their weekday here, and not their date.':
    'Aqui as reuniões mensais mantêm o dia da semana, e não a data.',
  'A series has at most {0} meetings here.': 'Aqui uma série tem no máximo {0} reuniões.',
  'A managed event type is a template. Its copies come along as event types of their own.':
    'Um tipo de evento gerenciado é um modelo. Suas cópias vêm como tipos de evento próprios.',
  'It belongs to nobody.': 'Não pertence a ninguém.',
  'It belongs to the organization, which has no event types here. Please make it in a team.':
    'Pertence à organização, que aqui não tem tipos de evento. Crie-o em uma equipe.',
  'Was a copy of a managed event type. It is edited on its own here.':
    'Era uma cópia de um tipo de evento gerenciado. Aqui é editado à parte.',
  'Its link ends in “{0}” here. The old link still works.':
    'O link termina aqui em “{0}”. O link antigo continua funcionando.',
  'Its schedule does not come along, so the default one applies.':
    'A agenda não vem junto, então vale a padrão.',
  'Round robin and seats don’t go together here, so every guest has a meeting of their own.':
    'Aqui rodízio e vagas não combinam, então cada convidado tem sua própria reunião.',
  'Guests who share a meeting don’t see each other’s names here.':
    'Aqui os convidados que dividem uma reunião não veem os nomes uns dos outros.',
  'Only guests with a free mailbox needed approval there. Here everyone does.':
    'Lá só convidados com e-mail gratuito precisavam de aprovação. Aqui todos precisam.',
  'Only bookings on short notice needed approval there. Here all of them do.':
    'Lá só reservas em cima da hora precisavam de aprovação. Aqui todas precisam.',
  'A request blocks its time here until it is answered.':
    'Aqui um pedido bloqueia o horário até ser respondido.',
  'It costs {0} there. Connect Stripe and set its price here; until then only private links open it.':
    'Lá custa {0}. Até o Stripe estar conectado e o preço definido aqui, só links privados o abrem.',
  'Only people with an account could book it there. Here only private links open it.':
    'Lá só pessoas com conta podiam reservar. Aqui só links privados o abrem.',
  'Forms don’t lead to hidden event types here. Only forms and private links open this one.':
    'Aqui os formulários não levam a tipos de evento ocultos. Só formulários e links privados abrem este.',
  'The page after booking is not an address with https, so guests stay on ours.':
    'A página após a reserva não é um endereço com https, então os convidados ficam na nossa.',
  'instant meetings': 'reuniões instantâneas',
  'a fixed time zone for guests': 'um fuso horário fixo para convidados',
  'a title of its own in calendars': 'um título próprio nos calendários',
  'hiding the host’s email address': 'ocultar o e-mail do anfitrião',
  'hiding details in calendars': 'ocultar detalhes nos calendários',
  'an address for replies': 'um endereço para respostas',
  'a limit for each guest': 'um limite para cada convidado',
  'showing only the first time of a day': 'mostrar só o primeiro horário do dia',
  'a location for each host': 'um local para cada anfitrião',
  'a language of its own': 'um idioma próprio',
  'emails that are turned off': 'e-mails desativados',
  'calendars of its own': 'calendários próprios',
  'a limit on how uneven the round robin gets': 'um limite para o desequilíbrio do rodízio',
  'Not known here: {0}.': 'Não existe aqui: {0}.',
  'Guests who share a meeting meet in one place here: the first location stays.':
    'Aqui os convidados que dividem uma reunião se encontram em um só lugar: fica o primeiro.',
  'Guests choose from at most {0} locations here: the last ones were left out.':
    'Aqui os convidados escolhem entre no máximo {0} locais: os últimos ficaram de fora.',
  'Guests see the address before they book.': 'Os convidados veem o endereço antes de reservar.',
  'Guests aren’t asked where to meet them: please add a question for their address.':
    'Não se pergunta aos convidados onde encontrá-los: adicione uma pergunta sobre o endereço.',
  'The link of the meeting can’t be read, so it is a video call without a link.':
    'Não é possível ler o link da reunião, então é uma chamada de vídeo sem link.',
  'The place is open there: please write it into the location.':
    'Lá o lugar fica em aberto: escreva-o no local.',
  '{0} is not offered here, so video calls have no link until you add one.':
    '{0} não está disponível aqui, então as chamadas de vídeo ficam sem link até você adicionar um.',
  '{0} becomes {1}.': '{0} vira {1}.',
  'An event type asks at most {0} questions here: the last ones were left out.':
    'Aqui um tipo de evento faz no máximo {0} perguntas: as últimas ficaram de fora.',
  '“{0}” is a text field here.': '“{0}” é aqui um campo de texto.',
  '“{0}” is hidden, so it is optional here.': '“{0}” está oculto, então aqui é opcional.',
  'An instant meeting that nobody has taken.': 'Uma reunião instantânea que ninguém assumiu.',
  'Its time can’t be read.': 'Não é possível ler o horário.',
  'It ends before it begins.': 'Termina antes de começar.',
  'Its time is rounded to whole minutes.': 'O horário é arredondado para minutos inteiros.',
  'Its host does not come along.': 'O anfitrião não vem junto.',
  'Its state is not known here.': 'O estado não é conhecido aqui.',
  'Nobody answered the request in time, so it is declined.':
    'Ninguém respondeu ao pedido a tempo, então foi recusado.',
  'Its event type does not come along, so it is among the earlier meetings of {0}.':
    'O tipo de evento não vem junto, então fica entre as reuniões anteriores de {0}.',
  'For meetings of {0} whose event type does not come along. Guests can’t see or book it.':
    'Para reuniões de {0} cujo tipo de evento não vem junto. Os convidados não podem vê-lo nem reservá-lo.',
  'It has no guest whose address we can read.': 'Não tem nenhum convidado com endereço legível.',
  'Its video call is on the old system, and works as long as that runs.':
    'A chamada de vídeo está no sistema antigo e funciona enquanto ele estiver no ar.',
  'A guest brings at most {0} others here: the last ones were left out.':
    'Aqui um convidado traz no máximo mais {0}: os últimos ficaram de fora.',
  'Guests whose address can’t be read were left out.': 'Convidados com endereço ilegível ficaram de fora.',
  'Overlaps a meeting of {0} that was booked earlier. Both come along.':
    'Coincide com uma reunião de {0} reservada antes. As duas vêm junto.',
  'Was one of a series that we can’t continue: it is a meeting of its own here.':
    'Fazia parte de uma série que não podemos continuar: aqui é uma reunião avulsa.',
  'It was paid there: {0}. A refund has to be made there, too.':
    'Foi pago lá: {0}. Um reembolso também precisa ser feito lá.',
  'Leads to event types of {0}, so it belongs to that team here.':
    'Leva a tipos de evento de {0}, então aqui pertence a essa equipe.',
  'Nobody gets an email for each answer here: answers are listed with the form.':
    'Aqui ninguém recebe um e-mail por resposta: as respostas ficam listadas no formulário.',
  'Rule {0} asks for something that rules can’t say here, so it was left out.':
    'A regra {0} pede algo que aqui as regras não conseguem dizer, então ficou de fora.',
  'Rule {0} leads to a place that forms can’t lead to here, so it was left out.':
    'A regra {0} leva a um lugar a que aqui os formulários não podem levar, então ficou de fora.',
  'A form has at most {0} rules here: the last ones were left out.':
    'Aqui um formulário tem no máximo {0} regras: as últimas ficaram de fora.',
  'Visitors whom no rule leads anywhere see a message that thanks them.':
    'Visitantes que nenhuma regra leva a lugar algum veem uma mensagem de agradecimento.',
  'Answers are not filled into the address {0} here.': 'Aqui as respostas não são inseridas no endereço {0}.',
  'A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.':
    'Uma regra escolhe anfitriões de um modo que aqui não se pode dizer, então leva a todos os anfitriões do tipo de evento.',
  'A second choice of hosts, for when the first fits nobody, is not known here.':
    'Aqui não há uma segunda escolha de anfitriões para quando a primeira não serve a ninguém.',
  'Its link can’t be read.': 'Não é possível ler o link.',
  'Another private link has the same address.': 'Outro link privado tem o mesmo endereço.',
  'The link has expired.': 'O link expirou.',
  'The link has been used up.': 'O link já foi usado.',
  'Only email addresses and domains are blocked here.': 'Aqui só e-mails e domínios são bloqueados.',
  'It was watched there and not blocked.': 'Lá era observado, e não bloqueado.',
  'It is listed twice.': 'Está listado duas vezes.',
  'It is neither an email address nor a domain.': 'Não é um e-mail nem um domínio.',
  'Apps don’t come along. Please connect what you need here.':
    'Aplicativos não vêm junto. Conecte aqui o que precisar.',
  'The connection no longer works there. Please connect the calendar here.':
    'A conexão não funciona mais lá. Conecte o calendário aqui.',
  'What the connection signs in with can’t be read. Please connect the calendar here.':
    'Não é possível ler com que a ligação inicia sessão. Ligue o calendário aqui, por favor.',
  'The connection does not allow all that is needed here. Please connect the calendar here.':
    'A ligação não permite tudo o que é preciso aqui. Ligue o calendário aqui, por favor.',
  'This account is connected here already, and stays as it is.':
    'Esta conta já está ligada aqui e fica como está.',
  'None of its calendars was found. Please connect the calendar here.':
    'Nenhum dos seus calendários foi encontrado. Ligue o calendário aqui, por favor.',
  'These of its calendars were not found: {0}.': 'Estes calendários não foram encontrados: {0}.',
  'This person has connected as many calendars as one may have.':
    'Esta pessoa já ligou tantos calendários quantos é possível ter.',
  'This service can’t use the connection. {0} has to connect the calendar again.':
    'Este serviço não pode usar a conexão. {0} precisa conectar o calendário de novo.',
  'Event types with a calendar of their own write to the one that their host has chosen.':
    'Tipos de evento com calendário próprio gravam no que o anfitrião escolheu.',
  'Its address can’t be read.': 'Não é possível ler o endereço.',
  'It belongs to the organization, which has no webhooks here. Please add it to a team.':
    'Pertence à organização, que aqui não tem webhooks. Adicione-o a uma equipe.',
  'None of the events that it is told of exist here.': 'Nenhum dos eventos que recebe existe aqui.',
  'It is not told of these events here: {0}.': 'Aqui não recebe estes eventos: {0}.',
  'It had a payload of its own there. Here it gets the usual one.':
    'Lá tinha um conteúdo próprio. Aqui recebe o de sempre.',
  'It was made by {0}: please connect that to this service.': 'Foi criado por {0}: conecte-o a este serviço.',
  'Messages follow bookings here, and not answers to a form.':
    'Aqui as mensagens seguem reservas, e não respostas a um formulário.',
  'Messages don’t tell of payments here: guests get Stripe’s receipts.':
    'Aqui as mensagens não falam de pagamentos: os convidados recebem os recibos do Stripe.',
  'Nobody knows here who has joined a video call.': 'Aqui não se sabe quem entrou em uma chamada de vídeo.',
  'Messages go to guests and hosts here, and not to a fixed address.':
    'Aqui as mensagens vão a convidados e anfitriões, e não a um endereço fixo.',
  'Text messages go to guests here, and not to a fixed number.':
    'Aqui os SMS vão a convidados, e não a um número fixo.',
  'There is no WhatsApp here.': 'Aqui não há WhatsApp.',
  'Nobody is called by a machine here.': 'Aqui nenhuma máquina telefona.',
  'This workflow has no steps.': 'Este fluxo não tem etapas.',
  'It belongs to the organization, which has no messages here. Please add it to a team.':
    'Pertence à organização, que aqui não tem mensagens. Adicione-o a uma equipe.',
  'The workflow that it belongs to does not come along.': 'O fluxo a que pertence não vem junto.',
  'There is no message for this moment here.': 'Aqui não há mensagem para este momento.',
  'Messages of this kind are not known here.': 'Aqui não há mensagens deste tipo.',
  'Text messages are not offered here, or not at this moment.':
    'Aqui não se oferecem SMS, ou não neste momento.',
  'No calendar file is attached here: the service’s own emails have it.':
    'Aqui não vai arquivo de calendário anexo: os e-mails do serviço o têm.',
  'It is for none of the forms that come along, so it is switched off here.':
    'Não é para nenhum dos formulários que vêm junto, então aqui fica desativado.',
  'It is only for those of its forms that belong to {0}.': 'É só para os formulários que pertencem a {0}.',
  'Answers to routing forms stay there: {0}. Export them there if you still need them.':
    'As respostas aos formulários ficam lá: {0}. Exporte-as lá se ainda precisar delas.',
  'It is for all forms of {0} here.': 'Aqui vale para todos os formulários de {0}.',
  'It is for none of the event types that come along, so it is switched off here.':
    'Não é para nenhum dos tipos de evento que vêm junto, então aqui fica desativado.',
  'It is only for those of its event types that belong to {0}.':
    'É só para os tipos de evento que pertencem a {0}.',
  'Bookings that need approval don’t get it here: please add one for approved bookings.':
    'Reservas que precisam de aprovação não o recebem aqui: adicione uma para reservas aprovadas.',
  'It is sent {0} minutes from the moment here, and not {1}.':
    'Aqui é enviado a {0} minutos do momento, e não a {1}.',
  'Not filled in here: {0}.': 'Não é preenchido aqui: {0}.',
  'It had no words of its own there, so it has ours.': 'Lá não tinha texto próprio, então tem o nosso.',
  'Its text is cut after {0} characters.': 'O texto é cortado após {0} caracteres.',
  '{0} as they are': '{0} como estão',
  '{0} changed': '{0} alterados',
  '{0} already here': '{0} já aqui',
  '{0} left out': '{0} de fora',
  '{0}: {1}.': '{0}: {1}.',
  People: 'Pessoas',
  Teams: 'Equipes',
  Invitations: 'Convites',
  Schedules: 'Agendas',
  Hours: 'Horários',
  'Time off': 'Ausências',
  Travel: 'Viagens',
  'Event types': 'Tipos de evento',
  'Private links': 'Links privados',
  Forms: 'Formulários',
  Attributes: 'Atributos',
  Webhooks: 'Webhooks',
  Workflows: 'Fluxos',
  Messages: 'Mensagens',
  'Blocked addresses': 'Endereços bloqueados',
  Bookings: 'Reservas',
  'Connected accounts': 'Contas conectadas',
  'Parts of it can’t be read, so they are as if they were empty.':
    'Partes não podem ser lidas, então contam como vazias.',
  'the minimum notice': 'a antecedência mínima',
  'the booking window': 'o período de reserva',
  'the number of seats': 'o número de vagas',
  'the limits': 'os limites',
  'We guessed from the times that it offered: {0}. Please check.':
    'Deduzimos pelos horários que oferecia: {0}. Verifique.',
  'It names no location there, so it is a video call here.':
    'Lá não indica um local, então aqui é uma chamada de vídeo.',
} satisfies Partial<Refusals>
