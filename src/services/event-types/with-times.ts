import { formatDate } from '../../domain/calendar-date.ts'
import { DAY } from '../../domain/interval.ts'
import type { Context } from '../context.ts'

const SEARCHED_AT_ONCE = 92
/** About a year. */
const SEARCHES = 4

/** Those event types of a user or team that have times within a year. */
export async function withTimes<T extends { readonly slug: string }>(
  context: Context,
  ownerSlug: string,
  eventTypes: readonly T[],
): Promise<readonly T[]> {
  const found = await Promise.all(eventTypes.map(({ slug }) => hasTimes(context, ownerSlug, slug)))
  return eventTypes.filter((_, index) => found[index])
}

async function hasTimes(context: Context, ownerSlug: string, slug: string): Promise<boolean> {
  const today = Math.floor(context.now() / DAY) - 1
  for (let search = 0; search < SEARCHES; search++) {
    const from = today + search * SEARCHED_AT_ONCE
    const query = {
      dateFrom: formatDate(from),
      dateTo: formatDate(from + SEARCHED_AT_ONCE - 1),
      timezone: 'UTC',
    }
    const key = `times ${ownerSlug}/${slug} ${query.dateFrom}`
    if ((await context.slots.list(ownerSlug, slug, query, { key })).length > EMPTY.length) return true
  }
  return false
}

const EMPTY = '[]'
