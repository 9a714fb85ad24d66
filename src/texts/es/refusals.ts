import type { Refusals } from '../catalogue.ts'
import importPlans from './import-plans.ts'

export default {
  ...importPlans,
  '{0}, {1}': '{0}, {1}',
  'There is more at {0} than we can read.': 'Hay más en {0} de lo que podemos leer.',
  '{0} refuses more requests for now. Please try again later.':
    '{0} no acepta más solicitudes por ahora. Inténtalo de nuevo más tarde.',
  '{0} could not be reached. Please try again later.':
    'No se pudo conectar con {0}. Inténtalo de nuevo más tarde.',
  '{0} refused the token. Please make a new one that may read everything.':
    '{0} rechazó el token. Crea uno nuevo que pueda leerlo todo.',
  '{0} did not answer as expected. Please check the address.':
    '{0} no respondió como se esperaba. Comprueba la dirección.',
  "Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.":
    'La API de Cal.com no incluye los flujos de trabajo, la lista de bloqueo ni los calendarios conectados. Importa desde su base de datos para traerlos o configúralos aquí.',
  "Cal.com's API shows hidden event types and private links only to their owner.":
    'La API de Cal.com muestra los tipos de evento ocultos y los enlaces privados solo a su propietario.',
  'This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.':
    'Esta base de datos no tiene tablas de Cal.com. Indica la dirección que Cal.com usa como DATABASE_URL.',
  'This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.':
    'Esta no es la dirección de una base de datos PostgreSQL. Tiene esta forma: postgres://user:password@host/database.',
  'The database could not be reached. Please check its address, and whether this server may connect to it.':
    'No se pudo conectar con la base de datos. Comprueba la dirección y si este servidor puede conectarse a ella.',
  'The database stopped answering while it was read. Please try again.':
    'La base de datos dejó de responder durante la lectura. Inténtalo de nuevo.',
  'The database refused the user name or the password.':
    'La base de datos rechazó el nombre de usuario o la contraseña.',
  'There is no database of this name on that server.':
    'No hay ninguna base de datos con este nombre en ese servidor.',
  'This user of the database may not read the tables of Cal.com.':
    'Este usuario de la base de datos no puede leer las tablas de Cal.com.',
  'This dump has no tables of Cal.com. Please dump the database that Cal.com uses.':
    'Este volcado no tiene tablas de Cal.com. Haz uno de la base de datos que usa Cal.com.',
  'This dump is in the encoding {0}. Make it again with: pg_dump --encoding=UTF8':
    'Este volcado tiene la codificación {0}. Vuelve a hacerlo con: pg_dump --encoding=UTF8',
  'The dump does not name the columns of the table {0}, so its rows are left out. Make it again without --data-only.':
    'El volcado no nombra las columnas de la tabla {0}, así que se omiten sus filas. Vuelve a hacerlo sin --data-only.',
  'A row of the table {0} does not have as many values as there are columns, so it is left out.':
    'Una fila de la tabla {0} no tiene tantos valores como columnas, así que se omite.',
  'A row of the table {0} is larger than {1}, so it is left out.':
    'Una fila de la tabla {0} ocupa más de {1}, así que se omite.',
  "Calendly's API does not say where routing forms lead. Please add their rules here.":
    'La API de Calendly no indica adónde llevan los formularios de enrutamiento. Añade sus reglas aquí.',
  'This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.':
    'Este volcado está incompleto: se interrumpe antes del final. Vuelve a hacerlo y cópialo entero.',
  'This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain':
    'Este archivo no es un volcado de una base de datos PostgreSQL. Haz uno con: pg_dump --format=plain',
  'This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain':
    'Este volcado tiene el formato propio de pg_dump, que no podemos leer. Vuelve a hacerlo con: pg_dump --format=plain',
  'This dump is larger than {0} when unpacked.': 'Este volcado ocupa más de {0} al descomprimirlo.',
  'Choose a host, or let the round robin choose one: either, not both.':
    'Elige un anfitrión o deja que el turno rotatorio elija uno: una cosa o la otra, no ambas.',
  '{field} must be left out: this event type is for one guest.':
    'El campo «{field}» debe omitirse: este tipo de evento es para un solo invitado.',
  '{field} must be email addresses.': 'El campo «{field}» solo puede contener direcciones de correo.',
  '{field} must be at most 1 email address.':
    'El campo «{field}» puede contener como máximo 1 dirección de correo.',
  '{field} must be at most {0} email addresses.':
    'El campo «{field}» puede contener como máximo {0} direcciones de correo.',
  '{field} must be in the future.': 'El campo «{field}» debe estar en el futuro.',
  '{field} must be a host of this event type.':
    'El campo «{field}» debe ser un anfitrión de este tipo de evento.',
  '{field} must be after startTime.': 'El campo «{field}» debe ser posterior a startTime.',
  '{field} must be {0} minutes after startTime: take both from one listed slot.':
    'El campo «{field}» debe ser {0} minutos posterior a startTime: toma ambos de un mismo horario ofrecido.',
  '{field} must be a phone number.': 'El campo «{field}» debe ser un número de teléfono.',
  '{field} must be a language code such as en or pt-BR.':
    'El campo «{field}» debe ser un código de idioma como en o pt-BR.',
  '{field} is not possible: this event type has no series.':
    'El campo «{field}» no es posible: este tipo de evento no tiene series.',
  'Not available on {0}. Please choose another time.': 'No disponible el {0}. Elige otra hora.',
  'This email address has already booked this time on {0}.':
    'Esta dirección de correo ya ha reservado esta hora el {0}.',
  '{field} must look like https://example.com/calendar.ics.':
    'El campo «{field}» debe tener la forma https://example.com/calendar.ics.',
  '{field} must not contain a colon.': 'El campo «{field}» no puede contener dos puntos.',
  'Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.':
    'No se pueden añadir reservas a un calendario suscrito, solo a un calendario CalDAV o a una cuenta conectada.',
  '{field} must be the nextCursor of the previous page.':
    'El campo «{field}» debe ser el nextCursor de la página anterior.',
  '{field} must not be before the start.': 'El campo «{field}» no puede ser anterior al inicio.',
  '{field} must be between the years 1970 and 9999.':
    'El campo «{field}» debe estar entre los años 1970 y 9999.',
  '{field} must be after the start.': 'El campo «{field}» debe ser posterior al inicio.',
  'Time off can last at most {0} days. Add it in several parts.':
    'Una ausencia puede durar como máximo {0} días. Añádela en varias partes.',
  'Choose someone from one of your teams to stand in for you.':
    'Elija a alguien de uno de sus equipos como sustituto.',
  '{field} must be an email address, or a domain such as example.com.':
    'El campo «{field}» debe ser una dirección de correo o un dominio como example.com.',
  'There can be at most {0} reminders.': 'Puede haber como máximo {0} recordatorios.',
  'Two reminders have the same time.': 'Dos recordatorios tienen la misma hora.',
  'Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.':
    'Los invitados que comparten un horario necesitan los mismos anfitriones. Usa 1 plaza, o el modo conjunto en lugar del turno rotatorio.',
  'A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.':
    'Un horario con varias plazas no se puede retener para un solo invitado. Usa 1 plaza o desactiva la retención.',
  'Guests can choose from at most {0} durations.':
    'Los invitados pueden elegir entre {0} duraciones como máximo.',
  'Two durations are the same.': 'Dos duraciones son iguales.',
  'The durations must include the default of {0} minutes.':
    'Las duraciones deben incluir la predeterminada de {0} minutos.',
  '{field} must be a whole number of minutes from {0} to {1}.':
    'El campo «{field}» debe ser un número entero de minutos de {0} a {1}.',
  'The minimum notice is longer than the booking window, so nothing could ever be booked.':
    'La antelación mínima es mayor que el plazo de reserva, así que nunca se podría reservar nada.',
  'This limit is shorter than a meeting, so nothing could ever be booked.':
    'Este límite es más corto que una reunión, así que nunca se podría reservar nada.',
  'A fixed booking window needs two dates (YYYY-MM-DD).':
    'Un plazo de reserva fijo necesita dos fechas (AAAA-MM-DD).',
  'The booking window ends before it begins.': 'El plazo de reserva termina antes de empezar.',
  'There can be at most {0} sites.': 'Puede haber como máximo {0} sitios.',
  '"{0}" is not a site such as https://www.example.com.':
    '«{0}» no es un sitio como https://www.example.com.',
  'Write "{0}" as {1}.': 'Escribe «{0}» como {1}.',
  '"{0}" must begin with https://. Only this machine itself can use http://.':
    '«{0}» debe empezar por https://. Solo esta misma máquina puede usar http://.',
  '"{0}" is listed twice.': '«{0}» aparece dos veces.',
  '"{0}" is not a time zone we know.': '«{0}» no es una zona horaria conocida.',
  'Weekdays are numbered 1 (Monday) to 7 (Sunday).':
    'Los días de la semana van del 1 (lunes) al 7 (domingo).',
  '"{0}" is not a date (YYYY-MM-DD).': '«{0}» no es una fecha (AAAA-MM-DD).',
  Monday: 'lunes',
  Tuesday: 'martes',
  Wednesday: 'miércoles',
  Thursday: 'jueves',
  Friday: 'viernes',
  Saturday: 'sábado',
  Sunday: 'domingo',
  'Hours on {0} must end after they start, as HH:MM up to 24:00 (got {1} to {2}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.':
    'Las horas del {0} deben terminar después de empezar, en formato HH:MM hasta 24:00 (se indicó de {1} a {2}). Para horas pasada la medianoche, añade dos tramos: hasta las 24:00 y desde las 00:00 del día siguiente.',
  'Hours on {0} overlap.': 'Las horas del {0} se solapan.',
  '{field} must be left out: this event type has one location.':
    'El campo «{field}» debe omitirse: este tipo de evento tiene un solo lugar.',
  '{field} is required, because the host calls you.':
    'El campo «{field}» es obligatorio, porque el anfitrión te llama.',
  'Guests can choose from at most {0} locations.':
    'Los invitados pueden elegir entre {0} lugares como máximo.',
  'Guests who share a slot meet in one place. Use 1 seat, or one location.':
    'Los invitados que comparten un horario se reúnen en un mismo lugar. Usa 1 plaza o un solo lugar.',
  '{field} must be 1 to 64 letters, digits, hyphens or underscores.':
    'El campo «{field}» debe tener de 1 a 64 letras, cifras, guiones o guiones bajos.',
  'Two locations have the same id.': 'Dos lugares tienen el mismo id.',
  '{field} must be a web address that begins with https:// or http://.':
    'El campo «{field}» debe ser una dirección web que empiece por https:// o http://.',
  'Only video calls get a meeting link of their own.':
    'Solo las videollamadas tienen su propio enlace de reunión.',
  'Leave this empty: every booking gets its own link.': 'Déjalo vacío: cada reserva recibe su propio enlace.',
  '"{0}" must be true or false.': '«{0}» debe ser verdadero o falso.',
  '"{0}" must be a number.': '«{0}» debe ser un número.',
  '"{0}" must be one of {1}.': '«{0}» debe ser uno de estos valores: {1}.',
  '"{0}" must be a list with some of {1}.': '«{0}» debe ser una lista con algunos de estos valores: {1}.',
  '"{0}" must be a web address that begins with https:// or http://.':
    '«{0}» debe ser una dirección web que empiece por https:// o http://.',
  '{field} must begin with a letter, and contain only letters, digits, _ and -.':
    'El campo «{field}» debe empezar por una letra y contener solo letras, cifras, _ y -.',
  'Two questions have the key "{0}".': 'Dos preguntas tienen la clave «{0}».',
  '{field} must be a web address that begins with https://.':
    'El campo «{field}» debe ser una dirección web que empiece por https://.',
  '{field} must not contain a user name or password.':
    'El campo «{field}» no puede contener un nombre de usuario ni una contraseña.',
  'Choose how often a series may repeat.': 'Elige con qué frecuencia puede repetirse una serie.',
  '{field} is there twice.': 'El campo «{field}» aparece dos veces.',
  'The form "{0}" chooses hosts by this. Change the form first: {1}':
    'El formulario «{0}» elige anfitriones según esto. Cambia primero el formulario: {1}',
  'No rule matches, so it leads to {0} instead of {1}.':
    'Ninguna regla se cumple, así que lleva a {0} en lugar de a {1}.',
  'Rule {0} matches, so it leads to {1} instead of {2}.':
    'La regla {0} se cumple, así que lleva a {1} en lugar de a {2}.',
  'The test "{0}" fails. {1}': 'La prueba «{0}» falla. {1}',
  'the message "{0}"': 'el mensaje «{0}»',
  'an event type that does not exist': 'un tipo de evento que no existe',
  'Host filters can be nested at most {0} deep.':
    'Los filtros de anfitriones se pueden anidar hasta {0} niveles.',
  'A host filter is about one attribute, or it is a group: all or any.':
    'Un filtro de anfitriones trata de un atributo o es un grupo: all o any.',
  'Unknown field "{0}.{1}".': 'Campo desconocido «{0}.{1}».',
  'A group of a host filter needs at least one condition.':
    'Un grupo de un filtro de anfitriones necesita al menos una condición.',
  'A condition on hosts needs the key of an attribute.':
    'Una condición sobre anfitriones necesita la clave de un atributo.',
  'A condition on hosts has one of {0}.': 'Una condición sobre anfitriones tiene uno de estos: {0}.',
  '“is one of” takes a list of 1 to {0} values.': '«es una de» admite una lista de 1 a {0} valores.',
  'A condition on hosts compares with text of 1 to {0} characters.':
    'Una condición sobre anfitriones compara con un texto de 1 a {0} caracteres.',
  'A condition on hosts compares with text, or with the answer to a field.':
    'Una condición sobre anfitriones compara con un texto o con la respuesta a un campo.',
  'A condition on hosts asks for the answer to {0}, which is not a field of this form.':
    'Una condición sobre anfitriones pide la respuesta a {0}, que no es un campo de este formulario.',
  '{0} is not an attribute of the team.': '{0} no es un atributo del equipo.',
  '"{0}" can be compared by {1}, not by {2}.': '«{0}» se puede comparar con {1}, no con {2}.',
  '"{0}" is not an option of "{1}".': '«{0}» no es una opción de «{1}».',
  '{field} must be a whole number of days from {0} to {1}.':
    'El campo «{field}» debe ser un número entero de días de {0} a {1}.',
  'Please start again from the form.': 'Vuelve a empezar desde el formulario.',
  '"{0}" is required.': '«{0}» es obligatorio.',
  'Send at most {0} answers to fields that the form does not have.':
    'Envía como máximo {0} respuestas a campos que el formulario no tiene.',
  'An answer to a field that the form does not have can be at most {0} characters long.':
    'Una respuesta a un campo que el formulario no tiene puede tener como máximo {0} caracteres.',
  '"{0}" must be at most {1} characters.': '«{0}» puede tener como máximo {1} caracteres.',
  '"{0}" must be one of its options.': '«{0}» debe ser una de sus opciones.',
  '"{0}" must be a list with some of its options.': '«{0}» debe ser una lista con algunas de sus opciones.',
  '"{0}" must be an email address.': '«{0}» debe ser una dirección de correo.',
  '"{0}" must be a phone number.': '«{0}» debe ser un número de teléfono.',
  '"{0}" must be one line of text without control characters.':
    '«{0}» debe ser una línea de texto sin caracteres de control.',
  '"{0}" must be text without control characters.': '«{0}» debe ser un texto sin caracteres de control.',
  'Two fields have the id "{0}".': 'Dos campos tienen el id «{0}».',
  'Two tests have the name "{0}".': 'Dos pruebas tienen el nombre «{0}».',
  'The test "{0}" answers "{1}", which is not a field of this form.':
    'La prueba «{0}» responde a «{1}», que no es un campo de este formulario.',
  'The test "{0}" has an answer that is not text.': 'La prueba «{0}» tiene una respuesta que no es texto.',
  '"{0}" is not a select, so it cannot have options.':
    '«{0}» no es una lista de selección, así que no puede tener opciones.',
  '"{0}" has two options with the same id.': '«{0}» tiene dos opciones con el mismo id.',
  'Conditions can be nested at most {0} deep.': 'Las condiciones se pueden anidar hasta {0} niveles.',
  'A condition is about one field, or it is a group: all or any.':
    'Una condición trata de un campo o es un grupo: all o any.',
  '{field} must be a list of conditions.': 'El campo «{field}» debe ser una lista de condiciones.',
  'A rule needs at least one condition.': 'Una regla necesita al menos una condición.',
  'A rule is about {0}, which is not a field of this form.':
    'Una regla trata de {0}, que no es un campo de este formulario.',
  'A rule about "{0}" needs an operator: one of {1}.':
    'Una regla sobre «{0}» necesita un operador, uno de estos: {1}.',
  'A rule about "{0}" needs something to compare with.':
    'Una regla sobre «{0}» necesita algo con lo que comparar.',
  '{0} takes a list ("{1}").': '{0} admite una lista («{1}»).',
  'Only {0} and {1} take a list ("{2}").': 'Solo {0} y {1} admiten una lista («{2}»).',
  '{0} takes at most {1} values ("{2}").': '{0} admite como máximo {1} valores («{2}»).',
  'A rule about "{0}" compares with a number.': 'Una regla sobre «{0}» compara con un número.',
  'A rule about "{0}" compares with text of at most {1} characters.':
    'Una regla sobre «{0}» compara con un texto de {1} caracteres como máximo.',
  'A rule about "{0}" needs something to compare with. To look for an empty answer, choose “is empty”.':
    'Una regla sobre «{0}» necesita algo con lo que comparar. Para una respuesta vacía, elige «está vacío».',
  'A rule compares "{0}" with "{1}", which is not one of its options.':
    'Una regla compara «{0}» con «{1}», que no es una de sus opciones.',
  'Enter the address to send visitors to.': 'Escribe la dirección a la que enviar a los visitantes.',
  'Visitors cannot be sent to "{0}". Use an address that begins with https://.':
    'No se puede enviar a los visitantes a «{0}». Usa una dirección que empiece por https://.',
  'Enter the address to look owners up at. It begins with https://.':
    'Escribe la dirección donde buscar a los responsables. Empieza por https://.',
  'Choose one of the owner’s event types to send visitors to.':
    'Elige un tipo de evento del propietario al que enviar a los visitantes.',
  '{field} must be 1 to 64 letters, digits, _ and -.':
    'El campo «{field}» debe tener de 1 a 64 letras, cifras, _ y -.',
  'The key "email" is reserved. Choose another.': 'La clave «email» está reservada. Elige otra.',
  'Two attributes have the key "{0}".': 'Dos atributos tienen la clave «{0}».',
  '"{0}" is text, so it cannot have options.': '«{0}» es texto, así que no puede tener opciones.',
  '"{0}" needs at least one option.': '«{0}» necesita al menos una opción.',
  'A hidden question can’t be required: guests don’t see it.':
    'Una pregunta oculta no puede ser obligatoria: los invitados no la ven.',
  'The option "{0}" cannot contain a semicolon, which separates options.':
    'La opción «{0}» no puede contener un punto y coma, que separa las opciones.',
  '"{0}" has the option "{1}" twice.': '«{0}» tiene la opción «{1}» dos veces.',
  '"{0}" is not an attribute of this team.': '«{0}» no es un atributo de este equipo.',
  '"{0}" has no option {1}. Choose from: {2}.': '«{0}» no tiene la opción {1}. Elige entre: {2}.',
  '"{0}" must be a list of its options.': '«{0}» debe ser una lista de sus opciones.',
  '"{0}" must be text.': '«{0}» debe ser texto.',
  '"{0}" must be one line of at most {1} characters.':
    '«{0}» debe ser una línea de {1} caracteres como máximo.',
  '"{0}" is set for {1}. Clear it there before you delete it.':
    '«{0}» está definido para {1}. Quítalo ahí antes de eliminarlo.',
  '"{0}" is set for {1}. Clear it there before you change its type.':
    '«{0}» está definido para {1}. Quítalo ahí antes de cambiar su tipo.',
  '"{0}" ({1}) is set for {2}. Choose another option there first.':
    '«{0}» ({1}) está definido para {2}. Elige ahí primero otra opción.',
  '{0} and {1} more': '{0} y {1} más',
  'The row has more cells than there are columns.': 'La fila tiene más celdas que columnas hay.',
  'No member of this team has this email address.':
    'Ningún miembro de este equipo tiene esta dirección de correo.',
  'Row {0} is about the same member.': 'La fila {0} trata del mismo miembro.',
  'The file has two columns "{0}".': 'El archivo tiene dos columnas «{0}».',
  'The file has a column "{0}". Its columns can be: {1}.':
    'El archivo tiene una columna «{0}». Sus columnas pueden ser: {1}.',
  'The file needs a column "email" in its first row.':
    'El archivo necesita una columna «email» en la primera fila.',
  '{field} must be 1 to 64 lower-case letters, digits and hyphens.':
    'El campo «{field}» debe tener de 1 a 64 letras minúsculas, cifras y guiones.',
  '"{0}" is already taken. Please choose another.': '«{0}» ya está en uso. Elige otro.',
  '"{0}" is a former address that still leads to the new one. Please choose another.':
    '«{0}» es una dirección anterior que todavía lleva a la nueva. Elige otra.',
  'This page has had {0} other addresses already. Choose one of them.':
    'Esta página ya ha tenido otras {0} direcciones. Elige una de ellas.',
  'The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.':
    'La base de datos dejó de responder antes de confirmarlo, así que puede que se haya guardado o que no. Compruébalo antes de repetirlo. Una reserva se puede repetir con la misma Idempotency-Key: solo se hace una vez.',
  '{0} {1}': '{0} {1}',
  '{0} or {1}': '{0} o {1}',
  '{field} contains a NUL character.': 'El campo «{field}» contiene un carácter NUL.',
  '{field} contains text that is not valid Unicode.':
    'El campo «{field}» contiene texto que no es Unicode válido.',
  '{field} is nested too deeply.': 'El campo «{field}» está anidado con demasiada profundidad.',
  'The event {0} is listed twice.': 'El evento {0} aparece dos veces.',
  'An event type is listed twice.': 'Un tipo de evento aparece dos veces.',
  'This is a text message. We’ve emailed you its text, because nobody is texted without their consent.':
    'Es un mensaje de texto. Te hemos enviado su texto por correo, porque nadie recibe un SMS sin su consentimiento.',
  'Only the formats of Cal.com and Calendly take a secret of your own.':
    'Solo los formatos de Cal.com y Calendly admiten un secreto propio.',
  'The format of this webhook has no such event.': 'El formato de este webhook no tiene ese evento.',
  'This webhook has a secret of your own, which this format can’t use. Create a new secret first.':
    'Este webhook tiene un secreto propio que este formato no puede usar. Crea antes un secreto nuevo.',
  'Payload templates aren’t supported. Leave this empty.':
    'No se admiten plantillas del contenido. Deja esto vacío.',
  'The file has a quotation mark that is not closed.': 'El archivo tiene unas comillas sin cerrar.',
  '{field} is required with the other date.': 'El campo «{field}» es obligatorio junto con la otra fecha.',
  '{field} replaces startTime and endTime. Send either dates or instants.':
    'El campo «{field}» sustituye a startTime y endTime. Envía fechas o instantes, no ambos.',
  'Send the file itself as the body, as text/csv.': 'Envía el propio archivo como cuerpo, como text/csv.',
  'The file is not UTF-8 text. Save it as CSV UTF-8.':
    'El archivo no es texto UTF-8. Guárdalo como CSV UTF-8.',
  'Send the image itself as the body, with its type as Content-Type.':
    'Envía la propia imagen como cuerpo, con su tipo en Content-Type.',
  'This has changed since you loaded it. Reload it, then make your change again.':
    'Esto ha cambiado desde que lo cargaste. Vuelve a cargarlo y repite el cambio.',
  'Pages of other origins cannot use this endpoint.':
    'Las páginas de otros orígenes no pueden usar este punto de acceso.',
  'Send one message at a time, not an array.': 'Envía un mensaje cada vez, no una lista.',
  'Send MCP messages by POST.': 'Envía los mensajes MCP por POST.',
  'The address is not valid.': 'La dirección no es válida.',
  'The request does not say which host it is for.': 'La solicitud no indica para qué host es.',
  'This can only be asked for by the service’s own pages.':
    'Esto solo lo pueden pedir las páginas del propio servicio.',
  'The service is too busy just now. Please try again in a moment.':
    'El servicio está demasiado ocupado ahora mismo. Inténtalo de nuevo en un momento.',
  'Too many requests. Please try again in {0} seconds.':
    'Demasiadas solicitudes. Inténtalo de nuevo en {0} s.',
  'The pages of this service have not been built.': 'Las páginas de este servicio no se han generado.',
  'There is nothing at this address.': 'No hay nada en esta dirección.',
  'The service cannot reach its database just now. Please try again in a moment.':
    'El servicio no puede acceder a su base de datos ahora mismo. Inténtalo de nuevo en un momento.',
  'The service has run out of storage, so nothing was booked or changed. Please try again later.':
    'El servicio se ha quedado sin espacio de almacenamiento, así que no se ha reservado ni cambiado nada. Inténtalo de nuevo más tarde.',
  'The request is not valid.': 'La solicitud no es válida.',
  'Something went wrong on our side.': 'Algo ha salido mal por nuestra parte.',
  'The body must be JSON, and must not be empty.': 'El cuerpo debe ser JSON y no puede estar vacío.',
  'The address is too long.': 'La dirección es demasiado larga.',
  'The body is not valid JSON.': 'El cuerpo no es JSON válido.',
  'The body is larger than 64 KB.': 'El cuerpo ocupa más de 64 KB.',
  'Send the body as application/json.': 'Envía el cuerpo como application/json.',
  'This server does not do what the Expect header asks for.':
    'Este servidor no hace lo que pide la cabecera Expect.',
  'The validation token is too long.': 'El token de validación es demasiado largo.',
  'The body must be a collection of notifications.': 'El cuerpo debe ser una colección de notificaciones.',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.':
    'Idempotency-Key debe tener de 1 a 255 caracteres ASCII visibles.',
  'Unknown field "{0}".': 'Campo desconocido «{0}».',
  'The request': 'solicitud',
  '{field} must be {0}.': 'El campo «{field}» debe ser de este tipo: {0}.',
  '{field} must be at most {0} characters.': 'El campo «{field}» puede tener como máximo {0} caracteres.',
  '{field} must not be empty.': 'El campo «{field}» no puede estar vacío.',
  '{field} must be at least {0}.': 'El campo «{field}» debe ser como mínimo {0}.',
  '{field} must be at most {0}.': 'El campo «{field}» debe ser como máximo {0}.',
  '{field} must be from {0} to {1}.': 'El campo «{field}» debe estar entre {0} y {1}.',
  '{field} must have at least {0} entries.': 'El campo «{field}» debe tener al menos {0} elementos.',
  '{field} must have at most {0} entries.': 'El campo «{field}» puede tener como máximo {0} elementos.',
  '{field} is not valid.': 'El campo «{field}» no es válido.',
  '{0}, or empty': '{0}, o vacío',
  '{field} must be a whole number.': 'El campo «{field}» debe ser un número entero.',
  '{field} must be text.': 'El campo «{field}» debe ser texto.',
  '{field} must be true or false.': 'El campo «{field}» debe ser verdadero o falso.',
  '{field} must be a list.': 'El campo «{field}» debe ser una lista.',
  '{field} must be an object.': 'El campo «{field}» debe ser un objeto.',
  'The body': 'cuerpo',
  'The {0}': 'parte {0} de la solicitud',
  '{field} must be a {0}.': 'El campo «{field}» debe ser de este tipo: {0}.',
  '{field} is not one of the values allowed.': 'El campo «{field}» no es uno de los valores permitidos.',
  '{field} has more than {0} entries.': 'El campo «{field}» tiene más de {0} elementos.',
  '{field} must be an integer.': 'El campo «{field}» debe ser un número entero.',
  '{field} must be a boolean.': 'El campo «{field}» debe ser un booleano.',
  '{field} must be an array.': 'El campo «{field}» debe ser una lista.',
  'The server redirects to an invalid address.': 'El servidor redirige a una dirección no válida.',
  'The server redirects too many times.': 'El servidor redirige demasiadas veces.',
  'The response is larger than {0} MB.': 'La respuesta ocupa más de {0} MB.',
  'The server did not answer within {0} seconds.': 'El servidor no respondió en {0} segundos.',
  'The server could not be reached.': 'No se pudo contactar con el servidor.',
  'The server refused the user name and password ({0}).':
    'El servidor rechazó el nombre de usuario y la contraseña ({0}).',
  'There is no calendar at this address ({0}).': 'No hay ningún calendario en esta dirección ({0}).',
  'The server answered {0}.': 'El servidor respondió {0}.',
  'This calendar has too many events.': 'Este calendario tiene demasiados eventos.',
  '{0} does not say when this calendar is busy.': '{0} no indica cuándo está ocupado este calendario.',
  'The server sent only a part of the calendar.': 'El servidor envió solo una parte del calendario.',
  'There is no CalDAV server at this address.': 'No hay ningún servidor CalDAV en esta dirección.',
  'The server’s response is too complex to read.':
    'La respuesta del servidor es demasiado compleja para leerla.',
  '{0} has ended our access to this account.': '{0} ha terminado nuestro acceso a esta cuenta.',
  '{0} refuses this service’s client ({1}). Please tell whoever runs this service.':
    '{0} rechaza el cliente de este servicio ({1}). Avisa a quien administra este servicio.',
  '{0} did not answer in time.': '{0} no respondió a tiempo.',
  '{0} could not be reached.': 'No se pudo contactar con {0}.',
  '{0} sent an answer that is not complete.': '{0} envió una respuesta incompleta.',
  '{0} sent more than {1} MB.': '{0} envió más de {1} MB.',
  '{0} does not accept our access any more.': '{0} ya no acepta nuestro acceso.',
  '{0} has forgotten where we were.': '{0} ha olvidado dónde estábamos.',
  '{0} asks us to send fewer requests.': '{0} nos pide que enviemos menos solicitudes.',
  '{0} answered {1}.': '{0} respondió {1}.',
  '{0} refused this: {1}': '{0} rechazó esto: {1}',
  '{0} does not accept this key.': '{0} no acepta esta clave.',
  '{0} does not let this key do this. It lacks the permission “{1}”.':
    '{0} no permite hacer esto con esta clave. Le falta el permiso «{1}».',
  '{field} does not look like a key.': 'El campo «{field}» no parece una clave.',
  '{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.':
    'El campo «{field}» debe ser una clave secreta o restringida, que empieza por sk_ o rk_. Esta es para sitios web.',
  'Guests pay for these through this account: {0}. Make them free first.':
    'Los invitados pagan estos a través de esta cuenta: {0}. Hazlos gratuitos primero.',
  'Payments or refunds are still on their way through this account. Please try again later.':
    'Todavía hay pagos o reembolsos en curso a través de esta cuenta. Inténtalo de nuevo más tarde.',
  'Another account is connected already: {0}. Please disconnect it first.':
    'Ya hay otra cuenta conectada: {0}. Desconéctala primero.',
  '{field} must be left out: this account is connected on its provider’s pages.':
    'El campo «{field}» debe omitirse: esta cuenta se conecta en las páginas del proveedor.',
  'See that this machine can reach STRIPE_API_URL.':
    'Asegúrate de que esta máquina puede acceder a STRIPE_API_URL.',
  'answers; connected accounts: {0}': 'responde; cuentas conectadas: {0}',
  'refuses the keys of {0} of {1} accounts': 'rechaza las claves de {0} de {1} cuentas',
  'Their owners were told by email to connect them again.':
    'Se ha pedido por correo a sus propietarios que las vuelvan a conectar.',
  'The key': 'Clave',
  '{0} sent an answer that we don’t understand.': '{0} envió una respuesta que no entendemos.',
  'This is not a web address. Enter one such as https://example.com/path.':
    'Esto no es una dirección web. Escribe una como https://example.com/path.',
  'The address must not contain a user name or password.':
    'La dirección no puede contener un nombre de usuario ni una contraseña.',
  'The address must start with https://.': 'La dirección debe empezar por https://.',
  '"{0}" is not a valid host name.': '«{0}» no es un nombre de host válido.',
  '"{0}" has no such address.': '«{0}» no tiene una dirección así.',
  'The host "{0}" could not be found.': 'No se encontró el host «{0}».',
  '"{0}" is not on the public internet. Use a public address.':
    '«{0}» no está en la Internet pública. Usa una dirección pública.',
  'The calendar takes too long to read.': 'El calendario tarda demasiado en leerse.',
  'The time of this request has passed.': 'La hora de esta solicitud ya ha pasado.',
  'Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.':
    'En este momento no se puede pagar, así que no se ha reservado nada. Vuelve a intentarlo en un minuto.',
  'The provider could not give the money back.': 'El proveedor no pudo devolver el dinero.',
  'The account that was paid is no longer connected.': 'La cuenta que recibió el pago ya no está conectada.',
  'The calendar could not be checked. Please try again in a moment.':
    'No se pudo comprobar el calendario. Inténtalo de nuevo en un momento.',
  '"{0}" is already on the list.': '«{0}» ya está en la lista.',
  'A blocklist has at most {0} entries. Block whole domains.':
    'Una lista de bloqueo tiene como máximo {0} entradas. Bloquea dominios enteros.',
  'This email address is blocked. Remove it from the blocklist first.':
    'Esta dirección de correo está bloqueada. Quítala primero de la lista de bloqueo.',
  'This booking looks automated. Leave the hidden field empty.':
    'Esta reserva parece automática. Deja vacío el campo oculto.',
  'This booking could not be accepted.': 'No se pudo aceptar esta reserva.',
  'Please confirm your email address: request a code, and send it along (emailCode).':
    'Confirma tu dirección de correo: pide un código y envíalo con la reserva (emailCode).',
  'This code is wrong. Tries left: {0}.': 'Este código es incorrecto. Intentos restantes: {0}.',
  'This code no longer works. Please request a new one.': 'Este código ya no sirve. Pide uno nuevo.',
  'The calendar and this booking say the same. Look at it again.':
    'El calendario y esta reserva dicen lo mismo. Míralo de nuevo.',
  'It is too late to cancel this booking here. Please contact the host.':
    'Es demasiado tarde para cancelar esta reserva aquí. Ponte en contacto con el anfitrión.',
  'There is no such booking.': 'Esta reserva no existe.',
  'Someone has just changed this booking. Look at it again.':
    'Alguien acaba de cambiar esta reserva. Mírala de nuevo.',
  'This booking waits for its payment.': 'Esta reserva está pendiente de pago.',
  'This booking was not paid in time.': 'Esta reserva no se pagó a tiempo.',
  'This booking still waits for approval.': 'Esta reserva todavía espera la aprobación.',
  'This booking has been confirmed. Cancel it instead.':
    'Esta reserva ya está confirmada. Cancélala en su lugar.',
  'This booking has been declined.': 'Esta reserva ha sido rechazada.',
  'This booking has been cancelled.': 'Esta reserva ha sido cancelada.',
  'This meeting has taken place.': 'Esta reunión ya ha tenido lugar.',
  'This booking is marked as a no-show.': 'Esta reserva está marcada como ausencia.',
  'There is no such booking. Use the whole link, as it was sent to you.':
    'Esta reserva no existe. Usa el enlace completo, tal como te llegó.',
  'Choose someone else to take these meetings over.':
    'Elige a otra persona que se haga cargo de estas reuniones.',
  'There is no such hold.': 'Esa retención no existe.',
  'Times of this event type can’t be held.': 'Las horas de este tipo de evento no se pueden retener.',
  'This Idempotency-Key was used before, with another body.':
    'Esta Idempotency-Key ya se usó con otro cuerpo.',
  '{field} must be one line of text.': 'El campo «{field}» debe ser una sola línea de texto.',
  '{field} must be one of {0}.': 'El campo «{field}» debe ser uno de estos valores: {0}.',
  'Too many emails to {0}. Please try again in {1} seconds.':
    'Demasiados correos para {0}. Inténtalo de nuevo en {1} s.',
  'Too many bookings for the guest {0}. Please try again in {1} seconds.':
    'Demasiadas reservas para el invitado {0}. Inténtalo de nuevo en {1} s.',
  'Too many codes for this email address. Please try again in {0} seconds.':
    'Demasiados códigos para esta dirección de correo. Inténtalo de nuevo en {0} s.',
  'This guest is booking or changing meetings right now. Please try again.':
    'Este invitado está reservando o cambiando reuniones ahora mismo. Inténtalo de nuevo.',
  'A backup or an export is being made. Please try again when it is done.':
    'Se está haciendo una copia de seguridad o una exportación. Inténtalo de nuevo cuando termine.',
  'Emails about this guest are being sent right now. Try again in a minute.':
    'Ahora mismo se están enviando correos sobre este invitado. Inténtalo de nuevo en un minuto.',
  'Too many bookings for this email address. Please try again in {0} seconds.':
    'Demasiadas reservas para esta dirección de correo. Inténtalo de nuevo en {0} s.',
  'Only video calls get a link.': 'Solo las videollamadas tienen un enlace.',
  'This booking gets its link from {0}.': 'Esta reserva recibe su enlace de {0}.',
  'A link can only be added to a confirmed meeting that is not over.':
    'Solo se puede añadir un enlace a una reunión confirmada que no haya terminado.',
  'This meeting has not started yet.': 'Esta reunión todavía no ha empezado.',
  'The time in your calendar has passed.': 'La hora de tu calendario ya ha pasado.',
  'Meetings last at most 24 hours, and start and end at whole minutes.':
    'Las reuniones duran como máximo 24 horas y empiezan y terminan en minutos exactos.',
  'This email address already has {0} upcoming bookings here. Cancel one of them first.':
    'Esta dirección de correo ya tiene aquí {0} reservas próximas. Cancela primero una de ellas.',
  'This link has already been used. Please ask the host for a new one.':
    'Este enlace ya se ha usado. Pide uno nuevo al anfitrión.',
  'This link has expired. Please ask the host for a new one.':
    'Este enlace ha caducado. Pide uno nuevo al anfitrión.',
  'This link doesn’t work. Please ask the host for a new one.':
    'Este enlace no funciona. Pide uno nuevo al anfitrión.',
  'Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.':
    'Solo queda 1 plaza a esta hora. Trae menos invitados o elige otra hora.',
  'Only {0} seats are left at this time. Please bring fewer guests, or choose another slot.':
    'Solo quedan {0} plazas a esta hora. Trae menos invitados o elige otra hora.',
  'This time is no longer available. Please choose another slot.':
    'Esta hora ya no está disponible. Elige otra.',
  'This email address has already booked this time.': 'Esta dirección de correo ya ha reservado esta hora.',
  'These settings are being changed. Please try again in a moment.':
    'Estos ajustes se están cambiando. Inténtalo de nuevo en un momento.',
  'Guests who share a slot need the same hosts, so a link cannot choose them.':
    'Los invitados que comparten un horario necesitan los mismos anfitriones, así que un enlace no puede elegirlos.',
  'This meeting has started already.': 'Esta reunión ya ha empezado.',
  'This host attends the meeting already. Choose someone else.':
    'Este anfitrión ya asiste a la reunión. Elige a otra persona.',
  'This person is not one of the hosts who take turns here.':
    'Esta persona no es uno de los anfitriones que se turnan aquí.',
  'This host has another meeting at this time. Choose someone else.':
    'Este anfitrión tiene otra reunión a esta hora. Elige a otra persona.',
  'This host has time off at this time. Choose someone else.':
    'Este anfitrión está ausente a esta hora. Elige a otra persona.',
  'This host is busy at this time. Choose someone else.':
    'Este anfitrión está ocupado a esta hora. Elige a otra persona.',
  'All hosts of this event type attend together. Change its hosts, or reschedule the meeting.':
    'Todos los anfitriones de este tipo de evento asisten juntos. Cambia sus anfitriones o reprograma la reunión.',
  'No other host is free at this time. Choose someone yourself, or reschedule the meeting.':
    'Ningún otro anfitrión está libre a esta hora. Elige tú a alguien o reprograma la reunión.',
  'It is too late to reschedule this booking here. Please contact the host.':
    'Es demasiado tarde para reprogramar esta reserva aquí. Ponte en contacto con el anfitrión.',
  'It’s too late to undo this: the guest has been notified.':
    'Es demasiado tarde para deshacerlo: ya se ha avisado al invitado.',
  'This time has been taken meanwhile. The request stays declined.':
    'Mientras tanto, esta hora se ha ocupado. La solicitud sigue rechazada.',
  '{field} must be an email address.': 'El campo «{field}» debe ser una dirección de correo.',
  'This event type does not ask guests to confirm their address.':
    'Este tipo de evento no pide a los invitados que confirmen su dirección.',
  '{0} is not set up on this service.': '{0} no está configurado en este servicio.',
  'The access could not be renewed in time.': 'No se pudo renovar el acceso a tiempo.',
  'This account is no longer connected.': 'Esta cuenta ya no está conectada.',
  'The stored access can no longer be read.': 'El acceso guardado ya no se puede leer.',
  'You can connect at most {0} calendars.': 'Puedes conectar como máximo {0} calendarios.',
  'This calendar is already connected.': 'Este calendario ya está conectado.',
  'This calendar is read through a connected account, so it has no address.':
    'Este calendario se lee a través de una cuenta conectada, así que no tiene dirección.',
  'The calendar is on another server now. Enter its password again.':
    'El calendario está ahora en otro servidor. Escribe de nuevo su contraseña.',
  'This calendar is not checked for conflicts, so it is not read.':
    'En este calendario no se comprueban conflictos, así que no se lee.',
  '{field} must not contain control characters.':
    'El campo «{field}» no puede contener caracteres de control.',
  '{0} is not set up here. Ask whoever runs this service to register a client.':
    '{0} no está configurado aquí. Pide a quien administra este servicio que registre un cliente.',
  '{0} Please connect it again.': '{0} Conéctala de nuevo.',
  '{0} Please try again in a moment.': '{0} Inténtalo de nuevo en un momento.',
  'There is no such calendar. Check the address.': 'Este calendario no existe. Comprueba la dirección.',
  'The calendar has no owner.': 'El calendario no tiene propietario.',
  'This account is at {0}, not at {1}.': 'Esta cuenta es de {0}, no de {1}.',
  'The connected account has no such calendar.': 'La cuenta conectada no tiene ese calendario.',
  'You can’t add events to “{0}”. Choose another calendar for your bookings.':
    'No puedes añadir eventos a «{0}». Elige otro calendario para tus reservas.',
  'This calendar was deleted, or is no longer shared with the connected account.':
    'Este calendario se eliminó o ya no se comparte con la cuenta conectada.',
  'What is at this address is not a calendar.': 'Lo que hay en esta dirección no es un calendario.',
  'The calendar arrived incomplete.': 'El calendario llegó incompleto.',
  'The calendar could not be read.': 'No se pudo leer el calendario.',
  'The password can no longer be read. Please enter it again.':
    'La contraseña ya no se puede leer. Escríbela de nuevo.',
  'Someone else has just taken this. Please choose another.': 'Otra persona acaba de tomarlo. Elige otro.',
  'There is no ALTCHA challenge here.': 'Aquí no hay ningún desafío ALTCHA.',
  'This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.':
    'Este tipo de evento pide un CAPTCHA. Envía un token de API de su propietario o un desafío resuelto como captchaToken.',
  'This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.':
    'Este tipo de evento pide a los invitados que confirmen su dirección. Pide un código en /v2/bookings/verification/email/send-code y envíalo como emailVerificationCode.',
  'A code is for one event type: {field} must name it.':
    'Un código vale para un tipo de evento: {field} debe indicarlo.',
  'Please complete the CAPTCHA challenge (captchaToken).': 'Completa el desafío CAPTCHA (captchaToken).',
  'The CAPTCHA was not solved, has expired or was used before. Please try again.':
    'El CAPTCHA no se resolvió, ha caducado o ya se usó. Inténtalo de nuevo.',
  'The CAPTCHA could not be checked just now. Please try again in a moment.':
    'No se pudo comprobar el CAPTCHA ahora mismo. Inténtalo de nuevo en un momento.',
  '{field} is required.': 'El campo «{field}» es obligatorio.',
  'This event type has 1 booking, which would be lost. Hide it instead.':
    'Este tipo de evento tiene 1 reserva, que se perdería. Ocúltalo en su lugar.',
  'This event type has {0} bookings, which would be lost. Hide it instead.':
    'Este tipo de evento tiene {0} reservas, que se perderían. Ocúltalo en su lugar.',
  'These forms send visitors to it: {0}.': 'Estos formularios envían visitantes a él: {0}.',
  '{field} must be the id of a user.': 'El campo «{field}» debe ser el id de un usuario.',
  'Each host can be added only once.': 'Cada anfitrión se puede añadir una sola vez.',
  'Hosts must be members of the team.': 'Los anfitriones deben ser miembros del equipo.',
  '{field} must be a whole number from {0} to {1}.':
    'El campo «{field}» debe ser un número entero de {0} a {1}.',
  '{field} must belong to one of the hosts.': 'El campo «{field}» debe pertenecer a uno de los anfitriones.',
  'Bookings can’t be added to a feed. Choose another calendar.':
    'No se pueden añadir reservas a un calendario suscrito. Elige otro calendario.',
  'Bookings can’t be added to a calendar that you can only read. Choose another calendar.':
    'No se pueden añadir reservas a un calendario que solo puedes leer. Elige otro calendario.',
  '{field} must be a UTC instant such as 2030-01-31T09:30:00Z.':
    'El campo «{field}» debe ser un instante UTC como 2030-01-31T09:30:00Z.',
  'These meeting links are not set up on this service.':
    'Estos enlaces de reunión no están configurados en este servicio.',
  'One schedule must be the default. Make another one the default instead.':
    'Un horario debe ser el predeterminado. Haz predeterminado otro en su lugar.',
  'This is the default schedule. Make another one the default first.':
    'Este es el horario predeterminado. Haz predeterminado otro primero.',
  'This schedule is used by: {0}.': 'Este horario lo usan: {0}.',
  'This form has no such question.': 'Este formulario no tiene esa pregunta.',
  'These answers look automated. Leave the hidden field empty.':
    'Estas respuestas parecen automáticas. Deja vacío el campo oculto.',
  'These answers could not be accepted.': 'No se pudieron aceptar estas respuestas.',
  'This form has 1 response, which would be lost. Export them first; then delete it with force=true.':
    'Este formulario tiene 1 respuesta, que se perdería. Expórtala primero; después elimínalo con force=true.',
  'This form has {0} responses, which would be lost. Export them first; then delete it with force=true.':
    'Este formulario tiene {0} respuestas, que se perderían. Expórtalas primero; después elimínalo con force=true.',
  'There is no such form. Check the address.': 'Este formulario no existe. Comprueba la dirección.',
  'The host has not confirmed this booking yet. Its calendar file is available once they have.':
    'El anfitrión todavía no ha confirmado esta reserva. El archivo de calendario estará disponible cuando lo haga.',
  'Only admins and owners of the team can see this.':
    'Solo los administradores y propietarios del equipo pueden ver esto.',
  'Only owners of the team can do this.': 'Solo los propietarios del equipo pueden hacer esto.',
  'Only the people of this event type can do this.':
    'Solo pueden hacerlo las personas de este tipo de evento.',
  'Only admins and owners of the team can do this.':
    'Solo los administradores y propietarios del equipo pueden hacer esto.',
  'Only admins of this instance can do this.':
    'Solo los administradores de esta instalación pueden hacer esto.',
  'There is nothing here, or it is not yours.': 'Aquí no hay nada, o no es tuyo.',
  'Row {0}: {1}': 'Fila {0}: {1}',
  '1 more row is wrong.': '1 fila más es incorrecta.',
  '{0} more rows are wrong.': '{0} filas más son incorrectas.',
  'Nothing was saved.': 'No se guardó nada.',
  'An API token cannot change your email address. Sign in for that.':
    'Un token de API no puede cambiar tu dirección de correo. Inicia sesión para eso.',
  'This is your address already.': 'Esta ya es tu dirección.',
  'We have just sent a link. Please try again in {0} seconds.':
    'Acabamos de enviar un enlace. Inténtalo de nuevo en {0} s.',
  'This link has expired or was used before. Ask for a new one.':
    'Este enlace ha caducado o ya se usó. Pide uno nuevo.',
  'Another account here has this address. Use another, or sign in with it.':
    'Otra cuenta tiene aquí esta dirección. Usa otra o inicia sesión con ella.',
  'There is no booking page at this address.': 'No hay ninguna página de reservas en esta dirección.',
  'This image is larger than 512 KB. Please choose a smaller one.':
    'Esta imagen ocupa más de 512 KB. Elige una más pequeña.',
  'This isn’t a PNG, JPEG or WebP image. Please choose one of those.':
    'Esto no es una imagen PNG, JPEG o WebP. Elige una de esas.',
  'This image is {0} by {1} pixels. Please choose one of at most {2} by {3}.':
    'Esta imagen mide {0} por {1} píxeles. Elige una de {2} por {3} como máximo.',
  'You’ve uploaded many images. Please try again in an hour.':
    'Has subido muchas imágenes. Inténtalo de nuevo dentro de una hora.',
  '{field} is gone. Please upload the image again.':
    'El campo «{field}» ya no existe. Vuelve a subir la imagen.',
  'Only an owner can invite an owner.': 'Solo un propietario puede invitar a un propietario.',
  'Only an admin can invite an admin.': 'Solo un administrador puede invitar a un administrador.',
  '{0} is already a member of the team.': '{0} ya es miembro del equipo.',
  '{0} already has an account.': '{0} ya tiene una cuenta.',
  '"{0}" is reserved. Please choose another.': '«{0}» está reservado. Elige otro.',
  '{field} must be a colour such as #2563eb, or empty.':
    'El campo «{field}» debe ser un color como #2563eb o estar vacío.',
  '{field} must begin with https://, or be empty.':
    'El campo «{field}» debe empezar por https:// o estar vacío.',
  '{0} is the only host of: {1}. Give that another host, or delete it, first.':
    '{0} es el único anfitrión de: {1}. Asigna primero otro anfitrión o elimínalo.',
  'You cannot raise your own role.': 'No puedes elevar tu propio rol.',
  'A team needs an owner. Make someone else an owner first.':
    'Un equipo necesita un propietario. Haz propietaria primero a otra persona.',
  'This is the only admin here. Make someone else an admin first.':
    'Este es el único administrador aquí. Haz administradora primero a otra persona.',
  'This API token is not allowed to {0}.': 'Este token de API no tiene el permiso {0}.',
  'Sign in first: this needs a valid bearer token.':
    'Inicia sesión primero: esto necesita un token de acceso válido.',
  'Nobody signs in by email here. Please use {0}.': 'Aquí nadie inicia sesión por correo. Usa {0}.',
  '{0} has no account here, and signing up is not open to it.':
    '{0} no tiene cuenta aquí y no puede registrarse.',
  'An API token cannot see or end sessions. Sign in for that.':
    'Un token de API no puede ver ni cerrar sesiones. Inicia sesión para eso.',
  '{field} must look like name@example.com.': 'El campo «{field}» debe tener la forma nombre@example.com.',
  'Your session has ended. Please sign in again.': 'Tu sesión ha terminado. Inicia sesión de nuevo.',
  'This team has 1 booking, which would be lost. Hide its event types instead.':
    'Este equipo tiene 1 reserva, que se perdería. Oculta sus tipos de evento en su lugar.',
  'This team has {0} bookings, which would be lost. Hide its event types instead.':
    'Este equipo tiene {0} reservas, que se perderían. Oculta sus tipos de evento en su lugar.',
  'An API token cannot make API tokens. Sign in for that.':
    'Un token de API no puede crear tokens de API. Inicia sesión para eso.',
  '{field} must not be before the first date.':
    'El campo «{field}» no puede ser anterior a la primera fecha.',
  'Choose at most {0} days.': 'Elige como máximo {0} días.',
  '{field} must be a date such as 2030-01-31.': 'El campo «{field}» debe ser una fecha como 2030-01-31.',
  'There is no such event type. Check the address.': 'Este tipo de evento no existe. Comprueba la dirección.',
  '{field} must be {0}, in minutes.': 'El campo «{field}» debe ser {0}, en minutos.',
  '{field} must be an IANA time zone such as Europe/Berlin.':
    'El campo «{field}» debe ser una zona horaria IANA como Europe/Berlin.',
  '{field} must not be before dateFrom.': 'El campo «{field}» no puede ser anterior a dateFrom.',
  'Ask for at most {0} days at a time.': 'Pide como máximo {0} días cada vez.',
  'This webhook is turned off. Turn it on first.': 'Este webhook está desactivado. Actívalo primero.',
  'There can be at most {0} webhooks.': 'Puede haber como máximo {0} webhooks.',
  'Choose event types that belong to the webhook’s owner.':
    'Elige tipos de evento que pertenezcan al propietario del webhook.',
  'An API token cannot delete your account. Sign in for that.':
    'Un token de API no puede eliminar tu cuenta. Inicia sesión para eso.',
  'Enter the email address that you sign in with, to confirm.':
    'Escribe la dirección de correo con la que inicias sesión, para confirmar.',
  'You are the only admin here. Another user must be made an admin first.':
    'Eres el único administrador aquí. Primero hay que hacer administrador a otro usuario.',
  'You are the only owner of: {0}. Make someone else an owner, or delete the team, first.':
    'Eres el único propietario de: {0}. Haz propietaria a otra persona o elimina el equipo primero.',
  '{0}; {1}': '{0}; {1}',
  '{0}; and {1} more': '{0}; y {1} más',
  'You host one upcoming meeting: {0} (times in {1}). Cancel them first, or have them cancelled with your account.':
    'Tienes una reunión próxima como anfitrión: {0} (horas de {1}). Cancélala primero o haz que se cancele con tu cuenta.',
  'You host {0} upcoming meetings: {1} (times in {2}). Cancel them first, or have them cancelled with your account.':
    'Tienes {0} reuniones próximas como anfitrión: {1} (horas de {2}). Cancélalas primero o haz que se cancelen con tu cuenta.',
  'An API token cannot export your account. Sign in for that.':
    'Un token de API no puede exportar tu cuenta. Inicia sesión para eso.',
  'Your forms have more than {0} responses. Download them form by form, and delete some first.':
    'Tus formularios tienen más de {0} respuestas. Descárgalas formulario por formulario y elimina algunas primero.',
  'This is not one of your recovery codes, or you have used it before.':
    'No es uno de tus códigos de recuperación o ya lo has usado.',
  'This sign-in has ended. Ask for a new link.': 'Este inicio de sesión ha terminado. Pide un enlace nuevo.',
  'This passkey was not accepted. Try another, or use a recovery code.':
    'No se aceptó esta llave de acceso. Prueba otra o usa un código de recuperación.',
  'An API token cannot turn on notifications. Sign in for that.':
    'Un token de API no puede activar notificaciones. Inicia sesión para eso.',
  'You have notifications in {0} browsers. Turn them off in one of them first.':
    'Tienes notificaciones en {0} navegadores. Desactívalas primero en uno de ellos.',
  'This browser no longer takes notifications. Turn them off and on again.':
    'Este navegador ya no acepta notificaciones. Desactívalas y actívalas de nuevo.',
  'Notifications in browsers are turned off on this instance.':
    'Las notificaciones en navegadores están desactivadas en esta instancia.',
  'An API token cannot see or change passkeys. Sign in for that.':
    'Un token de API no puede ver ni cambiar llaves de acceso. Inicia sesión para eso.',
  'Passkeys need https and a domain. This service is at {0}.':
    'Las llaves de acceso necesitan https y un dominio. Este servicio está en {0}.',
  'This took too long, or was done before. Please add the passkey again.':
    'Tardó demasiado o ya se había hecho. Añade de nuevo la llave de acceso.',
  'This passkey was not accepted. Please add it again.':
    'No se aceptó esta llave de acceso. Añádela de nuevo.',
  'This passkey was added before.': 'Esta llave de acceso ya se había añadido.',
  'This service requires a passkey, and this is your only one. Add another first.':
    'Este servicio exige una llave de acceso y esta es la única que tienes. Añade otra primero.',
  'Recovery codes stand in for a passkey. Add a passkey first.':
    'Los códigos de recuperación sustituyen a una llave de acceso. Añade primero una.',
  'Remove your own passkeys in your profile.': 'Quita tus propias llaves de acceso en tu perfil.',
  'You have {0} passkeys, which is the most. Remove one first.':
    'Tienes {0} llaves de acceso, que es el máximo. Quita una primero.',
  'You signed in a while ago. Please sign in again to change your passkeys.':
    'Iniciaste sesión hace un rato. Vuelve a iniciarla para cambiar tus llaves de acceso.',
  'This service requires a passkey. Add one in the dashboard first.':
    'Este servicio exige una llave de acceso. Añade primero una en el panel.',
  'The receiver answered 410: it is gone for good.': 'El receptor respondió 410: ya no existe.',
  'Nothing has arrived for five days.': 'No ha llegado nada desde hace cinco días.',

  // The names of fields, which stand in quotation marks.
  'The name': 'Nombre',
  'The booking link': 'Enlace de reserva',
  'The description': 'Descripción',
  'The time zone': 'Zona horaria',
  'The email address': 'Dirección de correo',
  'The role': 'Rol',
  'Whether they are disabled': 'Desactivado',
  'Id {1}': 'ID {1}',
  'The text to find': 'Texto que buscar',
  'The address': 'Dirección',
  'The kind': 'Clase',
  'Kind {1}': 'Tipo {1}',
  'The provider': 'Proveedor',
  'The connected account': 'Cuenta conectada',
  'The calendar': 'Calendario',
  'The note': 'Nota',
  'The colleague who stands in': 'Sustituto',
  'The link': 'Enlace',
  'The setting for tentative events': 'Ajuste de eventos provisionales',
  'The reason': 'Motivo',
  'The first day': 'Primer día',
  'The last day': 'Último día',
  'The start': 'Inicio',
  'The guest’s name': 'Nombre del invitado',
  'The guest’s email address': 'Correo del invitado',
  'The guest’s phone number': 'Teléfono del invitado',
  'The guest’s time zone': 'Zona horaria del invitado',
  'The guest’s language': 'Idioma del invitado',
  'The notes': 'Notas',
  'The end': 'Fin',
  'The team': 'Equipo',
  'The owner': 'Propietario',
  'The duration': 'Duración',
  'The list of durations': 'Lista de duraciones',
  'Duration {1}': 'Duración {1}',
  'The time between starts': 'Tiempo entre inicios',
  'The buffer before': 'Margen antes',
  'The buffer after': 'Margen después',
  'The minimum notice': 'Antelación mínima',
  'The booking window': 'Plazo de reserva',
  'The kind of booking window': 'Clase de plazo de reserva',
  'The setting for business days': 'Ajuste de días laborables',
  'The first date of the booking window': 'Primera fecha del plazo de reserva',
  'The last date of the booking window': 'Última fecha del plazo de reserva',
  'The set of booking limits': 'Límites de reservas',
  'The limit per day': 'Límite por día',
  'The limit per week': 'Límite por semana',
  'The limit per month': 'Límite por mes',
  'The limit per year': 'Límite por año',
  'The set of limits in minutes': 'Límites en minutos',
  'The limit of minutes per day': 'Límite de minutos por día',
  'The limit of minutes per week': 'Límite de minutos por semana',
  'The limit of minutes per month': 'Límite de minutos por mes',
  'The limit of minutes per year': 'Límite de minutos por año',
  'The number of seats': 'Número de plazas',
  'The number of days that personal data is kept': 'Días que se guardan los datos personales',
  'The number of additional guests': 'Número de invitados adicionales',
  'The list of guests': 'Lista de invitados',
  'Guest {1}': 'Invitado {1}',
  'The approval setting': 'Aprobación',
  'The visibility setting': 'Visibilidad',
  'The location': 'Lugar',
  'The type of location': 'Tipo de lugar',
  'The meeting link': 'Enlace de reunión',
  'The list of locations': 'Lista de lugares',
  'Location {1}': 'Lugar {1}',
  'The id of location {1}': 'Id del lugar {1}',
  'The type of location {1}': 'Tipo del lugar {1}',
  'The meeting link of location {1}': 'Enlace de reunión del lugar {1}',
  'The name of location {1}': 'Nombre del lugar {1}',
  'The list of questions': 'Lista de preguntas',
  'Question {1}': 'Pregunta {1}',
  'The key of question {1}': 'Clave de la pregunta {1}',
  'The label of question {1}': 'Etiqueta de la pregunta {1}',
  'The type of question {1}': 'Tipo de la pregunta {1}',
  'The required setting of question {1}': 'Obligatoriedad de la pregunta {1}',
  'The visibility of question {1}': 'Visibilidad de la pregunta {1}',
  'The list of options of question {1}': 'Lista de opciones de la pregunta {1}',
  'Option {2} of question {1}': 'Opción {2} de la pregunta {1}',
  'The spam protection': 'Protección contra spam',
  'The honeypot setting': 'Campo trampa',
  'The CAPTCHA': 'CAPTCHA',
  'The blocklist': 'Lista de bloqueo',
  'Entry {1} of the blocklist': 'Entrada {1} de la lista de bloqueo',
  'The duplicates setting': 'Detección de duplicados',
  'The limit of attempts per minute': 'Límite de intentos por minuto',
  'The assignment of hosts': 'Asignación de anfitriones',
  'The position': 'Posición',
  'The schedule': 'Horario',
  'The cancellation cutoff': 'Límite para cancelar',
  'The rescheduling cutoff': 'Límite para reprogramar',
  'The list of reminders': 'Lista de recordatorios',
  'Reminder {1}': 'Recordatorio {1}',
  'The list of sites': 'Lista de sitios',
  'Site {1}': 'Sitio {1}',
  'The return address': 'Dirección de retorno',
  'Private links only': 'Solo enlaces privados',
  'Holding times': 'Retener horas',
  'Confirming addresses': 'Confirmar direcciones',
  'The number of uses': 'Número de usos',
  'The expiry': 'Caducidad',
  'The list of hosts': 'Lista de anfitriones',
  'Host {1}': 'Anfitrión {1}',
  'An answer': 'Una respuesta',
  'The setting for calendars that cannot be checked': 'Ajuste para calendarios que no se pueden comprobar',
  'The calendar for bookings': 'Calendario para las reservas',
  'The price': 'Precio',
  '{field} must be a currency that guests can pay in, such as EUR, in capital letters.':
    'El campo «{field}» debe ser una moneda en la que se pueda pagar, como EUR, en mayúsculas.',
  'There is a price for a duration that guests can’t choose: {0} minutes.':
    'Hay un precio para una duración que no se puede elegir: {0} minutos.',
  'Connect an account that gets the money first. Then set a price.':
    'Conecta primero una cuenta que reciba el dinero. Después, pon un precio.',
  'The amount': 'Importe',
  'The currency': 'Moneda',
  'The refund': 'Reembolso',
  'The refund rule': 'Regla de reembolso',
  'The time until which everything is refunded': 'Plazo para el reembolso total',
  'The share that is refunded later': 'Parte que se reembolsa después',
  'The set of prices by duration': 'Precios por duración',
  'The price of a duration': 'Precio de una duración',
  'The series': 'Serie',
  'The list of intervals': 'Lista de intervalos',
  'Interval {1}': 'Intervalo {1}',
  'The most meetings of a series': 'Máximo de reuniones de una serie',
  'The scope': 'Alcance',
  'The required setting of host {1}': 'Asistencia obligatoria del anfitrión {1}',
  'The weight of host {1}': 'Peso del anfitrión {1}',
  '“Undoable”': 'Se puede deshacer',
  'The host': 'Anfitrión',
  'The automatic choice': 'Elección automática',
  'The weekly schedule': 'Horario semanal',
  'A day of the weekly schedule': 'Un día del horario semanal',
  'A range of hours': 'Un tramo de horas',
  'The start of a range of hours': 'Inicio de un tramo de horas',
  'The end of a range of hours': 'Fin de un tramo de horas',
  'The list of date overrides': 'Lista de fechas especiales',
  'A date override': 'Una fecha especial',
  'The default setting': 'Predeterminado',
  'The list of fields': 'Lista de campos',
  'Field {1}': 'Campo {1}',
  'The id of field {1}': 'Id del campo {1}',
  'The label of field {1}': 'Etiqueta del campo {1}',
  'The type of field {1}': 'Tipo del campo {1}',
  'The required setting of field {1}': 'Obligatoriedad del campo {1}',
  'The list of options of field {1}': 'Lista de opciones del campo {1}',
  'Option {2} of field {1}': 'Opción {2} del campo {1}',
  'The id of option {2} of field {1}': 'Id de la opción {2} del campo {1}',
  'The label of option {2} of field {1}': 'Etiqueta de la opción {2} del campo {1}',
  'The list of rules': 'Lista de reglas',
  'Rule {1}': 'Regla {1}',
  'The condition of rule {1}': 'Condición de la regla {1}',
  'The target of rule {1}': 'Destino de la regla {1}',
  'The action of rule {1}': 'Acción de la regla {1}',
  'The event type of rule {1}': 'Tipo de evento de la regla {1}',
  'The host filter of rule {1}': 'Filtro de anfitriones de la regla {1}',
  'The address of rule {1}': 'Dirección de la regla {1}',
  'The message of rule {1}': 'Mensaje de la regla {1}',
  'The host of returning guests in rule {1}': 'Anfitrión de los invitados que vuelven en la regla {1}',
  'How long ago returning guests met their host, in rule {1},':
    'Tiempo desde la última reunión de los invitados que vuelven en la regla {1}',
  'The owner lookup of rule {1}': 'Búsqueda de responsables de la regla {1}',
  'How returning guests are recognised in rule {1}':
    'Cómo se reconoce a los invitados que vuelven en la regla {1}',
  'The fallback': 'Destino de los demás',
  'The action of the fallback': 'Acción para los demás',
  'The event type of the fallback': 'Tipo de evento para los demás',
  'The host filter of the fallback': 'Filtro de anfitriones para los demás',
  'The address of the fallback': 'Dirección para los demás',
  'The message of the fallback': 'Mensaje para los demás',
  'The host of returning guests in the fallback': 'Anfitrión de los invitados que vuelven, para los demás',
  'How long ago returning guests met their host, in the fallback,':
    'Tiempo desde la última reunión de los invitados que vuelven, para los demás',
  'The owner lookup of the fallback': 'Búsqueda de responsables para los demás',
  'How returning guests are recognised in the fallback':
    'Cómo se reconoce a los invitados que vuelven, para los demás',
  'The list of tests': 'Lista de pruebas',
  'Test {1}': 'Prueba {1}',
  'The name of test {1}': 'Nombre de la prueba {1}',
  'The expected result of test {1}': 'Resultado esperado de la prueba {1}',
  'The expected action of test {1}': 'Acción esperada de la prueba {1}',
  'The expected event type of test {1}': 'Tipo de evento esperado de la prueba {1}',
  'The expected address of test {1}': 'Dirección esperada de la prueba {1}',
  'The expected message of test {1}': 'Mensaje esperado de la prueba {1}',
  'The force parameter': 'Parámetro force',
  'The list of events': 'Lista de eventos',
  'Event {1}': 'Evento {1}',
  'The list of event types': 'Lista de tipos de evento',
  'Event type {1}': 'Tipo de evento {1}',
  'The active setting': 'Activo',
  'The event': 'Evento',
  'The user name': 'Nombre de usuario',
  'The password': 'Contraseña',
  'The conflicts setting': 'Comprobación de conflictos',
  'The setting for adding bookings': 'Adición de reservas',
  'The entry': 'Entrada',
  'The bio': 'Biografía',
  'The address of the picture': 'Dirección de la foto',
  'The language': 'Idioma',
  'The German form of address': 'Tratamiento en alemán',
  'Who takes over': 'Quién toma el relevo',
  'The theme': 'Tema',
  'The time format': 'Formato de hora',
  'The start of the week': 'Inicio de la semana',
  'The choice of what members see': 'Lo que ven los miembros',
  'The branding': 'Marca',
  'The colour': 'Color',
  'The address of the logo': 'Dirección del logotipo',
  'Attribute {1}': 'Atributo {1}',
  'The key of attribute {1}': 'Clave del atributo {1}',
  'The label of attribute {1}': 'Etiqueta del atributo {1}',
  'The type of attribute {1}': 'Tipo del atributo {1}',
  'The list of options of attribute {1}': 'Lista de opciones del atributo {1}',
  'Option {2} of attribute {1}': 'Opción {2} del atributo {1}',
  'The set of attributes': 'Atributos',
  'An attribute': 'Un atributo',
  'The dry run setting': 'Simulacro',
  'The list of scopes': 'Lista de permisos',
  'Scope {1}': 'Permiso {1}',
  'The number of days until it expires': 'Días hasta que caduque',
  'The token': 'Token',
  'The limit': 'Límite',
  'Whether to end what it made': 'Terminar lo que creó',
  'Whether to cancel meetings': 'Cancelar reuniones',
  'The cursor': 'Cursor',
  'The status': 'Estado',
  'The first date': 'Primera fecha',
  'The last date': 'Última fecha',
  'The event type': 'Tipo de evento',
  'The text to search for': 'Texto que buscar',
  'The order': 'Orden',
  'A field': 'Un campo',
  'The recovery code': 'Código de recuperación',
  'The passkey’s id': 'Id de la llave de acceso',
  'The passkey’s client data': 'Datos de cliente de la llave de acceso',
  'The passkey’s attestation': 'Atestación de la llave de acceso',
  'The passkey’s data': 'Datos de la llave de acceso',
  'The passkey’s signature': 'Firma de la llave de acceso',
  'The subscription': 'Suscripción',
  'The browser’s address': 'Dirección del navegador',
  'The expiration time': 'Hora de caducidad',
  'The pair of keys': 'Par de claves',
  'The service': 'Servicio',
  'The kind of row': 'Tipo de fila',
  'The state': 'Estado',
  'Whether only lines with a note are listed': 'Si solo se muestran las líneas con una nota',
  'The list of choices': 'Lista de decisiones',
  'The list of names in links': 'Lista de nombres en los enlaces',
  'The list of video services': 'Lista de servicios de vídeo',
  'The list of those who stay': 'Lista de quienes se quedan',
  'Entry {1} of those who stay': 'Entrada {1} de quienes se quedan',
  'The format': 'Formato',
  'The payload template': 'Plantilla del contenido',
  'The browser’s public key': 'Clave pública del navegador',
  'The browser’s secret': 'Secreto del navegador',
  'The list of notifications': 'Lista de notificaciones',
  'Notification {1}': 'Notificación {1}',
  'The list of transports': 'Lista de transportes',
  'Transport {1}': 'Transporte {1}',
  'To delete your own account, open your profile, or ask another admin.':
    'Para eliminar tu propia cuenta, abre tu perfil o pídelo a otro administrador.',
  'Choose someone else to take over, who has an account and can sign in.':
    'Elige a otra persona que tenga cuenta y pueda iniciar sesión.',
  '{0} is not free for one of these meetings: {1} (times in {2}). Choose someone else, or have it cancelled.':
    '{0} no está libre para una de estas reuniones: {1} (hora de {2}). Elige a otra persona o haz que se cancele.',
  '{0} is not free for {1} of these meetings: {2} (times in {3}). Choose someone else, or have them cancelled.':
    '{0} no está libre para {1} de estas reuniones: {2} (hora de {3}). Elige a otra persona o haz que se cancelen.',
  'This person is the only owner of: {0}. Choose who takes over, or make someone else an owner first.':
    'Esta persona es la única propietaria de: {0}. Elige quién toma el relevo, o nombra antes a otra persona propietaria.',
  'Guests have paid for meetings ahead through {0}’s own account, which can’t be handed over: {1} (times in {2}). Cancel these meetings first: that gives the money back.':
    'Los invitados han pagado próximas reuniones a través de la cuenta de {0}, que no se puede traspasar: {1} (hora de {2}). Cancela primero esas reuniones: así se devuelve el dinero.',
  '{0} hosts one upcoming meeting: {1} (times in {2}). Choose who takes over, or have it cancelled.':
    '{0} tiene una próxima reunión: {1} (hora de {2}). Elige quién toma el relevo o haz que se cancele.',
  '{0} hosts {1} upcoming meetings: {2} (times in {3}). Choose who takes over, or have them cancelled.':
    '{0} tiene {1} próximas reuniones: {2} (hora de {3}). Elige quién toma el relevo o haz que se cancelen.',
  'It lies in the past.': 'La hora ya ha pasado.',
  'It begins sooner than the minimum notice of {0} minutes allows.':
    'Empieza antes de lo que permite la antelación mínima de {0} minutos.',
  'It lies before the booking window opens.': 'La hora es anterior al periodo de reserva.',
  'It lies beyond the booking window.': 'La hora es posterior al periodo de reserva.',
  'The host has not confirmed their hours yet.': 'El anfitrión aún no ha confirmado su horario.',
  'It is outside the hours: {0} on {1} in {2} is closed.':
    'Está fuera del horario: las {0} del {1} en {2} está cerrado.',
  'The meeting would run past the end of the open hours.':
    'La reunión terminaría después del horario de apertura.',
  'Starts are {0} minutes apart, counted from when the hours open, and this is between two.':
    'Los inicios van cada {0} minutos desde que se abre el horario, y esta hora queda entre dos.',
  '{0} Nearest: {1}.': '{0} El más cercano: {1}.',
  '{0} Nearest: {1} and {2}.': '{0} Los más cercanos: {1} y {2}.',
  'All its seats are taken.': 'Todas las plazas están ocupadas.',
  'Another meeting takes {0} to {1}.': 'Otra reunión ocupa de {0} a {1}.',
  'A buffer would run into the meeting from {0} to {1}.':
    'Un margen se solaparía con la reunión de {0} a {1}.',
  'The host is away or busy from {0} to {1}.': 'El anfitrión está ausente u ocupado de {0} a {1}.',
  'The host is away from {0} to {1}. Guests are led to {2}.':
    'El anfitrión está fuera de {0} a {1}. Los invitados son dirigidos a {2}.',
  'A connected calendar is known only until {0}.': 'Un calendario conectado solo se conoce hasta {0}.',
  'Your calendar "{0}" is known only until {1}.': 'Tu calendario «{0}» solo se conoce hasta {1}.',
  'A connected calendar has something from {0} to {1}.': 'Un calendario conectado tiene algo de {0} a {1}.',
  'Your calendar "{0}" has something from {1} to {2}.': 'Tu calendario «{0}» tiene algo de {1} a {2}.',
  'The limit of {0} per day has been reached.': 'Se ha alcanzado el límite de {0} por día.',
  'The limit of {0} per week has been reached.': 'Se ha alcanzado el límite de {0} por semana.',
  'The limit of {0} per month has been reached.': 'Se ha alcanzado el límite de {0} por mes.',
  'The limit of {0} per year has been reached.': 'Se ha alcanzado el límite de {0} por año.',
  'It would exceed the limit of {0} minutes per day.': 'Superaría el límite de {0} minutos por día.',
  'It would exceed the limit of {0} minutes per week.': 'Superaría el límite de {0} minutos por semana.',
  'It would exceed the limit of {0} minutes per month.': 'Superaría el límite de {0} minutos por mes.',
  'It would exceed the limit of {0} minutes per year.': 'Superaría el límite de {0} minutos por año.',
  'The event type has no hosts.': 'El tipo de evento no tiene anfitriones.',
  'A host’s account is disabled, and meetings need this host. Choose other hosts.':
    'La cuenta de un anfitrión está desactivada y las reuniones lo necesitan. Elige otros anfitriones.',
  'No job {0} has failed.': 'No ha fallado ninguna tarea {0}.',
  Database: 'Base de datos',
  'SQLite; {0} is made at the first start': 'SQLite; {0} se crea en el primer arranque',
  "can't be reached: {0}": 'no se puede alcanzar: {0}',
  'Check DATABASE_URL, and whether the server runs.':
    'Comprueba DATABASE_URL y que el servidor esté en marcha.',
  '{0}, connected in {1} ms': '{0}, conectado en {1} ms',
  '{0} is too old': '{0} es demasiado antiguo',
  'Use PostgreSQL 15 or newer.': 'Usa PostgreSQL 15 o posterior.',
  Pooler: 'Agrupador de conexiones',
  'single statements have time-outs': 'las instrucciones sueltas tienen límite de tiempo',
  'single statements have no time-outs': 'las instrucciones sueltas no tienen límite de tiempo',
  'PostgreSQL may compile single statements, which takes longer than running them':
    'PostgreSQL puede compilar instrucciones sueltas, lo que tarda más que ejecutarlas',
  Standby: 'Servidor en espera',
  'follows a primary': 'sigue a un servidor principal',
  'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.':
    'DATABASE_READ_URL debe llevar a un servidor en espera. Hasta entonces, los horarios se leen del principal.',
  'is not a standby': 'no es un servidor en espera',
  'Check DATABASE_READ_URL. Until then, listings are read from the primary.':
    'Comprueba DATABASE_READ_URL. Hasta entonces, los horarios se leen del servidor principal.',
  Connections: 'Conexiones',
  '{0} × ({1} + {2}) = {3} of the {4} that PostgreSQL gives':
    '{0} × ({1} + {2}) = {3} de las {4} que permite PostgreSQL',
  'Set DATABASE_POOL_SIZE={0}, or raise max_connections to {1}.':
    'Pon DATABASE_POOL_SIZE={0} o sube max_connections a {1}.',
  'Raise max_connections to {0}.': 'Sube max_connections a {0}.',
  'A rolling update runs one more instance: raise max_connections to {0}.':
    'Una actualización gradual usa una instancia más: sube max_connections a {0}.',
  Clock: 'Reloj',
  "{0} s away from the database's": 'a {0} s del reloj de la base de datos',
  'Let both machines set their clocks by NTP.': 'Ajusta los relojes de ambas máquinas con NTP.',
  Migrations: 'Migraciones',
  'the database belongs to a newer version ({0})': 'la base de datos es de una versión más nueva ({0})',
  'Use that version, or restore a backup from before.':
    'Usa esa versión o restaura una copia de seguridad anterior.',
  'They run when the service starts, or now with `punctual migrate`. Take a backup first.':
    'Se ejecutan al arrancar el servicio, o ahora con `punctual migrate`. Haz antes una copia de seguridad.',
  '{0} of {1} have not run yet': 'faltan {0} de {1} por ejecutar',
  'all {0} have run': 'se han ejecutado las {0}',
  Jobs: 'Tareas',
  'the oldest has been due for {0} minutes': 'la más antigua lleva {0} minutos pendiente',
  'See that the service runs, and what its log says.':
    'Comprueba que el servicio esté en marcha y qué dice su registro.',
  '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.':
    '`punctual outbox list` dice por qué; `punctual outbox retry --all` las reintenta.',
  '1 was given up': 'se ha abandonado 1',
  '{0} were given up': 'se han abandonado {0}',
  'none is late, none was given up': 'ninguna va con retraso, ninguna se ha abandonado',
  'Check {0}_CLIENT_ID and {1}_CLIENT_SECRET; a secret may have expired.':
    'Comprueba {0}_CLIENT_ID y {1}_CLIENT_SECRET; puede que un secreto haya caducado.',
  'refuses the client ({0})': 'rechaza el cliente ({0})',
  'See that this machine can reach {0}.': 'Comprueba que esta máquina pueda llegar a {0}.',
  'Put the service behind https, and set PUBLIC_URL to that address.':
    'Pon el servicio detrás de https y PUBLIC_URL en esa dirección.',
  'sends nobody back to {0}, which is not https': 'no devuelve a nadie a {0}, porque no es https',
  'answers; its client must have the redirect address {0}':
    'responde; su cliente debe tener la dirección de redirección {0}',
  'Sign-on': 'Inicio de sesión único',
  'Check OIDC_ISSUER: is it an OpenID Connect provider?':
    'Comprueba OIDC_ISSUER: ¿es un proveedor de OpenID Connect?',
  'does not tell its {0}': 'no indica: {0}',
  '{0} answers; its client must have the redirect address {1}':
    '{0} responde; su cliente debe tener la dirección de redirección {1}',
  'OIDC_ISSUER must be exactly what the provider calls itself.':
    'OIDC_ISSUER debe ser exactamente como se llama a sí mismo el proveedor.',
  'its clock is {0} s away from ours': 'su reloj está a {0} s del nuestro',
  'Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.':
    'Ajusta el reloj de esta máquina con NTP. A partir de 30 s, nadie puede iniciar sesión allí.',
  Passkeys: 'Llaves de acceso',
  'required, for {0}': 'obligatorias, para {0}',
  Settings: 'Ajustes',
  'valid, for production': 'válidos, para producción',
  'valid, but not for production': 'válidos, pero no para producción',
  'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.':
    'En un servidor para invitados reales, pon NODE_ENV=production: evita el espacio de demostración.',
  '{0} is writable, {1} free': 'se puede escribir en {0}, {1} libres',
  'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.':
    'Libera espacio: con el disco lleno no se pierde nada confirmado, pero no se aceptan reservas.',
  "{0} can't be written to: {1}": 'no se puede escribir en {0}: {1}',
  'Let the account that runs the service own this folder.':
    'La carpeta debe pertenecer a la cuenta con la que se ejecuta el servicio.',
  Mail: 'Correo',
  'written to {0}, not sent': 'se escribe en {0}, no se envía',
  'Set SMTP_URL: guests and hosts get no emails.':
    'Define SMTP_URL: ni invitados ni anfitriones reciben correos.',
  "{0} can't be used: {1}": 'no se puede usar {0}: {1}',
  'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.':
    'Comprueba SMTP_URL y si esta máquina puede conectarse a él. Hasta entonces, los correos esperan.',
  '{0} answers, but the sender is {1}': '{0} responde, pero el remitente es {1}',
  'Set MAIL_FROM to an address of yours that this mail server may send for.':
    'Pon en MAIL_FROM una dirección tuya para la que este servidor de correo pueda enviar.',
  '{0} answers': '{0} responde',
  '{0} works on this machine only': '{0} solo funciona en esta máquina',
  'Set PUBLIC_URL to what guests see: links in emails begin with it.':
    'Pon en PUBLIC_URL lo que ven los invitados: los enlaces de los correos empiezan así.',
  '{0} is not https': '{0} no es https',
  'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.':
    'Pon delante un proxy con TLS: los datos personales viajan sin protección y los navegadores rechazan la comprobación ALTCHA.',
  'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.':
    'Arranca el servicio y comprueba que el proxy lleve a él. También puede que esta máquina no pueda llegar a sí misma.',
  '{0} leads to the service': '{0} lleva al servicio',
  '{0}/healthz answers {1}, and not as this service would':
    '{0}/healthz responde {1}, y no como lo haría este servicio',
  "{0} can't be reached from here: {1}": 'no se puede llegar a {0} desde aquí: {1}',
  'The response was {0}.': 'La respuesta fue {0}.',
  'The response was {0}. Redirects are not followed.': 'La respuesta fue {0}. No se siguen redirecciones.',
  'The response was incomplete.': 'La respuesta estaba incompleta.',
  'The mail server refuses the recipient: {0}': 'El servidor de correo rechaza al destinatario: {0}',
  'This booking was rescheduled {0} times in a day. Please try again tomorrow, or contact the host.':
    'Esta reserva se ha reprogramado {0} veces en un día. Inténtalo de nuevo mañana o ponte en contacto con el anfitrión.',
  'The file has more than {0} rows. Split it into several files.':
    'El archivo tiene más de {0} filas. Divídelo en varios archivos.',
  'Too many times are being held just now. You can book without holding a time.':
    'En este momento hay demasiadas horas retenidas. Puedes reservar sin retener una hora.',
  'Rule {0} matches, but its event type is hidden or deleted, so it leads to {1} instead of {2}.':
    'La regla {0} coincide, pero su tipo de evento está oculto o eliminado, así que lleva a {1} en lugar de {2}.',
  'No rule matches, and the event type of the fallback is hidden or deleted, so it leads to {0} instead of {1}.':
    'Ninguna regla coincide, y el tipo de evento para los demás está oculto o eliminado, así que lleva a {0} en lugar de {1}.',
  'The set of answers': 'Respuestas',
  'The set of answers of test {1}': 'Respuestas de la prueba {1}',
  'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.':
    'Las claves de este CAPTCHA no están configuradas aquí, así que los invitados no podrían seguir. Elige ALTCHA o pide las claves a un administrador.',
  'A filter can name at most {0} values.': 'Un filtro puede incluir como máximo {0} valores.',
  '{field} must be at least {0} characters.': '«{field}» debe tener al menos {0} caracteres.',
  'Choose who takes these meetings over.': 'Elige quién se hace cargo de estas reuniones.',
  'Two filters are called "{0}".': 'Dos filtros se llaman «{0}».',
  '{field} must be at most {0} days after the start.':
    '«{field}» debe ser como máximo {0} días posterior al inicio.',
  'Webhook: {0}': 'Webhook: {0}',
  'Email to {0}: {1}': 'Correo a {0}: {1}',
  'Calendar entry': 'Entrada de calendario',
  'Calendar entry of {0}': 'Entrada de calendario de {0}',
  'Meeting link': 'Enlace de la reunión',
  'the guest': 'el invitado',
  'an additional guest': 'un invitado adicional',
  'a former host': 'un anfitrión anterior',
  'The meeting was requested.': 'Se solicitó la reunión.',
  'The meeting was booked.': 'Se reservó la reunión.',
  'The request was approved.': 'Se aprobó la solicitud.',
  'The request was declined.': 'Se rechazó la solicitud.',
  'The meeting was cancelled.': 'Se canceló la reunión.',
  'The meeting was rescheduled.': 'Se reprogramó la reunión.',
  'The meeting was handed over.': 'Se traspasó la reunión.',
  'The provider has a payment in {0}, and the ledger in {1}.':
    'El proveedor tiene un pago en {0} y el libro de pagos en {1}.',
  'The provider has reserved {0}, and the ledger says {1}.':
    'El proveedor tiene reservados {0} y el libro de pagos dice {1}.',
  'The provider has received {0}, and the ledger says {1}.':
    'El proveedor ha recibido {0} y el libro de pagos dice {1}.',
  'The provider has refunded {0}, and the ledger says {1}.':
    'El proveedor ha reembolsado {0} y el libro de pagos dice {1}.',
  'The provider has disputes about {0}, and the ledger says {1}.':
    'El proveedor tiene {0} en disputa y el libro de pagos dice {1}.',
  'The provider has a payment of {0} for a booking that is not here.':
    'El proveedor tiene un pago de {0} por una reserva que no está aquí.',
  'The ledger has a payment of {0} that the provider doesn’t know.':
    'El libro de pagos tiene un pago de {0} que el proveedor no conoce.',
  'A refund of {0} has failed.': 'Ha fallado un reembolso de {0}.',
  'A guest’s bank asks for {0} back. Answer at the payment provider.':
    'El banco de un invitado reclama {0}. Responde en el proveedor de pagos.',
  'The guest has paid.': 'El invitado ha pagado.',
  'The guest chose this time, and went to pay.': 'El invitado eligió esta hora y pasó a pagar.',
  'Money was refunded.': 'Se reembolsó dinero.',
  'The answer was undone.': 'Se deshizo la respuesta.',
  'The guest was marked as a no-show.': 'Se marcó que el invitado no se presentó.',
  'The no-show was undone.': 'Se deshizo la marca de ausencia.',
  'The calendar entry was put back.': 'Se restauró la entrada del calendario.',
  Reminder: 'Recordatorio',
  'The booking was changed.': 'Se modificó la reserva.',
  'The form': 'Formulario',
  'Form {1}': 'Formulario {1}',
  'The action': 'Acción',
  'The list of bookings': 'Reservas',
  'Booking {1}': 'Reserva {1}',
  'The name of filter {1}': 'Nombre del filtro {1}',
  'The query of filter {1}': 'Consulta del filtro {1}',
  'The access to {0} has ended. Connect the account again.':
    'El acceso a {0} ha terminado. Hay que volver a conectar la cuenta.',
  'The calendar “{0}” could not be read.': 'No se pudo leer el calendario «{0}».',
  'The webhook to {0} is failing.': 'El webhook a {0} está fallando.',
  'The webhook to {0} was disabled.': 'El webhook a {0} se desactivó.',
  '{0} hasn’t accepted the invitation.': '{0} aún no ha aceptado la invitación.',
  '{0} hasn’t accepted the invitation to {1}.': '{0} aún no ha aceptado la invitación a {1}.',
  'An email to {0} could not be delivered.': 'No se pudo entregar un correo a {0}.',
  'Nobody can book “{0}” in the next {1} days.': 'Nadie puede reservar «{0}» en los próximos {1} días.',
  '“{0}” is a video call without a link.': '«{0}» es una videollamada sin enlace.',
  'The CAPTCHA of “{0}” has no keys here, so guests can’t get past it.':
    'El CAPTCHA de «{0}» no tiene claves aquí, así que los invitados no pueden pasar.',
  'A newer version has changed the database. Update this instance, too.':
    'Una versión más nueva ha cambiado la base de datos. Hay que actualizar también esta instancia.',
  'Backups are scheduled, but none has been taken yet.':
    'Hay copias de seguridad programadas, pero aún no se ha hecho ninguna.',
  'The backup is overdue. The last one is from {0}.':
    'La copia de seguridad está atrasada. La última es del {0}.',
  'An email could not be delivered.': 'No se pudo entregar un correo.',
  '{0} emails could not be delivered.': 'No se pudieron entregar {0} correos.',
  'The order must name each event type of the owner once. Load the list again.':
    'El orden debe nombrar cada tipo de evento del propietario una vez. Hay que volver a cargar la lista.',
  'The list of ids': 'Lista de identificadores',
  'There can be at most {0} messages.': 'Puede haber como máximo {0} mensajes.',
  'This instance sends no text messages.': 'Esta instancia no envía SMS.',
  'Choose event types that belong to the message’s owner.':
    'Elige tipos de evento que pertenezcan al propietario del mensaje.',
  'Choose forms that belong to the message’s owner.':
    'Elige formularios que pertenezcan al propietario del mensaje.',
  'You have no email address.': 'No tienes dirección de correo.',
  'The guest has been erased.': 'Los datos del invitado se han borrado.',
  'They have unsubscribed from mail like this.': 'Canceló la suscripción a estos correos.',
  'Write the text in your own language, too: {0}.': 'Escribe el texto también en tu propio idioma: {0}.',
  'Only messages before, after or without a booking have a number of minutes.':
    'Solo los mensajes antes, después o sin reserva llevan minutos.',
  'A message without a booking goes to the guest or to the hosts.':
    'Un mensaje sin reserva va al invitado o a los anfitriones.',
  'Text messages go to the guest alone.': 'Los SMS solo van al invitado.',
  'A message without a booking belongs to forms, not to event types.':
    'Un mensaje sin reserva pertenece a formularios, no a tipos de evento.',
  'Only a message without a booking belongs to forms.':
    'Solo un mensaje sin reserva pertenece a formularios.',
  'This is listed twice.': 'Esto aparece dos veces en la lista.',
  'A text message can’t replace a mail of the service.': 'Un SMS no puede sustituir un correo del servicio.',
  'The service sends no mail of its own at this moment, so there is nothing to replace.':
    'En este momento el servicio no envía ningún correo propio, así que no hay nada que sustituir.',
  'A text message has no subject.': 'Un SMS no tiene asunto.',
  '{0} (line {1}, column {2})': '{0} (línea {1}, columna {2})',
  'There is no {0} in a message of this kind.': 'No hay {0} en un mensaje de este tipo.',
  'There is no value called "{0}".': 'No hay ningún valor llamado «{0}».',
  'A link leads to an address with https:, http: or mailto:, or is one of the link values.':
    'Un enlace lleva a una dirección con https:, http: o mailto:, o es uno de los valores de enlace.',
  'A value can’t be part of a web address.': 'Un valor no puede formar parte de una dirección web.',
  '“{0}” already replaces this mail. Change that message instead, or add this one without replacing.':
    '«{0}» ya sustituye este correo. Cambia ese mensaje o añade este sin sustituir.',
  'The meeting had already started.': 'La reunión ya había empezado.',
  'It was more than 24 hours late.': 'Llevaba más de 24 horas de retraso.',
  'The booking was waiting for its payment.': 'La reserva estaba pendiente de pago.',
  'The booking was not paid in time.': 'La reserva no se pagó a tiempo.',
  'The booking was waiting for approval.': 'La reserva estaba pendiente de aprobación.',
  'The booking was confirmed.': 'La reserva estaba confirmada.',
  'The booking was declined.': 'La reserva se rechazó.',
  'The booking was cancelled.': 'La reserva se canceló.',
  'The meeting was over.': 'La reunión había terminado.',
  'The guest did not come.': 'El invitado no se presentó.',
  'This {{ has no }} on its line.': 'A este {{ le falta }} en su línea.',
  'This {{#if}} has no {{/if}}.': 'A este {{#if}} le falta {{/if}}.',
  'Only {{#if NAME}} opens a block.': 'Solo {{#if NAME}} abre un bloque.',
  'At most {0} {{#if}} can be inside each other.': 'Como máximo {0} {{#if}} pueden estar uno dentro de otro.',
  'There is no {{#if}} before this {0}.': 'No hay {{#if}} antes de este {0}.',
  'This {{#if}} has a second {0}.': 'Este {{#if}} tiene un segundo {0}.',
  'Only {{/if}} closes a block.': 'Solo {{/if}} cierra un bloque.',
  'There is no {{#if}} before this {{/if}}.': 'No hay {{#if}} antes de este {{/if}}.',
  'Only start and end can be written with "| date" or "| time".':
    'Solo start y end admiten «| date» o «| time».',
  'When it is booked': 'Al reservar',
  'When it is requested': 'Al solicitar',
  'When it is approved': 'Al aprobar',
  'When it is declined': 'Al rechazar',
  'When it is cancelled': 'Al cancelar',
  'When it is moved': 'Al reprogramar',
  'When the guest did not come': 'Si el invitado no se presenta',
  '{0} minutes before the start': '{0} minutos antes del inicio',
  'An hour before the start': 'Una hora antes del inicio',
  '{0} hours before the start': '{0} horas antes del inicio',
  'A day before the start': 'Un día antes del inicio',
  '{0} days before the start': '{0} días antes del inicio',
  '{0} minutes after the end': '{0} minutos después del final',
  'An hour after the end': 'Una hora después del final',
  '{0} hours after the end': '{0} horas después del final',
  'A day after the end': 'Un día después del final',
  '{0} days after the end': '{0} días después del final',
  '{0} minutes after the answers, without a booking': '{0} minutos después de las respuestas, sin reserva',
  'An hour after the answers, without a booking': 'Una hora después de las respuestas, sin reserva',
  '{0} hours after the answers, without a booking': '{0} horas después de las respuestas, sin reserva',
  'A day after the answers, without a booking': 'Un día después de las respuestas, sin reserva',
  '{0} days after the answers, without a booking': '{0} días después de las respuestas, sin reserva',
  'The message': 'El mensaje',
  'The moment': 'El momento',
  'The number of minutes': 'El número de minutos',
  'The channel': 'El canal',
  'The list of forms': 'La lista de formularios',
  'The enabled setting': 'El ajuste de activación',
  'The replaces setting': 'El ajuste de sustitución',
  'The text': 'El texto',
  'The branch': 'La variante',
  'The subject': 'El asunto',
  'The recipient': 'El destinatario',
  'The booking': 'La reserva',
  'They have booked.': 'Ya se ha reservado.',
  'The answers have no email address.': 'Las respuestas no contienen una dirección de correo.',
  'the provider answers; allowed are {0}': 'el proveedor responde; se permiten {0}',
  'Check the settings of SMS_PROVIDER, and that this machine can reach it.':
    'Revisa los ajustes de SMS_PROVIDER y que este equipo pueda conectar con él.',
  'The phone company did not deliver it ({0}).': 'La compañía telefónica no lo entregó ({0}).',
  'It is unknown whether this was sent: the provider gave no clear answer.':
    'No se sabe si se envió: el proveedor no dio una respuesta clara.',
  'The guest has not agreed to text messages.': 'El invitado no ha aceptado recibir SMS.',
  'This instance sends no text messages to that country.': 'Esta instancia no envía SMS a ese país.',
  'They have answered STOP.': 'Respondió STOP.',
  'This number has had {0} text messages today.': 'Este número ya ha recibido {0} SMS hoy.',
  'The limit of {0} text messages a day is reached.': 'Se ha alcanzado el límite de {0} SMS al día.',
  'The provider refuses it ({0}).': 'El proveedor lo rechaza ({0}).',
  'The provider refuses it: {0} ({1})': 'El proveedor lo rechaza: {0} ({1})',
  'The provider of text messages can’t be reached.': 'No se puede conectar con el proveedor de SMS.',
  'The provider of text messages refuses our key.': 'El proveedor de SMS rechaza nuestra clave.',
  'Guests agree to text messages when they book, so nobody else gets them.':
    'Los invitados aceptan los SMS al reservar, así que nadie más los recibe.',
  '{field} must begin with + and the country code for text messages, such as +49 151 23456789.':
    'Para recibir SMS, {field} debe empezar por + y el prefijo del país, como +49 151 23456789.',
  'Text message to {0}: {1}': 'SMS a {0}: {1}',
  'The person': 'Persona',
  'The list of members': 'Miembros',
  'The list of sessions': 'Sesiones',
  'The list of API tokens': 'Tokens de API',
  'The list of recovery codes': 'Códigos de recuperación',
  'The secret': 'Secreto',
  'The list of responses': 'Respuestas',
  'The copy': 'Copia',
  '“is”': '«es»',
  '“is not”': '«no es»',
  '“contains”': '«contiene»',
  '“does not contain”': '«no contiene»',
  '“starts with”': '«empieza por»',
  '“ends with”': '«termina en»',
  '“is empty”': '«está vacía»',
  '“is not empty”': '«no está vacía»',
  '“is one of”': '«es una de»',
  '“is only”': '«es solo»',
  '“is less than”': '«es menor que»',
  '“is at most”': '«es como máximo»',
  '“is greater than”': '«es mayor que»',
  '“is at least”': '«es como mínimo»',
  'The service stopped while it was reading. Please start again.':
    'El servicio se detuvo mientras leía. Vuelve a empezar.',
  'This import is still being read.': 'Esta importación todavía se está leyendo.',
  'This import is being applied already.': 'Esta importación ya se está aplicando.',
  'This import was applied already.': 'Esta importación ya se aplicó.',
  'This import was undone. Start another one to move in again.':
    'Esta importación se deshizo. Empieza otra para volver a trasladarte.',
  'This import has failed. Please start again.': 'Esta importación ha fallado. Vuelve a empezar.',
  'A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.':
    'Un volcado puede tener como máximo 1 GB. Comprímelo con gzip o deja que se lea la propia base de datos.',
  'There is no field {field}.': 'No existe el campo «{field}».',
  '{field} must be text of at most {0} characters.':
    '«{field}» debe ser un texto de {0} caracteres como máximo.',
  '{field} is missing.': 'Falta «{field}».',
  'Calendly has no database to read.': 'Calendly no tiene una base de datos que leer.',
  'Give either a database, or an API and its token.': 'Indica una base de datos, o bien una API y su token.',
  '{field} must begin with postgres://.': '«{field}» debe empezar por postgres://.',
  '{field} must begin with https://.': '«{field}» debe empezar por https://.',
  'The dump is empty.': 'El volcado está vacío.',
  'Only an import that was applied can be undone.':
    'Solo se puede deshacer una importación que se haya aplicado.',
  'A later import builds on this one. Undo that one first.':
    'Una importación posterior se basa en esta. Deshaz primero aquella.',
  'Somebody has booked since this import was applied, so it can no longer be undone.':
    'Alguien ha reservado desde que se aplicó esta importación, así que ya no se puede deshacer.',
  'It has changed there since it came over.': 'Ha cambiado allí desde que se trajo.',
  'It has changed there, and here as well, so it stays as it is.':
    'Ha cambiado allí y también aquí, así que se queda como está.',
  'It was deleted here, so it does not come over again.': 'Se eliminó aquí, así que no se vuelve a traer.',
  'It is gone there, and stays here.': 'Allí ya no está, y aquí se queda.',
  'Something went wrong while reading. Please start again, or ask the operator.':
    'Algo salió mal durante la lectura. Vuelve a empezar o pregunta a quien administra el servicio.',
  'It belongs to something that does not come over.': 'Pertenece a algo que no se trae.',
  'Say where the dump comes from: ?source=calcom.': 'Indica de dónde viene el volcado: ?source=calcom.',
} satisfies Refusals
