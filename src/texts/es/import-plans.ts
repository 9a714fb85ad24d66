import type { Refusals } from '../catalogue.ts'

/** What plans for moving in say. */
export default {
  'The person or team that it belongs to does not come along.':
    'La persona o el equipo a los que pertenece no se incluyen.',
  'The event type that it belongs to does not come along.':
    'El tipo de evento al que pertenece no se incluye.',
  'It is switched off there.': 'Está desactivado allí.',
  'You chose to leave it out.': 'Elegiste dejarlo fuera.',
  'This row has no id, so nothing can refer to it.':
    'Esta fila no tiene id, así que nada puede referirse a ella.',
  'Another row has the same id.': 'Otra fila tiene el mismo id.',
  'The time zone “{0}” is not known here, so it is the one of {1}.':
    'La zona horaria «{0}» no se conoce aquí, así que se usa la de {1}.',
  'Hours that end before they begin were left out.': 'Se omitieron las horas que terminan antes de empezar.',
  'The hours of one event type, which uses them as a schedule here.':
    'Las horas de un tipo de evento, que aquí las usa como horario.',
  'The hours had no schedule there, so they became one.':
    'Las horas no tenían horario propio allí, así que se convirtieron en uno.',
  'These hours of one event type were not used there: its schedule comes first.':
    'Estas horas de un tipo de evento no se usaban allí: su horario tiene prioridad.',
  'The schedule of these hours is missing.': 'Falta el horario de estas horas.',
  'It is over.': 'Ya ha pasado.',
  'Travel plans are not known here. Change the time zone of the schedule for that time.':
    'Aquí no hay planes de viaje. Cambia la zona horaria del horario durante ese tiempo.',
  'Its dates can’t be read.': 'No se pueden leer sus fechas.',
  'Days off were days in UTC there. Here they are whole days in {0}.':
    'Allí los días libres eran días en UTC. Aquí son días completos en {0}.',
  'Time off lasts at most {0} days here, so it ends on {1}.':
    'Aquí una ausencia dura como máximo {0} días, así que termina el {1}.',
  'The person who takes over does not come along.': 'La persona que sustituye no se incluye.',
  'Guests don’t see the note here.': 'Aquí los invitados no ven la nota.',
  'The organization is this whole service here. Its owners and admins become admins of the service.':
    'Aquí la organización es todo este servicio. Sus propietarios y administradores pasan a administrar el servicio.',
  'This person has no email address that we can read, so they couldn’t sign in.':
    'Esta persona no tiene un correo que podamos leer, así que no podría iniciar sesión.',
  'Another person has the same email address.': 'Otra persona tiene el mismo correo.',
  'Has an account here already: its name, link and page stay.':
    'Ya tiene una cuenta aquí: su nombre, enlace y página se mantienen.',
  'Becomes an admin of this service, as they are one there.': 'Pasa a administrar este servicio, como allí.',
  'Is locked there, so the account is disabled here.':
    'Está bloqueada allí, así que la cuenta queda desactivada aquí.',
  'Has to set up two-factor sign-in again.':
    'Tiene que volver a configurar el inicio de sesión en dos pasos.',
  'Had no name in links there: theirs is “{0}” here.': 'No tenía nombre en los enlaces allí: aquí es «{0}».',
  'The name in links is spelled “{0}” here. Links with “{1}” still work.':
    'El nombre en los enlaces se escribe aquí «{0}». Los enlaces con «{1}» siguen funcionando.',
  '“{0}” is reserved or taken here, so the name in links is “{1}”.':
    '«{0}» está reservado u ocupado aquí, así que el nombre en los enlaces es «{1}».',
  'The picture is stored over there: please upload it here.': 'La imagen está guardada allí: súbela aquí.',
  'The time zone “{0}” is not known here, so it is UTC.':
    'La zona horaria «{0}» no se conoce aquí, así que se usa UTC.',
  'There are no texts in “{0}” here, so pages are in English.':
    'Aquí no hay textos en «{0}», así que las páginas están en inglés.',
  'None of its members come along.': 'No se incluye ninguno de sus miembros.',
  'Was not published there, so its event types are open to private links only.':
    'No estaba publicado allí, así que solo los enlaces privados abren sus tipos de evento.',
  'Has no owner who comes along, so {0} becomes the owner.':
    'Ningún propietario se incluye, así que {0} pasa a ser propietario.',
  'Custom roles become owner, admin or member.':
    'Los roles propios pasan a ser propietario, administrador o miembro.',
  'A limit for all meetings of the team is not known here: each event type has its own.':
    'Aquí no hay un límite para todas las reuniones del equipo: cada tipo de evento tiene el suyo.',
  'The invitation to a team was not accepted there.': 'La invitación a un equipo no se aceptó allí.',
  'Weights that depend on attributes are not known here: the weights of hosts decide.':
    'Aquí no hay pesos según atributos: deciden los pesos de los anfitriones.',
  'The attribute is switched off there.': 'El atributo está desactivado allí.',
  'How its hosts are assigned is not known here, so all of them attend.':
    'Aquí no se conoce cómo se asignan sus anfitriones, así que asisten todos.',
  'Some hosts are not members of the team here, so they don’t host it.':
    'Algunos anfitriones no son miembros del equipo aquí, así que no participan.',
  'It has no hosts, so nobody can book it until you add one.':
    'No tiene anfitriones, así que nadie puede reservarlo hasta que añadas uno.',
  'Hosts have no priorities here: they take turns, by their weights.':
    'Aquí los anfitriones no tienen prioridades: se turnan según sus pesos.',
  'Hosts are one group here: one of them takes the meeting, and not one of each group.':
    'Aquí los anfitriones forman un solo grupo: uno de ellos toma la reunión, y no uno de cada grupo.',
  'Its hosts were chosen by their attributes. Here all of its hosts take turns.':
    'Sus anfitriones se elegían por sus atributos. Aquí se turnan todos.',
  'A host whose weight is 0 gets the smallest share here.':
    'Un anfitrión con peso 0 recibe aquí la parte más pequeña.',
  'The weights of hosts are rounded: the largest is {0} here.':
    'Los pesos de los anfitriones se redondean: aquí el mayor es {0}.',
  'One host can have their own schedule for an event type here. These use their default: {0}.':
    'Aquí un anfitrión puede tener su propio horario para un tipo de evento. Estos usan el suyo predeterminado: {0}.',
  'All hosts had the hours of “{0}” there. Here each host has their own.':
    'Allí todos los anfitriones tenían las horas de «{0}». Aquí cada uno tiene las suyas.',
  'Hours that restrict all hosts are not known here.':
    'Aquí no hay horas que restrinjan a todos los anfitriones.',
  'Its length can’t be read.': 'No se puede leer su duración.',
  'Meetings last at most 24 hours here.': 'Aquí las reuniones duran como máximo 24 horas.',
  'Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.':
    'Allí se sumaban los márgenes de dos reuniones. Aquí cuenta el más largo, así que los invitados ven más horas.',
  'Its rules left no time to book there. Here only private links open it: please check its notice and limits.':
    'Sus reglas no dejaban ninguna hora para reservar allí. Aquí solo lo abren enlaces privados: revisa su antelación y sus límites.',
  'Guests choose from at most {0} durations here: some were left out.':
    'Aquí los invitados eligen entre {0} duraciones como máximo: algunas se omitieron.',
  'Starts were shifted by {0} minutes there. Here they begin when your hours open.':
    'Allí los inicios se desplazaban {0} minutos. Aquí empiezan cuando se abren tus horas.',
  'Starts are {0} minutes apart here.': 'Aquí los inicios están separados por {0} minutos.',
  'Times that guests see in the next {0} days: {1} more and {2} fewer than there.':
    'Horas que ven los invitados en los próximos {0} días: {1} más y {2} menos que allí.',
  'Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.':
    'Allí los inicios se redondeaban en la zona del invitado. Aquí cuentan desde que se abren tus horas, así que difieren.',
  'The window reached over {0} days with free times there. Here it counts days without free times, too.':
    'Allí el plazo abarcaba {0} días con horas libres. Aquí también cuentan los días sin horas libres.',
  'The dates of its booking window can’t be read, so it has none.':
    'No se pueden leer las fechas de su plazo de reserva, así que no tiene.',
  'Its kind of booking window is not known here, so it has none.':
    'Aquí no se conoce su tipo de plazo de reserva, así que no tiene.',
  'Weeks begin on Sunday there and on Monday here, which matters for its limits.':
    'Allí las semanas empiezan en domingo y aquí en lunes, lo que afecta a sus límites.',
  'Guests can’t cancel there. Here they can until a year before the start.':
    'Allí los invitados no pueden cancelar. Aquí pueden hasta un año antes del inicio.',
  'Guests can’t reschedule there. Here they can until a year before the start.':
    'Allí los invitados no pueden cambiar la hora. Aquí pueden hasta un año antes del inicio.',
  'Series repeat every week, every two weeks or every month here, so this one is for single meetings.':
    'Aquí las series se repiten cada semana, cada dos semanas o cada mes, así que este es para reuniones sueltas.',
  'Monthly meetings keep their weekday here, and not their date.':
    'Aquí las reuniones mensuales mantienen el día de la semana, y no la fecha.',
  'A series has at most {0} meetings here.': 'Aquí una serie tiene como máximo {0} reuniones.',
  'A managed event type is a template. Its copies come along as event types of their own.':
    'Un tipo de evento gestionado es una plantilla. Sus copias se incluyen como tipos de evento propios.',
  'It belongs to nobody.': 'No pertenece a nadie.',
  'It belongs to the organization, which has no event types here. Please make it in a team.':
    'Pertenece a la organización, que aquí no tiene tipos de evento. Créalo en un equipo.',
  'Was a copy of a managed event type. It is edited on its own here.':
    'Era una copia de un tipo de evento gestionado. Aquí se edita por separado.',
  'Its link ends in “{0}” here. The old link still works.':
    'Su enlace termina aquí en «{0}». El enlace antiguo sigue funcionando.',
  'Its schedule does not come along, so the default one applies.':
    'Su horario no se incluye, así que se aplica el predeterminado.',
  'Round robin and seats don’t go together here, so every guest has a meeting of their own.':
    'Aquí no se combinan el turno rotatorio y las plazas, así que cada invitado tiene su propia reunión.',
  'Guests who share a meeting don’t see each other’s names here.':
    'Aquí los invitados que comparten una reunión no ven los nombres de los demás.',
  'Only guests with a free mailbox needed approval there. Here everyone does.':
    'Allí solo los invitados con un correo gratuito necesitaban aprobación. Aquí la necesitan todos.',
  'Only bookings on short notice needed approval there. Here all of them do.':
    'Allí solo las reservas con poca antelación necesitaban aprobación. Aquí la necesitan todas.',
  'A request blocks its time here until it is answered.':
    'Aquí una solicitud bloquea su hora hasta que se responde.',
  'It costs {0} there. Connect Stripe and set its price here; until then only private links open it.':
    'Allí cuesta {0}. Hasta que Stripe esté conectado y tenga aquí su precio, solo lo abren enlaces privados.',
  'Only people with an account could book it there. Here only private links open it.':
    'Allí solo podían reservarlo personas con cuenta. Aquí solo lo abren enlaces privados.',
  'Forms don’t lead to hidden event types here. Only forms and private links open this one.':
    'Aquí los formularios no llevan a tipos de evento ocultos. Este solo lo abren formularios y enlaces privados.',
  'The page after booking is not an address with https, so guests stay on ours.':
    'La página posterior a la reserva no es una dirección con https, así que los invitados se quedan en la nuestra.',
  'instant meetings': 'reuniones instantáneas',
  'a fixed time zone for guests': 'una zona horaria fija para los invitados',
  'a title of its own in calendars': 'un título propio en los calendarios',
  'hiding the host’s email address': 'ocultar el correo del anfitrión',
  'hiding details in calendars': 'ocultar detalles en los calendarios',
  'an address for replies': 'una dirección para respuestas',
  'a limit for each guest': 'un límite para cada invitado',
  'showing only the first time of a day': 'mostrar solo la primera hora de un día',
  'a location for each host': 'un lugar para cada anfitrión',
  'a language of its own': 'un idioma propio',
  'emails that are turned off': 'correos desactivados',
  'calendars of its own': 'calendarios propios',
  'a limit on how uneven the round robin gets': 'un límite a la desigualdad del turno rotatorio',
  'Not known here: {0}.': 'Aquí no existe: {0}.',
  'Guests who share a meeting meet in one place here: the first location stays.':
    'Aquí los invitados que comparten una reunión se ven en un solo lugar: queda el primero.',
  'Guests choose from at most {0} locations here: the last ones were left out.':
    'Aquí los invitados eligen entre {0} lugares como máximo: los últimos se omitieron.',
  'Guests see the address before they book.': 'Los invitados ven la dirección antes de reservar.',
  'Guests aren’t asked where to meet them: please add a question for their address.':
    'No se pregunta a los invitados dónde encontrarlos: añade una pregunta por su dirección.',
  'The link of the meeting can’t be read, so it is a video call without a link.':
    'No se puede leer el enlace de la reunión, así que es una videollamada sin enlace.',
  'The place is open there: please write it into the location.':
    'El lugar queda abierto allí: escríbelo en la ubicación.',
  '{0} is not offered here, so video calls have no link until you add one.':
    '{0} no se ofrece aquí, así que las videollamadas no tienen enlace hasta que añadas uno.',
  '{0} becomes {1}.': '{0} pasa a ser {1}.',
  'An event type asks at most {0} questions here: the last ones were left out.':
    'Aquí un tipo de evento hace como máximo {0} preguntas: las últimas se omitieron.',
  '“{0}” is a text field here.': '«{0}» es aquí un campo de texto.',
  '“{0}” is hidden, so it is optional here.': '«{0}» está oculto, así que aquí es opcional.',
  'An instant meeting that nobody has taken.': 'Una reunión instantánea que nadie tomó.',
  'Its time can’t be read.': 'No se puede leer su hora.',
  'It ends before it begins.': 'Termina antes de empezar.',
  'Its time is rounded to whole minutes.': 'Su hora se redondea a minutos enteros.',
  'Its host does not come along.': 'Su anfitrión no se incluye.',
  'Its state is not known here.': 'Aquí no se conoce su estado.',
  'Nobody answered the request in time, so it is declined.':
    'Nadie respondió la solicitud a tiempo, así que está rechazada.',
  'Its event type does not come along, so it is among the earlier meetings of {0}.':
    'Su tipo de evento no se incluye, así que está entre las reuniones anteriores de {0}.',
  'For meetings of {0} whose event type does not come along. Guests can’t see or book it.':
    'Para reuniones de {0} cuyo tipo de evento no se incluye. Los invitados no pueden verlo ni reservarlo.',
  'It has no guest whose address we can read.': 'No tiene ningún invitado cuya dirección podamos leer.',
  'Its video call is on the old system, and works as long as that runs.':
    'Su videollamada está en el sistema antiguo y funciona mientras este siga en marcha.',
  'A guest brings at most {0} others here: the last ones were left out.':
    'Aquí un invitado trae como máximo a {0} más: los últimos se omitieron.',
  'Guests whose address can’t be read were left out.':
    'Se omitieron los invitados cuya dirección no se puede leer.',
  'Overlaps a meeting of {0} that was booked earlier. Both come along.':
    'Coincide con una reunión de {0} reservada antes. Se incluyen las dos.',
  'Was one of a series that we can’t continue: it is a meeting of its own here.':
    'Era parte de una serie que no podemos continuar: aquí es una reunión suelta.',
  'It was paid there: {0}. A refund has to be made there, too.':
    'Se pagó allí: {0}. Un reembolso también hay que hacerlo allí.',
  'Leads to event types of {0}, so it belongs to that team here.':
    'Lleva a tipos de evento de {0}, así que aquí pertenece a ese equipo.',
  'Nobody gets an email for each answer here: answers are listed with the form.':
    'Aquí nadie recibe un correo por cada respuesta: las respuestas están junto al formulario.',
  'Rule {0} asks for something that rules can’t say here, so it was left out.':
    'La regla {0} pide algo que aquí las reglas no pueden expresar, así que se omitió.',
  'Rule {0} leads to a place that forms can’t lead to here, so it was left out.':
    'La regla {0} lleva a un lugar al que aquí los formularios no pueden llevar, así que se omitió.',
  'A form has at most {0} rules here: the last ones were left out.':
    'Aquí un formulario tiene como máximo {0} reglas: las últimas se omitieron.',
  'Visitors whom no rule leads anywhere see a message that thanks them.':
    'Los visitantes a los que ninguna regla lleva a ningún sitio ven un mensaje de agradecimiento.',
  'Answers are not filled into the address {0} here.':
    'Aquí las respuestas no se insertan en la dirección {0}.',
  'A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.':
    'Una regla elige anfitriones de una forma que aquí no se puede expresar, así que lleva a todos los anfitriones de su tipo de evento.',
  'A second choice of hosts, for when the first fits nobody, is not known here.':
    'Aquí no hay una segunda elección de anfitriones para cuando la primera no encaja con nadie.',
  'Its link can’t be read.': 'No se puede leer su enlace.',
  'Another private link has the same address.': 'Otro enlace privado tiene la misma dirección.',
  'The link has expired.': 'El enlace ha caducado.',
  'The link has been used up.': 'El enlace ya se ha usado.',
  'Only email addresses and domains are blocked here.': 'Aquí solo se bloquean correos y dominios.',
  'It was watched there and not blocked.': 'Allí se vigilaba y no se bloqueaba.',
  'It is listed twice.': 'Aparece dos veces.',
  'It is neither an email address nor a domain.': 'No es ni un correo ni un dominio.',
  'Apps don’t come along. Please connect what you need here.':
    'Las aplicaciones no se incluyen. Conecta aquí lo que necesites.',
  'The connection no longer works there. Please connect the calendar here.':
    'La conexión ya no funciona allí. Conecta el calendario aquí.',
  'What the connection signs in with can’t be read. Please connect the calendar here.':
    'No se puede leer con qué se autentica la conexión. Conecta el calendario aquí, por favor.',
  'The connection does not allow all that is needed here. Please connect the calendar here.':
    'La conexión no permite todo lo que aquí hace falta. Conecta el calendario aquí, por favor.',
  'This account is connected here already, and stays as it is.':
    'Esta cuenta ya está conectada aquí y se queda como está.',
  'None of its calendars was found. Please connect the calendar here.':
    'No se encontró ninguno de sus calendarios. Conecta el calendario aquí, por favor.',
  'These of its calendars were not found: {0}.': 'No se encontraron estos calendarios: {0}.',
  'This person has connected as many calendars as one may have.':
    'Esta persona ya tiene conectados todos los calendarios que se pueden tener.',
  'This service can’t use the connection. {0} has to connect the calendar again.':
    'Este servicio no puede usar la conexión. {0} tiene que volver a conectar el calendario.',
  'Event types with a calendar of their own write to the one that their host has chosen.':
    'Los tipos de evento con calendario propio escriben en el que eligió su anfitrión.',
  'Its address can’t be read.': 'No se puede leer su dirección.',
  'It belongs to the organization, which has no webhooks here. Please add it to a team.':
    'Pertenece a la organización, que aquí no tiene webhooks. Añádelo a un equipo.',
  'None of the events that it is told of exist here.': 'Aquí no existe ninguno de los eventos que recibe.',
  'It is not told of these events here: {0}.': 'Aquí no recibe estos eventos: {0}.',
  'It had a payload of its own there. Here it gets the usual one.':
    'Allí tenía un contenido propio. Aquí recibe el habitual.',
  'It was made by {0}: please connect that to this service.': 'Lo creó {0}: conéctalo con este servicio.',
  'Messages follow bookings here, and not answers to a form.':
    'Aquí los mensajes siguen a reservas, y no a respuestas de un formulario.',
  'Messages don’t tell of payments here: guests get Stripe’s receipts.':
    'Aquí los mensajes no hablan de pagos: los invitados reciben los recibos de Stripe.',
  'Nobody knows here who has joined a video call.': 'Aquí no se sabe quién ha entrado en una videollamada.',
  'Messages go to guests and hosts here, and not to a fixed address.':
    'Aquí los mensajes van a invitados y anfitriones, y no a una dirección fija.',
  'Text messages go to guests here, and not to a fixed number.':
    'Aquí los SMS van a los invitados, y no a un número fijo.',
  'There is no WhatsApp here.': 'Aquí no hay WhatsApp.',
  'Nobody is called by a machine here.': 'Aquí ninguna máquina llama por teléfono.',
  'This workflow has no steps.': 'Este flujo no tiene pasos.',
  'It belongs to the organization, which has no messages here. Please add it to a team.':
    'Pertenece a la organización, que aquí no tiene mensajes. Añádelo a un equipo.',
  'The workflow that it belongs to does not come along.': 'El flujo al que pertenece no se incluye.',
  'There is no message for this moment here.': 'Aquí no hay mensaje para este momento.',
  'Messages of this kind are not known here.': 'Aquí no hay mensajes de este tipo.',
  'Text messages are not offered here, or not at this moment.':
    'Aquí no se ofrecen SMS, o no en este momento.',
  'No calendar file is attached here: the service’s own emails have it.':
    'Aquí no se adjunta un archivo de calendario: lo llevan los correos del servicio.',
  'It is for none of the forms that come along, so it is switched off here.':
    'No es para ninguno de los formularios incluidos, así que aquí está desactivado.',
  'It is only for those of its forms that belong to {0}.':
    'Solo es para los formularios que pertenecen a {0}.',
  'Answers to routing forms stay there: {0}. Export them there if you still need them.':
    'Las respuestas a los formularios se quedan allí: {0}. Expórtalas allí si aún las necesitas.',
  'It is for all forms of {0} here.': 'Aquí vale para todos los formularios de {0}.',
  'It is for none of the event types that come along, so it is switched off here.':
    'No es para ninguno de los tipos de evento incluidos, así que aquí está desactivado.',
  'It is only for those of its event types that belong to {0}.':
    'Solo es para los tipos de evento que pertenecen a {0}.',
  'Bookings that need approval don’t get it here: please add one for approved bookings.':
    'Las reservas que necesitan aprobación no lo reciben aquí: añade uno para reservas aprobadas.',
  'It is sent {0} minutes from the moment here, and not {1}.':
    'Aquí se envía a {0} minutos del momento, y no a {1}.',
  'Not filled in here: {0}.': 'Aquí no se rellena: {0}.',
  'It had no words of its own there, so it has ours.':
    'Allí no tenía texto propio, así que tiene el nuestro.',
  'Its text is cut after {0} characters.': 'Su texto se corta tras {0} caracteres.',
  '{0} as they are': '{0} tal cual',
  '{0} changed': '{0} cambiados',
  '{0} already here': '{0} ya aquí',
  '{0} left out': '{0} omitidos',
  '{0}: {1}.': '{0}: {1}.',
  People: 'Personas',
  Teams: 'Equipos',
  Invitations: 'Invitaciones',
  Schedules: 'Horarios',
  Hours: 'Horas',
  'Time off': 'Ausencias',
  Travel: 'Viajes',
  'Event types': 'Tipos de evento',
  'Private links': 'Enlaces privados',
  Forms: 'Formularios',
  Attributes: 'Atributos',
  Webhooks: 'Webhooks',
  Workflows: 'Flujos',
  Messages: 'Mensajes',
  'Blocked addresses': 'Direcciones bloqueadas',
  Bookings: 'Reservas',
  'Connected accounts': 'Cuentas conectadas',
  'Parts of it can’t be read, so they are as if they were empty.':
    'Algunas partes no se pueden leer, así que cuentan como vacías.',
  'the minimum notice': 'la antelación mínima',
  'the booking window': 'el plazo de reserva',
  'the number of seats': 'el número de plazas',
  'the limits': 'los límites',
  'We guessed from the times that it offered: {0}. Please check.':
    'Lo dedujimos de las horas que ofrecía: {0}. Compruébalo.',
  'It names no location there, so it is a video call here.':
    'Allí no indica ningún lugar, así que aquí es una videollamada.',
} satisfies Partial<Refusals>
