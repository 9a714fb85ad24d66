import type { Refusals } from '../catalogue.ts'
import importPlans from './import-plans.ts'

export default {
  ...importPlans,
  '{0}, {1}': '{0}, {1}',
  'There is more at {0} than we can read.': 'Há mais em {0} do que conseguimos ler.',
  '{0} refuses more requests for now. Please try again later.':
    '{0} não aceita mais solicitações por enquanto. Tente novamente mais tarde.',
  '{0} could not be reached. Please try again later.':
    'Não foi possível acessar {0}. Tente novamente mais tarde.',
  '{0} refused the token. Please make a new one that may read everything.':
    '{0} recusou o token. Crie um novo que possa ler tudo.',
  '{0} did not answer as expected. Please check the address.':
    '{0} não respondeu como esperado. Verifique o endereço.',
  "Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.":
    'A API do Cal.com não inclui fluxos de trabalho, a lista de bloqueio nem calendários conectados. Importe do banco de dados para trazê-los ou configure-os aqui.',
  "Cal.com's API shows hidden event types and private links only to their owner.":
    'A API do Cal.com mostra tipos de evento ocultos e links privados apenas ao proprietário.',
  'This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.':
    'Este banco de dados não tem tabelas do Cal.com. Indique o endereço que o Cal.com usa como DATABASE_URL.',
  'This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.':
    'Este não é o endereço de um banco de dados PostgreSQL. Tem esta forma: postgres://user:password@host/database.',
  'The database could not be reached. Please check its address, and whether this server may connect to it.':
    'Não foi possível acessar o banco de dados. Verifique o endereço e se este servidor pode se conectar a ele.',
  'The database stopped answering while it was read. Please try again.':
    'O banco de dados deixou de responder durante a leitura. Tente novamente.',
  'The database refused the user name or the password.':
    'O banco de dados recusou o nome de usuário ou a senha.',
  'There is no database of this name on that server.':
    'Não há nenhum banco de dados com este nome nesse servidor.',
  'This user of the database may not read the tables of Cal.com.':
    'Este usuário do banco de dados não pode ler as tabelas do Cal.com.',
  'This dump has no tables of Cal.com. Please dump the database that Cal.com uses.':
    'Esta cópia não tem tabelas do Cal.com. Faça uma do banco de dados que o Cal.com usa.',
  'This dump is in the encoding {0}. Make it again with: pg_dump --encoding=UTF8':
    'Esta cópia tem a codificação {0}. Faça-a de novo com: pg_dump --encoding=UTF8',
  'The dump does not name the columns of the table {0}, so its rows are left out. Make it again without --data-only.':
    'A cópia não indica as colunas da tabela {0}, por isso as linhas ficam de fora. Faça-a de novo sem --data-only.',
  'A row of the table {0} does not have as many values as there are columns, so it is left out.':
    'Uma linha da tabela {0} não tem tantos valores como colunas, por isso fica de fora.',
  'A row of the table {0} is larger than {1}, so it is left out.':
    'Uma linha da tabela {0} é maior do que {1}, por isso fica de fora.',
  "Calendly's API does not say where routing forms lead. Please add their rules here.":
    'A API do Calendly não indica aonde levam os formulários de roteamento. Adicione aqui as regras.',
  'This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.':
    'Esta cópia está incompleta: é interrompida antes do fim. Faça-a de novo e copie-a inteira.',
  'This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain':
    'Este arquivo não é uma cópia de um banco de dados PostgreSQL. Faça uma com: pg_dump --format=plain',
  'This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain':
    'Esta cópia está no formato próprio do pg_dump, que não conseguimos ler. Faça-a de novo com: pg_dump --format=plain',
  'This dump is larger than {0} when unpacked.': 'Esta cópia é maior do que {0} depois de descompactada.',
  'Choose a host, or let the round robin choose one: either, not both.':
    'Escolha um anfitrião ou deixe o rodízio escolher um: uma coisa ou outra, não ambas.',
  '{field} must be left out: this event type is for one guest.':
    'O campo “{field}” deve ser omitido: este tipo de evento é para um só convidado.',
  '{field} must be email addresses.': 'O campo “{field}” só pode conter endereços de e-mail.',
  '{field} must be at most 1 email address.': 'O campo “{field}” pode conter no máximo 1 endereço de e-mail.',
  '{field} must be at most {0} email addresses.':
    'O campo “{field}” pode conter no máximo {0} endereços de e-mail.',
  '{field} must be in the future.': 'O campo “{field}” deve estar no futuro.',
  '{field} must be a host of this event type.':
    'O campo “{field}” deve ser um anfitrião deste tipo de evento.',
  '{field} must be after startTime.': 'O campo “{field}” deve ser depois de startTime.',
  '{field} must be {0} minutes after startTime: take both from one listed slot.':
    'O campo “{field}” deve ser {0} minutos depois de startTime: use os dois de um mesmo horário oferecido.',
  '{field} must be a phone number.': 'O campo “{field}” deve ser um número de telefone.',
  '{field} must be a language code such as en or pt-BR.':
    'O campo “{field}” deve ser um código de idioma como en ou pt-BR.',
  '{field} is not possible: this event type has no series.':
    'O campo “{field}” não é possível: este tipo de evento não tem séries.',
  'Not available on {0}. Please choose another time.': 'Indisponível em {0}. Escolha outro horário.',
  'This email address has already booked this time on {0}.':
    'Este endereço de e-mail já reservou este horário em {0}.',
  '{field} must look like https://example.com/calendar.ics.':
    'O campo “{field}” deve ter a forma https://example.com/calendar.ics.',
  '{field} must not contain a colon.': 'O campo “{field}” não pode conter dois-pontos.',
  'Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.':
    'Reservas não podem ser adicionadas a um feed, só a um calendário CalDAV ou a uma conta conectada.',
  '{field} must be the nextCursor of the previous page.':
    'O campo “{field}” deve ser o nextCursor da página anterior.',
  '{field} must not be before the start.': 'O campo “{field}” não pode ser antes do início.',
  '{field} must be between the years 1970 and 9999.':
    'O campo “{field}” deve estar entre os anos 1970 e 9999.',
  '{field} must be after the start.': 'O campo “{field}” deve ser depois do início.',
  'Time off can last at most {0} days. Add it in several parts.':
    'Uma ausência pode durar no máximo {0} dias. Adicione-a em várias partes.',
  'Choose someone from one of your teams to stand in for you.':
    'Escolha alguém de uma de suas equipes para substituir você.',
  '{field} must be an email address, or a domain such as example.com.':
    'O campo “{field}” deve ser um endereço de e-mail ou um domínio como example.com.',
  'There can be at most {0} reminders.': 'Pode haver no máximo {0} lembretes.',
  'Two reminders have the same time.': 'Dois lembretes têm o mesmo horário.',
  'Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.':
    'Convidados que dividem um horário precisam dos mesmos anfitriões. Use 1 vaga, ou o modo coletivo em vez do rodízio.',
  'A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.':
    'Um horário com várias vagas não pode ser retido para um só convidado. Use 1 vaga ou desative a retenção.',
  'Guests can choose from at most {0} durations.':
    'Os convidados podem escolher entre no máximo {0} durações.',
  'Two durations are the same.': 'Duas durações são iguais.',
  'The durations must include the default of {0} minutes.':
    'As durações devem incluir a padrão de {0} minutos.',
  '{field} must be a whole number of minutes from {0} to {1}.':
    'O campo “{field}” deve ser um número inteiro de minutos de {0} a {1}.',
  'The minimum notice is longer than the booking window, so nothing could ever be booked.':
    'A antecedência mínima é maior que o período de reserva, então nada poderia ser reservado.',
  'This limit is shorter than a meeting, so nothing could ever be booked.':
    'Este limite é menor que uma reunião, então nada poderia ser reservado.',
  'A fixed booking window needs two dates (YYYY-MM-DD).':
    'Um período de reserva fixo precisa de duas datas (AAAA-MM-DD).',
  'The booking window ends before it begins.': 'O período de reserva termina antes de começar.',
  'There can be at most {0} sites.': 'Pode haver no máximo {0} sites.',
  '"{0}" is not a site such as https://www.example.com.': '“{0}” não é um site como https://www.example.com.',
  'Write "{0}" as {1}.': 'Escreva “{0}” como {1}.',
  '"{0}" must begin with https://. Only this machine itself can use http://.':
    '“{0}” deve começar com https://. Só esta própria máquina pode usar http://.',
  '"{0}" is listed twice.': '“{0}” aparece duas vezes.',
  '"{0}" is not a time zone we know.': '“{0}” não é um fuso horário conhecido.',
  'Weekdays are numbered 1 (Monday) to 7 (Sunday).':
    'Os dias da semana vão de 1 (segunda-feira) a 7 (domingo).',
  '"{0}" is not a date (YYYY-MM-DD).': '“{0}” não é uma data (AAAA-MM-DD).',
  Monday: 'segunda-feira',
  Tuesday: 'terça-feira',
  Wednesday: 'quarta-feira',
  Thursday: 'quinta-feira',
  Friday: 'sexta-feira',
  Saturday: 'sábado',
  Sunday: 'domingo',
  'Hours on {0} must end after they start, as HH:MM up to 24:00 (got {1} to {2}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.':
    'As horas de {0} devem terminar depois de começar, como HH:MM até 24:00 (informado: {1} a {2}). Para horas depois da meia-noite, adicione dois intervalos: até 24:00 e a partir de 00:00 do dia seguinte.',
  'Hours on {0} overlap.': 'As horas de {0} se sobrepõem.',
  '{field} must be left out: this event type has one location.':
    'O campo “{field}” deve ser omitido: este tipo de evento tem um só local.',
  '{field} is required, because the host calls you.':
    'O campo “{field}” é obrigatório, porque o anfitrião vai ligar para você.',
  'Guests can choose from at most {0} locations.': 'Os convidados podem escolher entre no máximo {0} locais.',
  'Guests who share a slot meet in one place. Use 1 seat, or one location.':
    'Convidados que dividem um horário se encontram no mesmo lugar. Use 1 vaga ou um só local.',
  '{field} must be 1 to 64 letters, digits, hyphens or underscores.':
    'O campo “{field}” deve ter de 1 a 64 letras, dígitos, hifens ou sublinhados.',
  'Two locations have the same id.': 'Dois locais têm o mesmo id.',
  '{field} must be a web address that begins with https:// or http://.':
    'O campo “{field}” deve ser um endereço da web que comece com https:// ou http://.',
  'Only video calls get a meeting link of their own.': 'Só chamadas de vídeo têm um link de reunião próprio.',
  'Leave this empty: every booking gets its own link.':
    'Deixe este campo vazio: cada reserva recebe seu próprio link.',
  '"{0}" must be true or false.': '“{0}” deve ser verdadeiro ou falso.',
  '"{0}" must be a number.': '“{0}” deve ser um número.',
  '"{0}" must be one of {1}.': '“{0}” deve ser um destes valores: {1}.',
  '"{0}" must be a list with some of {1}.': '“{0}” deve ser uma lista com alguns destes valores: {1}.',
  '"{0}" must be a web address that begins with https:// or http://.':
    '“{0}” deve ser um endereço da web que comece com https:// ou http://.',
  '{field} must begin with a letter, and contain only letters, digits, _ and -.':
    'O campo “{field}” deve começar com uma letra e conter só letras, dígitos, _ e -.',
  'Two questions have the key "{0}".': 'Duas perguntas têm a chave “{0}”.',
  '{field} must be a web address that begins with https://.':
    'O campo “{field}” deve ser um endereço da web que comece com https://.',
  '{field} must not contain a user name or password.':
    'O campo “{field}” não pode conter nome de usuário nem senha.',
  'Choose how often a series may repeat.': 'Escolha com que frequência uma série pode se repetir.',
  '{field} is there twice.': 'O campo “{field}” aparece duas vezes.',
  'The form "{0}" chooses hosts by this. Change the form first: {1}':
    'O formulário “{0}” escolhe anfitriões por isto. Altere primeiro o formulário: {1}',
  'No rule matches, so it leads to {0} instead of {1}.':
    'Nenhuma regra se aplica, então leva a {0} em vez de {1}.',
  'Rule {0} matches, so it leads to {1} instead of {2}.':
    'A regra {0} se aplica, então leva a {1} em vez de {2}.',
  'The test "{0}" fails. {1}': 'O teste “{0}” falha. {1}',
  'the message "{0}"': 'esta mensagem: “{0}”',
  'an event type that does not exist': 'um tipo de evento que não existe',
  'Host filters can be nested at most {0} deep.':
    'Filtros de anfitriões podem ser aninhados em no máximo {0} níveis.',
  'A host filter is about one attribute, or it is a group: all or any.':
    'Um filtro de anfitriões trata de um atributo ou é um grupo: all ou any.',
  'Unknown field "{0}.{1}".': 'Campo desconhecido “{0}.{1}”.',
  'A group of a host filter needs at least one condition.':
    'Um grupo de um filtro de anfitriões precisa de ao menos uma condição.',
  'A condition on hosts needs the key of an attribute.':
    'Uma condição sobre anfitriões precisa da chave de um atributo.',
  'A condition on hosts has one of {0}.': 'Uma condição sobre anfitriões tem um destes: {0}.',
  '“is one of” takes a list of 1 to {0} values.': '“é uma de” aceita uma lista de 1 a {0} valores.',
  'A condition on hosts compares with text of 1 to {0} characters.':
    'Uma condição sobre anfitriões compara com um texto de 1 a {0} caracteres.',
  'A condition on hosts compares with text, or with the answer to a field.':
    'Uma condição sobre anfitriões compara com um texto ou com a resposta a um campo.',
  'A condition on hosts asks for the answer to {0}, which is not a field of this form.':
    'Uma condição sobre anfitriões pede a resposta a {0}, que não é um campo deste formulário.',
  '{0} is not an attribute of the team.': '{0} não é um atributo da equipe.',
  '"{0}" can be compared by {1}, not by {2}.': '“{0}” pode ser comparado por {1}, não por {2}.',
  '"{0}" is not an option of "{1}".': '“{0}” não é uma opção de “{1}”.',
  '{field} must be a whole number of days from {0} to {1}.':
    'O campo “{field}” deve ser um número inteiro de dias de {0} a {1}.',
  'Please start again from the form.': 'Comece novamente pelo formulário.',
  '"{0}" is required.': '“{0}” é obrigatório.',
  'Send at most {0} answers to fields that the form does not have.':
    'Envie no máximo {0} respostas a campos que o formulário não tem.',
  'An answer to a field that the form does not have can be at most {0} characters long.':
    'Uma resposta a um campo que o formulário não tem pode ter no máximo {0} caracteres.',
  '"{0}" must be at most {1} characters.': '“{0}” pode ter no máximo {1} caracteres.',
  '"{0}" must be one of its options.': '“{0}” deve ser uma de suas opções.',
  '"{0}" must be a list with some of its options.': '“{0}” deve ser uma lista com algumas de suas opções.',
  '"{0}" must be an email address.': '“{0}” deve ser um endereço de e-mail.',
  '"{0}" must be a phone number.': '“{0}” deve ser um número de telefone.',
  '"{0}" must be one line of text without control characters.':
    '“{0}” deve ser uma linha de texto sem caracteres de controle.',
  '"{0}" must be text without control characters.': '“{0}” deve ser um texto sem caracteres de controle.',
  'Two fields have the id "{0}".': 'Dois campos têm o id “{0}”.',
  'Two tests have the name "{0}".': 'Dois testes têm o nome “{0}”.',
  'The test "{0}" answers "{1}", which is not a field of this form.':
    'O teste “{0}” responde a “{1}”, que não é um campo deste formulário.',
  'The test "{0}" has an answer that is not text.': 'O teste “{0}” tem uma resposta que não é texto.',
  '"{0}" is not a select, so it cannot have options.':
    '“{0}” não é uma lista de seleção, então não pode ter opções.',
  '"{0}" has two options with the same id.': '“{0}” tem duas opções com o mesmo id.',
  'Conditions can be nested at most {0} deep.': 'Condições podem ser aninhadas em no máximo {0} níveis.',
  'A condition is about one field, or it is a group: all or any.':
    'Uma condição trata de um campo ou é um grupo: all ou any.',
  '{field} must be a list of conditions.': 'O campo “{field}” deve ser uma lista de condições.',
  'A rule needs at least one condition.': 'Uma regra precisa de ao menos uma condição.',
  'A rule is about {0}, which is not a field of this form.':
    'Uma regra trata de {0}, que não é um campo deste formulário.',
  'A rule about "{0}" needs an operator: one of {1}.':
    'Uma regra sobre “{0}” precisa de um operador, um destes: {1}.',
  'A rule about "{0}" needs something to compare with.':
    'Uma regra sobre “{0}” precisa de algo com que comparar.',
  '{0} takes a list ("{1}").': '{0} aceita uma lista (“{1}”).',
  'Only {0} and {1} take a list ("{2}").': 'Só {0} e {1} aceitam uma lista (“{2}”).',
  '{0} takes at most {1} values ("{2}").': '{0} aceita no máximo {1} valores (“{2}”).',
  'A rule about "{0}" compares with a number.': 'Uma regra sobre “{0}” compara com um número.',
  'A rule about "{0}" compares with text of at most {1} characters.':
    'Uma regra sobre “{0}” compara com um texto de no máximo {1} caracteres.',
  'A rule about "{0}" needs something to compare with. To look for an empty answer, choose “is empty”.':
    'Uma regra sobre “{0}” precisa de algo com que comparar. Para uma resposta vazia, escolha “está vazio”.',
  'A rule compares "{0}" with "{1}", which is not one of its options.':
    'Uma regra compara “{0}” com “{1}”, que não é uma de suas opções.',
  'Enter the address to send visitors to.': 'Informe o endereço para onde enviar os visitantes.',
  'Visitors cannot be sent to "{0}". Use an address that begins with https://.':
    'Não é possível enviar visitantes para “{0}”. Use um endereço que comece com https://.',
  'Enter the address to look owners up at. It begins with https://.':
    'Informe o endereço onde procurar os responsáveis. Ele começa com https://.',
  'Choose one of the owner’s event types to send visitors to.':
    'Escolha um tipo de evento do proprietário para onde enviar os visitantes.',
  '{field} must be 1 to 64 letters, digits, _ and -.':
    'O campo “{field}” deve ter de 1 a 64 letras, dígitos, _ e -.',
  'The key "email" is reserved. Choose another.': 'A chave “email” é reservada. Escolha outra.',
  'Two attributes have the key "{0}".': 'Dois atributos têm a chave “{0}”.',
  '"{0}" is text, so it cannot have options.': '“{0}” é texto, então não pode ter opções.',
  '"{0}" needs at least one option.': '“{0}” precisa de ao menos uma opção.',
  'A hidden question can’t be required: guests don’t see it.':
    'Uma pergunta oculta não pode ser obrigatória: os convidados não a veem.',
  'The option "{0}" cannot contain a semicolon, which separates options.':
    'A opção “{0}” não pode conter ponto e vírgula, que separa as opções.',
  '"{0}" has the option "{1}" twice.': '“{0}” tem a opção “{1}” duas vezes.',
  '"{0}" is not an attribute of this team.': '“{0}” não é um atributo desta equipe.',
  '"{0}" has no option {1}. Choose from: {2}.': '“{0}” não tem a opção {1}. Escolha entre: {2}.',
  '"{0}" must be a list of its options.': '“{0}” deve ser uma lista de suas opções.',
  '"{0}" must be text.': '“{0}” deve ser texto.',
  '"{0}" must be one line of at most {1} characters.':
    '“{0}” deve ser uma linha de no máximo {1} caracteres.',
  '"{0}" is set for {1}. Clear it there before you delete it.':
    '“{0}” está definido para {1}. Limpe-o lá antes de excluí-lo.',
  '"{0}" is set for {1}. Clear it there before you change its type.':
    '“{0}” está definido para {1}. Limpe-o lá antes de mudar seu tipo.',
  '"{0}" ({1}) is set for {2}. Choose another option there first.':
    '“{0}” ({1}) está definido para {2}. Escolha lá outra opção primeiro.',
  '{0} and {1} more': '{0} e mais {1}',
  'The row has more cells than there are columns.': 'A linha tem mais células do que há colunas.',
  'No member of this team has this email address.': 'Nenhum membro desta equipe tem este endereço de e-mail.',
  'Row {0} is about the same member.': 'A linha {0} é sobre o mesmo membro.',
  'The file has two columns "{0}".': 'O arquivo tem duas colunas “{0}”.',
  'The file has a column "{0}". Its columns can be: {1}.':
    'O arquivo tem uma coluna “{0}”. Suas colunas podem ser: {1}.',
  'The file needs a column "email" in its first row.':
    'O arquivo precisa de uma coluna “email” na primeira linha.',
  '{field} must be 1 to 64 lower-case letters, digits and hyphens.':
    'O campo “{field}” deve ter de 1 a 64 letras minúsculas, dígitos e hifens.',
  '"{0}" is already taken. Please choose another.': '“{0}” já está em uso. Escolha outro.',
  '"{0}" is a former address that still leads to the new one. Please choose another.':
    '“{0}” é um endereço antigo que ainda leva ao novo. Escolha outro.',
  'This page has had {0} other addresses already. Choose one of them.':
    'Esta página já teve outros {0} endereços. Escolha um deles.',
  'The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.':
    'O banco de dados ficou indisponível antes de confirmar, então isto pode ter sido salvo ou não. Verifique antes de repetir. Uma reserva pode ser repetida com a mesma Idempotency-Key: ela é feita uma só vez.',
  '{0} {1}': '{0} {1}',
  '{0} or {1}': '{0} ou {1}',
  '{field} contains a NUL character.': 'O campo “{field}” contém um caractere NUL.',
  '{field} contains text that is not valid Unicode.':
    'O campo “{field}” contém texto que não é Unicode válido.',
  '{field} is nested too deeply.': 'O campo “{field}” está aninhado em níveis demais.',
  'The event {0} is listed twice.': 'O evento {0} aparece duas vezes.',
  'An event type is listed twice.': 'Um tipo de evento aparece duas vezes.',
  'This is a text message. We’ve emailed you its text, because nobody is texted without their consent.':
    'Esta é uma mensagem de texto. Enviamos o texto por e-mail, porque ninguém recebe SMS sem consentimento.',
  'Only the formats of Cal.com and Calendly take a secret of your own.':
    'Somente os formatos do Cal.com e do Calendly aceitam um segredo próprio.',
  'The format of this webhook has no such event.': 'O formato deste webhook não tem esse evento.',
  'This webhook has a secret of your own, which this format can’t use. Create a new secret first.':
    'Este webhook tem um segredo próprio que este formato não pode usar. Crie primeiro um novo segredo.',
  'Payload templates aren’t supported. Leave this empty.':
    'Modelos de conteúdo não são aceitos. Deixe isto vazio.',
  'The file has a quotation mark that is not closed.': 'O arquivo tem aspas que não foram fechadas.',
  '{field} is required with the other date.': 'O campo “{field}” é obrigatório junto com a outra data.',
  '{field} replaces startTime and endTime. Send either dates or instants.':
    'O campo “{field}” substitui startTime e endTime. Envie datas ou instantes, não ambos.',
  'Send the file itself as the body, as text/csv.': 'Envie o próprio arquivo como corpo, como text/csv.',
  'The file is not UTF-8 text. Save it as CSV UTF-8.': 'O arquivo não é texto UTF-8. Salve-o como CSV UTF-8.',
  'Send the image itself as the body, with its type as Content-Type.':
    'Envie a própria imagem como corpo, com o tipo dela em Content-Type.',
  'This has changed since you loaded it. Reload it, then make your change again.':
    'Isto mudou desde que você o carregou. Recarregue e faça sua alteração de novo.',
  'Pages of other origins cannot use this endpoint.':
    'Páginas de outras origens não podem usar este ponto de acesso.',
  'Send one message at a time, not an array.': 'Envie uma mensagem por vez, não uma lista.',
  'Send MCP messages by POST.': 'Envie mensagens MCP por POST.',
  'The address is not valid.': 'O endereço não é válido.',
  'The request does not say which host it is for.': 'A solicitação não diz para qual host é.',
  'This can only be asked for by the service’s own pages.':
    'Só as páginas do próprio serviço podem pedir isto.',
  'The service is too busy just now. Please try again in a moment.':
    'O serviço está ocupado demais agora. Tente de novo em instantes.',
  'Too many requests. Please try again in {0} seconds.': 'Solicitações demais. Tente de novo em {0} s.',
  'The pages of this service have not been built.': 'As páginas deste serviço não foram geradas.',
  'There is nothing at this address.': 'Não há nada neste endereço.',
  'The service cannot reach its database just now. Please try again in a moment.':
    'O serviço não consegue acessar seu banco de dados agora. Tente de novo em instantes.',
  'The service has run out of storage, so nothing was booked or changed. Please try again later.':
    'O serviço está sem espaço de armazenamento, por isso nada foi agendado nem alterado. Tente de novo mais tarde.',
  'The request is not valid.': 'A solicitação não é válida.',
  'Something went wrong on our side.': 'Algo deu errado do nosso lado.',
  'The body must be JSON, and must not be empty.': 'O corpo deve ser JSON e não pode estar vazio.',
  'The address is too long.': 'O endereço é longo demais.',
  'The body is not valid JSON.': 'O corpo não é JSON válido.',
  'The body is larger than 64 KB.': 'O corpo tem mais de 64 KB.',
  'Send the body as application/json.': 'Envie o corpo como application/json.',
  'This server does not do what the Expect header asks for.':
    'Este servidor não faz o que o cabeçalho Expect pede.',
  'The validation token is too long.': 'O token de validação é longo demais.',
  'The body must be a collection of notifications.': 'O corpo deve ser uma coleção de notificações.',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.':
    'Idempotency-Key deve ter de 1 a 255 caracteres ASCII visíveis.',
  'Unknown field "{0}".': 'Campo desconhecido “{0}”.',
  'The request': 'solicitação',
  '{field} must be {0}.': 'O campo “{field}” deve ser deste tipo: {0}.',
  '{field} must be at most {0} characters.': 'O campo “{field}” pode ter no máximo {0} caracteres.',
  '{field} must not be empty.': 'O campo “{field}” não pode estar vazio.',
  '{field} must be at least {0}.': 'O campo “{field}” deve ser no mínimo {0}.',
  '{field} must be at most {0}.': 'O campo “{field}” deve ser no máximo {0}.',
  '{field} must be from {0} to {1}.': 'O campo “{field}” deve estar entre {0} e {1}.',
  '{field} must have at least {0} entries.': 'O campo “{field}” deve ter ao menos {0} itens.',
  '{field} must have at most {0} entries.': 'O campo “{field}” pode ter no máximo {0} itens.',
  '{field} is not valid.': 'O campo “{field}” não é válido.',
  '{0}, or empty': '{0}, ou vazio',
  '{field} must be a whole number.': 'O campo “{field}” deve ser um número inteiro.',
  '{field} must be text.': 'O campo “{field}” deve ser texto.',
  '{field} must be true or false.': 'O campo “{field}” deve ser verdadeiro ou falso.',
  '{field} must be a list.': 'O campo “{field}” deve ser uma lista.',
  '{field} must be an object.': 'O campo “{field}” deve ser um objeto.',
  'The body': 'corpo',
  'The {0}': 'parte {0} da solicitação',
  '{field} must be a {0}.': 'O campo “{field}” deve ser deste tipo: {0}.',
  '{field} is not one of the values allowed.': 'O campo “{field}” não é um dos valores permitidos.',
  '{field} has more than {0} entries.': 'O campo “{field}” tem mais de {0} itens.',
  '{field} must be an integer.': 'O campo “{field}” deve ser um número inteiro.',
  '{field} must be a boolean.': 'O campo “{field}” deve ser um booleano.',
  '{field} must be an array.': 'O campo “{field}” deve ser uma lista.',
  'The server redirects to an invalid address.': 'O servidor redireciona para um endereço inválido.',
  'The server redirects too many times.': 'O servidor redireciona vezes demais.',
  'The response is larger than {0} MB.': 'A resposta tem mais de {0} MB.',
  'The server did not answer within {0} seconds.': 'O servidor não respondeu em {0} segundos.',
  'The server could not be reached.': 'Não foi possível acessar o servidor.',
  'The server refused the user name and password ({0}).':
    'O servidor recusou o nome de usuário e a senha ({0}).',
  'There is no calendar at this address ({0}).': 'Não há calendário neste endereço ({0}).',
  'The server answered {0}.': 'O servidor respondeu {0}.',
  'This calendar has too many events.': 'Este calendário tem eventos demais.',
  '{0} does not say when this calendar is busy.': 'O {0} não informa quando este calendário está ocupado.',
  'The server sent only a part of the calendar.': 'O servidor enviou só uma parte do calendário.',
  'There is no CalDAV server at this address.': 'Não há servidor CalDAV neste endereço.',
  'The server’s response is too complex to read.': 'A resposta do servidor é complexa demais para ser lida.',
  '{0} has ended our access to this account.': '{0} encerrou nosso acesso a esta conta.',
  '{0} refuses this service’s client ({1}). Please tell whoever runs this service.':
    '{0} recusa o cliente deste serviço ({1}). Avise quem administra este serviço.',
  '{0} did not answer in time.': '{0} não respondeu a tempo.',
  '{0} could not be reached.': 'Não foi possível acessar {0}.',
  '{0} sent an answer that is not complete.': '{0} enviou uma resposta incompleta.',
  '{0} sent more than {1} MB.': '{0} enviou mais de {1} MB.',
  '{0} does not accept our access any more.': '{0} não aceita mais nosso acesso.',
  '{0} has forgotten where we were.': '{0} esqueceu onde estávamos.',
  '{0} asks us to send fewer requests.': '{0} pede que enviemos menos solicitações.',
  '{0} answered {1}.': '{0} respondeu {1}.',
  '{0} refused this: {1}': '{0} recusou isto: {1}',
  '{0} does not accept this key.': '{0} não aceita esta chave.',
  '{0} does not let this key do this. It lacks the permission “{1}”.':
    '{0} não permite isto com esta chave. Falta-lhe a permissão “{1}”.',
  '{field} does not look like a key.': 'O campo “{field}” não parece uma chave.',
  '{field} must be a secret or restricted key, which begins with sk_ or rk_. This one is for websites.':
    'O campo “{field}” deve ser uma chave secreta ou restrita, que começa com sk_ ou rk_. Esta é para sites.',
  'Guests pay for these through this account: {0}. Make them free first.':
    'Os convidados pagam estes por esta conta: {0}. Torne-os gratuitos primeiro.',
  'Payments or refunds are still on their way through this account. Please try again later.':
    'Ainda há pagamentos ou reembolsos em andamento por esta conta. Tente novamente mais tarde.',
  'Another account is connected already: {0}. Please disconnect it first.':
    'Já há outra conta conectada: {0}. Desconecte-a primeiro.',
  '{field} must be left out: this account is connected on its provider’s pages.':
    'O campo “{field}” deve ser omitido: esta conta é conectada nas páginas do provedor.',
  'See that this machine can reach STRIPE_API_URL.': 'Verifique se esta máquina alcança STRIPE_API_URL.',
  'answers; connected accounts: {0}': 'responde; contas conectadas: {0}',
  'refuses the keys of {0} of {1} accounts': 'recusa as chaves de {0} de {1} contas',
  'Their owners were told by email to connect them again.':
    'Seus proprietários foram avisados por e-mail para reconectá-las.',
  'The key': 'Chave',
  '{0} sent an answer that we don’t understand.': '{0} enviou uma resposta que não entendemos.',
  'This is not a web address. Enter one such as https://example.com/path.':
    'Isto não é um endereço da web. Informe um como https://example.com/path.',
  'The address must not contain a user name or password.':
    'O endereço não pode conter nome de usuário nem senha.',
  'The address must start with https://.': 'O endereço deve começar com https://.',
  '"{0}" is not a valid host name.': '“{0}” não é um nome de host válido.',
  '"{0}" has no such address.': '“{0}” não tem um endereço assim.',
  'The host "{0}" could not be found.': 'O host “{0}” não foi encontrado.',
  '"{0}" is not on the public internet. Use a public address.':
    '“{0}” não está na internet pública. Use um endereço público.',
  'The calendar takes too long to read.': 'O calendário demora demais para ser lido.',
  'The time of this request has passed.': 'O horário desta solicitação já passou.',
  'Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.':
    'No momento não é possível pagar, por isso nada foi reservado. Tente de novo em um minuto.',
  'The provider could not give the money back.': 'O provedor não conseguiu devolver o dinheiro.',
  'The account that was paid is no longer connected.':
    'A conta que recebeu o pagamento não está mais conectada.',
  'The calendar could not be checked. Please try again in a moment.':
    'Não foi possível verificar o calendário. Tente de novo em instantes.',
  '"{0}" is already on the list.': '“{0}” já está na lista.',
  'A blocklist has at most {0} entries. Block whole domains.':
    'Uma lista de bloqueio tem no máximo {0} entradas. Bloqueie domínios inteiros.',
  'This email address is blocked. Remove it from the blocklist first.':
    'Este endereço de e-mail está bloqueado. Remova-o da lista de bloqueio primeiro.',
  'This booking looks automated. Leave the hidden field empty.':
    'Esta reserva parece automática. Deixe vazio o campo oculto.',
  'This booking could not be accepted.': 'Não foi possível aceitar esta reserva.',
  'Please confirm your email address: request a code, and send it along (emailCode).':
    'Confirme seu endereço de e-mail: peça um código e envie-o junto (emailCode).',
  'This code is wrong. Tries left: {0}.': 'Este código está errado. Tentativas restantes: {0}.',
  'This code no longer works. Please request a new one.': 'Este código não vale mais. Peça um novo.',
  'The calendar and this booking say the same. Look at it again.':
    'O calendário e esta reserva dizem o mesmo. Veja de novo.',
  'It is too late to cancel this booking here. Please contact the host.':
    'É tarde demais para cancelar esta reserva aqui. Entre em contato com o anfitrião.',
  'There is no such booking.': 'Esta reserva não existe.',
  'Someone has just changed this booking. Look at it again.':
    'Alguém acabou de alterar esta reserva. Veja-a de novo.',
  'This booking waits for its payment.': 'Esta reserva aguarda o pagamento.',
  'This booking was not paid in time.': 'Esta reserva não foi paga a tempo.',
  'This booking still waits for approval.': 'Esta reserva ainda aguarda aprovação.',
  'This booking has been confirmed. Cancel it instead.':
    'Esta reserva foi confirmada. Em vez disso, cancele-a.',
  'This booking has been declined.': 'Esta reserva foi recusada.',
  'This booking has been cancelled.': 'Esta reserva foi cancelada.',
  'This meeting has taken place.': 'Esta reunião já aconteceu.',
  'This booking is marked as a no-show.': 'Esta reserva está marcada como não comparecimento.',
  'There is no such booking. Use the whole link, as it was sent to you.':
    'Esta reserva não existe. Use o link completo, como foi enviado a você.',
  'Choose someone else to take these meetings over.': 'Escolha outra pessoa para assumir estas reuniões.',
  'There is no such hold.': 'Este horário não está retido.',
  'Times of this event type can’t be held.': 'Os horários deste tipo de evento não podem ser retidos.',
  'This Idempotency-Key was used before, with another body.':
    'Esta Idempotency-Key já foi usada com outro corpo.',
  '{field} must be one line of text.': 'O campo “{field}” deve ser uma linha de texto.',
  '{field} must be one of {0}.': 'O campo “{field}” deve ser um destes valores: {0}.',
  'Too many emails to {0}. Please try again in {1} seconds.':
    'E-mails demais para {0}. Tente de novo em {1} s.',
  'Too many bookings for the guest {0}. Please try again in {1} seconds.':
    'Reservas demais para o convidado {0}. Tente de novo em {1} s.',
  'Too many codes for this email address. Please try again in {0} seconds.':
    'Códigos demais para este endereço de e-mail. Tente de novo em {0} s.',
  'This guest is booking or changing meetings right now. Please try again.':
    'Este convidado está reservando ou alterando reuniões agora. Tente de novo.',
  'A backup or an export is being made. Please try again when it is done.':
    'Um backup ou uma exportação está em andamento. Tente de novo quando terminar.',
  'Emails about this guest are being sent right now. Try again in a minute.':
    'E-mails sobre este convidado estão sendo enviados agora. Tente de novo em um minuto.',
  'Too many bookings for this email address. Please try again in {0} seconds.':
    'Reservas demais para este endereço de e-mail. Tente de novo em {0} s.',
  'Only video calls get a link.': 'Só chamadas de vídeo recebem um link.',
  'This booking gets its link from {0}.': 'Esta reserva recebe o link de {0}.',
  'A link can only be added to a confirmed meeting that is not over.':
    'Um link só pode ser adicionado a uma reunião confirmada que não terminou.',
  'This meeting has not started yet.': 'Esta reunião ainda não começou.',
  'The time in your calendar has passed.': 'O horário no seu calendário já passou.',
  'Meetings last at most 24 hours, and start and end at whole minutes.':
    'As reuniões duram no máximo 24 horas e começam e terminam em minutos inteiros.',
  'This email address already has {0} upcoming bookings here. Cancel one of them first.':
    'Este endereço de e-mail já tem {0} reservas futuras aqui. Cancele uma delas primeiro.',
  'This link has already been used. Please ask the host for a new one.':
    'Este link já foi usado. Peça um novo ao anfitrião.',
  'This link has expired. Please ask the host for a new one.':
    'Este link expirou. Peça um novo ao anfitrião.',
  'This link doesn’t work. Please ask the host for a new one.':
    'Este link não funciona. Peça um novo ao anfitrião.',
  'Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.':
    'Resta só 1 vaga neste horário. Traga menos convidados ou escolha outro horário.',
  'Only {0} seats are left at this time. Please bring fewer guests, or choose another slot.':
    'Restam só {0} vagas neste horário. Traga menos convidados ou escolha outro horário.',
  'This time is no longer available. Please choose another slot.':
    'Este horário não está mais disponível. Escolha outro.',
  'This email address has already booked this time.': 'Este endereço de e-mail já reservou este horário.',
  'These settings are being changed. Please try again in a moment.':
    'Estas configurações estão sendo alteradas. Tente de novo em instantes.',
  'Guests who share a slot need the same hosts, so a link cannot choose them.':
    'Convidados que dividem um horário precisam dos mesmos anfitriões, então um link não pode escolhê-los.',
  'This meeting has started already.': 'Esta reunião já começou.',
  'This host attends the meeting already. Choose someone else.':
    'Este anfitrião já participa da reunião. Escolha outra pessoa.',
  'This person is not one of the hosts who take turns here.':
    'Esta pessoa não é um dos anfitriões que se revezam aqui.',
  'This host has another meeting at this time. Choose someone else.':
    'Este anfitrião tem outra reunião neste horário. Escolha outra pessoa.',
  'This host has time off at this time. Choose someone else.':
    'Este anfitrião está ausente neste horário. Escolha outra pessoa.',
  'This host is busy at this time. Choose someone else.':
    'Este anfitrião está ocupado neste horário. Escolha outra pessoa.',
  'All hosts of this event type attend together. Change its hosts, or reschedule the meeting.':
    'Todos os anfitriões deste tipo de evento participam juntos. Altere os anfitriões ou remarque a reunião.',
  'No other host is free at this time. Choose someone yourself, or reschedule the meeting.':
    'Nenhum outro anfitrião está livre neste horário. Escolha alguém ou remarque a reunião.',
  'It is too late to reschedule this booking here. Please contact the host.':
    'É tarde demais para remarcar esta reserva aqui. Entre em contato com o anfitrião.',
  'It’s too late to undo this: the guest has been notified.':
    'É tarde demais para desfazer: o convidado já foi avisado.',
  'This time has been taken meanwhile. The request stays declined.':
    'Este horário foi ocupado nesse meio-tempo. A solicitação continua recusada.',
  '{field} must be an email address.': 'O campo “{field}” deve ser um endereço de e-mail.',
  'This event type does not ask guests to confirm their address.':
    'Este tipo de evento não pede que os convidados confirmem o endereço.',
  '{0} is not set up on this service.': '{0} não está configurado neste serviço.',
  'The access could not be renewed in time.': 'Não foi possível renovar o acesso a tempo.',
  'This account is no longer connected.': 'Esta conta não está mais conectada.',
  'The stored access can no longer be read.': 'O acesso guardado não pode mais ser lido.',
  'You can connect at most {0} calendars.': 'Você pode conectar no máximo {0} calendários.',
  'This calendar is already connected.': 'Este calendário já está conectado.',
  'This calendar is read through a connected account, so it has no address.':
    'Este calendário é lido por uma conta conectada, então não tem endereço.',
  'The calendar is on another server now. Enter its password again.':
    'O calendário agora está em outro servidor. Informe a senha de novo.',
  'This calendar is not checked for conflicts, so it is not read.':
    'Este calendário não é verificado quanto a conflitos, então não é lido.',
  '{field} must not contain control characters.': 'O campo “{field}” não pode conter caracteres de controle.',
  '{0} is not set up here. Ask whoever runs this service to register a client.':
    '{0} não está configurado aqui. Peça a quem administra este serviço que registre um cliente.',
  '{0} Please connect it again.': '{0} Conecte-a de novo.',
  '{0} Please try again in a moment.': '{0} Tente de novo em instantes.',
  'There is no such calendar. Check the address.': 'Este calendário não existe. Verifique o endereço.',
  'The calendar has no owner.': 'O calendário não tem proprietário.',
  'This account is at {0}, not at {1}.': 'Esta conta é de {0}, não de {1}.',
  'The connected account has no such calendar.': 'A conta conectada não tem este calendário.',
  'You can’t add events to “{0}”. Choose another calendar for your bookings.':
    'Você não pode adicionar eventos a “{0}”. Escolha outro calendário para suas reservas.',
  'This calendar was deleted, or is no longer shared with the connected account.':
    'Este calendário foi excluído ou não é mais compartilhado com a conta conectada.',
  'What is at this address is not a calendar.': 'O que está neste endereço não é um calendário.',
  'The calendar arrived incomplete.': 'O calendário chegou incompleto.',
  'The calendar could not be read.': 'Não foi possível ler o calendário.',
  'The password can no longer be read. Please enter it again.':
    'A senha não pode mais ser lida. Informe-a de novo.',
  'Someone else has just taken this. Please choose another.':
    'Outra pessoa acabou de ocupar isto. Escolha outro.',
  'There is no ALTCHA challenge here.': 'Não há desafio ALTCHA aqui.',
  'This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.':
    'Este tipo de evento pede um CAPTCHA. Envie um token de API do proprietário ou um desafio resolvido como captchaToken.',
  'This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.':
    'Este tipo de evento pede que os convidados confirmem o endereço. Peça um código em /v2/bookings/verification/email/send-code e envie-o como emailVerificationCode.',
  'A code is for one event type: {field} must name it.':
    'Um código vale para um tipo de evento: {field} precisa indicá-lo.',
  'Please complete the CAPTCHA challenge (captchaToken).': 'Complete o desafio CAPTCHA (captchaToken).',
  'The CAPTCHA was not solved, has expired or was used before. Please try again.':
    'O CAPTCHA não foi resolvido, expirou ou já foi usado. Tente de novo.',
  'The CAPTCHA could not be checked just now. Please try again in a moment.':
    'Não foi possível verificar o CAPTCHA agora. Tente de novo em instantes.',
  '{field} is required.': 'O campo “{field}” é obrigatório.',
  'This event type has 1 booking, which would be lost. Hide it instead.':
    'Este tipo de evento tem 1 reserva, que seria perdida. Em vez disso, oculte-o.',
  'This event type has {0} bookings, which would be lost. Hide it instead.':
    'Este tipo de evento tem {0} reservas, que seriam perdidas. Em vez disso, oculte-o.',
  'These forms send visitors to it: {0}.': 'Estes formulários enviam visitantes para ele: {0}.',
  '{field} must be the id of a user.': 'O campo “{field}” deve ser o id de um usuário.',
  'Each host can be added only once.': 'Cada anfitrião só pode ser adicionado uma vez.',
  'Hosts must be members of the team.': 'Os anfitriões devem ser membros da equipe.',
  '{field} must be a whole number from {0} to {1}.':
    'O campo “{field}” deve ser um número inteiro de {0} a {1}.',
  '{field} must belong to one of the hosts.': 'O campo “{field}” deve pertencer a um dos anfitriões.',
  'Bookings can’t be added to a feed. Choose another calendar.':
    'Reservas não podem ser adicionadas a um feed. Escolha outro calendário.',
  'Bookings can’t be added to a calendar that you can only read. Choose another calendar.':
    'Reservas não podem ser adicionadas a um calendário que você só pode ler. Escolha outro calendário.',
  '{field} must be a UTC instant such as 2030-01-31T09:30:00Z.':
    'O campo “{field}” deve ser um instante UTC como 2030-01-31T09:30:00Z.',
  'These meeting links are not set up on this service.':
    'Estes links de reunião não estão configurados neste serviço.',
  'One schedule must be the default. Make another one the default instead.':
    'Uma agenda deve ser a padrão. Em vez disso, torne outra a padrão.',
  'This is the default schedule. Make another one the default first.':
    'Esta é a agenda padrão. Torne outra a padrão primeiro.',
  'This schedule is used by: {0}.': 'Esta agenda é usada por: {0}.',
  'This form has no such question.': 'Este formulário não tem esta pergunta.',
  'These answers look automated. Leave the hidden field empty.':
    'Estas respostas parecem automáticas. Deixe vazio o campo oculto.',
  'These answers could not be accepted.': 'Não foi possível aceitar estas respostas.',
  'This form has 1 response, which would be lost. Export them first; then delete it with force=true.':
    'Este formulário tem 1 resposta, que seria perdida. Exporte-a primeiro; depois exclua-o com force=true.',
  'This form has {0} responses, which would be lost. Export them first; then delete it with force=true.':
    'Este formulário tem {0} respostas, que seriam perdidas. Exporte-as primeiro; depois exclua-o com force=true.',
  'There is no such form. Check the address.': 'Este formulário não existe. Verifique o endereço.',
  'The host has not confirmed this booking yet. Its calendar file is available once they have.':
    'O anfitrião ainda não confirmou esta reserva. O arquivo de calendário ficará disponível depois disso.',
  'Only admins and owners of the team can see this.':
    'Só administradores e proprietários da equipe podem ver isto.',
  'Only owners of the team can do this.': 'Só proprietários da equipe podem fazer isto.',
  'Only the people of this event type can do this.': 'Só as pessoas deste tipo de evento podem fazer isto.',
  'Only admins and owners of the team can do this.':
    'Só administradores e proprietários da equipe podem fazer isto.',
  'Only admins of this instance can do this.': 'Só administradores desta instalação podem fazer isto.',
  'There is nothing here, or it is not yours.': 'Não há nada aqui, ou não é seu.',
  'Row {0}: {1}': 'Linha {0}: {1}',
  '1 more row is wrong.': 'Mais 1 linha está errada.',
  '{0} more rows are wrong.': 'Mais {0} linhas estão erradas.',
  'Nothing was saved.': 'Nada foi salvo.',
  'An API token cannot change your email address. Sign in for that.':
    'Um token de API não pode alterar seu endereço de e-mail. Entre na conta para isso.',
  'This is your address already.': 'Este já é o seu endereço.',
  'We have just sent a link. Please try again in {0} seconds.':
    'Acabamos de enviar um link. Tente de novo em {0} s.',
  'This link has expired or was used before. Ask for a new one.':
    'Este link expirou ou já foi usado. Peça um novo.',
  'Another account here has this address. Use another, or sign in with it.':
    'Outra conta aqui tem este endereço. Use outro ou entre com ele.',
  'There is no booking page at this address.': 'Não há página de reservas neste endereço.',
  'This image is larger than 512 KB. Please choose a smaller one.':
    'Esta imagem tem mais de 512 KB. Escolha uma menor.',
  'This isn’t a PNG, JPEG or WebP image. Please choose one of those.':
    'Isto não é uma imagem PNG, JPEG ou WebP. Escolha uma dessas.',
  'This image is {0} by {1} pixels. Please choose one of at most {2} by {3}.':
    'Esta imagem tem {0} por {1} pixels. Escolha uma de no máximo {2} por {3}.',
  'You’ve uploaded many images. Please try again in an hour.':
    'Você enviou muitas imagens. Tente de novo em uma hora.',
  '{field} is gone. Please upload the image again.':
    'O campo “{field}” não existe mais. Envie a imagem de novo.',
  'Only an owner can invite an owner.': 'Só um proprietário pode convidar um proprietário.',
  'Only an admin can invite an admin.': 'Só um administrador pode convidar um administrador.',
  '{0} is already a member of the team.': '{0} já é membro da equipe.',
  '{0} already has an account.': '{0} já tem uma conta.',
  '"{0}" is reserved. Please choose another.': '“{0}” é reservado. Escolha outro.',
  '{field} must be a colour such as #2563eb, or empty.':
    'O campo “{field}” deve ser uma cor como #2563eb, ou estar vazio.',
  '{field} must begin with https://, or be empty.':
    'O campo “{field}” deve começar com https://, ou estar vazio.',
  '{0} is the only host of: {1}. Give that another host, or delete it, first.':
    '{0} é o único anfitrião de: {1}. Defina outro anfitrião ou exclua isto primeiro.',
  'You cannot raise your own role.': 'Você não pode elevar seu próprio papel.',
  'A team needs an owner. Make someone else an owner first.':
    'Uma equipe precisa de um proprietário. Torne outra pessoa proprietária primeiro.',
  'This is the only admin here. Make someone else an admin first.':
    'Este é o único administrador aqui. Torne outra pessoa administradora primeiro.',
  'This API token is not allowed to {0}.': 'Este token de API não tem a permissão {0}.',
  'Sign in first: this needs a valid bearer token.':
    'Entre na conta primeiro: isto precisa de um token de acesso válido.',
  'Nobody signs in by email here. Please use {0}.': 'Ninguém entra por e-mail aqui. Use {0}.',
  '{0} has no account here, and signing up is not open to it.':
    '{0} não tem conta aqui e não pode se cadastrar.',
  'An API token cannot see or end sessions. Sign in for that.':
    'Um token de API não pode ver nem encerrar sessões. Entre na conta para isso.',
  '{field} must look like name@example.com.': 'O campo “{field}” deve ter a forma nome@example.com.',
  'Your session has ended. Please sign in again.': 'Sua sessão terminou. Entre na conta de novo.',
  'This team has 1 booking, which would be lost. Hide its event types instead.':
    'Esta equipe tem 1 reserva, que seria perdida. Em vez disso, oculte os tipos de evento dela.',
  'This team has {0} bookings, which would be lost. Hide its event types instead.':
    'Esta equipe tem {0} reservas, que seriam perdidas. Em vez disso, oculte os tipos de evento dela.',
  'An API token cannot make API tokens. Sign in for that.':
    'Um token de API não pode criar tokens de API. Entre na conta para isso.',
  '{field} must not be before the first date.': 'O campo “{field}” não pode ser antes da primeira data.',
  'Choose at most {0} days.': 'Escolha no máximo {0} dias.',
  '{field} must be a date such as 2030-01-31.': 'O campo “{field}” deve ser uma data como 2030-01-31.',
  'There is no such event type. Check the address.': 'Este tipo de evento não existe. Verifique o endereço.',
  '{field} must be {0}, in minutes.': 'O campo “{field}” deve ser {0}, em minutos.',
  '{field} must be an IANA time zone such as Europe/Berlin.':
    'O campo “{field}” deve ser um fuso horário IANA como Europe/Berlin.',
  '{field} must not be before dateFrom.': 'O campo “{field}” não pode ser antes de dateFrom.',
  'Ask for at most {0} days at a time.': 'Peça no máximo {0} dias por vez.',
  'This webhook is turned off. Turn it on first.': 'Este webhook está desativado. Ative-o primeiro.',
  'There can be at most {0} webhooks.': 'Pode haver no máximo {0} webhooks.',
  'Choose event types that belong to the webhook’s owner.':
    'Escolha tipos de evento que pertençam ao proprietário do webhook.',
  'An API token cannot delete your account. Sign in for that.':
    'Um token de API não pode excluir sua conta. Entre na conta para isso.',
  'Enter the email address that you sign in with, to confirm.':
    'Para confirmar, informe o endereço de e-mail com que você entra.',
  'You are the only admin here. Another user must be made an admin first.':
    'Você é o único administrador aqui. Primeiro, outro usuário precisa se tornar administrador.',
  'You are the only owner of: {0}. Make someone else an owner, or delete the team, first.':
    'Você é o único proprietário de: {0}. Torne outra pessoa proprietária ou exclua a equipe primeiro.',
  '{0}; {1}': '{0}; {1}',
  '{0}; and {1} more': '{0}; e mais {1}',
  'You host one upcoming meeting: {0} (times in {1}). Cancel them first, or have them cancelled with your account.':
    'Você é anfitrião de uma reunião futura: {0} (horários de {1}). Cancele-a primeiro ou faça com que seja cancelada com sua conta.',
  'You host {0} upcoming meetings: {1} (times in {2}). Cancel them first, or have them cancelled with your account.':
    'Você é anfitrião de {0} reuniões futuras: {1} (horários de {2}). Cancele-as primeiro ou faça com que sejam canceladas com sua conta.',
  'An API token cannot export your account. Sign in for that.':
    'Um token de API não pode exportar sua conta. Entre na conta para isso.',
  'Your forms have more than {0} responses. Download them form by form, and delete some first.':
    'Seus formulários têm mais de {0} respostas. Baixe-as formulário por formulário e exclua algumas primeiro.',
  'This is not one of your recovery codes, or you have used it before.':
    'Este não é um dos seus códigos de recuperação, ou você já o usou.',
  'This sign-in has ended. Ask for a new link.': 'Este acesso terminou. Peça um novo link.',
  'This passkey was not accepted. Try another, or use a recovery code.':
    'Esta chave de acesso não foi aceita. Tente outra ou use um código de recuperação.',
  'An API token cannot turn on notifications. Sign in for that.':
    'Um token de API não pode ativar notificações. Entre na sua conta para isso.',
  'You have notifications in {0} browsers. Turn them off in one of them first.':
    'Você tem notificações em {0} navegadores. Desative-as primeiro em um deles.',
  'This browser no longer takes notifications. Turn them off and on again.':
    'Este navegador não aceita mais notificações. Desative-as e ative-as de novo.',
  'Notifications in browsers are turned off on this instance.':
    'As notificações em navegadores estão desativadas nesta instância.',
  'An API token cannot see or change passkeys. Sign in for that.':
    'Um token de API não pode ver nem alterar chaves de acesso. Entre na conta para isso.',
  'Passkeys need https and a domain. This service is at {0}.':
    'Chaves de acesso precisam de https e de um domínio. Este serviço está em {0}.',
  'This took too long, or was done before. Please add the passkey again.':
    'Isto demorou demais ou já tinha sido feito. Adicione a chave de acesso de novo.',
  'This passkey was not accepted. Please add it again.':
    'Esta chave de acesso não foi aceita. Adicione-a de novo.',
  'This passkey was added before.': 'Esta chave de acesso já foi adicionada.',
  'This service requires a passkey, and this is your only one. Add another first.':
    'Este serviço exige uma chave de acesso, e esta é a sua única. Adicione outra primeiro.',
  'Recovery codes stand in for a passkey. Add a passkey first.':
    'Os códigos de recuperação substituem uma chave de acesso. Adicione uma primeiro.',
  'Remove your own passkeys in your profile.': 'Remova suas próprias chaves de acesso no seu perfil.',
  'You have {0} passkeys, which is the most. Remove one first.':
    'Você tem {0} chaves de acesso, que é o máximo. Remova uma primeiro.',
  'You signed in a while ago. Please sign in again to change your passkeys.':
    'Você entrou há algum tempo. Entre de novo para alterar suas chaves de acesso.',
  'This service requires a passkey. Add one in the dashboard first.':
    'Este serviço exige uma chave de acesso. Adicione uma primeiro no painel.',
  'The receiver answered 410: it is gone for good.': 'O destinatário respondeu 410: ele não existe mais.',
  'Nothing has arrived for five days.': 'Nada chegou há cinco dias.',

  // The names of fields, which stand in quotation marks.
  'The name': 'Nome',
  'The booking link': 'Link de reserva',
  'The description': 'Descrição',
  'The time zone': 'Fuso horário',
  'The email address': 'Endereço de e-mail',
  'The role': 'Papel',
  'Whether they are disabled': 'Desativado',
  'Id {1}': 'ID {1}',
  'The text to find': 'Texto a encontrar',
  'The address': 'Endereço',
  'The kind': 'Classe',
  'Kind {1}': 'Tipo {1}',
  'The provider': 'Provedor',
  'The connected account': 'Conta conectada',
  'The calendar': 'Calendário',
  'The note': 'Nota',
  'The colleague who stands in': 'Quem substitui',
  'The link': 'Link',
  'The setting for tentative events': 'Configuração de eventos provisórios',
  'The reason': 'Motivo',
  'The first day': 'Primeiro dia',
  'The last day': 'Último dia',
  'The start': 'Início',
  'The guest’s name': 'Nome do convidado',
  'The guest’s email address': 'E-mail do convidado',
  'The guest’s phone number': 'Telefone do convidado',
  'The guest’s time zone': 'Fuso horário do convidado',
  'The guest’s language': 'Idioma do convidado',
  'The notes': 'Observações',
  'The end': 'Fim',
  'The team': 'Equipe',
  'The owner': 'Proprietário',
  'The duration': 'Duração',
  'The list of durations': 'Lista de durações',
  'Duration {1}': 'Duração {1}',
  'The time between starts': 'Tempo entre inícios',
  'The buffer before': 'Margem antes',
  'The buffer after': 'Margem depois',
  'The minimum notice': 'Antecedência mínima',
  'The booking window': 'Período de reserva',
  'The kind of booking window': 'Classe do período de reserva',
  'The setting for business days': 'Configuração de dias úteis',
  'The first date of the booking window': 'Primeira data do período de reserva',
  'The last date of the booking window': 'Última data do período de reserva',
  'The set of booking limits': 'Limites de reservas',
  'The limit per day': 'Limite por dia',
  'The limit per week': 'Limite por semana',
  'The limit per month': 'Limite por mês',
  'The limit per year': 'Limite por ano',
  'The set of limits in minutes': 'Limites em minutos',
  'The limit of minutes per day': 'Limite de minutos por dia',
  'The limit of minutes per week': 'Limite de minutos por semana',
  'The limit of minutes per month': 'Limite de minutos por mês',
  'The limit of minutes per year': 'Limite de minutos por ano',
  'The number of seats': 'Número de vagas',
  'The number of days that personal data is kept': 'Dias de retenção dos dados pessoais',
  'The number of additional guests': 'Número de convidados adicionais',
  'The list of guests': 'Lista de convidados',
  'Guest {1}': 'Convidado {1}',
  'The approval setting': 'Aprovação',
  'The visibility setting': 'Visibilidade',
  'The location': 'Local',
  'The type of location': 'Tipo de local',
  'The meeting link': 'Link de reunião',
  'The list of locations': 'Lista de locais',
  'Location {1}': 'Local {1}',
  'The id of location {1}': 'Id do local {1}',
  'The type of location {1}': 'Tipo do local {1}',
  'The meeting link of location {1}': 'Link de reunião do local {1}',
  'The name of location {1}': 'Nome do local {1}',
  'The list of questions': 'Lista de perguntas',
  'Question {1}': 'Pergunta {1}',
  'The key of question {1}': 'Chave da pergunta {1}',
  'The label of question {1}': 'Rótulo da pergunta {1}',
  'The type of question {1}': 'Tipo da pergunta {1}',
  'The required setting of question {1}': 'Obrigatoriedade da pergunta {1}',
  'The visibility of question {1}': 'Visibilidade da pergunta {1}',
  'The list of options of question {1}': 'Lista de opções da pergunta {1}',
  'Option {2} of question {1}': 'Opção {2} da pergunta {1}',
  'The spam protection': 'Proteção contra spam',
  'The honeypot setting': 'Campo armadilha',
  'The CAPTCHA': 'CAPTCHA',
  'The blocklist': 'Lista de bloqueio',
  'Entry {1} of the blocklist': 'Entrada {1} da lista de bloqueio',
  'The duplicates setting': 'Detecção de duplicatas',
  'The limit of attempts per minute': 'Limite de tentativas por minuto',
  'The assignment of hosts': 'Atribuição de anfitriões',
  'The position': 'Posição',
  'The schedule': 'Agenda',
  'The cancellation cutoff': 'Prazo para cancelar',
  'The rescheduling cutoff': 'Prazo para remarcar',
  'The list of reminders': 'Lista de lembretes',
  'Reminder {1}': 'Lembrete {1}',
  'The list of sites': 'Lista de sites',
  'Site {1}': 'Site {1}',
  'The return address': 'Endereço de retorno',
  'Private links only': 'Só links privados',
  'Holding times': 'Reter horários',
  'Confirming addresses': 'Confirmar endereços',
  'The number of uses': 'Número de usos',
  'The expiry': 'Validade',
  'The list of hosts': 'Lista de anfitriões',
  'Host {1}': 'Anfitrião {1}',
  'An answer': 'Uma resposta',
  'The setting for calendars that cannot be checked':
    'Configuração para calendários que não podem ser verificados',
  'The calendar for bookings': 'Calendário para reservas',
  'The price': 'Preço',
  '{field} must be a currency that guests can pay in, such as EUR, in capital letters.':
    'O campo “{field}” deve ser uma moeda em que se possa pagar, como EUR, em maiúsculas.',
  'There is a price for a duration that guests can’t choose: {0} minutes.':
    'Há um preço para uma duração que não pode ser escolhida: {0} minutos.',
  'Connect an account that gets the money first. Then set a price.':
    'Conecte primeiro uma conta que receba o dinheiro. Depois defina um preço.',
  'The amount': 'Valor',
  'The currency': 'Moeda',
  'The refund': 'Reembolso',
  'The refund rule': 'Regra de reembolso',
  'The time until which everything is refunded': 'Prazo do reembolso integral',
  'The share that is refunded later': 'Parte reembolsada depois',
  'The set of prices by duration': 'Preços por duração',
  'The price of a duration': 'Preço de uma duração',
  'The series': 'Série',
  'The list of intervals': 'Lista de intervalos',
  'Interval {1}': 'Intervalo {1}',
  'The most meetings of a series': 'Máximo de reuniões de uma série',
  'The scope': 'Escopo',
  'The required setting of host {1}': 'Presença obrigatória do anfitrião {1}',
  'The weight of host {1}': 'Peso do anfitrião {1}',
  '“Undoable”': 'Pode ser desfeito',
  'The host': 'Anfitrião',
  'The automatic choice': 'Escolha automática',
  'The weekly schedule': 'Agenda semanal',
  'A day of the weekly schedule': 'Um dia da agenda semanal',
  'A range of hours': 'Um intervalo de horas',
  'The start of a range of hours': 'Início de um intervalo de horas',
  'The end of a range of hours': 'Fim de um intervalo de horas',
  'The list of date overrides': 'Lista de datas especiais',
  'A date override': 'Uma data especial',
  'The default setting': 'Padrão',
  'The list of fields': 'Lista de campos',
  'Field {1}': 'Campo {1}',
  'The id of field {1}': 'Id do campo {1}',
  'The label of field {1}': 'Rótulo do campo {1}',
  'The type of field {1}': 'Tipo do campo {1}',
  'The required setting of field {1}': 'Obrigatoriedade do campo {1}',
  'The list of options of field {1}': 'Lista de opções do campo {1}',
  'Option {2} of field {1}': 'Opção {2} do campo {1}',
  'The id of option {2} of field {1}': 'Id da opção {2} do campo {1}',
  'The label of option {2} of field {1}': 'Rótulo da opção {2} do campo {1}',
  'The list of rules': 'Lista de regras',
  'Rule {1}': 'Regra {1}',
  'The condition of rule {1}': 'Condição da regra {1}',
  'The target of rule {1}': 'Destino da regra {1}',
  'The action of rule {1}': 'Ação da regra {1}',
  'The event type of rule {1}': 'Tipo de evento da regra {1}',
  'The host filter of rule {1}': 'Filtro de anfitriões da regra {1}',
  'The address of rule {1}': 'Endereço da regra {1}',
  'The message of rule {1}': 'Mensagem da regra {1}',
  'The host of returning guests in rule {1}': 'Anfitrião dos convidados que voltam na regra {1}',
  'How long ago returning guests met their host, in rule {1},':
    'Tempo desde o último encontro dos convidados que voltam na regra {1}',
  'The owner lookup of rule {1}': 'Busca de responsáveis da regra {1}',
  'How returning guests are recognised in rule {1}':
    'Como os convidados que voltam são reconhecidos na regra {1}',
  'The fallback': 'Destino dos demais',
  'The action of the fallback': 'Ação para os demais',
  'The event type of the fallback': 'Tipo de evento para os demais',
  'The host filter of the fallback': 'Filtro de anfitriões para os demais',
  'The address of the fallback': 'Endereço para os demais',
  'The message of the fallback': 'Mensagem para os demais',
  'The host of returning guests in the fallback': 'Anfitrião dos convidados que voltam, para os demais',
  'How long ago returning guests met their host, in the fallback,':
    'Tempo desde o último encontro dos convidados que voltam, para os demais',
  'The owner lookup of the fallback': 'Busca de responsáveis para os demais',
  'How returning guests are recognised in the fallback':
    'Como os convidados que voltam são reconhecidos, para os demais',
  'The list of tests': 'Lista de testes',
  'Test {1}': 'Teste {1}',
  'The name of test {1}': 'Nome do teste {1}',
  'The expected result of test {1}': 'Resultado esperado do teste {1}',
  'The expected action of test {1}': 'Ação esperada do teste {1}',
  'The expected event type of test {1}': 'Tipo de evento esperado do teste {1}',
  'The expected address of test {1}': 'Endereço esperado do teste {1}',
  'The expected message of test {1}': 'Mensagem esperada do teste {1}',
  'The force parameter': 'Parâmetro force',
  'The list of events': 'Lista de eventos',
  'Event {1}': 'Evento {1}',
  'The list of event types': 'Lista de tipos de evento',
  'Event type {1}': 'Tipo de evento {1}',
  'The active setting': 'Ativo',
  'The event': 'Evento',
  'The user name': 'Nome de usuário',
  'The password': 'Senha',
  'The conflicts setting': 'Verificação de conflitos',
  'The setting for adding bookings': 'Adição de reservas',
  'The entry': 'Entrada',
  'The bio': 'Biografia',
  'The address of the picture': 'Endereço da foto',
  'The language': 'Idioma',
  'The German form of address': 'Tratamento em alemão',
  'Who takes over': 'Quem assume',
  'The theme': 'Tema',
  'The time format': 'Formato de hora',
  'The start of the week': 'Início da semana',
  'The choice of what members see': 'O que os membros veem',
  'The branding': 'Marca',
  'The colour': 'Cor',
  'The address of the logo': 'Endereço do logotipo',
  'Attribute {1}': 'Atributo {1}',
  'The key of attribute {1}': 'Chave do atributo {1}',
  'The label of attribute {1}': 'Rótulo do atributo {1}',
  'The type of attribute {1}': 'Tipo do atributo {1}',
  'The list of options of attribute {1}': 'Lista de opções do atributo {1}',
  'Option {2} of attribute {1}': 'Opção {2} do atributo {1}',
  'The set of attributes': 'Atributos',
  'An attribute': 'Um atributo',
  'The dry run setting': 'Simulação',
  'The list of scopes': 'Lista de permissões',
  'Scope {1}': 'Permissão {1}',
  'The number of days until it expires': 'Dias até expirar',
  'The token': 'Token',
  'The limit': 'Limite',
  'Whether to end what it made': 'Encerrar o que ele criou',
  'Whether to cancel meetings': 'Cancelar reuniões',
  'The cursor': 'Cursor',
  'The status': 'Situação',
  'The first date': 'Primeira data',
  'The last date': 'Última data',
  'The event type': 'Tipo de evento',
  'The text to search for': 'Texto a buscar',
  'The order': 'Ordem',
  'A field': 'Um campo',
  'The recovery code': 'Código de recuperação',
  'The passkey’s id': 'Id da chave de acesso',
  'The passkey’s client data': 'Dados de cliente da chave de acesso',
  'The passkey’s attestation': 'Atestado da chave de acesso',
  'The passkey’s data': 'Dados da chave de acesso',
  'The passkey’s signature': 'Assinatura da chave de acesso',
  'The subscription': 'Assinatura',
  'The browser’s address': 'Endereço do navegador',
  'The expiration time': 'Hora de expiração',
  'The pair of keys': 'Par de chaves',
  'The service': 'Serviço',
  'The kind of row': 'Tipo de linha',
  'The state': 'Estado',
  'Whether only lines with a note are listed': 'Se só são listadas as linhas com uma nota',
  'The list of choices': 'Lista de escolhas',
  'The list of names in links': 'Lista de nomes nos links',
  'The list of video services': 'Lista de serviços de vídeo',
  'The list of those who stay': 'Lista de quem fica',
  'Entry {1} of those who stay': 'Entrada {1} de quem fica',
  'The format': 'Formato',
  'The payload template': 'Modelo do conteúdo',
  'The browser’s public key': 'Chave pública do navegador',
  'The browser’s secret': 'Segredo do navegador',
  'The list of notifications': 'Lista de notificações',
  'Notification {1}': 'Notificação {1}',
  'The list of transports': 'Lista de transportes',
  'Transport {1}': 'Transporte {1}',
  'To delete your own account, open your profile, or ask another admin.':
    'Para excluir a sua própria conta, abra o seu perfil ou peça a outro administrador.',
  'Choose someone else to take over, who has an account and can sign in.':
    'Escolha outra pessoa, que tenha conta e possa entrar.',
  '{0} is not free for one of these meetings: {1} (times in {2}). Choose someone else, or have it cancelled.':
    '{0} não está livre para uma destas reuniões: {1} (horário de {2}). Escolha outra pessoa ou cancele-a.',
  '{0} is not free for {1} of these meetings: {2} (times in {3}). Choose someone else, or have them cancelled.':
    '{0} não está livre para {1} destas reuniões: {2} (horário de {3}). Escolha outra pessoa ou cancele-as.',
  'This person is the only owner of: {0}. Choose who takes over, or make someone else an owner first.':
    'Esta pessoa é a única proprietária de: {0}. Escolha quem assume, ou torne antes outra pessoa proprietária.',
  'Guests have paid for meetings ahead through {0}’s own account, which can’t be handed over: {1} (times in {2}). Cancel these meetings first: that gives the money back.':
    'Convidados pagaram reuniões futuras pela conta de {0}, que não pode ser transferida: {1} (horário de {2}). Cancele primeiro essas reuniões: assim o dinheiro é devolvido.',
  '{0} hosts one upcoming meeting: {1} (times in {2}). Choose who takes over, or have it cancelled.':
    '{0} tem uma reunião futura: {1} (horário de {2}). Escolha quem assume ou cancele-a.',
  '{0} hosts {1} upcoming meetings: {2} (times in {3}). Choose who takes over, or have them cancelled.':
    '{0} tem {1} reuniões futuras: {2} (horário de {3}). Escolha quem assume ou cancele-as.',
  'It lies in the past.': 'O horário já passou.',
  'It begins sooner than the minimum notice of {0} minutes allows.':
    'Começa antes do que a antecedência mínima de {0} minutos permite.',
  'It lies before the booking window opens.': 'O horário é anterior ao período de reserva.',
  'It lies beyond the booking window.': 'O horário é posterior ao período de reserva.',
  'The host has not confirmed their hours yet.': 'O anfitrião ainda não confirmou seus horários.',
  'It is outside the hours: {0} on {1} in {2} is closed.':
    'Está fora dos horários: {0} de {1} em {2} está fechado.',
  'The meeting would run past the end of the open hours.': 'A reunião passaria do fim do horário aberto.',
  'Starts are {0} minutes apart, counted from when the hours open, and this is between two.':
    'Os inícios têm {0} minutos entre si, a partir da abertura, e este horário fica entre dois.',
  '{0} Nearest: {1}.': '{0} O mais próximo: {1}.',
  '{0} Nearest: {1} and {2}.': '{0} Os mais próximos: {1} e {2}.',
  'All its seats are taken.': 'Todas as vagas estão ocupadas.',
  'Another meeting takes {0} to {1}.': 'Outra reunião ocupa de {0} a {1}.',
  'A buffer would run into the meeting from {0} to {1}.': 'Um intervalo invadiria a reunião de {0} a {1}.',
  'The host is away or busy from {0} to {1}.': 'O anfitrião está ausente ou ocupado de {0} a {1}.',
  'The host is away from {0} to {1}. Guests are led to {2}.':
    'O anfitrião está ausente de {0} a {1}. Os convidados são levados a {2}.',
  'A connected calendar is known only until {0}.': 'Uma agenda conectada só é conhecida até {0}.',
  'Your calendar "{0}" is known only until {1}.': 'Sua agenda “{0}” só é conhecida até {1}.',
  'A connected calendar has something from {0} to {1}.': 'Uma agenda conectada tem algo de {0} a {1}.',
  'Your calendar "{0}" has something from {1} to {2}.': 'Sua agenda “{0}” tem algo de {1} a {2}.',
  'The limit of {0} per day has been reached.': 'O limite de {0} por dia foi atingido.',
  'The limit of {0} per week has been reached.': 'O limite de {0} por semana foi atingido.',
  'The limit of {0} per month has been reached.': 'O limite de {0} por mês foi atingido.',
  'The limit of {0} per year has been reached.': 'O limite de {0} por ano foi atingido.',
  'It would exceed the limit of {0} minutes per day.': 'Ultrapassaria o limite de {0} minutos por dia.',
  'It would exceed the limit of {0} minutes per week.': 'Ultrapassaria o limite de {0} minutos por semana.',
  'It would exceed the limit of {0} minutes per month.': 'Ultrapassaria o limite de {0} minutos por mês.',
  'It would exceed the limit of {0} minutes per year.': 'Ultrapassaria o limite de {0} minutos por ano.',
  'The event type has no hosts.': 'O tipo de evento não tem anfitriões.',
  'A host’s account is disabled, and meetings need this host. Choose other hosts.':
    'A conta de um anfitrião está desativada, e as reuniões precisam dele. Escolha outros anfitriões.',
  'No job {0} has failed.': 'Nenhuma tarefa {0} falhou.',
  Database: 'Banco de dados',
  'SQLite; {0} is made at the first start': 'SQLite; {0} é criado na primeira inicialização',
  "can't be reached: {0}": 'não pode ser alcançado: {0}',
  'Check DATABASE_URL, and whether the server runs.':
    'Verifique DATABASE_URL e se o servidor está em execução.',
  '{0}, connected in {1} ms': '{0}, conectado em {1} ms',
  '{0} is too old': '{0} é antigo demais',
  'Use PostgreSQL 15 or newer.': 'Use o PostgreSQL 15 ou mais recente.',
  Pooler: 'Pool de conexões',
  'single statements have time-outs': 'instruções avulsas têm limite de tempo',
  'single statements have no time-outs': 'instruções avulsas não têm limite de tempo',
  'PostgreSQL may compile single statements, which takes longer than running them':
    'o PostgreSQL pode compilar instruções avulsas, o que demora mais do que executá-las',
  Standby: 'Servidor de espera',
  'follows a primary': 'segue um servidor principal',
  'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.':
    'DATABASE_READ_URL deve levar a um servidor de espera. Até lá, os horários são lidos do principal.',
  'is not a standby': 'não é um servidor de espera',
  'Check DATABASE_READ_URL. Until then, listings are read from the primary.':
    'Verifique DATABASE_READ_URL. Até lá, os horários são lidos do servidor principal.',
  Connections: 'Conexões',
  '{0} × ({1} + {2}) = {3} of the {4} that PostgreSQL gives':
    '{0} × ({1} + {2}) = {3} das {4} que o PostgreSQL permite',
  'Set DATABASE_POOL_SIZE={0}, or raise max_connections to {1}.':
    'Defina DATABASE_POOL_SIZE={0} ou aumente max_connections para {1}.',
  'Raise max_connections to {0}.': 'Aumente max_connections para {0}.',
  'A rolling update runs one more instance: raise max_connections to {0}.':
    'Uma atualização gradual usa uma instância a mais: aumente max_connections para {0}.',
  Clock: 'Relógio',
  "{0} s away from the database's": 'a {0} s do relógio do banco de dados',
  'Let both machines set their clocks by NTP.': 'Ajuste os relógios das duas máquinas por NTP.',
  Migrations: 'Migrações',
  'the database belongs to a newer version ({0})': 'o banco de dados é de uma versão mais nova ({0})',
  'Use that version, or restore a backup from before.': 'Use essa versão ou restaure um backup anterior.',
  'They run when the service starts, or now with `punctual migrate`. Take a backup first.':
    'Elas são executadas quando o serviço inicia, ou agora com `punctual migrate`. Faça um backup antes.',
  '{0} of {1} have not run yet': '{0} de {1} ainda não foram executadas',
  'all {0} have run': 'todas as {0} foram executadas',
  Jobs: 'Tarefas',
  'the oldest has been due for {0} minutes': 'a mais antiga está pendente há {0} minutos',
  'See that the service runs, and what its log says.':
    'Verifique se o serviço está em execução e o que diz o log.',
  '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.':
    '`punctual outbox list` diz por quê; `punctual outbox retry --all` tenta de novo.',
  '1 was given up': '1 foi abandonada',
  '{0} were given up': '{0} foram abandonadas',
  'none is late, none was given up': 'nenhuma está atrasada, nenhuma foi abandonada',
  'Check {0}_CLIENT_ID and {1}_CLIENT_SECRET; a secret may have expired.':
    'Verifique {0}_CLIENT_ID e {1}_CLIENT_SECRET; um segredo pode ter expirado.',
  'refuses the client ({0})': 'recusa o cliente ({0})',
  'See that this machine can reach {0}.': 'Verifique se esta máquina alcança {0}.',
  'Put the service behind https, and set PUBLIC_URL to that address.':
    'Coloque o serviço atrás de https e defina PUBLIC_URL com esse endereço.',
  'sends nobody back to {0}, which is not https': 'não devolve ninguém para {0}, que não é https',
  'answers; its client must have the redirect address {0}':
    'responde; seu cliente precisa ter o endereço de redirecionamento {0}',
  'Sign-on': 'Login único',
  'Check OIDC_ISSUER: is it an OpenID Connect provider?':
    'Verifique OIDC_ISSUER: é um provedor OpenID Connect?',
  'does not tell its {0}': 'não informa: {0}',
  '{0} answers; its client must have the redirect address {1}':
    '{0} responde; seu cliente precisa ter o endereço de redirecionamento {1}',
  'OIDC_ISSUER must be exactly what the provider calls itself.':
    'OIDC_ISSUER deve ser exatamente como o provedor se chama.',
  'its clock is {0} s away from ours': 'o relógio dele está a {0} s do nosso',
  'Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.':
    'Ajuste o relógio desta máquina por NTP. Acima de 30 s, ninguém consegue entrar por lá.',
  Passkeys: 'Chaves de acesso',
  'required, for {0}': 'obrigatórias, para {0}',
  Settings: 'Configurações',
  'valid, for production': 'válidas, para produção',
  'valid, but not for production': 'válidas, mas não para produção',
  'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.':
    'Em um servidor para convidados reais, defina NODE_ENV=production: isso deixa de fora o espaço de demonstração.',
  '{0} is writable, {1} free': '{0} permite gravação, {1} livres',
  'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.':
    'Libere espaço: com o disco cheio nada confirmado se perde, mas não há novas reservas.',
  "{0} can't be written to: {1}": 'não é possível gravar em {0}: {1}',
  'Let the account that runs the service own this folder.':
    'A pasta deve pertencer à conta que executa o serviço.',
  Mail: 'E-mail',
  'written to {0}, not sent': 'gravado em {0}, não enviado',
  'Set SMTP_URL: guests and hosts get no emails.':
    'Defina SMTP_URL: convidados e anfitriões não recebem e-mails.',
  "{0} can't be used: {1}": '{0} não pode ser usado: {1}',
  'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.':
    'Verifique SMTP_URL e se esta máquina pode se conectar a ele. Até lá, os e-mails esperam.',
  '{0} answers, but the sender is {1}': '{0} responde, mas o remetente é {1}',
  'Set MAIL_FROM to an address of yours that this mail server may send for.':
    'Defina MAIL_FROM com um endereço seu pelo qual este servidor de e-mail possa enviar.',
  '{0} answers': '{0} responde',
  '{0} works on this machine only': '{0} só funciona nesta máquina',
  'Set PUBLIC_URL to what guests see: links in emails begin with it.':
    'Defina PUBLIC_URL com o que os convidados veem: os links nos e-mails começam com ele.',
  '{0} is not https': '{0} não é https',
  'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.':
    'Coloque um proxy com TLS na frente: dados pessoais trafegam sem proteção, e os navegadores recusam a verificação ALTCHA.',
  'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.':
    'Inicie o serviço e verifique se o proxy leva a ele. Talvez esta máquina também não consiga alcançar a si mesma.',
  '{0} leads to the service': '{0} leva ao serviço',
  '{0}/healthz answers {1}, and not as this service would':
    '{0}/healthz responde {1}, e não como este serviço responderia',
  "{0} can't be reached from here: {1}": '{0} não pode ser alcançado daqui: {1}',
  'The response was {0}.': 'A resposta foi {0}.',
  'The response was {0}. Redirects are not followed.':
    'A resposta foi {0}. Redirecionamentos não são seguidos.',
  'The response was incomplete.': 'A resposta estava incompleta.',
  'The mail server refuses the recipient: {0}': 'O servidor de e-mail recusa o destinatário: {0}',
  'This booking was rescheduled {0} times in a day. Please try again tomorrow, or contact the host.':
    'Esta reserva foi remarcada {0} vezes em um dia. Tente novamente amanhã ou entre em contato com o anfitrião.',
  'The file has more than {0} rows. Split it into several files.':
    'O arquivo tem mais de {0} linhas. Divida-o em vários arquivos.',
  'Too many times are being held just now. You can book without holding a time.':
    'Há horários demais reservados temporariamente agora. Você pode agendar sem segurar um horário.',
  'Rule {0} matches, but its event type is hidden or deleted, so it leads to {1} instead of {2}.':
    'A regra {0} corresponde, mas o seu tipo de evento está oculto ou foi excluído; por isso leva a {1} em vez de {2}.',
  'No rule matches, and the event type of the fallback is hidden or deleted, so it leads to {0} instead of {1}.':
    'Nenhuma regra corresponde, e o tipo de evento para os demais está oculto ou foi excluído; por isso leva a {0} em vez de {1}.',
  'The set of answers': 'Respostas',
  'The set of answers of test {1}': 'Respostas do teste {1}',
  'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.':
    'As chaves deste CAPTCHA não estão configuradas aqui, e os convidados não conseguiriam continuar. Escolha ALTCHA ou peça as chaves a um administrador.',
  'A filter can name at most {0} values.': 'Um filtro pode incluir no máximo {0} valores.',
  '{field} must be at least {0} characters.': '“{field}” deve ter pelo menos {0} caracteres.',
  'Choose who takes these meetings over.': 'Escolha quem assume estas reuniões.',
  'Two filters are called "{0}".': 'Dois filtros se chamam “{0}”.',
  '{field} must be at most {0} days after the start.':
    '“{field}” deve ser no máximo {0} dias depois do início.',
  'Webhook: {0}': 'Webhook: {0}',
  'Email to {0}: {1}': 'E-mail para {0}: {1}',
  'Calendar entry': 'Entrada no calendário',
  'Calendar entry of {0}': 'Entrada no calendário de {0}',
  'Meeting link': 'Link da reunião',
  'the guest': 'o convidado',
  'an additional guest': 'um convidado adicional',
  'a former host': 'um anfitrião anterior',
  'The meeting was requested.': 'A reunião foi solicitada.',
  'The meeting was booked.': 'A reunião foi agendada.',
  'The request was approved.': 'A solicitação foi aprovada.',
  'The request was declined.': 'A solicitação foi recusada.',
  'The meeting was cancelled.': 'A reunião foi cancelada.',
  'The meeting was rescheduled.': 'A reunião foi reagendada.',
  'The meeting was handed over.': 'A reunião foi transferida.',
  'The provider has a payment in {0}, and the ledger in {1}.':
    'O provedor tem um pagamento em {0}, e o livro de pagamentos em {1}.',
  'The provider has reserved {0}, and the ledger says {1}.':
    'O provedor reservou {0}, e o livro de pagamentos diz {1}.',
  'The provider has received {0}, and the ledger says {1}.':
    'O provedor recebeu {0}, e o livro de pagamentos diz {1}.',
  'The provider has refunded {0}, and the ledger says {1}.':
    'O provedor reembolsou {0}, e o livro de pagamentos diz {1}.',
  'The provider has disputes about {0}, and the ledger says {1}.':
    'O provedor tem {0} contestados, e o livro de pagamentos diz {1}.',
  'The provider has a payment of {0} for a booking that is not here.':
    'O provedor tem um pagamento de {0} de uma reserva que não está aqui.',
  'The ledger has a payment of {0} that the provider doesn’t know.':
    'O livro de pagamentos tem um pagamento de {0} que o provedor não conhece.',
  'A refund of {0} has failed.': 'Um reembolso de {0} falhou.',
  'A guest’s bank asks for {0} back. Answer at the payment provider.':
    'O banco de um convidado pede {0} de volta. Responda no provedor de pagamentos.',
  'The guest has paid.': 'O convidado pagou.',
  'The guest chose this time, and went to pay.': 'O convidado escolheu este horário e foi pagar.',
  'Money was refunded.': 'O dinheiro foi reembolsado.',
  'The answer was undone.': 'A resposta foi desfeita.',
  'The guest was marked as a no-show.': 'O convidado foi marcado como ausente.',
  'The no-show was undone.': 'A marcação de ausência foi desfeita.',
  'The calendar entry was put back.': 'A entrada do calendário foi restaurada.',
  Reminder: 'Lembrete',
  'The booking was changed.': 'A reserva foi alterada.',
  'The form': 'Formulário',
  'Form {1}': 'Formulário {1}',
  'The action': 'Ação',
  'The list of bookings': 'Reservas',
  'Booking {1}': 'Reserva {1}',
  'The name of filter {1}': 'Nome do filtro {1}',
  'The query of filter {1}': 'Consulta do filtro {1}',
  'The access to {0} has ended. Connect the account again.':
    'O acesso a {0} terminou. É preciso conectar a conta novamente.',
  'The calendar “{0}” could not be read.': 'Não foi possível ler a agenda “{0}”.',
  'The webhook to {0} is failing.': 'O webhook para {0} está falhando.',
  'The webhook to {0} was disabled.': 'O webhook para {0} foi desativado.',
  '{0} hasn’t accepted the invitation.': '{0} ainda não aceitou o convite.',
  '{0} hasn’t accepted the invitation to {1}.': '{0} ainda não aceitou o convite para {1}.',
  'An email to {0} could not be delivered.': 'Não foi possível entregar um e-mail a {0}.',
  'Nobody can book “{0}” in the next {1} days.': 'Ninguém pode reservar “{0}” nos próximos {1} dias.',
  '“{0}” is a video call without a link.': '“{0}” é uma videochamada sem link.',
  'The CAPTCHA of “{0}” has no keys here, so guests can’t get past it.':
    'O CAPTCHA de “{0}” não tem chaves aqui, então os convidados não conseguem passar.',
  'A newer version has changed the database. Update this instance, too.':
    'Uma versão mais nova alterou o banco de dados. Atualize também esta instância.',
  'Backups are scheduled, but none has been taken yet.': 'Há backups agendados, mas nenhum foi feito ainda.',
  'The backup is overdue. The last one is from {0}.': 'O backup está atrasado. O último é de {0}.',
  'An email could not be delivered.': 'Não foi possível entregar um e-mail.',
  '{0} emails could not be delivered.': 'Não foi possível entregar {0} e-mails.',
  'The order must name each event type of the owner once. Load the list again.':
    'A ordem deve citar cada tipo de evento do proprietário uma vez. Carregue a lista novamente.',
  'The list of ids': 'Lista de identificadores',
  'There can be at most {0} messages.': 'Pode haver no máximo {0} mensagens.',
  'This instance sends no text messages.': 'Esta instância não envia SMS.',
  'Choose event types that belong to the message’s owner.':
    'Escolha tipos de evento que pertençam ao proprietário da mensagem.',
  'Choose forms that belong to the message’s owner.':
    'Escolha formulários que pertençam ao proprietário da mensagem.',
  'You have no email address.': 'Você não tem endereço de e-mail.',
  'The guest has been erased.': 'Os dados do convidado foram apagados.',
  'They have unsubscribed from mail like this.': 'Esta pessoa cancelou a inscrição nesses e-mails.',
  'Write the text in your own language, too: {0}.': 'Escreva o texto também no seu próprio idioma: {0}.',
  'Only messages before, after or without a booking have a number of minutes.':
    'Só as mensagens antes, depois ou sem reserva têm minutos.',
  'A message without a booking goes to the guest or to the hosts.':
    'Uma mensagem sem reserva vai para o convidado ou para os anfitriões.',
  'Text messages go to the guest alone.': 'Os SMS vão apenas para o convidado.',
  'A message without a booking belongs to forms, not to event types.':
    'Uma mensagem sem reserva pertence a formulários, não a tipos de evento.',
  'Only a message without a booking belongs to forms.': 'Só uma mensagem sem reserva pertence a formulários.',
  'This is listed twice.': 'Isto aparece duas vezes na lista.',
  'A text message can’t replace a mail of the service.': 'Um SMS não pode substituir um e-mail do serviço.',
  'The service sends no mail of its own at this moment, so there is nothing to replace.':
    'Neste momento o serviço não envia nenhum e-mail próprio, por isso não há nada a substituir.',
  'A text message has no subject.': 'Um SMS não tem assunto.',
  '{0} (line {1}, column {2})': '{0} (linha {1}, coluna {2})',
  'There is no {0} in a message of this kind.': 'Não há {0} numa mensagem deste tipo.',
  'There is no value called "{0}".': 'Não há nenhum valor chamado «{0}».',
  'A link leads to an address with https:, http: or mailto:, or is one of the link values.':
    'Um link leva a um endereço com https:, http: ou mailto:, ou é um dos valores de link.',
  'A value can’t be part of a web address.': 'Um valor não pode fazer parte de um endereço web.',
  '“{0}” already replaces this mail. Change that message instead, or add this one without replacing.':
    '«{0}» já substitui este e-mail. Altere essa mensagem ou adicione esta sem substituir.',
  'The meeting had already started.': 'A reunião já tinha começado.',
  'It was more than 24 hours late.': 'Estava mais de 24 horas atrasada.',
  'The booking was waiting for its payment.': 'A reserva aguardava o pagamento.',
  'The booking was not paid in time.': 'A reserva não foi paga a tempo.',
  'The booking was waiting for approval.': 'A reserva aguardava aprovação.',
  'The booking was confirmed.': 'A reserva estava confirmada.',
  'The booking was declined.': 'A reserva foi recusada.',
  'The booking was cancelled.': 'A reserva foi cancelada.',
  'The meeting was over.': 'A reunião tinha terminado.',
  'The guest did not come.': 'O convidado não compareceu.',
  'This {{ has no }} on its line.': 'Falta }} a este {{ na mesma linha.',
  'This {{#if}} has no {{/if}}.': 'Falta {{/if}} a este {{#if}}.',
  'Only {{#if NAME}} opens a block.': 'Só {{#if NAME}} abre um bloco.',
  'At most {0} {{#if}} can be inside each other.': 'No máximo {0} {{#if}} podem estar uns dentro dos outros.',
  'There is no {{#if}} before this {0}.': 'Não há {{#if}} antes deste {0}.',
  'This {{#if}} has a second {0}.': 'Este {{#if}} tem um segundo {0}.',
  'Only {{/if}} closes a block.': 'Só {{/if}} fecha um bloco.',
  'There is no {{#if}} before this {{/if}}.': 'Não há {{#if}} antes deste {{/if}}.',
  'Only start and end can be written with "| date" or "| time".':
    'Só start e end aceitam «| date» ou «| time».',
  'When it is booked': 'Ao reservar',
  'When it is requested': 'Ao pedir',
  'When it is approved': 'Ao aprovar',
  'When it is declined': 'Ao recusar',
  'When it is cancelled': 'Ao cancelar',
  'When it is moved': 'Ao reagendar',
  'When the guest did not come': 'Se o convidado não comparecer',
  '{0} minutes before the start': '{0} minutos antes do início',
  'An hour before the start': 'Uma hora antes do início',
  '{0} hours before the start': '{0} horas antes do início',
  'A day before the start': 'Um dia antes do início',
  '{0} days before the start': '{0} dias antes do início',
  '{0} minutes after the end': '{0} minutos depois do fim',
  'An hour after the end': 'Uma hora depois do fim',
  '{0} hours after the end': '{0} horas depois do fim',
  'A day after the end': 'Um dia depois do fim',
  '{0} days after the end': '{0} dias depois do fim',
  '{0} minutes after the answers, without a booking': '{0} minutos depois das respostas, sem reserva',
  'An hour after the answers, without a booking': 'Uma hora depois das respostas, sem reserva',
  '{0} hours after the answers, without a booking': '{0} horas depois das respostas, sem reserva',
  'A day after the answers, without a booking': 'Um dia depois das respostas, sem reserva',
  '{0} days after the answers, without a booking': '{0} dias depois das respostas, sem reserva',
  'The message': 'A mensagem',
  'The moment': 'O momento',
  'The number of minutes': 'O número de minutos',
  'The channel': 'O canal',
  'The list of forms': 'A lista de formulários',
  'The enabled setting': 'A opção de ativação',
  'The replaces setting': 'A opção de substituição',
  'The text': 'O texto',
  'The branch': 'A variante',
  'The subject': 'O assunto',
  'The recipient': 'O destinatário',
  'The booking': 'A reserva',
  'They have booked.': 'A reserva já foi feita.',
  'The answers have no email address.': 'As respostas não têm endereço de e-mail.',
  'the provider answers; allowed are {0}': 'o provedor responde; são permitidos {0}',
  'Check the settings of SMS_PROVIDER, and that this machine can reach it.':
    'Confira as configurações de SMS_PROVIDER e se esta máquina consegue acessá-lo.',
  'The phone company did not deliver it ({0}).': 'A operadora não o entregou ({0}).',
  'It is unknown whether this was sent: the provider gave no clear answer.':
    'Não se sabe se foi enviado: o provedor não deu uma resposta clara.',
  'The guest has not agreed to text messages.': 'O convidado não aceitou receber SMS.',
  'This instance sends no text messages to that country.': 'Esta instância não envia SMS para esse país.',
  'They have answered STOP.': 'A pessoa respondeu STOP.',
  'This number has had {0} text messages today.': 'Este número já recebeu {0} SMS hoje.',
  'The limit of {0} text messages a day is reached.': 'O limite de {0} SMS por dia foi atingido.',
  'The provider refuses it ({0}).': 'O provedor o recusa ({0}).',
  'The provider refuses it: {0} ({1})': 'O provedor o recusa: {0} ({1})',
  'The provider of text messages can’t be reached.': 'Não é possível acessar o provedor de SMS.',
  'The provider of text messages refuses our key.': 'O provedor de SMS recusa nossa chave.',
  'Guests agree to text messages when they book, so nobody else gets them.':
    'Os convidados aceitam SMS ao reservar, então ninguém mais os recebe.',
  '{field} must begin with + and the country code for text messages, such as +49 151 23456789.':
    'Para SMS, {field} deve começar com + e o código do país, como +49 151 23456789.',
  'Text message to {0}: {1}': 'SMS para {0}: {1}',
  'The person': 'Pessoa',
  'The list of members': 'Membros',
  'The list of sessions': 'Sessões',
  'The list of API tokens': 'Tokens de API',
  'The list of recovery codes': 'Códigos de recuperação',
  'The secret': 'Segredo',
  'The list of responses': 'Respostas',
  'The copy': 'Cópia',
  '“is”': '“é”',
  '“is not”': '“não é”',
  '“contains”': '“contém”',
  '“does not contain”': '“não contém”',
  '“starts with”': '“começa com”',
  '“ends with”': '“termina com”',
  '“is empty”': '“está vazia”',
  '“is not empty”': '“não está vazia”',
  '“is one of”': '“é uma de”',
  '“is only”': '“é somente”',
  '“is less than”': '“é menor que”',
  '“is at most”': '“é no máximo”',
  '“is greater than”': '“é maior que”',
  '“is at least”': '“é no mínimo”',
  'The service stopped while it was reading. Please start again.':
    'O serviço parou durante a leitura. Comece de novo.',
  'This import is still being read.': 'Esta importação ainda está sendo lida.',
  'This import is being applied already.': 'Esta importação já está sendo aplicada.',
  'This import was applied already.': 'Esta importação já foi aplicada.',
  'This import was undone. Start another one to move in again.':
    'Esta importação foi desfeita. Comece outra para se mudar de novo.',
  'This import has failed. Please start again.': 'Esta importação falhou. Comece de novo.',
  'A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.':
    'Um dump pode ter no máximo 1 GB. Comprima-o com gzip ou deixe que o próprio banco de dados seja lido.',
  'There is no field {field}.': 'O campo “{field}” não existe.',
  '{field} must be text of at most {0} characters.':
    '“{field}” deve ser um texto de no máximo {0} caracteres.',
  '{field} is missing.': 'Falta “{field}”.',
  'Calendly has no database to read.': 'O Calendly não tem banco de dados para ler.',
  'Give either a database, or an API and its token.': 'Informe um banco de dados, ou uma API e seu token.',
  '{field} must begin with postgres://.': '“{field}” deve começar com postgres://.',
  '{field} must begin with https://.': '“{field}” deve começar com https://.',
  'The dump is empty.': 'O dump está vazio.',
  'Only an import that was applied can be undone.': 'Só é possível desfazer uma importação que foi aplicada.',
  'A later import builds on this one. Undo that one first.':
    'Uma importação posterior depende desta. Desfaça aquela primeiro.',
  'Somebody has booked since this import was applied, so it can no longer be undone.':
    'Alguém fez uma reserva depois que esta importação foi aplicada, portanto ela não pode mais ser desfeita.',
  'It has changed there since it came over.': 'Mudou lá desde que veio para cá.',
  'It has changed there, and here as well, so it stays as it is.':
    'Mudou lá e também aqui, portanto fica como está.',
  'It was deleted here, so it does not come over again.': 'Foi excluído aqui, portanto não vem de novo.',
  'It is gone there, and stays here.': 'Não está mais lá, e fica aqui.',
  'Something went wrong while reading. Please start again, or ask the operator.':
    'Algo deu errado durante a leitura. Comece de novo ou pergunte a quem opera o serviço.',
  'It belongs to something that does not come over.': 'Pertence a algo que não vem.',
  'Say where the dump comes from: ?source=calcom.': 'Diga de onde vem o dump: ?source=calcom.',
} satisfies Refusals
