import type { Kind } from '../../kinds/kind.ts'
import { ask, requireSuccess } from '../calendar-server.ts'
import { contentOfText } from '../text-content.ts'

/** An address that answers with iCalendar text. It can only be read, and only in full. */
export const feed = {
  name: 'feed',
  title: 'iCal',
  calendar: {
    connect: 'link',
    read: async (calendar, known) => {
      const answer = await ask(calendar, {
        method: 'GET',
        url: calendar.url,
        headers: {
          accept: 'text/calendar, */*;q=0.5',
          ...(known.etag !== '' && { 'if-none-match': known.etag }),
          ...(known.lastModified !== '' && { 'if-modified-since': known.lastModified }),
        },
      })
      if (answer.status === 304) return undefined
      requireSuccess(answer)
      const { etag = '', 'last-modified': lastModified = '' } = answer.headers
      const { owner, tentative } = calendar
      const version = { etag, lastModified }
      return contentOfText({ owner, body: answer.text, format: 'ics', tentative, version })
    },
  },
} as const satisfies Kind
