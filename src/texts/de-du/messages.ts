import type { MessageWords, Part } from '../catalogue.ts'

/** German for hosts and guests who are addressed as du: what differs from the German that says Sie. */
export default {
  hint: 'Alles, was dein Gast und du bekommen, der Reihe nach und im Wortlaut. Ändere die Worte, oder füge eigene Nachrichten hinzu.',
  own: 'Deine Worte',
  replacing: 'Standard-E-Mail in deinen Worten',
  tested: 'Der Test ist per E-Mail an dich unterwegs.',
  form: {
    hint: 'Schreib denen, die das Formular beantwortet und Zeiten gesehen, aber nicht gebucht haben.',
  },
  samples: {
    blank: { body: 'Hallo {guest},\n\n' },
    thanks: {
      body: 'Hallo {guest},\n\nvielen Dank für deine Zeit. Wenn noch etwas offen ist, antworte einfach auf diese E-Mail.\n\n[Weiteren Termin buchen]({book})\n\n{host}',
    },
    feedback: {
      body: 'Hallo {guest},\n\nwas war gut, und was kann beim nächsten Mal besser werden? Eine kurze Antwort auf diese E-Mail genügt.\n\n{host}',
    },
    directions: {
      subject: 'So findest du hin: {event}',
      body: 'Hallo {guest},\n\nwir treffen uns am {date} um {time}.\n\n{ifLocation}Hier: {location}\n\n{endIf}Bitte plane ein paar Minuten für den Weg ein.\n\n{host}',
    },
    bring: {
      body: 'Hallo {guest},\n\nbitte halte am {date} bereit:\n\n- deine Unterlagen\n- deine Fragen\n\n{host}',
    },
    reconfirm: {
      body: 'Hallo {guest},\n\nwir treffen uns am {date} um {time}. Wenn das nicht mehr passt, [wähle bitte eine andere Zeit]({reschedule}) oder [sag ab]({cancel}).\n\n{host}',
    },
    missed: {
      subject: 'Wir haben dich vermisst, {guest}',
      body: 'Hallo {guest},\n\nschade, dass wir uns nicht getroffen haben. Wenn du möchtest, [wähle eine neue Zeit]({book}).\n\n{host}',
    },
    nudge: {
      subject: 'Du hast noch keine Zeit gewählt',
      body: 'Hallo {guest},\n\nvielen Dank für deine Antworten. Du hast noch keine Zeit gewählt: [Hier geht es weiter]({book}).\n\n{host}',
    },
  },
} satisfies Part<MessageWords>
