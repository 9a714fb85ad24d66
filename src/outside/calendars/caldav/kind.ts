import type { Kind } from '../../kinds/kind.ts'
import { contentOfText } from '../text-content.ts'
import { discoverCalendars, findCtag, queryEvents } from './caldav.ts'
import { caldavCalendar } from './writing.ts'

/** Calendars on a server that speaks CalDAV. */
export const caldav = {
  name: 'caldav',
  title: 'CalDAV',
  calendar: {
    connect: 'server',
    read: async (calendar, known, span) => {
      const { owner, url, tentative } = calendar
      // Read before the events, so that a change in between is found by the next refresh.
      const ctag = await findCtag(calendar, url)
      if (ctag !== '' && ctag === known.ctag) return undefined
      const body = await queryEvents(calendar, url, span)
      return contentOfText({ owner, body, format: 'multistatus', tentative, version: { ctag } })
    },
    ask: async (calendar, span) => {
      const { owner, url, tentative } = calendar
      const body = await queryEvents(calendar, url, span)
      return contentOfText({ owner, body, format: 'multistatus', tentative })
    },
    write: caldavCalendar,
    discover: discoverCalendars,
  },
} as const satisfies Kind
