import type { Interval } from '../interval.ts'
import { DAY, merge, overlaps } from '../interval.ts'
import { instantOf, type Zone } from '../zone.ts'
import type { OwnEvent } from './difference.ts'

/** An event of a provider's calendar, or one occurrence of it: when it is, and whether it blocks time. */
export interface CalendarItem {
  readonly externalId: string
  /** The repeating event that it belongs to; empty if to none. */
  readonly seriesId: string
  readonly uid: string
  /** Null for a repeating event itself, which takes no time apart from its occurrences. */
  readonly startsAt: number | null
  readonly endsAt: number | null
  /** Its times are midnights of UTC, and mean those of the calendar's zone. Null: as its series. */
  readonly wholeDay: boolean | null
  /** Null: as its series. */
  readonly blocks: boolean | null
}

/** What a provider says has changed in a calendar. */
export interface ItemChanges {
  readonly items: readonly CalendarItem[]
  /** Ids of events that are gone. */
  readonly removed: readonly string[]
  /** Where the next reading goes on. */
  readonly cursor: string
  /** The calendar's own zone; undefined if it has none. */
  readonly timeZone: string | undefined
}

/** The items after these changes. A later change of the same event wins. */
export function applyChanges(
  items: Iterable<CalendarItem>,
  { items: changed, removed }: Pick<ItemChanges, 'items' | 'removed'>,
): CalendarItem[] {
  const known = new Map([...items].map((item) => [item.externalId, item]))
  for (const item of changed) known.set(item.externalId, item)
  for (const id of removed) known.delete(id)
  return [...known.values()]
}

interface ItemQuestion {
  readonly span: Interval
  /** The zone of whole days. */
  readonly zone: Zone
  /** The UID by which we know an event that is ours; undefined for those of others. */
  readonly ownUid: (item: CalendarItem) => string | undefined
}

/** The times that these events take, merged, and which of them are ours. */
export function busyOfItems(
  items: readonly CalendarItem[],
  { span, zone, ownUid }: ItemQuestion,
): { readonly busy: readonly Interval[]; readonly own: readonly OwnEvent[] } {
  const series = new Map(
    items.filter(({ startsAt }) => startsAt === null).map((item) => [item.externalId, item]),
  )
  const busy: Interval[] = []
  const own: OwnEvent[] = []
  for (const item of items) {
    if (item.startsAt === null || item.endsAt === null) continue
    const master = series.get(item.seriesId)
    const wholeDay = item.wholeDay ?? master?.wholeDay ?? false
    // What is not known to be free is taken.
    const blocks = item.blocks ?? master?.blocks ?? true
    const at = (time: number) => (wholeDay ? instantOf(zone, Math.floor(time / DAY), 0) : time)
    const interval = { start: at(item.startsAt), end: at(item.endsAt) }
    const eventId = ownUid(item)
    if (eventId !== undefined) own.push({ eventId, ...interval, cancelled: false, free: !blocks })
    else if (blocks && interval.start < interval.end && overlaps(interval, span)) busy.push(interval)
  }
  return { busy: merge(busy), own }
}
