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
} satisfies Partial<Refusals>
