import { type ApiOptions, openApi } from './api-client.ts'
import { treeOf } from './trees.ts'

/** What to ask the old system for. Dates are `YYYY-MM-DD`, and both are included. */
export interface SlotsQuestion {
  readonly eventTypeId: string
  readonly from: string
  readonly to: string
}

/** The starts that it offers, ascending; undefined if it does not say. */
export type AskTheirSlots = (question: SlotsQuestion) => Promise<number[] | undefined>

/** An old system that is still running. It lists slots to everybody. */
export interface TheirSlots {
  readonly ask: AskTheirSlots
  close(): void
}

const VERSION = { 'cal-api-version': '2024-09-04', authorization: '' }

/** Asks Cal.com for slots, first as its API v2 does, then as older ones did. */
export function openTheirSlots(address: string, options: ApiOptions): TheirSlots {
  const api = openApi({
    ...options,
    service: 'Cal.com',
    base: address.replace(/\/(?:v2\/?)?$/, ''),
    token: '',
  })
  return {
    ask: async ({ eventTypeId, from, to }) => {
      const query = { eventTypeId, start: from, end: to, timeZone: 'UTC' }
      const answer = await api.get({ path: '/v2/slots', query, headers: VERSION, optional: true })
      if (answer !== undefined) return startsIn(treeOf(answer).data)
      const older = { eventTypeId, startTime: `${from}T00:00:00Z`, endTime: `${to}T23:59:59Z` }
      const known = await api.get({
        path: '/slots/available',
        query: older,
        headers: VERSION,
        optional: true,
      })
      if (known === undefined) return undefined
      const { data = known } = treeOf(known)
      return startsIn(treeOf(data).slots ?? data)
    },
    close: () => api.close(),
  }
}

/** Slots come by date, each as a text or with its start or time. Those of people who are away can't be booked. */
function startsIn(days: unknown): number[] {
  const starts = Object.values(treeOf(days)).flatMap((slots) =>
    (Array.isArray(slots) ? slots : []).flatMap((slot) => {
      const { start, time, away } = treeOf(slot)
      const at = Date.parse(String(typeof slot === 'string' ? slot : (start ?? time ?? '')))
      return Number.isNaN(at) || away === true ? [] : [at]
    }),
  )
  return [...new Set(starts)].sort((a, b) => a - b)
}
